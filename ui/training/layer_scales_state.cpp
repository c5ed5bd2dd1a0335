// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/layer_scales_state.h"

#include "core/base/entry_at.h"
#include "ui/theme/text.h"
#include "ui/training/training_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumb::ui {
namespace {

TensorRole roleOf(ScaleKind kind) {
    switch (kind) {
    case ScaleKind::Activations:
        return TensorRole::Activation;
    case ScaleKind::Weights:
        return TensorRole::Weight;
    case ScaleKind::ActivationGradients:
        return TensorRole::ActivationGradient;
    case ScaleKind::Gradients:
        return TensorRole::Gradient;
    }
    return TensorRole::Activation;
}

/// Points of one kind, in the order of the layers; what a log axis cannot show is a gap.
QVector<QPointF> pointsOf(const std::optional<LayerStatistics>& statistics, ScaleKind kind,
                          QVector<double>& notFinite) {
    QVector<QPointF> points;
    notFinite.clear();
    if (!statistics) return points;
    for (const TensorStatistics& tensor : statistics->tensors) {
        if (tensor.role != roleOf(kind)) continue;
        const double value = tensor.rootMeanSquare.value_or(std::numeric_limits<double>::quiet_NaN());
        const bool shown = std::isfinite(value) && value > 0;
        if (!std::isfinite(value)) notFinite.append(tensor.layer);
        points.append({static_cast<double>(tensor.layer), shown ? value : std::nan("")});
    }
    return points;
}

bool expectsGrowth(ScaleKind kind) {
    return kind == ScaleKind::Activations || kind == ScaleKind::ActivationGradients;
}

/// From where the scale of this kind is made of random weights alone: the features going forward, the last
/// layer's activations going back.
double startLayer(const RunConfig& config, ScaleKind kind) {
    return kind == ScaleKind::Activations ? 0 : static_cast<double>(config.layers);
}

}  // namespace

QString scaleLabel(ScaleKind kind) {
    switch (kind) {
    case ScaleKind::Activations:
        return tr("activations");
    case ScaleKind::Weights:
        return tr("weights");
    case ScaleKind::ActivationGradients:
        return tr("of activations");
    case ScaleKind::Gradients:
        return tr("of weights");
    }
    return {};
}

QString scaleToolTip(ScaleKind kind) {
    switch (kind) {
    case ScaleKind::Activations:
        return tr("What each layer gives on; x is the features");
    case ScaleKind::Weights:
        return tr("The weights that each layer multiplies with");
    case ScaleKind::ActivationGradients:
        return tr("Gradient of the loss by what each layer gives on, without the loss scale");
    case ScaleKind::Gradients:
        return tr("Gradient of the loss by each layer's weights, without the loss scale");
    }
    return {};
}

ScaleCurves makeScaleCurves(const TrainingRun& run, ScaleKind kind) {
    ScaleCurves curves;
    curves.first = pointsOf(run.firstScales, kind, curves.notFinite);
    // As long as only one step had statistics, it is the first and not the newest as well.
    if (run.lastScales && run.firstScales && run.lastScales->step != run.firstScales->step)
        curves.newest = pointsOf(run.lastScales, kind, curves.notFinite);
    if (expectsGrowth(kind)) {
        const double start = startLayer(run.config, kind);
        const auto at = std::ranges::find(curves.first, start, &QPointF::x);
        const double growth = initialGrowthPerLayer(run.config);
        if (at != curves.first.end() && std::isfinite(at->y()))
            for (const QPointF& point : curves.first)
                if (point.x() <= static_cast<double>(run.config.layers))
                    curves.expected.append(
                        {point.x(), at->y() * std::pow(growth, std::abs(point.x() - start))});
    }
    bool any = false;
    for (const auto* line : {&curves.first, &curves.newest, &curves.expected})
        for (const QPointF& point : *line) {
            if (!std::isfinite(point.y()) || point.y() <= 0) continue;
            curves.lowest = any ? std::min(curves.lowest, point.y()) : point.y();
            curves.highest = any ? std::max(curves.highest, point.y()) : point.y();
            any = true;
        }
    return curves;
}

QString growthText(const RunConfig& config, ScaleKind kind) {
    if (!expectsGrowth(kind)) return {};
    return QStringLiteral("× ") + lossText(initialGrowthPerLayer(config), 3);
}

QString measuredGrowthText(const TrainingRun& run, ScaleKind kind) {
    if (!expectsGrowth(kind) || !run.firstScales) return {};
    const auto growth = measuredGrowthPerLayer(run.config, *run.firstScales, roleOf(kind));
    return growth ? QStringLiteral("× ") + lossText(*growth, 3) : QString();
}

QString layerName(const RunConfig& config, ScaleKind kind, std::int32_t layer) {
    if (layer == 0) return QStringLiteral("x");
    if (layer <= config.layers) return QString::number(layer);
    return kind == ScaleKind::ActivationGradients ? QStringLiteral("y") : tr("head");
}

std::vector<RangeRow> makeRangeRows(const TrainingRun& run) {
    std::vector<RangeRow> rows;
    if (!run.lastScales || !whyNoRanges(run).isEmpty()) return rows;
    const auto layers = static_cast<std::int32_t>(run.config.layers);
    const auto matrices = static_cast<std::int32_t>(run.config.matrices());
    rows.resize(static_cast<std::size_t>(matrices) + 1);
    for (std::int32_t layer = 0; layer <= matrices; ++layer)
        entryAt(rows, layer).layer = layer == 0        ? tr("features")
                                     : layer <= layers ? tr("layer %1").arg(layer)
                                                       : tr("head");
    const auto steps = static_cast<double>(run.lastScales->countedSteps());
    for (const TensorStatistics& tensor : run.lastScales->tensors) {
        const auto kind = std::ranges::find(kAllScaleKinds, tensor.role, &roleOf);
        if (kind == kAllScaleKinds.end() || tensor.layer < 0 || tensor.layer > matrices) continue;
        const double rounded = roundedIn(steps, run.config, tensor.role, tensor.layer);
        if (!(rounded > 0)) continue;
        entryAt(rows, tensor.layer).cells[*kind] =
            RangeShare{tensor.overflowed, tensor.underflowed, std::min(1.0, tensor.overflowed / rounded),
                       std::min(1.0, tensor.underflowed / rounded)};
    }
    return rows;
}

QString whyNoRanges(const TrainingRun& run) {
    if (run.recorded) return tr("A recorder notes no scales of tensors.");
    switch (run.config.precision) {
    case Precision::Fp16:
    case Precision::Fp8:
        return {};
    case Precision::Fp32:
    case Precision::Tf32:
    case Precision::Bf16:
        break;
    }
    const QString why = run.config.precision == Precision::Bf16
                            ? tr("bf16 has the range of fp32: nothing is counted as too large or too small.")
                            : tr("In fp32, and with it tf32, nothing is counted as too large or too small.");
    return why + tr(" Run with fp16 or fp8 to see what their ranges cost.");
}

QString shareText(double share) {
    if (!(share > 0)) return QStringLiteral("0");
    QString number = lossText(share * 100, 3);
    number.replace(QStringLiteral("e-0"), QStringLiteral("e-"));
    return number + QStringLiteral(" %");
}

}  // namespace plumb::ui

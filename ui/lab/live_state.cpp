// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/live_state.h"

#include "core/base/entry_at.h"
#include "core/base/quantity.h"
#include "ui/theme/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kRoom = 2;  // powers of two beside the outermost bins
constexpr double kLeastSpan = 16;

QString number(double value) { return numberText(value, 'g', 3); }

QString powerText(int power) { return QStringLiteral("2^%1").arg(power); }

void describeWindow(LiveRow& row, const ValueHistogram& histogram) {
    const LossScaleWindow window = lossScaleWindow(histogram, row.format);
    if (!window.exists()) {
        row.window = tr("no scale does");
        row.tone = ColorRole::Bad;
    } else if (window.needsNone()) {
        row.window = tr("needs none");
        row.tone = ColorRole::Good;
    } else {
        row.window = window.lowest && window.highest
                         ? tr("%1 to %2").arg(powerText(*window.lowest), powerText(*window.highest))
                     : window.lowest ? tr("from %1").arg(powerText(*window.lowest))
                                     : tr("up to %1").arg(powerText(*window.highest));
        row.tone = ColorRole::Warning;
    }
    row.toolTip =
        tr("Loss scales under which at most %1 % of the numbers become 0 and none is too large%2")
            .arg(kTolerableShare * 100)
            .arg(window.lowest && window.highest
                     ? QStringLiteral(": %1 … %2").arg(powerText(*window.lowest), powerText(*window.highest))
                     : QString());
}

}  // namespace

const std::vector<LiveKind>& liveKinds() {
    static const std::vector<LiveKind> kinds{
        {TensorRole::Weight, QT_TRANSLATE_NOOP("plumb::ui", "Weight")},
        {TensorRole::Gradient, QT_TRANSLATE_NOOP("plumb::ui", "Gradient")},
        {TensorRole::Activation, QT_TRANSLATE_NOOP("plumb::ui", "Activation")},
        {TensorRole::ActivationGradient, QT_TRANSLATE_NOOP("plumb::ui", "Activation gradient")},
        {TensorRole::Weight, QT_TRANSLATE_NOOP("plumb::ui", "Product of all weights"), true}};
    return kinds;
}

std::pair<std::int32_t, std::int32_t> layersOf(TensorRole role, std::int64_t layers, bool hasHead) {
    const auto last = static_cast<std::int32_t>(layers);
    // The head has weights; its output is no activation of a layer.
    const bool head = hasHead && (role == TensorRole::Weight || role == TensorRole::Gradient);
    return {1, head ? last + 1 : last};
}

QString layerText(std::int32_t layer, std::int64_t layers) {
    return layer > layers ? tr("head") : tr("layer %1").arg(layer);
}

LiveState makeLiveState(const TensorInspection& inspection) {
    LiveState state;
    const ValueHistogram& histogram = inspection.histogram;
    QString kind = toText("tensor");
    const bool isProduct = inspection.role == TensorRole::Weight && inspection.layer == 0;
    for (const LiveKind& known : liveKinds())
        if (known.role == inspection.role && known.isProduct == isProduct) kind = tr(known.label);
    if (!isProduct) kind = tr("%1 of layer %2").arg(kind).arg(inspection.layer);
    state.title = tr("%1 after step %2: %3 × %4 in %5")
                      .arg(kind)
                      .arg(inspection.steps)
                      .arg(inspection.rows)
                      .arg(inspection.columns)
                      .arg(toText(dtypeName(inspection.dtype)));
    state.savedTo = toText(inspection.savedTo);
    state.recovered = inspection.recovered;
    if (inspection.scale > 0 && inspection.scale != 1)
        state.title += tr(", stored times %1").arg(number(1 / inspection.scale));
    state.summary =
        tr("%1 numbers, %2 of them 0; magnitudes %3 to %4, root mean square %5")
            .arg(quantityText(static_cast<double>(histogram.count), ""))
            .arg(quantityText(static_cast<double>(histogram.zeros), ""))
            .arg(number(histogram.smallest), number(histogram.largest), number(histogram.rootMeanSquare));
    if (histogram.infinities + histogram.notNumbers > 0)
        state.summary += tr("; %1 not finite").arg(histogram.infinities + histogram.notNumbers);
    if (const auto& recovered = inspection.recovered)
        state.summary =
            tr("Each output of the synthetic task is 0, 1, 2, ... times the features, so the product "
               "of all weights should be these numbers: off by %1 in the mean (root mean square) "
               "and %2 at most")
                .arg(number(recovered->meanError), number(recovered->largestError));
    if (!state.savedTo.isEmpty()) state.summary += tr(". Written by the engine to %1").arg(state.savedTo);

    const double all = std::max(1.0, static_cast<double>(histogram.count));
    AreaLayer layer{kind, ColorRole::Accent, {}};
    double low = histogram.lowestExponent;
    double high = low + static_cast<double>(histogram.counts.size());
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const double share = static_cast<double>(histogram.counts[i]) / all;
        if (state.areas.edges.isEmpty()) state.areas.edges.push_back(low);
        state.areas.edges.push_back(low + static_cast<double>(i) + 1);
        layer.values.push_back(share);
        state.highest = i == 0 ? share : std::max(state.highest, share);
    }
    state.areas.layers = {layer};
    state.highest = std::max(state.highest, 1e-6);
    if (high - low < kLeastSpan) {
        const double middle = (low + high) / 2;
        low = middle - kLeastSpan / 2;
        high = middle + kLeastSpan / 2;
    }
    state.least = std::floor(low - kRoom);
    state.most = std::ceil(high + kRoom);

    const double finite =
        std::max(1.0, static_cast<double>(histogram.count - histogram.infinities - histogram.notNumbers));
    for (const FormatLoss& loss : histogram.formats) {
        const auto format = findFormat(loss.format);
        if (!format.has_value()) continue;
        LiveRow row;
        row.format = *format;
        row.exact = static_cast<double>(loss.exact) / finite;
        row.rounded = static_cast<double>(loss.rounded) / finite;
        row.subnormal = static_cast<double>(loss.subnormal) / finite;
        row.toZero = static_cast<double>(loss.toZero) / finite;
        row.beyond = static_cast<double>(loss.beyond) / finite;
        describeWindow(row, histogram);
        state.rows.push_back(std::move(row));
    }
    return state;
}

HeatMap::Content makeLiveMap(const TensorInspection& inspection) {
    const ValueGrid& grid = inspection.grid;
    HeatMap::Content map;
    const bool single = grid.rows == inspection.rows && grid.columns == inspection.columns;
    const auto ticks = [](std::int64_t cells, std::int64_t numbers) {
        QStringList texts;
        for (std::int64_t cell = 0; cell < cells; ++cell)
            texts << QString::number((cell * numbers + cells - 1) / cells);
        return texts;
    };
    map.x = {tr("column"), ticks(grid.columns, inspection.columns)};
    map.y = {tr("row"), ticks(grid.rows, inspection.rows)};
    std::ranges::reverse(map.y.ticks);
    map.valueTitle = single ? tr("value") : tr("mean of the cell");
    map.format = [](double value) { return number(value); };
    for (std::int64_t row = grid.rows; row-- > 0;)  // the lowest row of the map first
        for (std::int64_t column = 0; column < grid.columns; ++column) {
            const double value = entryAt(grid.means, row * grid.columns + column);
            HeatMap::Cell cell;
            if (std::isfinite(value)) cell.value = value;
            cell.rows.push_back({map.valueTitle, {number(value)}, std::nullopt, true});
            if (!cell.value) cell.footer = tr("not finite");
            map.cells.push_back(std::move(cell));
        }
    return map;
}

}  // namespace plumb::ui

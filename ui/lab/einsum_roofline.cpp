// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/einsum_roofline.h"

#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <tuple>

namespace plumb::ui {
void EinsumRoofline::show(const EinsumState& state, const Machine* device,
                          std::optional<double> measuredRate) {
    if (!state.bound || !device) {
        m_chart.setEmptyText(state.whyNoBound);
        m_chart.setLegend({});
        return;
    }
    m_chart.setEmptyText({});
    const lab::ExpressionBound& bound = *state.bound;
    QVector<ChartLabel> labels = showRoof(state, measuredRate);
    showPoints(state, measuredRate, std::move(labels));
    using Swatch = LegendEntry::Swatch;
    m_chart.setLegend(
        {{QStringLiteral("own"), tr("this expression"), {}, ColorRole::Accent, Swatch::Dot},
         {QStringLiteral("gradients"), tr("its gradients"), {}, ColorRole::Accent, Swatch::Circle},
         {QStringLiteral("ladder"), tr("the ladder of examples"), {}, ColorRole::Ghost, Swatch::Circle}});
    m_chart.setAccessibleName(
        tr("Roofline of %1: %2 FLOP per byte, bound by %3")
            .arg(deviceText(*device), numberText(state.cost.intensity, 'g', 3),
                 bound.computeBound ? tr("compute") : tr("memory", "what bounds an operation")));
}

QVector<ChartLabel> EinsumRoofline::showRoof(const EinsumState& state, std::optional<double> measuredRate) {
    const lab::ExpressionBound& bound = *state.bound;
    double least = std::min(0.1, bound.balance / 10), most = std::max(1000.0, bound.balance * 10);
    for (const EinsumPoint& point : state.points) {
        least = std::min(least, point.intensity / 2);
        most = std::max(most, point.intensity * 2);
    }
    std::tie(least, most) = niceRange(least, most, true);
    double slowest = least * bound.bandwidthBytesPerSecond;
    if (measuredRate) slowest = std::min(slowest, *measuredRate / 2);
    const auto [low, high] = niceRange(slowest, bound.peakFlopPerSecond * 1.5, true);
    m_chart.setAxis(ChartAxis::X, {tr("arithmetic intensity, FLOP / byte"), {}, true, least, most, true});
    m_chart.setAxis(ChartAxis::Y, {tr("FLOP/s"), {}, true, low, high, true, {}, true});
    m_chart.addLine(QStringLiteral("roof"), {{}, ColorRole::TextStrong, 1.8, Qt::SolidLine, 1, false});
    m_chart.setLine(QStringLiteral("roof"), {{least, least * bound.bandwidthBytesPerSecond},
                                             {bound.balance, bound.peakFlopPerSecond},
                                             {most, bound.peakFlopPerSecond}});
    m_chart.setMarker(QStringLiteral("balance"),
                      {bound.balance, std::nullopt, {}, ColorRole::Axis, Qt::DotLine, 1, 0});
    return {{{most, bound.peakFlopPerSecond},
             QStringLiteral("%1 %2").arg(toText(dtypeName(bound.peakDtype)),
                                         quantityText(bound.peakFlopPerSecond, "FLOP/s")),
             ColorRole::TextStrong,
             true,
             90,
             Qt::AlignLeft | Qt::AlignTop},
            {{bound.balance, low},
             tr("balance %1").arg(quantityText(bound.balance, "FLOP/B")),
             ColorRole::TextMuted,
             false,
             70,
             Qt::AlignRight | Qt::AlignTop}};
}

void EinsumRoofline::showPoints(const EinsumState& state, std::optional<double> measuredRate,
                                QVector<ChartLabel> labels) {
    QVector<ChartMark> marks;
    for (int i = 0; i < state.points.size(); ++i) {
        const EinsumPoint& point = state.points[i];
        const bool own = point.kind == EinsumPoint::Kind::Expression;
        const bool ladder = point.kind == EinsumPoint::Kind::Ladder;
        marks.push_back({{point.intensity, point.rate},
                         ladder ? ChartColor(ColorRole::Ghost) : ChartColor(ColorRole::Accent),
                         own,
                         own ? 6.0 : 4.5,
                         i,
                         own});
        ChartLabel label{{point.intensity, point.rate},
                         point.label,
                         own ? ColorRole::TextStrong : ColorRole::TextMuted,
                         own,
                         own      ? 100
                         : ladder ? 30 - i
                                  : 60,
                         Qt::AlignRight | Qt::AlignBottom};
        label.merges = !own;
        labels.push_back(label);
    }
    if (measuredRate) {
        marks.push_back({{state.cost.intensity, *measuredRate}, ColorRole::Measured, true, 6.0, -1, false});
        labels.push_back({{state.cost.intensity, *measuredRate},
                          tr("measured"),
                          ColorRole::Measured,
                          true,
                          95,
                          Qt::AlignRight | Qt::AlignBottom});
    }
    m_chart.setMarks(marks);
    m_chart.setLabels(labels);
}

}  // namespace plumb::ui

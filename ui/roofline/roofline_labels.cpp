// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the lines and dots of the roofline.
#include "ui/roofline/roofline_series.h"
#include "ui/roofline/roofline_view.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/workbench/step_text.h"

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

/// Whether two lines are nearer than a text is high: the label of one would stand at the height of another
/// rate.
bool areNear(const RooflineCeiling& one, const RooflineCeiling& other) {
    constexpr double kNear = 0.15;
    return std::abs(one.flopPerSecond / other.flopPerSecond - 1) < kNear;
}

/// The ceiling that is named for it and for those near it: an active one, else the highest; itself where
/// there is none.
const RooflineCeiling& namedFor(const RooflineState& state, const RooflineSeries& series,
                                const RooflineCeiling& ceiling) {
    const RooflineCeiling* named = &ceiling;
    for (const RooflineCeiling& other : state.ceilings) {
        const bool isBefore =
            other.active != named->active ? other.active : other.flopPerSecond > named->flopPerSecond;
        if (isBefore && areNear(other, ceiling) && series.isOn(roofSeries(other.calibrated))) named = &other;
    }
    return named == &ceiling ? ceiling : namedFor(state, series, *named);
}

bool isCovered(const RooflineState& state, const RooflineSeries& series, const RooflineCeiling& ceiling) {
    return !ceiling.active && namedFor(state, series, ceiling).flopPerSecond != ceiling.flopPerSecond;
}

/// Rates of the lines that are named with another one, each once.
QString coveredText(const RooflineState& state, const RooflineSeries& series, const RooflineCeiling& named) {
    QString text;
    for (const RooflineCeiling& other : state.ceilings) {
        if (!isCovered(state, series, other) || !series.isOn(roofSeries(other.calibrated))) continue;
        const RooflineCeiling& by = namedFor(state, series, other);
        if (by.flopPerSecond == named.flopPerSecond && by.calibrated == named.calibrated)
            text += QStringLiteral(" · %1 %2")
                        .arg(dtypeText(other.dtype), quantityText(other.flopPerSecond, "FLOP/s"));
    }
    return text;
}

}  // namespace

QVector<ChartLabel> RooflineView::ceilingLabels() const {
    QVector<ChartLabel> labels;
    for (const RooflineCeiling& ceiling : m_state.ceilings) {
        if (!isShown(ceiling) || !m_series.isOn(roofSeries(ceiling.calibrated))) continue;
        if (isCovered(m_state, m_series, ceiling)) continue;
        // The active one of several at one rate speaks for all, else the first.
        const auto& all = m_state.ceilings;
        const auto same = [&](const RooflineCeiling& other) {
            return other.flopPerSecond == ceiling.flopPerSecond && other.calibrated == ceiling.calibrated;
        };
        const auto active = std::find_if(all.begin(), all.end(), [&](const RooflineCeiling& other) {
            return same(other) && other.active;
        });
        if (&ceiling != (active != all.end() ? &*active : &*std::find_if(all.begin(), all.end(), same)))
            continue;
        QStringList names{dtypeText(ceiling.dtype)};
        for (const RooflineCeiling& other : all) {
            if (same(other) && &other != &ceiling) names << dtypeText(other.dtype);
        }
        QString text =
            QStringLiteral("%1 %2").arg(listText(names), quantityText(ceiling.flopPerSecond, "FLOP/s"));
        if (ceiling.calibrated && ceiling.active) text = tr("%1 calibrated").arg(text);
        if (!isCompact()) text += coveredText(m_state, m_series, ceiling);
        ChartLabel label{{m_state.maxIntensity, ceiling.flopPerSecond},
                         text,
                         !ceiling.active      ? ColorRole::Axis
                         : ceiling.calibrated ? ColorRole::Accent
                                              : ColorRole::TextStrong,
                         ceiling.active,
                         ceiling.active ? 90 : 50,
                         ceiling.active ? Qt::AlignLeft | Qt::AlignTop : Qt::AlignRight | Qt::AlignVCenter};
        label.along = {{ceilingStart(ceiling), ceiling.flopPerSecond},
                       {m_state.maxIntensity, ceiling.flopPerSecond}};
        label.elsewhere = ceiling.active || !isCompact();
        labels.push_back(label);
    }
    for (const RooflineSlope& slope : m_state.slopes) {
        if (!m_series.isOn(roofSeries(slope.calibrated))) continue;
        const auto [from, to] = slopeEnds(slope);
        // Sizes and "memory" take more room than the Overview has: the lowest one is memory's.
        const bool brief = isCompact() && slope.level.value_or(MemoryLevel::Dram) == MemoryLevel::Dram;
        // Near its lower end, where there is room at the right.
        const double at = from.x() * std::pow(std::max(1.0, to.x() / from.x()), 0.12);
        ChartLabel label{{at, at * slope.bytesPerSecond},
                         brief ? quantityText(slope.bytesPerSecond, "B/s") : slope.label,
                         slope.active && slope.calibrated ? ColorRole::Accent : ColorRole::TextMuted,
                         false,
                         slope.active ? 88 : 86,
                         Qt::AlignRight | Qt::AlignBottom};
        label.elsewhere = (slope.active && slope.calibrated) || !isCompact();
        label.along = {from, to};
        labels.push_back(label);
    }
    if (m_state.balance)
        labels.push_back({{*m_state.balance, m_state.minRate},
                          tr("balance %1").arg(quantityText(*m_state.balance, "FLOP/B")),
                          ColorRole::TextMuted,
                          false,
                          40,
                          Qt::AlignRight | Qt::AlignTop});
    return labels;
}

QVector<ChartLabel> RooflineView::pointLabels() const {
    QVector<const RooflinePoint*> named;
    for (const RooflinePoint& point : m_state.named)
        if (m_series.isOn(point.phase) && isInRange(point, !m_state.measuredPoints.empty()))
            named.push_back(&point);
    const auto weight = [](const RooflinePoint* point) {
        return point->measuredSeconds.value_or(point->predictedSeconds.value_or(0));
    };
    std::stable_sort(named.begin(), named.end(),
                     [&](const auto* a, const auto* b) { return weight(a) > weight(b); });
    const Scene& scene = *m_state.scene;
    const Step& step = m_state.measuredPoints.empty() ? *scene.whatIf.step : *scene.measured->step;
    QVector<ChartLabel> labels;
    int priority = 80;
    for (const RooflinePoint* point : named) {
        const bool isFilled = point->measured && m_series.isOn(kFilledSeries);
        const auto rate = isFilled ? point->measured : point->predicted;
        if (!rate || (!isFilled && !m_series.isOn(kHollowSeries))) continue;
        ChartLabel label{{isFilled ? point->measuredIntensity() : point->intensity, *rate},
                         pointLabel(step, *point),
                         ColorRole::Text,
                         false,
                         std::max(priority--, 61),
                         Qt::AlignRight | Qt::AlignBottom};
        label.merges = true;
        labels.push_back(label);
    }
    return labels;
}

}  // namespace plumb::ui

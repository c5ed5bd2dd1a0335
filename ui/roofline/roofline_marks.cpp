// SPDX-License-Identifier: GPL-3.0-or-later
// The dots of the roofline, its legend, and the card of what is under the pointer.
#include "core/base/entry_at.h"
#include "ui/charts/chart_panel.h"
#include "ui/roofline/roofline_series.h"
#include "ui/roofline/roofline_view.h"
#include "ui/theme/text.h"
#include "ui/widgets/segmented_control.h"
#include "ui/workbench/step_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace plumb::ui {
namespace {

/// Tags of marks of the run are told from those of the plan by this.
constexpr int kRunTag = 1 << 24;
/// And those of a report's kernels by this.
constexpr int kKernelTag = 1 << 25;
/// As many kernels are named, the longest.
constexpr int kNamedKernels = 12;
constexpr qreal kLargestDot = 18;
constexpr qreal kSmallestDot = 3;
constexpr qreal kPlainDot = 4.5;
constexpr qreal kCompactDot = 5;
constexpr qreal kOutOfRange = 0.2;   // opacity of dots that the range leaves out
constexpr qreal kStackReach = 7;     // pixels within which dots are one stack
constexpr std::size_t kListed = 10;  // of a stack

const RooflinePoint& pointAt(const RooflineState& state, int tag) {
    return tag >= kRunTag ? entryAt(state.measuredPoints, tag - kRunTag) : entryAt(state.points, tag);
}

Seconds timeOf(const RooflinePoint& point) {
    return point.measuredSeconds.value_or(point.predictedSeconds.value_or(0));
}

/// How large its dot is: by its share of the longest time where that is wanted and known.
qreal radiusOf(const RooflinePoint& point, Seconds longest) {
    const Seconds time = timeOf(point);
    if (time <= 0 || longest <= 0) return kPlainDot;
    return std::max(kSmallestDot, kLargestDot * std::sqrt(time / longest));
}

/// What stands at one place, the longest first.
HoverCardContent stackCard(const RooflineState& state, const RooflineKernels& kernels,
                           const std::vector<int>& tags) {
    HoverCardContent card;
    struct Entry {
        HoverCardContent::Row row;
        Seconds time;
    };
    std::vector<Entry> entries;
    for (const int tag : tags) {
        if (tag >= kKernelTag) {
            const KernelPoint& kernel = entryAt(kernels.points.points, tag - kKernelTag);
            entries.push_back({{kernelLabel(kernel),
                                {quantityText(kernel.rate(), "FLOP/s"), quantityText(kernel.seconds, "s")},
                                ChartColor(ColorRole::Measured),
                                false},
                               kernel.seconds});
            continue;
        }
        const RooflinePoint& point = pointAt(state, tag);
        const Step& step = tag >= kRunTag ? *state.scene->measured->step : *state.scene->whatIf.step;
        const auto rate = point.measured ? point.measured : point.predicted;
        const auto time = point.measuredSeconds ? point.measuredSeconds : point.predictedSeconds;
        const QString unknown = QStringLiteral("–");
        entries.push_back(
            {{point.ops.size() == 1 ? stepText(step, step.opName(point.ops.front()))
                                    : pointLabel(step, point),
              {rate ? quantityText(*rate, "FLOP/s") : unknown, time ? quantityText(*time, "s") : unknown},
              ChartColor(point.phase),
              false},
             time.value_or(0)});
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.time > b.time; });
    card.title = QObject::tr("%n points here, the longest first", nullptr, static_cast<int>(entries.size()));
    card.header = {tr("rate"), tr("time")};
    for (const Entry& entry : entries)
        if (std::ssize(card.rows) < static_cast<std::ptrdiff_t>(kListed)) card.rows.push_back(entry.row);
    if (entries.size() > kListed)
        card.footer = QObject::tr("and %n more; zoom in to tell them apart", nullptr,
                                  static_cast<int>(entries.size() - kListed));
    return card;
}

}  // namespace

int RooflineView::selectedPoint() const {
    return pointOf(m_state.points,
                   m_state.scene->whatIf.step->findOp(m_context.workbench.selection().op().toStdString()));
}

bool RooflineView::isInRange(const RooflinePoint& point, bool ofRun) const {
    // The cards of the Overview have all of the step.
    const OpRange& range = m_context.workbench.selection().range();
    return isCompact() || !range.isChosen() ||
           std::ranges::any_of(m_state.shownOps(point, ofRun), [&](int op) { return range.contains(op); });
}

OpSet RooflineView::opsIn(const QRectF& box) const {
    std::vector<int> ops;
    for (const ChartMark& mark : m_marks) {
        if (mark.tag < 0 || mark.tag >= kKernelTag || !box.contains(m_chart->toPixel(mark.position)))
            continue;
        std::ranges::copy(m_state.shownOps(pointAt(m_state, mark.tag), mark.tag >= kRunTag),
                          std::back_inserter(ops));
    }
    return OpSet(std::move(ops));
}

void RooflineView::addPoints(QVector<ChartMark>& marks, QVector<ChartJoin>& joins) const {
    const auto add = [&](const std::vector<RooflinePoint>& points, int firstTag, int selected) {
        const bool withPredicted = firstTag == 0;
        int index = 0;
        for (const RooflinePoint& point : points) {
            const bool lit = index == selected;
            const int tag = firstTag + index++;
            if (!m_series.isOn(point.phase)) continue;
            const qreal opacity = isInRange(point, firstTag != 0) ? 1 : kOutOfRange;
            const bool hasHollow = withPredicted && point.predicted && m_series.isOn(kHollowSeries);
            const bool hasFilled = point.measured && m_series.isOn(kFilledSeries);
            const QPointF hollow(point.intensity, point.predicted.value_or(0));
            const QPointF filled(point.measuredIntensity(), point.measured.value_or(0));
            const qreal radius = isCompact()        ? kCompactDot
                                 : m_looks->isOn(0) ? radiusOf(point, m_longest)
                                                    : kPlainDot;
            if (hasHollow)
                marks.push_back({hollow, point.phase, false, radius, tag, lit && !hasFilled, opacity});
            if (hasFilled) marks.push_back({filled, point.phase, true, radius, tag, lit, opacity});
            if (!hasHollow || !hasFilled) continue;
            ChartJoin join{hollow, filled, point.phase};
            join.opacity *= opacity;
            joins.push_back(join);
        }
    };
    add(m_state.points, 0, selectedPoint());
    // What ran was another step: its operation of that name is chosen with that of the sliders.
    const std::string chosen = m_context.workbench.selection().op().toStdString();
    if (!m_state.measuredPoints.empty())
        add(m_state.measuredPoints, kRunTag,
            pointOf(m_state.measuredPoints, m_state.scene->measured->step->findOp(chosen)));
}

void RooflineView::showPoints() {
    if (!m_state.emptyText.isEmpty()) return;
    m_longest = 0;
    for (const auto* points : {&m_state.points, &m_state.measuredPoints})
        for (const RooflinePoint& point : *points) m_longest = std::max(m_longest, timeOf(point));
    QVector<ChartMark> marks;
    QVector<ChartJoin> joins;
    if (m_looks && m_looks->isOn(1) && m_series.isOn(kHollowSeries))
        m_trail.addTo(marks, joins, [this](Phase phase) { return m_series.isOn(phase); });
    addPoints(marks, joins);
    const auto& kernels = m_kernels.points.points;
    const std::size_t shownKernels = m_series.isOn(kKernelSeries) ? kernels.size() : 0;
    for (std::size_t i = 0; i < shownKernels; ++i)
        marks.push_back({{kernels[i].intensity(), kernels[i].rate()},
                         ColorRole::Measured,
                         true,
                         isCompact() ? kCompactDot : kPlainDot,
                         kKernelTag + static_cast<int>(i)});
    // Small dots lie on large ones, those of the range on others, and the selected one above its neighbours.
    std::stable_sort(marks.begin(), marks.end(), [](const ChartMark& a, const ChartMark& b) {
        return std::tuple(a.highlighted, a.tag >= 0, a.opacity, -a.radius) <
               std::tuple(b.highlighted, b.tag >= 0, b.opacity, -b.radius);
    });
    m_marks = marks;
    m_chart->setMarks(marks, joins);
    QVector<ChartLabel> labels = ceilingLabels();
    labels += pointLabels();
    for (std::size_t i = 0; i < std::min<std::size_t>(shownKernels, kNamedKernels); ++i) {
        ChartLabel label{{kernels[i].intensity(), kernels[i].rate()},
                         kernelLabel(kernels[i]),
                         ColorRole::TextStrong,
                         false,
                         82 - static_cast<int>(i),
                         Qt::AlignRight | Qt::AlignBottom};
        label.merges = true;
        labels.push_back(label);
    }
    m_chart->setLabels(labels);
}

void RooflineView::showLegend() {
    QVector<LegendEntry> entries;
    const bool canHide = !isCompact();
    const auto add = [&](const QString& id, const QString& label, const ChartColor& color,
                         LegendEntry::Swatch swatch, int groups) {
        entries.push_back({id, label, {}, color, swatch, canHide, !m_series.hidden.contains(id), groups});
    };
    constexpr int kPhases = 1, kRates = 2, kRoofs = 4;  // groups of the legend
    using Swatch = LegendEntry::Swatch;
    for (const Phase phase :
         {Phase::Forward, Phase::Loss, Phase::Recompute, Phase::Backward, Phase::Optimizer}) {
        const auto isOf = [phase](const RooflinePoint& point) { return point.phase == phase; };
        if (std::ranges::any_of(m_state.points, isOf) || std::ranges::any_of(m_state.measuredPoints, isOf))
            add(toText(phaseName(phase)), coreText(phaseName(phase)), phase, Swatch::Dot, kPhases);
    }
    if (std::ranges::any_of(m_state.points,
                            [](const RooflinePoint& point) { return point.predicted.has_value(); }))
        add(QString::fromLatin1(kHollowSeries),
            m_state.measuredPoints.empty() ? tr("predicted") : tr("what-if"), ColorRole::TextMuted,
            Swatch::Circle, kRates);
    if (m_state.scene->measured)
        add(QString::fromLatin1(kFilledSeries), tr("measured"), ColorRole::TextMuted, Swatch::Dot, kRates);
    if (!m_kernels.points.points.empty())
        add(QString::fromLatin1(kKernelSeries), m_kernels.legend(), ColorRole::Measured, Swatch::Dot,
            kPhases | kRates);  // of no phase of the step
    const auto hasRoofs = [this](bool calibrated) {
        return std::ranges::any_of(m_state.slopes, [calibrated](const RooflineSlope& slope) {
            return slope.calibrated == calibrated;
        });
    };
    if (!isCompact() && hasRoofs(true))
        add(QString::fromLatin1(kMeasuredRoofSeries), tr("roofs, measured"), ColorRole::Accent,
            Swatch::DashedLine, kRoofs);
    if (!isCompact() && hasRoofs(false))
        add(QString::fromLatin1(kSheetSeries), tr("roofs, data sheet"), ColorRole::TextStrong, Swatch::Line,
            kRoofs);
    m_chart->setLegend(entries);
}

void RooflineView::hover(const QPointF& pixel) {
    const std::optional<int> nearest = m_chart->markAt(pixel);
    if (!nearest) {
        m_chart->hideCard();
        return;
    }
    std::vector<int> tags;
    for (const ChartMark& mark : m_marks) {
        const QPointF away = m_chart->toPixel(mark.position) - pixel;
        if (mark.tag >= 0 && QPointF::dotProduct(away, away) <= kStackReach * kStackReach &&
            std::ranges::find(tags, mark.tag) == tags.end())
            tags.push_back(mark.tag);
    }
    if (tags.size() > 1) return m_chart->showCard(stackCard(m_state, m_kernels, tags));
    if (*nearest >= kKernelTag)
        return m_chart->showCard(
            kernelCard(m_state, m_kernels, entryAt(m_kernels.points.points, *nearest - kKernelTag)));
    m_chart->showCard(rooflineCard(m_state, pointAt(m_state, *nearest)));
}

void RooflineView::select(const QPointF& pixel) {
    const std::optional<int> tag = m_chart->markAt(pixel);
    if (!tag || *tag >= kKernelTag) return;
    // The selection is one of the sliders' step, in which the run's operation may not be.
    const std::vector<int> ops = m_state.shownOps(pointAt(m_state, *tag), *tag >= kRunTag);
    if (ops.empty()) return hover(pixel);
    m_context.workbench.selection().select(toText(m_state.scene->whatIf.step->opId(ops.front())));
}

}  // namespace plumb::ui

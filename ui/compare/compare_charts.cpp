// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_charts.h"

#include "core/compare/difference.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/compare/difference_model.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace plumb::ui {
namespace {

const QString kBaselineLine = QStringLiteral("baseline");
const QString kOtherLine = QStringLiteral("other");
const QString kDifferenceLine = QStringLiteral("difference");
constexpr int kMostNames = 6;
constexpr int kFullHeight = 290;
constexpr int kEmptyHeight = 110;  ///< of a sentence

Card* makeCompareCard(Theme& theme, QWidget* parent, const QString& title, const char* name,
                      ChartPanel*& chart, SegmentedControl** form, const QStringList& forms = {}) {
    auto* card = new Card(theme, title, parent);
    card->setObjectName(QLatin1String(name) + QStringLiteral("Card"));
    card->setContentMargins(8, 4, 8, 10);
    chart = new ChartPanel(theme, card);
    chart->setObjectName(QLatin1String(name) + QStringLiteral("Chart"));
    chart->setAccessibleName(title);
    card->setContent(chart);
    if (form != nullptr) {
        *form = new SegmentedControl(theme, forms, QLatin1String(name) + QStringLiteral("Form"), card);
        (*form)->setCurrent(0);
        card->addHeaderWidget(*form);
    }
    return card;
}

/// An axis around both and 0.
AxisOptions axisAround(double low, double high, const QString& unit) {
    AxisOptions axis{.unit = unit};
    if (!(low < high)) high = low + 1;
    std::tie(axis.min, axis.max) = niceRange(std::min(low, 0.0), std::max(high, 0.0), false);
    return axis;
}

void showLines(ChartPanel& chart, const QVector<QPointF>& baseline, const QVector<QPointF>& other,
               const QVector<QPointF>& difference) {
    chart.setLine(kBaselineLine, baseline);
    chart.setLine(kOtherLine, other);
    chart.setLine(kDifferenceLine, difference);
}

void addComparedLines(ChartPanel& chart) {
    chart.addLine(kBaselineLine, {.label = tr("baseline"), .color = ColorRole::Baseline, .width = 2});
    chart.addLine(kOtherLine, {.label = tr("other"), .color = ColorRole::Compared, .width = 2});
    chart.addLine(kDifferenceLine, {.color = ColorRole::Accent, .width = 1.8});
}

QVector<LegendEntry> legendOf(bool isDifference) {
    using Swatch = LegendEntry::Swatch;
    if (isDifference)
        return {{.id = kDifferenceLine,
                 .label = tr("other − baseline"),
                 .color = ColorRole::Accent,
                 .swatch = Swatch::Line}};
    return {
        {.id = kBaselineLine, .label = tr("baseline"), .color = ColorRole::Baseline, .swatch = Swatch::Line},
        {.id = kOtherLine, .label = tr("other"), .color = ColorRole::Compared, .swatch = Swatch::Line}};
}

QVector<QPointF> lossLine(const ComparedStep& step) {
    QVector<QPointF> points;
    for (const StepMetrics& metrics : step.training)
        if (std::isfinite(metrics.loss)) points.append({static_cast<double>(metrics.step), metrics.loss});
    return points;
}

}  // namespace

ComparedMemory::ComparedMemory(Theme& theme, QWidget* parent) {
    m_card = makeCompareCard(theme, parent, tr("Memory over one step"), "compareMemory", m_chart, &m_form,
                             {tr("Curves"), tr("Difference")});
    addComparedLines(*m_chart);
    m_chart->setCrosshair(ChartPanel::Crosshair::Vertical);
    QObject::connect(m_form, &SegmentedControl::chosen, m_card, [this] { draw(); });
    QObject::connect(m_chart, &ChartPanel::hovered, m_card,
                     [this](const QPointF& data) { showCardAt(data); });
    QObject::connect(m_chart, &ChartPanel::left, m_card, [this] { m_chart->hideCard(); });
}

void ComparedMemory::show(std::shared_ptr<const CompareDetail> detail) {
    m_detail = std::move(detail);
    draw();
}

void ComparedMemory::draw() {
    if (m_detail == nullptr) return;
    const AlignedMemory& memory = m_detail->memory;
    const MemoryLines& lines = m_detail->lines;
    m_chart->setEmptyText(memory.isEmpty() ? tr("One of the steps has no operations") : QString());
    if (memory.isEmpty()) return;
    // A line of zeros says less than the two curves that are one.
    const bool areSame = lines.lowestDifference == 0 && lines.highestDifference == 0;
    const bool isDifference = m_form->current() == 1 && !areSame;
    m_card->setSubtitle(areSame         ? tr("the same at every operation")
                        : memory.isByOp ? tr("aligned by operation")
                                        : tr("aligned where passes begin"));
    QVector<ChartBand> bands;
    for (std::size_t i = 0; i < memory.parts.size(); ++i) {
        const AlignedMemory::Part& part = memory.parts[i];
        bands.append({.from = part.from, .to = part.to, .label = coreText(part.name), .shaded = i % 2 == 1});
    }
    m_chart->setBands(bands);
    m_chart->setAxis(ChartAxis::X, {.max = memory.edges.back(), .ticks = false});
    m_chart->setLegend(legendOf(isDifference));
    for (const QString& id : {kBaselineLine, kOtherLine}) m_chart->removeMarker(id);
    if (isDifference) {
        const double low = lines.lowestDifference, high = lines.highestDifference;
        m_chart->setAxis(ChartAxis::Y, axisAround(low, high, QStringLiteral("B")));
        showLines(*m_chart, {}, {}, lines.difference);
        return;
    }
    const double most = std::max(memory.bytes[0][lines.peaks[0]], memory.bytes[1][lines.peaks[1]]);
    m_chart->setAxis(ChartAxis::Y, axisAround(0, most * 1.08, QStringLiteral("B")));
    showLines(*m_chart, lines.baseline, lines.other, {});
    const std::array marked{std::pair(kBaselineLine, ColorRole::Baseline),
                            std::pair(kOtherLine, ColorRole::Compared)};
    for (std::size_t i = 0; i < marked.size(); ++i) {
        const std::size_t peak = lines.peaks.at(i);
        const double bytes = memory.bytes.at(i)[peak];
        m_chart->setMarker(marked.at(i).first, {.x = (memory.edges[peak] + memory.edges[peak + 1]) / 2,
                                                .y = bytes,
                                                .text = quantityText(bytes, "B"),
                                                .color = marked.at(i).second});
    }
}

void ComparedMemory::showCardAt(const QPointF& data) {
    if (m_detail == nullptr || m_detail->memory.isEmpty()) return;
    const AlignedMemory& memory = m_detail->memory;
    const auto above = std::ranges::upper_bound(memory.edges, data.x());
    const auto place = std::clamp<std::ptrdiff_t>(above - memory.edges.begin() - 1, 0,
                                                  static_cast<std::ptrdiff_t>(memory.bytes[0].size()) - 1);
    const double before = memory.bytes[0][static_cast<std::size_t>(place)];
    const double after = memory.bytes[1][static_cast<std::size_t>(place)];
    HoverCardContent card;
    for (const AlignedMemory::Part& part : memory.parts)
        if (data.x() >= part.from && data.x() <= part.to) card.title = capitalised(coreText(part.name));
    card.rows = {
        {.name = tr("baseline"), .values = {quantityText(before, "B")}, .swatch = ColorRole::Baseline},
        {.name = tr("other"), .values = {quantityText(after, "B")}, .swatch = ColorRole::Compared},
        {.name = tr("difference"), .values = {signedText(after - before, "B")}, .strong = true}};
    m_chart->showCard(card);
}

ComparedRoofline::ComparedRoofline(Theme& theme, QWidget* parent) {
    m_card = makeCompareCard(theme, parent, tr("Roofline"), "compareRoofline", m_chart, nullptr);
    m_chart->addLine(kBaselineLine, {.color = ColorRole::TextMuted});
    m_chart->addLine(kOtherLine, {.color = ColorRole::Compared, .pen = Qt::DashLine});
    QObject::connect(m_chart, &ChartPanel::hovered, m_card,
                     [this](const QPointF&, const QPointF& pixel) { showCardAt(pixel); });
    QObject::connect(m_chart, &ChartPanel::left, m_card, [this] { m_chart->hideCard(); });
}

void ComparedRoofline::show(const Comparison& comparison, std::size_t index, const ComparedShifts& shifts,
                            bool onlyReal) {
    m_shifts = onlyReal ? shifts.real : shifts.shown;
    const std::size_t all = shifts.all;
    m_chart->setEmptyText(all == 0 ? tr("No operation has FLOPs, bytes and a time in both steps")
                          : m_shifts.empty()
                              ? tr("No operation really moved. \"Everything\" shows where they stand")
                              : QString());
    m_card->setSubtitle(
        tr("arrows from the baseline · %1 of %2 kinds of operation").arg(m_shifts.size()).arg(all));
    m_card->setMinimumHeight(m_shifts.empty() ? kEmptyHeight : kFullHeight);
    if (m_shifts.empty()) return;
    QVector<ChartMark> marks;
    QVector<ChartJoin> joins;
    QVector<ChartLabel> labels;
    for (std::size_t i = 0; i < m_shifts.size(); ++i) {
        const RooflineShift& shift = m_shifts[i];
        const QPointF from(shift.baseline.intensity, shift.baseline.flopPerSecond);
        const QPointF to(shift.other.intensity, shift.other.flopPerSecond);
        const int tag = static_cast<int>(i);
        marks.append({.position = from, .color = ColorRole::Baseline, .radius = 4, .tag = tag});
        marks.append({.position = to, .color = ColorRole::Compared, .radius = 4.5, .tag = tag});
        joins.append({.from = from, .to = to, .color = shift.phase, .isArrow = true});
        if (tag < kMostNames)
            labels.append(
                {.anchor = to, .text = coreText(shift.label), .priority = kMostNames - tag, .merges = true});
    }
    m_chart->setMarks(marks, joins);
    m_chart->setLabels(labels);
    drawRoofs(comparison, index);
    using Swatch = LegendEntry::Swatch;
    QVector<LegendEntry> legend{
        {.label = tr("baseline"), .color = ColorRole::Baseline, .swatch = Swatch::Dot},
        {.label = tr("other"), .color = ColorRole::Compared, .swatch = Swatch::Dot}};
    for (const Phase phase : kEnumerators<Phase>)
        if (std::ranges::count(m_shifts, phase, &RooflineShift::phase) > 0)
            legend.append({.label = coreText(phaseName(phase)), .color = phase, .swatch = Swatch::Line});
    m_chart->setLegend(legend);
}

void ComparedRoofline::drawRoofs(const Comparison& comparison, std::size_t index) {
    double lowX = INFINITY, highX = 0, lowY = INFINITY, highY = 0;
    for (const RooflineShift& shift : m_shifts)
        for (const RooflineSpot& spot : {shift.baseline, shift.other}) {
            lowX = std::min(lowX, spot.intensity);
            highX = std::max(highX, spot.intensity);
            lowY = std::min(lowY, spot.flopPerSecond);
            highY = std::max(highY, spot.flopPerSecond);
        }
    const auto roofOf = [](const ComparedStep& step) -> std::optional<std::pair<double, double>> {
        if (step.machine == nullptr || !step.machine->bandwidthBytesPerSecond) return std::nullopt;
        const auto peak = step.machine->peak(step.step->productDtype);
        return peak ? std::optional(std::pair(*peak, *step.machine->bandwidthBytesPerSecond)) : std::nullopt;
    };
    const auto baseline = roofOf(comparison.steps.front()), other = roofOf(comparison.steps[index]);
    for (const auto& roof : {baseline, other}) {
        if (!roof) continue;
        highY = std::max(highY, roof->first);
        highX = std::max(highX, 3 * roof->first / roof->second);
    }
    AxisOptions x{.title = tr("arithmetic intensity, FLOP / byte"), .log = true};
    AxisOptions y{.unit = QStringLiteral("FLOP/s"), .log = true};
    std::tie(x.min, x.max) = niceRange(lowX / 1.5, highX * 1.5, true);
    std::tie(y.min, y.max) = niceRange(lowY / 1.5, highY * 1.5, true);
    m_chart->setAxis(ChartAxis::X, x);
    m_chart->setAxis(ChartAxis::Y, y);
    const auto line = [&](const auto& roof) -> QVector<QPointF> {
        if (!roof) return {};
        const auto [peak, bandwidth] = *roof;
        const double from = std::max(x.min, y.min / bandwidth), balance = peak / bandwidth;
        if (from >= balance) return {{x.min, peak}, {x.max, peak}};
        return {{from, bandwidth * from}, {balance, peak}, {x.max, peak}};
    };
    m_chart->setLine(kBaselineLine, line(baseline));
    m_chart->setLine(kOtherLine, baseline == other ? QVector<QPointF>() : line(other));
}

void ComparedRoofline::showCardAt(const QPointF& pixel) {
    const std::optional<int> tag = m_chart->markAt(pixel);
    if (!tag || *tag < 0 || static_cast<std::size_t>(*tag) >= m_shifts.size()) return m_chart->hideCard();
    const RooflineShift& shift = m_shifts[static_cast<std::size_t>(*tag)];
    const auto both = [](double before, double after, std::string_view unit) {
        return QStringList{quantityText(before, unit), quantityText(after, unit)};
    };
    m_chart->showCard(
        {.title = QStringLiteral("%1 · %2").arg(coreText(phaseName(shift.phase)), coreText(shift.label)),
         .header = {tr("baseline"), tr("other")},
         .rows = {{.name = tr("rate"),
                   .values = both(shift.baseline.flopPerSecond, shift.other.flopPerSecond, "FLOP/s")},
                  {.name = tr("intensity"),
                   .values = both(shift.baseline.intensity, shift.other.intensity, "FLOP/B")}},
         .footer = shift.isReal ? QString() : tr("no real change")});
}

ComparedLosses::ComparedLosses(Theme& theme, QWidget* parent) {
    m_card = makeCompareCard(theme, parent, tr("Loss"), "compareLoss", m_chart, &m_form,
                             {tr("Curves"), tr("Difference")});
    addComparedLines(*m_chart);
    QObject::connect(m_form, &SegmentedControl::chosen, m_card, [this] { draw(); });
}

bool ComparedLosses::show(const Comparison& comparison, std::size_t index) {
    m_baseline = comparison.steps.front();
    m_other = comparison.steps[index];
    const QVector<QPointF> before = lossLine(m_baseline), after = lossLine(m_other);
    if (before.isEmpty() && after.isEmpty()) return false;
    const auto without = [](const ComparedStep& step, const QString& untrained) {
        return step.whyNoTraining.empty() ? untrained : coreText(step.whyNoTraining);
    };
    m_card->setSubtitle(before.isEmpty()  ? without(m_baseline, tr("the baseline was not trained"))
                        : after.isEmpty() ? without(m_other, tr("the other was not trained"))
                                          : tr("last %1 → %2; one training each: no verdict")
                                                .arg(numberText(before.last().y(), 'g', 4))
                                                .arg(numberText(after.last().y(), 'g', 4)));
    m_form->setSegmentVisible(1, !before.isEmpty() && !after.isEmpty());
    if (before.isEmpty() || after.isEmpty()) m_form->setCurrent(0);
    draw();
    return true;
}

void ComparedLosses::draw() {
    const bool isDifference = m_form->current() == 1;
    QVector<QPointF> before, after, difference;
    double low = INFINITY, high = -INFINITY, last = 1;
    if (isDifference) {
        const LossDifference found = lossDifference(m_baseline, m_other);
        for (std::size_t i = 0; i < found.steps.size(); ++i)
            difference.append({found.steps[i], found.difference[i]});
    } else {
        before = lossLine(m_baseline);
        after = lossLine(m_other);
    }
    for (const auto* line : {&before, &after, &difference})
        for (const QPointF& point : *line) {
            low = std::min(low, point.y());
            high = std::max(high, point.y());
            last = std::max(last, point.x());
        }
    m_chart->setEmptyText(low <= high ? QString() : tr("The trainings share no step"));
    if (!(low <= high)) return;
    m_chart->setAxis(ChartAxis::X, {.title = tr("step"), .max = last});
    const bool isLog = !isDifference && low > 0;
    AxisOptions y = axisAround(low, high, {});
    if (isLog) {
        y.log = true;
        std::tie(y.min, y.max) = niceRange(low, high, true);
        if (!(y.max > y.min)) y.max = y.min * 10;
    }
    m_chart->setAxis(ChartAxis::Y, y);
    m_chart->setLegend(legendOf(isDifference));
    showLines(*m_chart, before, after, difference);
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_view.h"

#include "core/base/entry_at.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_zoom.h"
#include "ui/charts/legend_room.h"
#include "ui/memory/tensor_table_model.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/range_button.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/splitter.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/marked_ops.h"

#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

const QString kPredicted = QStringLiteral("predicted");
const QString kPeak = QStringLiteral("peak");
const QString kPeakDot = QStringLiteral("peakDot");
const QString kLimit = QStringLiteral("limit");
const QString kWhatIf = QStringLiteral("whatIf");
const QString kSelected = QStringLiteral("selected");

constexpr int kByOps = 0, kByTime = 1;  // what the horizontal axis is
constexpr int kLeastCurve = 205;        // and its axis

double visibleTotal(const CategoryBytes& bytes, const CategoryMask& hidden) {
    Bytes sum = 0;
    for (const Category category : kAllCategories) sum += hidden[category] ? 0 : bytes[category];
    return static_cast<double>(sum);
}

/// With the titles of the bookmarks at the operation: in the chart there is not room for all of them.
HoverCardContent withMarks(HoverCardContent card, const Workbench& workbench, int op) {
    for (const MarkedOps& mark : markedOps(workbench))
        if (!mark.title.isEmpty() && mark.span.contains(op))
            card.footer += QLatin1Char('\n') + MemoryView::tr("Bookmark: %1").arg(mark.title);
    return card;
}

}  // namespace

MemoryView::MemoryView(ViewContext context, ViewSize size, QWidget* parent)
    : SceneView(context, size, QStringLiteral("memory"), tr("Memory over one step"), parent) {
    buildChart();
    m_card->setContent(m_chart);
    if (!isCompact()) {
        new LegendRoom(*m_chart, scaled(kLeastCurve));
        auto* splitter = makeSplitter(Qt::Vertical, QStringLiteral("memorySplitter"), this);
        splitter->addWidget(m_card);
        buildTools();
        buildTable();
        splitter->addWidget(m_tableCard);
        splitter->setStretchFactor(0, 3);
        splitter->setStretchFactor(1, 2);
        splitter->setSizes({420, 400});  // in a low window too some rows are in sight
        layout()->addWidget(splitter);
    }
    connect(&context.workbench.selection(), &OpSelection::changed, this, [this] {
        if (!isStale()) showSelection();
    });
    connect(&context.workbench.marks, &DocumentMarks::changed, this, [this] {
        if (!isStale()) showMarks();
    });
    refresh();
}

MemoryView::~MemoryView() = default;

void MemoryView::buildChart() {
    m_chart = new ChartPanel(m_context.theme, m_card);
    m_chart->setObjectName(QStringLiteral("memoryChart"));
    setFirstFocus(*this, m_chart);
    m_chart->setCrosshair(ChartPanel::Crosshair::Vertical);
    m_chart->addLine(kPredicted, {{}, ColorRole::Predicted, 1.6, Qt::DashLine, 1, false});
    connect(m_chart, &ChartPanel::hovered, this, [this](const QPointF& at) { hover(at.x()); });
    connect(m_chart, &ChartPanel::left, this, [this] {
        m_hoveredOp = -1;
        showTable();
    });
    connect(m_chart, &ChartPanel::clicked, this, [this](const QPointF& at) {
        const int op = m_state.axis.planOpAt(at.x());
        if (op >= 0) m_context.workbench.selection().select(toText(m_state.scene->whatIf.step->opId(op)));
    });
    connect(m_chart, &ChartPanel::keyPressed, this, &MemoryView::moveSelection);
    connect(m_chart, &ChartPanel::legendToggled, this, [this](const QString& id, bool checked) {
        for (const Category category : kAllCategories) {
            if (id == toText(categoryName(category))) m_hidden[category] = !checked;
        }
        showCurve();
        showLegend();
    });
}

void MemoryView::buildTools() {
    addRangeButton(*m_card, m_context.workbench.selection().range(), QStringLiteral("memoryClearRange"));
    m_showAll = m_card->addHeaderButton(tr("Show all"), QStringLiteral("memoryShowAll"),
                                        tr("Shows the whole step again (0, or a double click in the curve)"));
    m_axisKind = new SegmentedControl(m_context.theme, {tr("Operations"), tr("Time")},
                                      QStringLiteral("memoryAxis"), m_card);
    m_axisKind->setAccessibleName(tr("What the horizontal axis is"));
    m_axisKind->setCurrent(kByOps);
    m_axisKind->setSegmentToolTip(kByOps, tr("Each operation is as wide as any other"));
    m_card->addHeaderWidget(m_axisKind);
    m_zoom = new ChartZoom(*m_chart, ChartZoom::Axes::X);
    m_zoom->setDrawsRanges();
    m_chart->setAccessibleDescription(
        tr("Arrow keys select an operation. W and S zoom, A and D move, 0 shows all. Shift with an arrow "
           "chooses a range of operations, M the selected one, Esc lets go."));
    m_showAll->hide();
    connect(m_axisKind, &SegmentedControl::chosen, this, [this] {
        m_zoom->showAll();  // a share of the ops is another one of the time
        refresh();
    });
    connect(m_showAll, &QPushButton::clicked, m_zoom, &ChartZoom::showAll);
    connect(m_zoom, &ChartZoom::changed, this, [this] { m_showAll->setVisible(m_zoom->isZoomed()); });
    OpRange& range = m_context.workbench.selection().range();
    connect(&range, &OpRange::changed, this, &MemoryView::showRange);
    connect(m_zoom, &ChartZoom::rangeDrawn, this, &MemoryView::drawRange);
    connect(m_zoom, &ChartZoom::rangeClicked, &range, &OpRange::clear);
    connect(m_zoom, &ChartZoom::rangeStepped, this, &MemoryView::stepRange);
}

void MemoryView::catchUp() {
    m_state = makeMemoryState(m_context.workbench.scene(), m_axisKind && m_axisKind->current() == kByTime);
    m_hoveredOp = -1;
    const QString whole =
        m_state.emptyText.isEmpty() ? tr("%1 · %2").arg(m_state.subtitle, m_state.peak) : QString();
    m_card->setSubtitle(isCompact() ? m_state.subtitle : whole, whole);
    m_chart->setEmptyText(m_state.emptyText);
    m_chart->setAccessibleName(m_state.summary);
    AxisOptions along{{}, {}, false, 0, m_state.axis.width, m_state.isByTime};
    if (!isCompact()) along.title = m_state.axisTitle;
    if (m_state.isByTime) along.unit = QStringLiteral("s");
    m_chart->setAxis(ChartAxis::X, along);
    if (m_axisKind) {
        m_axisKind->setEnabled(m_state.timeAbsent.isEmpty());
        m_axisKind->setSegmentToolTip(kByTime, m_state.timeAbsent.isEmpty()
                                                   ? tr("Each operation is as wide as the time that it takes")
                                                   : m_state.timeAbsent);
        m_axisKind->setToolTip(m_state.timeAbsent);
        showRange();
    }
    m_chart->setBands(m_state.axis.bands);
    showCurve();
    showSelection();
    showMarks();
}

void MemoryView::showMarks() {
    constexpr std::size_t kMostMarks = 50;  // lines that can be told apart
    constexpr int kPriority = 8;            // of a title, after all figures
    const QVector<double>& edges = m_state.axis.planEdges;
    const auto name = [](std::size_t at) { return QStringLiteral("mark%1").arg(at); };
    const std::vector<MarkedOps> marks = markedOps(m_context.workbench);
    const std::size_t shown = m_state.emptyText.isEmpty() ? std::min(marks.size(), kMostMarks) : 0;
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& [first, last] = marks[i].span;
        const double x = first == last ? (edges[first] + edges[first + 1]) / 2 : edges[first];
        m_chart->setMarker(name(i), {.x = x,
                                     .y = std::nullopt,
                                     .text = marks[i].title,
                                     .color = ColorRole::TextMuted,
                                     .pen = Qt::DotLine,
                                     .width = 1.4,
                                     .priority = kPriority,
                                     .clear = true});
    }
    const std::size_t before = std::exchange(m_marks, shown);
    for (std::size_t i = shown; i < before; ++i) m_chart->removeMarker(name(i));
}

void MemoryView::showCurve() {
    const auto& curve = m_state.areaCurve();
    ChartAreas areas;
    areas.edges = m_state.areaEdges();
    areas.hollow = m_state.areas == MemoryState::Areas::Predicted;
    double highest = 0;
    for (const Category category : kAllCategories) {
        if (!m_state.used[category] || m_hidden[category]) continue;
        AreaLayer layer{coreText(categoryLabel(category)), category, {}};
        layer.values.reserve(static_cast<qsizetype>(curve.size()));
        for (const CategoryBytes& bytes : curve) layer.values.push_back(static_cast<double>(bytes[category]));
        areas.layers.push_back(std::move(layer));
    }
    for (const CategoryBytes& bytes : curve) highest = std::max(highest, visibleTotal(bytes, m_hidden));

    const auto& predicted = m_state.scene->whatIf.prediction->memory.curve;
    const QVector<double>& edges = m_state.axis.planEdges;
    QVector<QPointF> line;
    line.reserve(2 * static_cast<qsizetype>(predicted.size()));
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        const double y = visibleTotal(predicted[i], m_hidden);
        highest = std::max(highest, y);
        line.push_back({edges[static_cast<qsizetype>(i)], y});
        line.push_back({edges[static_cast<qsizetype>(i) + 1], y});
    }
    const auto limit = m_state.limit ? static_cast<double>(*m_state.limit) : 0.0;
    // The limit is worth the room from half of it on; below that it would only press the curve flat.
    const bool limitShown = limit > 0 && highest * 2 >= limit;
    m_chart->setAxis(ChartAxis::Y,
                     {{},
                      QStringLiteral("B"),
                      false,
                      0,
                      niceRange(0, std::max({highest, limitShown ? limit : 0.0, 1.0}) * 1.12, false).second,
                      true});
    m_chart->setAreas(areas);
    m_chart->setLine(kPredicted, m_state.emptyText.isEmpty() ? line : QVector<QPointF>());
    if (limitShown)
        m_chart->setMarker(kLimit,
                           {std::nullopt, limit, tr("memory %1").arg(bytesText(*m_state.limit)),
                            highest > limit ? ColorRole::Bad : ColorRole::Warning, Qt::SolidLine, 1.5, 20});
    else
        m_chart->removeMarker(kLimit);
    m_chart->setForbiddenAbove(limitShown && highest > limit ? std::optional(limit) : std::nullopt);
    if (m_state.peakOp >= 0 && m_hidden == CategoryMask{}) {
        const QVector<double>& areaEdges = m_state.areaEdges();
        const double x = (areaEdges[m_state.peakOp] + areaEdges[m_state.peakOp + 1]) / 2;
        const QString text = !isCompact()
                                 ? tr("peak %1 · %2").arg(bytesText(m_state.peakBytes), m_state.peakName)
                                 : bytesText(m_state.peakBytes);
        m_chart->setMarker(kPeak, {x, std::nullopt, {}, ColorRole::Accent, Qt::DashLine, 1, 0});
        m_chart->setMarker(kPeakDot, {x, static_cast<double>(m_state.peakBytes), text, ColorRole::Accent,
                                      Qt::SolidLine, 1, 30});
    } else {
        m_chart->removeMarker(kPeak);
        m_chart->removeMarker(kPeakDot);
    }
    showWhatIfPeak();
}

void MemoryView::showWhatIfPeak() {
    const MemoryReading& memory = m_state.scene->whatIf.prediction->memory;
    if (m_state.areas != MemoryState::Areas::MeasuredOtherRun || memory.peakOp < 0 ||
        m_hidden != CategoryMask{}) {
        m_chart->removeMarker(kWhatIf);
        return;
    }
    const QVector<double>& edges = m_state.axis.planEdges;
    m_chart->setMarker(kWhatIf, {(edges[memory.peakOp] + edges[memory.peakOp + 1]) / 2,
                                 static_cast<double>(memory.peakBytes),
                                 tr("what-if %1").arg(bytesText(memory.peakBytes)), ColorRole::Predicted,
                                 Qt::SolidLine, 1, 25});
}

void MemoryView::showLegend() {
    const bool full = !isCompact();
    const int selected = selectedOp();
    const Prediction& prediction = *m_state.scene->whatIf.prediction;
    const int at = selected >= 0 ? selected : prediction.memory.peakOp;
    QVector<LegendEntry> entries;
    if (!m_state.emptyText.isEmpty()) return m_chart->setLegend(entries);
    for (const Category category : kAllCategories) {
        if (!m_state.used[category]) continue;
        QString value;
        if (full && at >= 0) value = bytesText(entryAt(prediction.memory.curve, at)[category]);
        entries.push_back({toText(categoryName(category)), coreText(categoryLabel(category)), value, category,
                           LegendEntry::Swatch::Square, true, !m_hidden[category]});
    }
    if (m_state.areas != MemoryState::Areas::Predicted)
        entries.push_back({kPredicted,
                           m_state.areas == MemoryState::Areas::Measured ? tr("predicted") : tr("what-if"),
                           {},
                           ColorRole::Predicted,
                           LegendEntry::Swatch::DashedLine,
                           false,
                           true});
    m_chart->setLegend(entries);
}

int MemoryView::selectedOp() const { return m_state.planOp(m_context.workbench.selection().op()); }

void MemoryView::showSelection() {
    const int op = selectedOp();
    if (op >= 0) {
        const QVector<double>& edges = m_state.axis.planEdges;
        m_chart->setMarker(kSelected, {(edges[op] + edges[op + 1]) / 2,
                                       std::nullopt,
                                       {},
                                       ColorRole::TextStrong,
                                       Qt::SolidLine,
                                       1.2,
                                       0});
    } else {
        m_chart->removeMarker(kSelected);
    }
    showLegend();
    showTable();
}

void MemoryView::hover(double x) {
    const int op = m_state.axis.planOpAt(x);
    m_chart->showCard(withMarks(memoryCard(m_state, op, m_state.axis.runOpAt(x)), m_context.workbench, op));
    if (op == std::exchange(m_hoveredOp, op)) return;
    showTable();
}

void MemoryView::moveSelection(int key) {
    const int count = m_state.scene->whatIf.step->opCount();
    if (count == 0) return;
    OpSelection& selection = m_context.workbench.selection();
    if (key == Qt::Key_Escape && m_zoom && selection.range().isChosen()) return selection.range().clear();
    if (key == Qt::Key_Escape) {
        m_context.workbench.selection().select({});
        m_chart->hideCard();
        return;
    }
    const auto at = steppedTo(key, selectedOp(), count);
    if (!at) return;
    const int next = *at;
    m_context.workbench.selection().select(toText(m_state.scene->whatIf.step->opId(next)));
    const QVector<double>& edges = m_state.axis.planEdges;
    if (m_zoom) m_zoom->show(edges[next], edges[next + 1]);
    const double x = (edges[next] + edges[next + 1]) / 2;
    m_chart->showCard(
        withMarks(memoryCard(m_state, next, m_state.axis.runOpAt(x)), m_context.workbench, next),
        m_chart->toPixel({x, m_chart->axis(ChartAxis::Y).max / 2}));
}

void MemoryView::drawRange(double from, double to) {
    if (m_state.axis.planOpAt(from) < 0) return;
    m_context.workbench.selection().range().select(
        OpSpan{m_state.axis.planOpAt(from), m_state.axis.planOpAt(to)});
}

/// From the selected op on, one op more or less at the end that moves.
void MemoryView::stepRange(int by) {
    const int count = m_state.scene->whatIf.step->opCount();
    OpRange& range = m_context.workbench.selection().range();
    const std::optional<OpSpan> span = range.span();
    const int selected = selectedOp();
    if (count == 0 || (selected < 0 && !span && m_state.scene->whatIf.prediction->memory.peakOp < 0)) return;
    const int fixed = selected >= 0 ? selected
                      : span        ? span->first
                                    : m_state.scene->whatIf.prediction->memory.peakOp;
    const bool goesOn = by != 0 && span && (span->first == fixed || span->last == fixed);
    const int moved = !goesOn ? fixed : span->last > fixed ? span->last : span->first;
    range.select(OpSpan{fixed, std::clamp(moved + by, 0, count - 1)});
}

const OpSet& MemoryView::shownRange() const {
    static const OpSet kNone;
    const OpSet& ops = m_context.workbench.selection().range().ops();
    return !ops.empty() && ops.spans().back().last + 1 < m_state.axis.planEdges.size() ? ops : kNone;
}

void MemoryView::showRange() {
    showTable();
    const QVector<double>& edges = m_state.axis.planEdges;
    QVector<std::pair<double, double>> ranges;
    for (const OpSpan& span : shownRange().spans()) ranges.append({edges[span.first], edges[span.last + 1]});
    m_zoom->setRanges(ranges);
}

}  // namespace plumb::ui

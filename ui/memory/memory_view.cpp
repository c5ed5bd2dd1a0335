// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_view.h"

#include "core/base/entry_at.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/memory/tensor_table_model.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"

#include <QLabel>
#include <QLayout>
#include <QSplitter>
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

double visibleTotal(const CategoryBytes& bytes, const CategoryMask& hidden) {
    Bytes sum = 0;
    for (const Category category : kAllCategories) sum += hidden[category] ? 0 : bytes[category];
    return static_cast<double>(sum);
}

}  // namespace

MemoryView::MemoryView(ViewContext context, ViewSize size, QWidget* parent)
    : SceneView(context, size, QStringLiteral("memory"), tr("Memory over one step"), parent) {
    buildChart();
    m_card->setContent(m_chart);
    if (!isCompact()) {
        auto* splitter = new QSplitter(Qt::Vertical, this);
        splitter->setObjectName(QStringLiteral("memorySplitter"));
        splitter->setChildrenCollapsible(false);
        splitter->setHandleWidth(10);
        splitter->addWidget(m_card);
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
    refresh();
}

MemoryView::~MemoryView() = default;

void MemoryView::buildChart() {
    m_chart = new ChartPanel(m_context.theme, m_card);
    m_chart->setObjectName(QStringLiteral("memoryChart"));
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

void MemoryView::catchUp() {
    m_state = makeMemoryState(m_context.workbench.scene());
    const QString whole =
        m_state.emptyText.isEmpty() ? tr("%1 · %2").arg(m_state.subtitle, m_state.peak) : QString();
    m_card->setSubtitle(isCompact() ? m_state.subtitle : whole, whole);
    m_chart->setEmptyText(m_state.emptyText);
    m_chart->setAccessibleName(m_state.summary);
    m_chart->setAxis(ChartAxis::X, {{}, {}, false, 0, m_state.axis.width, false});
    m_chart->setBands(m_state.axis.bands);
    m_hoveredOp = -1;
    showCurve();
    showSelection();
}

void MemoryView::showCurve() {
    const auto& curve = m_state.areaCurve();
    ChartAreas areas;
    areas.edges = m_state.areaEdges();
    areas.hollow = m_state.areas == MemoryState::Areas::Predicted;
    double highest = 0;
    for (const Category category : kAllCategories) {
        if (!m_state.used[category] || m_hidden[category]) continue;
        AreaLayer layer{toText(categoryLabel(category)), category, {}};
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
        entries.push_back({toText(categoryName(category)), toText(categoryLabel(category)), value, category,
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
    m_chart->showCard(memoryCard(m_state, op, m_state.axis.runOpAt(x)));
    if (op == std::exchange(m_hoveredOp, op)) return;
    showTable();
}

void MemoryView::moveSelection(int key) {
    const int count = m_state.scene->whatIf.step->opCount();
    if (count == 0) return;
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
    const double x = (edges[next] + edges[next + 1]) / 2;
    m_chart->showCard(memoryCard(m_state, next, m_state.axis.runOpAt(x)),
                      m_chart->toPixel({x, m_chart->axis(ChartAxis::Y).max / 2}));
}

}  // namespace plumb::ui

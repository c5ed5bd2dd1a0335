// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_charts.h"

#include "core/base/entry_at.h"
#include "core/base/quantity.h"
#include "core/plan/step_plan.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/split_bar.h"
#include "ui/charts/tornado_chart.h"
#include "ui/planner/planner_candidates.h"
#include "ui/planner/planner_curves.h"
#include "ui/planner/planner_map.h"
#include "ui/planner/planner_table.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

constexpr int kLeastChart = 240;
constexpr int kLeastWide = 270;  // of what has many rows
constexpr int kLeastWidth = 290;
constexpr double kColumn = 1.0;  // of a stage, in the memory picture
constexpr double kGap = 0.45;
/// The usual order of the memory view, from the bottom.
constexpr std::array kOrder{Category::Parameters, Category::MasterParameters, Category::OptimizerState,
                            Category::Gradients,  Category::Activations,      Category::ActivationGradients,
                            Category::Data,       Category::Workspace};

}  // namespace

PlannerCharts::PlannerCharts(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_model(model) {
    setObjectName(QStringLiteral("plannerCharts"));
    m_candidates = new PlannerCandidates(theme, model, edits, this);
    m_table = new PlannerTable(theme, model, edits, this);
    buildMemory();
    buildTime();
    buildTornado();
    m_map = new PlannerMap(theme, model, edits, this);
    m_curves = new PlannerCurves(theme, model, this);
    auto* grid = new QGridLayout(this);
    m_grid = grid;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(10);
    for (Card* card : {m_memoryCard, m_timeCard, m_tornadoCard, m_map->card(), m_curves->sweepCard(),
                       m_curves->frontCard()}) {
        card->setMinimumHeight(
            scaled(card == m_tornadoCard || card == m_map->card() ? kLeastWide : kLeastChart));
        card->setMinimumWidth(scaled(kLeastWidth));
    }
    showCards();
}

/// Memory, time and map are those of what the question is about, or not there.
void PlannerCharts::showCards() {
    using Charts = PlannerQuestion::Charts;
    const Charts charts = m_model.question().charts;
    m_memoryCard->setVisible(charts != Charts::None);
    m_timeCard->setVisible(charts != Charts::None);
    m_map->card()->setVisible(charts == Charts::Training);
    m_curves->show();
    arrange();
}

// Two cards beside each other, or where that is too wide one below the other; the last one has the whole
// width where nothing stands beside it. What is left of the height goes by the shares.
void PlannerCharts::arrange() {
    std::vector<Card*> shown;
    for (Card* card : {m_memoryCard, m_timeCard, m_tornadoCard, m_map->card(), m_curves->sweepCard(),
                       m_curves->frontCard()})
        if (!card->isHidden()) shown.push_back(card);
    const int columns = width() < 2 * scaled(kLeastWidth) + m_grid->horizontalSpacing() ? 1 : 2;
    if (shown == m_placed && columns == m_columns) return;
    m_placed = std::move(shown);
    m_columns = columns;
    m_grid->addWidget(m_candidates->card(), 0, 0, 1, columns);
    m_grid->addWidget(m_table->card(), 1, 0, 1, columns);
    constexpr int kFirstRow = 2;
    constexpr int kShare = 9, kWideShare = 10;
    for (int row = kFirstRow; row < m_grid->rowCount(); ++row) m_grid->setRowStretch(row, 0);
    const int count = static_cast<int>(m_placed.size());
    for (int i = 0; i < count; ++i) {
        Card* const card = entryAt(m_placed, i);
        const int row = kFirstRow + i / columns;
        const bool isAlone = columns == 2 && i % 2 == 0 && i + 1 == count;
        m_grid->addWidget(card, row, i % columns, 1, isAlone ? 2 : 1);
        m_grid->setRowStretch(row,
                              std::max(m_grid->rowStretch(row), card == m_tornadoCard ? kWideShare : kShare));
    }
    for (int column = 0; column < 2; ++column) m_grid->setColumnStretch(column, column < columns ? 1 : 0);
}

// What one column needs: the second one is there where it has room.
QSize PlannerCharts::minimumSizeHint() const {
    const QSize least = QWidget::minimumSizeHint();
    return m_columns == 1 ? least : QSize(std::min(least.width(), scaled(kLeastWidth)), least.height());
}

void PlannerCharts::buildMemory() {
    m_memoryCard = new Card(m_theme, tr("Memory per device"), this);
    m_memoryCard->setContentMargins(8, 2, 8, 8);
    m_memory = new ChartPanel(m_theme, m_memoryCard);
    m_memory->setObjectName(QStringLiteral("plannerMemory"));
    m_memory->setAccessibleName(tr("Memory per device"));
    connect(m_memory, &ChartPanel::hovered, this,
            [this](const QPointF& at, const QPointF& pixel) { showStage(at.x(), pixel); });
    connect(m_memory, &ChartPanel::left, m_memory, &ChartPanel::hideCard);
    m_memoryCard->setContent(m_memory);
}

void PlannerCharts::buildTime() {
    m_timeCard = new Card(m_theme, tr("Time of one step"), this);
    m_timeCard->setContentMargins(8, 2, 8, 8);
    auto* content = new QWidget(m_timeCard);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    m_time = new SplitBar(m_theme, content);
    m_time->setObjectName(QStringLiteral("plannerTime"));
    m_time->setAccessibleName(tr("Time of one step"));
    column->addWidget(m_time, 1);
    m_timeCard->setContent(content);
}

void PlannerCharts::buildTornado() {
    m_tornadoCard = new Card(m_theme, tr("What matters most"), this);
    m_tornadoCard->setContentMargins(8, 2, 8, 8);
    m_tornado = new TornadoChart(m_theme, m_tornadoCard);
    m_tornado->setObjectName(QStringLiteral("plannerTornado"));
    m_tornado->setAccessibleName(tr("What matters most"));
    connect(m_tornado, &TornadoChart::chosen, this, [this](int row) {
        const auto& bars = m_model.explorer().explored().bars;
        if (row < static_cast<int>(bars.size())) emit inputWanted(entryAt(bars, row).input);
    });
    m_tornadoCard->setContent(m_tornado);
}

void PlannerCharts::refresh() {
    showCards();
    // A legend that grows while it is hidden keeps the height that it had.
    if (m_model.question().charts != PlannerQuestion::Charts::None) {
        showMemory();
        showTime();
    }
    m_map->showAxes();
    m_candidates->show();
    m_table->show();
}

void PlannerCharts::refreshExplored() {
    showTornado();
    showCards();
    m_map->show();
    m_candidates->show();
    m_table->show();
}

void PlannerCharts::showProgress() {
    m_map->showProgress();
    m_candidates->showProgress();
}

void PlannerCharts::showMemory() {
    const PlannerResults& results = m_model.results();
    if (!results.memory) {
        m_memory->setEmptyText(results.memoryProblem);
        m_memory->setLegend({});
        m_memoryCard->setSubtitle({});
        return;
    }
    m_memory->setEmptyText({});
    const planner::DeviceMemory& memory = *results.memory;
    ChartAreas areas;
    areas.hollow = false;
    QVector<ChartBand> bands;
    areas.edges = {0};
    double highest = 0;
    EnumArray<Category, bool> used{};
    const auto column = [&](const planner::StageMemory* stage, double width) {
        areas.edges.push_back(areas.edges.last() + width);
        for (std::size_t i = 0; i < kOrder.size(); ++i) {
            if (areas.layers.size() <= static_cast<qsizetype>(i))
                areas.layers.push_back({coreText(categoryLabel(kOrder.at(i))), kOrder.at(i), {}});
            const Bytes bytes = stage ? stage->byCategory()[kOrder.at(i)] : 0;
            if (bytes > 0) used[kOrder.at(i)] = true;
            areas.layers[static_cast<qsizetype>(i)].values.push_back(static_cast<double>(bytes));
        }
    };
    column(nullptr, kGap);
    for (const planner::StageMemory& stage : memory.stages) {
        const double from = areas.edges.last();
        column(&stage, kColumn);
        bands.push_back({from, areas.edges.last(),
                         memory.stages.size() == 1 ? tr("each device") : tr("stage %1").arg(stage.stage + 1),
                         0, false});
        column(nullptr, kGap);
        highest = std::max(highest, stage.total());
    }
    const double total = memory.worst().total();
    // A capacity far above would leave an empty chart.
    if (results.capacity && *results.capacity <= 8 * highest) highest = std::max(highest, *results.capacity);
    const AxisOptions x{.min = 0, .max = areas.edges.last(), .ticks = false};
    AxisOptions y;
    y.unit = QStringLiteral("B");
    y.max = niceRange(0, std::max(1.0, highest * 1.12), false).second;
    m_memory->setAxis(ChartAxis::X, x);
    m_memory->setAxis(ChartAxis::Y, y);
    m_memory->setBands(bands);
    m_memory->setAreas(areas);
    QVector<LegendEntry> legend;
    for (const Category category : kOrder)
        if (used[category])
            legend.push_back({toText(categoryName(category)), coreText(categoryLabel(category)), QString(),
                              category, LegendEntry::Swatch::Square, false, true});
    m_memory->setLegend(legend);
    m_memory->removeMarker(QStringLiteral("capacity"));
    m_memory->setForbiddenAbove(std::nullopt);
    QString subtitle = tr("peak %1").arg(quantityText(total, "B"));
    if (results.capacity) {
        const bool fits = total <= *results.capacity;
        if (*results.capacity <= y.max) {
            ChartMarker marker{.y = *results.capacity,
                               .text = tr("capacity %1").arg(quantityText(*results.capacity, "B")),
                               .color = fits ? ColorRole::TextMuted : ColorRole::Bad};
            m_memory->setMarker(QStringLiteral("capacity"), marker);
            m_memory->setForbiddenAbove(*results.capacity);
        }
        subtitle += fits ? tr(" · fits the %1 of a device").arg(quantityText(*results.capacity, "B"))
                         : tr(" · does not fit the %1 of a device").arg(quantityText(*results.capacity, "B"));
    }
    QStringList notes;
    for (const std::string& note : memory.notes) notes << coreText(note);
    m_memoryCard->setSubtitle(subtitle, notes.join(QLatin1Char('\n')));
    m_memory->setAccessibleDescription(subtitle);
}

void PlannerCharts::showStage(double x, const QPointF&) {
    const auto& memory = m_model.results().memory;
    if (!memory || memory->stages.empty()) return;
    const auto index = std::clamp<int>(static_cast<int>((x - kGap / 2) / (kColumn + kGap)), 0,
                                       static_cast<int>(memory->stages.size()) - 1);
    const planner::StageMemory& stage = entryAt(memory->stages, index);
    HoverCardContent card;
    card.title =
        memory->stages.size() == 1 ? tr("each device") : tr("pipeline stage %1").arg(stage.stage + 1);
    std::vector<planner::MemoryPart> parts = stage.parts;
    std::ranges::stable_sort(parts, std::greater<>(), &planner::MemoryPart::bytes);
    for (const planner::MemoryPart& part : parts) {
        if (!(part.bytes > 0)) continue;
        card.rows.push_back({coreText(part.label),
                             {quantityText(part.bytes, "B"), coreText(part.formula)},
                             part.category,
                             false});
    }
    card.rows.push_back({tr("total"), {quantityText(stage.total(), "B"), QString()}, std::nullopt, true});
    m_memory->showCard(card);
}

void PlannerCharts::showTime() {
    const PlannerResults& results = m_model.results();
    const bool isOfServer = m_model.question().charts == PlannerQuestion::Charts::Server;
    m_timeCard->setTitle(isOfServer
                             ? capitalised(coreText(planner::info(planner::Output::OutputTokenSeconds).label))
                             : tr("Time of one step"));
    m_time->setAccessibleName(m_timeCard->title());
    m_time->setEmptyText(results.step || results.token ? QString() : results.stepProblem);
    if (results.token) return showToken(*results.token);
    if (!results.step) {
        m_timeCard->setSubtitle({});
        return;
    }
    const planner::StepTime& step = *results.step;
    QVector<SplitBar::Part> parts;
    const auto add = [&](const QString& label, double seconds, const ChartColor& color, const QString& detail,
                         bool hatched = false) {
        if (seconds > 0)
            parts.push_back({label, quantityText(seconds, "s"), seconds, color, hatched, detail});
    };
    std::vector<planner::TimedOp> ops = step.ops;
    std::ranges::stable_sort(ops, std::greater<>(), &planner::TimedOp::seconds);
    QStringList longest;
    for (std::size_t i = 0; i < std::min<std::size_t>(6, ops.size()); ++i)
        longest << tr("%1: %2").arg(coreText(ops[i].label), quantityText(ops[i].seconds, "s"));
    QStringList traffic;
    for (const planner::StepTraffic& part : step.traffic)
        if (part.seconds > 0)
            traffic << tr("%1: %2 (%3 exposed of %4), %5")
                           .arg(coreText(part.label), quantityText(part.bytes, "B"),
                                quantityText(part.exposed, "s"), quantityText(part.seconds, "s"),
                                part.leavesNode ? tr("over the network") : tr("within the node"));
    add(tr("compute"), step.compute, Phase::Forward, longest.join(QLatin1Char('\n')));
    add(tr("recomputation"), step.recomputed, Phase::Recompute, tr("what the recipe works out again"));
    add(tr("optimizer"), step.update, Phase::Optimizer, tr("one pass over parameters, gradients and states"));
    add(tr("exposed communication"), step.communication, Phase::Backward, traffic.join(QLatin1Char('\n')));
    add(tr("pipeline bubble"), step.bubble, ColorRole::Ghost,
        tr("stages that wait for the pipeline to fill and to drain"), true);
    add(tr("waiting"), step.waiting, ColorRole::Track, tr("for the slowest of many nodes"), true);
    const auto percent = [](double share) { return numberText(100 * share, 'f', 1); };
    // MFU counts masked pairs, which the kernel skips: with them it may be above what is executed.
    constexpr double kWorthSaying = 0.99;
    const QString mfu =
        step.executedMfu < kWorthSaying * step.mfu
            ? tr("MFU %1 % (%2 % without masked pairs)").arg(percent(step.mfu), percent(step.executedMfu))
            : tr("MFU %1 %").arg(percent(step.mfu));
    const QString count = grouped(planner::formatValue(step.tokens, ""));
    const QString what = m_model.inputs().scenario.model.linear() != nullptr
                             ? tr("%1 for %2 samples").arg(quantityText(step.total(), "s"), count)
                             : tr("%1 for %2 tokens").arg(quantityText(step.total(), "s"), count);
    m_time->setParts(parts, tr("%1 · %2 · HFU %3 %").arg(what, mfu, percent(step.hfu)));
    QStringList notes;
    for (const std::string& note : step.notes) notes << coreText(note);
    m_timeCard->setSubtitle(tr("sum of rooflines, links and bubble"), notes.join(QLatin1Char('\n')));
}

void PlannerCharts::showToken(const planner::ForwardTime& time) {
    QVector<SplitBar::Part> parts;
    const auto add = [&](const std::string& label, double seconds, Phase phase, const QString& detail) {
        if (seconds > 0)
            parts.push_back({coreText(label), quantityText(seconds, "s"), seconds, phase, false, detail});
    };
    for (const planner::TimedOp& op : time.ops)
        add(op.label, op.seconds, op.product ? Phase::Forward : Phase::Optimizer,
            tr("%1 and %2").arg(quantityText(op.flops, "FLOP"), quantityText(op.bytes, "B")));
    add("all-reduces", time.traffic, Phase::Backward, tr("within the node"));
    std::ranges::stable_sort(parts, std::greater<>(), &SplitBar::Part::size);
    m_time->setParts(parts,
                     tr("%1 for the next token of every request").arg(quantityText(time.total(), "s")));
    m_timeCard->setSubtitle(tr("sum of rooflines and links"));
}

void PlannerCharts::showTornado() {
    const PlannerExplored& explored = m_model.explorer().explored();
    const planner::Output output = m_model.question().output;
    TornadoChart::Content content;
    content.title = coreText(planner::info(output).label);
    content.format = [output](double value) { return grouped(planner::formatOutput(output, value)); };
    content.expected = explored.expected;
    const bool known = m_model.results().answer && explored.output == output;
    for (const planner::Bar& bar : explored.bars) {
        if (!known) break;
        const planner::InputInfo& info = planner::info(bar.input);
        content.bars.push_back({capitalised(coreText(info.label)),
                                shortInputText(bar.input, bar.inputRange.low),
                                shortInputText(bar.input, bar.inputRange.high), bar.atLow, bar.atHigh,
                                capitalised(coreText(info.help))});
    }
    QString empty;
    if (!m_model.results().answer)
        empty = tr("There is no answer to vary yet");
    else if (content.bars.isEmpty() && m_model.explorer().progress())
        empty = tr("Working it out…");
    else if (!known)
        empty = tr("Cancelled: change an input to try again");
    else if (content.bars.isEmpty())
        empty = !explored.barsProblem.isEmpty() ? explored.barsProblem
                                                : tr("No input has an effect on this answer");
    m_tornado->setContent(content);
    m_tornado->setEmptyText(empty);
    m_tornadoCard->setSubtitle(tr("%1 when one input moves").arg(content.title),
                               tr("Assumptions are moved to their ends, choices and facts by 10 %"));
}

void PlannerCharts::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
    m_candidates->fit();
    m_table->fit();
}

void PlannerCharts::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_model.explorer().progress()) return m_model.explorer().cancel();
    QWidget::keyPressEvent(event);
}

}  // namespace plumb::ui

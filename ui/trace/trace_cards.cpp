// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_cards.h"

#include "ui/charts/donut_chart.h"
#include "ui/charts/split_bar.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/trace/headline_figures.h"
#include "ui/trace/trace_columns.h"
#include "ui/trace/trace_sections.h"
#include "ui/trace/trace_text.h"
#include "ui/trace/trace_tones.h"
#include "ui/widgets/card.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QTreeWidget>

#include <algorithm>
#include <array>

namespace plumb::ui {

namespace {

constexpr int kCardWidth = 300;
constexpr int kStepRow = 21;
constexpr double kStepDeviates = 0.1;

ChartColor idleColour(trace::IdleCause cause) {
    switch (cause) {
    case trace::IdleCause::HostWait:
        return Phase::Forward;
    case trace::IdleCause::KernelWait:
        return Category::Workspace;
    case trace::IdleCause::Other:
        return Phase::Data;
    case trace::IdleCause::Unknown:
        break;
    }
    return ColorRole::Ghost;
}

ChartColor pathColour(trace::PathClass kind) {
    switch (kind) {
    case trace::PathClass::Host:
        return ColorRole::TextMuted;
    case trace::PathClass::Launch:
        return Category::Workspace;
    case trace::PathClass::KernelGap:
        return ColorRole::Ghost;
    case trace::PathClass::Compute:
        return Phase::Forward;
    case trace::PathClass::Communication:
        return Phase::Loss;
    case trace::PathClass::DataLoading:
        break;
    }
    return Phase::Data;
}

QString deviceName(const trace::DeviceWindow& device) {
    return device.rank < 0 ? tr("GPU %1").arg(device.id)
                           : tr("Rank %1, GPU %2").arg(device.rank).arg(device.id);
}

}  // namespace

TraceCards::TraceCards(Theme& theme, const TraceScope& scope, QWidget* parent)
    : QScrollArea(parent), m_theme(theme), m_scope(scope) {
    setObjectName(QStringLiteral("traceCards"));
    setAccessibleName(tr("Figures of the trace"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);  // it follows what has the focus in it
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inner = new QWidget(this);
    inner->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    m_grid = new QGridLayout(inner);
    m_grid->setContentsMargins(0, 0, 4, 0);
    m_grid->setSpacing(8);
    m_figures = new HeadlineFigures(theme, inner);
    m_figures->setObjectName(QStringLiteral("traceFigures"));
    Card* figures = addCard(tr("Whole trace"), QStringLiteral("traceFiguresCard"), m_figures);
    m_devices = new QComboBox(figures);
    m_devices->setObjectName(QStringLiteral("traceDevice"));
    m_devices->setAccessibleName(tr("Device of the figures"));
    m_devices->setToolTip(tr("The device that these figures and the causes of idleness are of"));
    figures->addHeaderWidget(m_devices);
    m_steps = new QTreeWidget(inner);
    m_steps->setObjectName(QStringLiteral("traceSteps"));
    m_steps->setAccessibleName(tr("Steps", "of a trace"));
    m_steps->setRootIsDecorated(false);
    m_steps->setUniformRowHeights(true);
    m_steps->setFrameShape(QFrame::NoFrame);
    m_steps->viewport()->setAutoFillBackground(false);  // the card shows through
    setColumns(*m_steps, traceStepColumns());
    m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (int column = 1; column < m_steps->columnCount(); ++column)
        m_steps->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    m_steps->header()->setStretchLastSection(false);
    m_steps->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_steps->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    addCard(tr("Steps", "of a trace"), QStringLiteral("traceStepsCard"), m_steps);
    m_idle = new SplitBar(theme, inner);
    m_idle->setObjectName(QStringLiteral("traceIdle"));
    m_idle->setAccessibleName(tr("GPU idle by cause"));
    addCard(tr("GPU idle by cause"), QStringLiteral("traceIdleCard"), m_idle);
    m_categories = new DonutChart(theme, inner);
    m_categories->setObjectName(QStringLiteral("traceCategories"));
    m_categories->setAccessibleName(tr("Kernel categories"));
    addCard(tr("Kernel categories"), QStringLiteral("traceCategoriesCard"), m_categories);
    m_path = new SplitBar(theme, inner);
    m_path->setObjectName(QStringLiteral("tracePathBar"));
    m_path->setAccessibleName(tr("Critical path"));
    addCard(tr("Critical path"), QStringLiteral("tracePathCard"), m_path);
    setWidget(inner);
    inner->setMinimumWidth(0);
    setMinimumWidth(scaled(kCardWidth));
    lay();
    connect(&scope, &TraceScope::changed, this, &TraceCards::showScope);
    connect(&theme, &Theme::changed, this, &TraceCards::fillSteps);
    connect(m_devices, &QComboBox::activated, this, &TraceCards::showScope);
    connect(m_steps, &QTreeWidget::itemClicked, this,
            [this](QTreeWidgetItem* item) { emit stepChosen(item->data(0, Qt::UserRole).toULongLong()); });
    connect(m_steps, &QTreeWidget::itemActivated, m_steps, &QTreeWidget::itemClicked);
}

Card* TraceCards::addCard(const QString& title, const QString& name, QWidget* content) {
    auto* card = new Card(m_theme, title, m_grid->parentWidget());
    card->setObjectName(name);
    card->setContentMargins(8, 4, 8, 6);
    card->setContent(content);
    m_cards.push_back(card);
    return card;
}

void TraceCards::lay() {
    const int columns =
        std::clamp((viewport()->width() + m_grid->spacing()) / (scaled(kCardWidth) + m_grid->spacing()), 1,
                   static_cast<int>(m_cards.size()));
    if (columns == m_columns) return;
    m_columns = columns;
    for (qsizetype i = 0; i < m_cards.size(); ++i)  // the figures stand above all
        if (i == 0)
            m_grid->addWidget(m_cards[i], 0, 0, 1, m_columns);
        else
            m_grid->addWidget(m_cards[i], 1 + static_cast<int>(i - 1) / m_columns,
                              static_cast<int>(i - 1) % m_columns);
    for (int row = 0; row < m_grid->rowCount(); ++row) m_grid->setRowStretch(row, 0);
    m_grid->setRowStretch(static_cast<int>(m_cards.size()), 1);
    for (int column = 0; column < m_grid->columnCount(); ++column)
        m_grid->setColumnStretch(column, column < m_columns ? 1 : 0);
}

void TraceCards::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    lay();
}

void TraceCards::refresh() {
    m_devices->clear();
    fillSteps();
    showScope();
}

void TraceCards::fillSteps() {
    m_steps->clear();
    Card* card = m_cards[1];
    const std::shared_ptr<const OpenedTrace>& opened = m_scope.trace();
    const bool hasSteps = opened && !opened->links.steps.empty();
    card->setVisible(hasSteps);
    if (!hasSteps) return;
    const trace::TraceOverview& overview = opened->overview;
    const trace::Nanoseconds median = overview.steps[*trace::medianStep(opened->links)].step.duration;
    for (std::size_t i = 0; i < overview.steps.size(); ++i) {
        const trace::StepFigures& figures = overview.steps[i];
        const double away =
            median > 0 ? static_cast<double>(figures.step.duration - median) / static_cast<double>(median)
                       : 0;
        const QString share = QStringLiteral("%1%2 %")
                                  .arg(away > 0 ? QStringLiteral("+") : QString())
                                  .arg(numberText(100 * away, 'f', 1))
                                  .replace(QLatin1Char('-'), QStringLiteral("−"));
        auto* item = new QTreeWidgetItem(
            m_steps, {toText(opened->trace->names.at(figures.step.name)), timeText(figures.step.duration),
                      opened->overview.devices.empty()
                          ? QStringLiteral("–")
                          : traceShare(figures.busy, figures.step.windowEnd - figures.step.begin),
                      share});
        for (int column = 1; column < 4; ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        item->setSizeHint(0, {0, scaled(kStepRow)});
        item->setData(0, Qt::UserRole, static_cast<qulonglong>(i));
        if (away > kStepDeviates) item->setForeground(3, m_theme.color(ColorRole::Bad));
    }
    card->setSubtitle(tr("%1 · median %2").arg(overview.steps.size()).arg(timeText(median)),
                      overview.stepsAreInferred
                          ? tr("Each ends with an Optimizer.step: the trace has no ProfilerStep.")
                          : QString());
    const int shown = std::clamp(static_cast<int>(overview.steps.size()), 2, 6);
    m_steps->setFixedHeight(m_steps->header()->sizeHint().height() + shown * scaled(kStepRow) + 4);
}

void TraceCards::showScope() {
    const bool isOpen = m_scope.trace() != nullptr;
    for (Card* card : m_cards)
        if (card != m_cards[1]) card->setVisible(isOpen);
    if (!isOpen) return;
    m_cards[0]->setTitle(m_scope.name());
    const std::shared_ptr<const ScopeFigures>& figures = m_scope.figures();
    m_cards[0]->setSubtitle(figures ? QString() : tr("working it out…"));
    for (int i = 0; i < m_steps->topLevelItemCount(); ++i)
        m_steps->topLevelItem(i)->setSelected(m_scope.chosen() == static_cast<std::size_t>(i));
    if (!figures) return;
    const auto& devices = figures->window.devices;
    if (m_devices->count() != static_cast<int>(devices.size())) {
        m_devices->clear();
        for (const trace::DeviceWindow& device : devices) m_devices->addItem(deviceName(device));
    }
    m_devices->setVisible(devices.size() > 1);
    const auto at = static_cast<std::size_t>(std::max(0, m_devices->currentIndex()));
    const trace::DeviceWindow* device = at < devices.size() ? &devices[at] : nullptr;
    showFigures(*figures, device);
    showIdle(device);
    showCategories(*figures);
    showPath(*figures);
}

void TraceCards::showFigures(const ScopeFigures& figures, const trace::DeviceWindow* device) {
    const trace::TraceOverview& overview = m_scope.trace()->overview;
    QVector<HeadlineFigures::Figure> tiles;
    if (figures.step)
        tiles.push_back({tr("step time"), timeText(overview.steps[*figures.step].step.duration),
                         tr("Of its annotation; the shares are of its window, up to the next step.")});
    else
        tiles.push_back({tr("trace"), timeText(overview.end - overview.begin),
                         tr("From its first slice to the end of the last one.")});
    if (device == nullptr) {
        tiles.push_back({tr("GPU busy"), QStringLiteral("–"),
                         tr("No GPU work: record with ProfilerActivity.CUDA where there is a GPU.")});
        m_figures->setFigures(tiles);
        return;
    }
    const trace::DeviceTimes& times = device->times;
    const trace::Nanoseconds window = device->end - device->begin;
    tiles.push_back({tr("GPU busy"), traceShare(times.busy, window),
                     tr("%1: at least one kernel, copy or memset of %2 runs.")
                         .arg(timeText(times.busy), deviceName(*device))});
    tiles.push_back({tr("GPU idle"), timeText(times.idle),
                     figures.step ? tr("The rest of the step's window.")
                                  : tr("Between the device's first and last work.")});
    tiles.push_back({tr("exposed traffic"),
                     times.communication > 0 ? timeText(times.exposedCommunication) : QStringLiteral("–"),
                     times.communication > 0
                         ? tr("Communication in which no other kernel runs: %1 of all communication.")
                               .arg(traceShare(times.exposedCommunication, times.communication))
                         : tr("No kernel communicates.")});
    tiles.push_back({tr("tensor cores, by name"), traceShare(device->tensorCoreTime, device->kernelTime),
                     tr("Time of kernels whose name says that they use tensor cores, of the time of all "
                        "kernels. Proof needs a hardware counter.")});
    tiles.push_back({tr("kernels"), exactText(device->kernels, ""),
                     tr("That run on %1 then, wholly or in part.").arg(deviceName(*device))});
    m_figures->setFigures(tiles);
}

void TraceCards::showIdle(const trace::DeviceWindow* device) {
    Card* card = m_cards[2];
    card->setVisible(device != nullptr);
    if (device == nullptr) return;
    const trace::Nanoseconds window = device->end - device->begin;
    QVector<SplitBar::Part> parts;
    static constexpr std::array<const char*, trace::kIdleCauses> kMeanings{
        QT_TR_NOOP("The launch of what ends the gap began only after the work before had ended:\nthe host is "
                   "too slow."),
        QT_TR_NOOP(
            "Launched in time, and the gap is below 5 µs:\nwhat the device needs between two kernels."),
        QT_TR_NOOP("Launched in time and waited longer:\nfor another stream, say."),
        QT_TR_NOOP("The launch is not in the trace.")};
    for (std::size_t cause = 0; cause < trace::kIdleCauses; ++cause)
        if (const trace::Nanoseconds time = device->times.idleBy[cause]; time > 0)
            parts.push_back({idleText(static_cast<trace::IdleCause>(cause)), timeText(time),
                             trace::secondsOf(time), idleColour(static_cast<trace::IdleCause>(cause)), true,
                             tr(kMeanings[cause])});
    if (device->times.idleAtEnd > 0)
        parts.push_back({tr("nothing followed"), timeText(device->times.idleAtEnd),
                         trace::secondsOf(device->times.idleAtEnd), ColorRole::Track, true,
                         tr("Behind the last work of the trace.")});
    m_idle->setEmptyText(parts.isEmpty() ? tr("The device was never idle.") : QString());
    m_idle->setParts(parts, tr("%1 idle of %2").arg(timeText(device->times.idle), timeText(window)));
    const QString share = traceShare(device->times.idle, window);
    card->setSubtitle(m_devices->count() > 1 ? tr("%1 · %2").arg(deviceName(*device), share) : share);
}

void TraceCards::showCategories(const ScopeFigures& figures) {
    Card* card = m_cards[3];
    card->setVisible(!figures.window.devices.empty());
    std::array<trace::WorkSum, kTraceTones> sums{};
    std::array<QStringList, kTraceTones> details;
    for (const auto& [category, name] : trace::kKernelCategoryNames) {
        const trace::WorkSum& sum = figures.window.sums.categories[static_cast<std::size_t>(category)];
        if (sum.count == 0) continue;
        const auto tone = static_cast<std::size_t>(toneOf(category));
        sums[tone].count += sum.count;
        sums[tone].time = trace::saturated(sums[tone].time, sum.time);
        details[tone] << tr("%1: %2 in %3 pieces")
                             .arg(coreText(name), timeText(sum.time))
                             .arg(exactText(sum.count, ""));
    }
    QVector<DonutChart::Part> parts;
    for (std::size_t i = 0; i < kTraceTones; ++i) {
        if (sums[i].count == 0) continue;
        const auto tone = static_cast<TraceTone>(i);
        parts.push_back({nameOf(tone), timeText(sums[i].time), trace::secondsOf(sums[i].time),
                         chartColorOf(tone), false, details[i].join(QLatin1Char('\n'))});
    }
    std::ranges::stable_sort(parts, std::ranges::greater(), &DonutChart::Part::size);
    const trace::Nanoseconds all = figures.window.sums.all.work.time;
    m_categories->setEmptyText(parts.isEmpty() ? tr("No GPU work runs then.") : QString());
    m_categories->setParts(parts, timeText(all), tr("in sum"));
    card->setSubtitle(tr("of all devices"),
                      tr("Sums of the durations of kernels, copies and memsets; the category is that of the "
                         "op where it tells, else of the name."));
}

void TraceCards::showPath(const ScopeFigures& figures) {
    Card* card = m_cards[4];
    const OpenedTrace& opened = *m_scope.trace();
    if (!figures.path) {
        m_path->setParts({}, {});
        m_path->setEmptyText(
            opened.ranks       ? tr("Not worked out over ranks: open the trace of one.")
            : figures.pathStep ? tr("The step has too many slices for it, or none.")
                               : tr("No steps, so that none has a critical path: call the profiler's step() "
                                    "after each."));
        card->setSubtitle({});
        return;
    }
    QVector<SplitBar::Part> parts;
    for (std::size_t kind = 0; kind < trace::kPathClasses; ++kind) {
        const trace::Nanoseconds time = figures.path->by[kind];
        if (time == 0) continue;
        QStringList longest;
        for (const trace::PathSum& sum : figures.pathSums)
            if (sum.kind == static_cast<trace::PathClass>(kind) && longest.size() < 5)
                longest << timeText(sum.time) + QLatin1Char(' ') +
                               toText(opened.trace->names.at(sum.name)).left(60);
        parts.push_back({pathClassText(static_cast<trace::PathClass>(kind)), timeText(time),
                         trace::secondsOf(time), pathColour(static_cast<trace::PathClass>(kind)),
                         kind == static_cast<std::size_t>(trace::PathClass::KernelGap),
                         longest.join(QLatin1Char('\n'))});
    }
    std::ranges::stable_sort(parts, std::ranges::greater(), &SplitBar::Part::size);
    m_path->setEmptyText({});
    m_path->setParts(parts, tr("Approximate: waits are inferred from the names of calls."));
    card->setSubtitle(figures.step ? timeText(figures.path->length)
                                   : tr("%1 · median step").arg(timeText(figures.path->length)));
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_view.h"

#include "core/trace/range_sums.h"
#include "core/trace/slice_filter.h"
#include "core/trace/trace_rows.h"
#include "ui/charts/legend_row.h"
#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/trace/ranks_panel.h"
#include "ui/trace/trace_canvas.h"
#include "ui/trace/trace_sections.h"
#include "ui/trace/trace_strip.h"
#include "ui/trace/trace_text.h"
#include "ui/trace/trace_tones.h"
#include "ui/widgets/slider_row.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

namespace {

QString idleText(trace::IdleCause cause) {
    switch (cause) {
    case trace::IdleCause::HostWait:
        return tr("idle: late launches");
    case trace::IdleCause::KernelWait:
        return tr("idle: kernel gaps");
    case trace::IdleCause::Other:
        return tr("idle: other waits");
    case trace::IdleCause::Unknown:
        break;
    }
    return tr("idle: launch unknown");
}
}  // namespace

TraceView::TraceView(const ViewContext& context, OpenedAs<OpenedTrace>& file, QWidget* parent)
    : QWidget(parent),
      m_theme(context.theme),
      m_file(file),
      m_name(new QLabel(this)),
      m_report(new QLabel(this)),
      m_search(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_strip(new TraceStrip(context.theme, this)),
      m_legend(new LegendRow(context.theme, this)),
      m_path(new QCheckBox(tr("Critical path"), this)),
      m_canvas(new TraceCanvas(context.theme, this)),
      m_ranks(new RanksPanel(context.theme, this)),
      m_tables(new QTreeWidget(this)),
      m_facts(new QLabel(this)) {
    setObjectName(QStringLiteral("traceView"));
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("traceClose"));
    close->setProperty(kQuietButton, true);
    m_report->setObjectName(QStringLiteral("traceReport"));
    m_report->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_search->setObjectName(QStringLiteral("traceSearch"));
    m_search->setPlaceholderText(tr("Filter: name, cat:gemm, >1ms"));
    m_search->setToolTip(
        tr("Words of the name, cat: and a category, >1ms and <50us. Enter selects the next hit, "
           "Shift+Enter the one before it."));
    m_search->setAccessibleName(tr("Filter of slices"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(150);
    m_search->setMaximumWidth(260);
    m_search->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("traceHits"));
    const auto stepButton = [this](const QString& text, const QString& name, const QString& tip,
                                   bool forwards) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(name);
        button->setProperty(kQuietButton, true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        connect(button, &QPushButton::clicked, this, [this, forwards] { findNext(forwards); });
        return button;
    };
    auto* previous =
        stepButton(QStringLiteral("↑"), QStringLiteral("tracePrevious"), tr("Previous hit"), false);
    auto* next = stepButton(QStringLiteral("↓"), QStringLiteral("traceNext"), tr("Next hit"), true);
    followColor(m_count, context.theme, ColorRole::TextMuted);
    m_facts->setObjectName(QStringLiteral("traceFacts"));
    m_facts->setWordWrap(true);
    m_facts->setMinimumHeight(2 * m_facts->fontMetrics().lineSpacing() + 2);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_tables->setObjectName(QStringLiteral("traceTables"));
    m_tables->setHeaderLabels({tr("what"), tr("time"), tr("share")});
    m_tables->setIndentation(12);
    m_tables->header()->setStretchLastSection(false);
    m_tables->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tables->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_tables->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_tables->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tables->setMinimumWidth(300);
    followColor(m_report, context.theme, ColorRole::TextMuted);
    followColor(m_facts, context.theme, ColorRole::TextMuted);
    auto* head = new QHBoxLayout;
    head->addWidget(m_name);
    head->addWidget(m_report, 2);
    head->addWidget(m_search, 1);
    head->addWidget(m_count);
    head->addWidget(previous);
    head->addWidget(next);
    head->addWidget(close);
    auto* lanes = new QVBoxLayout;
    lanes->addWidget(m_strip);
    auto* legend = new QHBoxLayout;
    legend->addWidget(m_legend, 1);
    legend->addWidget(m_path, 0, Qt::AlignTop);
    lanes->addLayout(legend);
    lanes->addWidget(m_canvas, 1);
    lanes->addWidget(m_facts);
    auto* body = new QHBoxLayout;
    body->addLayout(lanes, 5);
    auto* figures = new QVBoxLayout;
    figures->addWidget(m_ranks, 3);
    figures->addWidget(m_tables, 2);
    body->addLayout(figures, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(head);
    layout->addLayout(body, 1);
    connect(close, &QPushButton::clicked, &file, &OpenedFile::close);
    connect(&file, &OpenedFile::changed, this, &TraceView::refresh);
    m_path->setObjectName(QStringLiteral("tracePath"));
    m_path->setToolTip(tr("Makes pale what is not on the critical path of the step of median length."));
    connect(m_path, &QCheckBox::toggled, this, &TraceView::emphasize);
    connect(m_legend, &LegendRow::toggled, this, [this](const QString& id, bool shown) {
        m_canvas->setToneShown(static_cast<TraceTone>(id.toInt()), shown);
        QVector<LegendEntry> entries = m_legend->entries();
        for (LegendEntry& entry : entries)
            if (entry.id == id) entry.checked = shown;
        m_legend->setEntries(entries);
    });
    connect(m_search, &QLineEdit::textChanged, this, &TraceView::filter);
    connect(m_canvas, &TraceCanvas::filterWanted, m_search, qOverload<>(&QWidget::setFocus));
    connect(m_canvas, &TraceCanvas::windowChanged, m_strip, &TraceStrip::setWindow);
    connect(m_canvas, &TraceCanvas::selectionChanged, this, &TraceView::showFacts);
    connect(m_canvas, &TraceCanvas::selectionChanged, this, &TraceView::countHits);
    connect(m_canvas, &TraceCanvas::rangeChosen, this, &TraceView::showRange);
    connect(m_strip, &TraceStrip::windowChosen, m_canvas, &TraceCanvas::setWindow);
    connect(m_ranks, &RanksPanel::collectiveChosen, this,
            [this](std::uint32_t slice, trace::Nanoseconds from, trace::Nanoseconds to) {
                m_canvas->setWindow({from, to});
                m_canvas->select(slice);
            });
    connect(m_tables, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        if (const QVariant slice = item->data(0, kSliceRole); slice.isValid())
            return m_canvas->select(slice.toUInt());
        const QVariant step = item->data(0, Qt::UserRole);
        if (!step.isValid()) return;
        const trace::TraceStep& chosen = m_opened->overview.steps[step.toULongLong()].step;
        m_canvas->setWindow({chosen.begin, chosen.windowEnd});
    });
    refresh();
}

void TraceView::refresh() {
    m_opened = m_file.content();
    const QString first = QFileInfo(m_file.path()).fileName();
    const auto others = m_file.paths().size() - 1;
    m_name->setText(others > 0 ? tr("%1 and %2 more").arg(first).arg(others) : first);
    m_range = nullptr;
    m_tables->clear();
    m_strip->setTrace(m_opened);
    m_canvas->setTrace(m_opened);
    m_ranks->setTrace(m_opened);
    m_report->clear();
    m_legend->setEntries(m_opened ? toneEntries(*m_opened) : QVector<LegendEntry>());
    m_path->setEnabled(m_opened && m_opened->path);
    if (!m_path->isEnabled()) m_path->setChecked(false);
    if (m_opened) {
        const trace::Trace& trace = *m_opened->trace;
        const trace::Losses& losses = trace.losses;
        m_report->setText(tr("%1 trace · %2 · %3 events, %4 lost · read in %5")
                              .arg(toText(trace.writer()), bytesText(static_cast<Bytes>(trace.fileBytes)),
                                   toText(formatExact(trace.events, "")),
                                   toText(formatExact(losses.events(), "")),
                                   quantityText(m_opened->readSeconds, "s")));
        QStringList sentences;
        for (const std::string& sentence : losses.sentences()) sentences << toText(sentence);
        m_report->setToolTip(sentences.isEmpty() ? tr("The file was whole.")
                                                 : sentences.join(QLatin1Char('\n')));
        m_strip->setWindow(m_canvas->window());
        fillTables();
    }
    showFacts();
    filter();
}

void TraceView::fillTables() {
    const trace::TraceOverview& overview = m_opened->overview;
    const trace::NameTable& names = m_opened->trace->names;
    auto* steps = addTraceSection(
        m_tables, tr("Steps (%1)").arg(overview.steps.size()), tr("time"), tr("GPU busy"),
        overview.stepsAreInferred
            ? tr("Each ends with an Optimizer.step: the trace has no ProfilerStep. Click one to see it.")
            : tr("The time of each ProfilerStep; busy is the share of its window, up to the next step, in "
                 "which "
                 "the first device works. Click one to see it."));
    if (overview.steps.empty())
        addTraceSentence(steps, tr("No steps: call the profiler's step() after each."));
    for (std::size_t i = 0; i < overview.steps.size(); ++i) {
        const trace::StepFigures& figures = overview.steps[i];
        addTraceRow(steps, toText(names.at(figures.step.name)), figures.step.duration,
                    traceShare(figures.busy, figures.step.windowEnd - figures.step.begin))
            ->setData(0, Qt::UserRole, static_cast<qulonglong>(i));
    }
    for (const trace::DeviceFigures& device : overview.devices) {
        const trace::Nanoseconds window = device.end - device.begin;
        auto* section = addTraceSection(
            m_tables,
            device.rank < 0 ? tr("Device %1").arg(device.id)
                            : tr("Rank %1, device %2").arg(device.rank).arg(device.id),
            timeText(window), {},
            tr("From its first to its last work. Busy is the time in which at "
               "least one kernel, copy or memset "
               "runs. Idle time counts by the work that ends it: launched late by the host; a gap below 5 µs "
               "between kernels; launched in time and waited longer; its launch not in the trace. Exposed "
               "traffic is "
               "communication in which no other kernel runs."));
        addTraceRow(section, tr("busy"), device.busy, traceShare(device.busy, window));
        for (std::size_t cause = 0; cause < trace::kIdleCauses; ++cause)
            if (device.idleBy[cause] > 0)
                addTraceRow(section, idleText(static_cast<trace::IdleCause>(cause)), device.idleBy[cause],
                            traceShare(device.idleBy[cause], window));
        if (device.communication > 0) {
            addTraceRow(section, tr("exposed traffic"), device.exposedCommunication,
                        traceShare(device.exposedCommunication, window));
            addTraceRow(section, tr("traffic behind kernels"),
                        device.communication - device.exposedCommunication,
                        traceShare(device.communication - device.exposedCommunication, device.communication));
        }
        addTraceRow(section, tr("tensor cores, by name"), device.tensorCoreTime,
                    traceShare(device.tensorCoreTime, device.kernelTime))
            ->setToolTip(0,
                         tr("Time of kernels whose name says that they use tensor cores, of the time of all "
                            "kernels. Proof needs a hardware counter."));
        addTraceLaunches(m_tables, m_theme, device);
    }
    if (overview.devices.empty())
        addTraceNote(m_tables, tr("GPU"),
                     tr("No GPU work: record with ProfilerActivity.CUDA where there is a GPU."));
    addTracePath(m_tables, *m_opened);
    trace::Nanoseconds all = 0;
    for (const trace::WorkSum& sum : overview.categories) all = trace::saturated(all, sum.time);
    if (overview.devices.empty()) {
        addTraceOps(m_tables, *m_opened);
        addTraceModules(m_tables, *m_opened);
        return;
    }
    auto* categories =
        addTraceSection(m_tables, tr("GPU work by category"), timeText(all), {},
                        tr("Sum of the durations of kernels, copies and memsets of all devices; the "
                           "category is that of the op where it tells, else of the name."));
    for (const auto& [category, name] : trace::kKernelCategoryNames)
        if (const trace::WorkSum& sum = overview.categories[static_cast<std::size_t>(category)];
            sum.count > 0)
            addTraceRow(categories, toText(name), sum.time, traceShare(sum.time, all));
    auto* kernels =
        addTraceSection(m_tables, tr("Top kernels"), {}, {},
                        tr("Sum of the durations of all kernels of one name, and its share of all GPU "
                           "work; the %1 longest.")
                            .arg(kMostTopKernels));
    for (std::size_t i = 0; i < std::min(kMostTopKernels, overview.kernels.size()); ++i) {
        const trace::KernelSum& kernel = overview.kernels[i];
        addTraceRow(kernels, toText(names.at(kernel.name)), kernel.sum.time,
                    traceShare(kernel.sum.time, all));
    }
    addTraceOps(m_tables, *m_opened);
    addTraceModules(m_tables, *m_opened);
}

void TraceView::showFacts() {
    m_facts->setText(
        m_opened && m_canvas->selected()
            ? m_canvas->factsOf(*m_canvas->selected())
            : tr("Click a slice for its facts. Shift+drag sums a range. Wheel, W and S zoom; drag, A and D "
                 "move; F fits; Esc goes back."));
}

void TraceView::showRange(const std::optional<TraceWindow>& range) {
    delete m_range;
    m_range = nullptr;
    if (!range || !m_opened) return;
    const trace::RangeSums sums =
        trace::sumsOfRange(*m_opened->trace, m_opened->links.work, range->from, range->to);
    m_range = addTraceSection(
        m_tables, tr("Range"), timeText(range->length()), {},
        tr("GPU work of all devices, cut to the range. Busy is the time in which at least one "
           "piece runs; the categories are sums, which may exceed the range."));
    m_tables->takeTopLevelItem(m_tables->indexOfTopLevelItem(m_range));
    m_tables->insertTopLevelItem(0, m_range);
    m_range->setExpanded(true);
    addTraceRow(m_range, tr("busy"), sums.busy, traceShare(sums.busy, range->length()));
    addTraceRow(m_range, tr("sum of %1 pieces").arg(sums.all.count), sums.all.time,
                traceShare(sums.all.time, range->length()));
    for (const auto& [category, name] : trace::kKernelCategoryNames)
        if (const trace::WorkSum& sum = sums.categories[static_cast<std::size_t>(category)]; sum.count > 0)
            addTraceRow(m_range, toText(name), sum.time, traceShare(sum.time, range->length()));
    m_tables->scrollToTop();
}

void TraceView::filter() {
    m_hits.clear();
    m_count->clear();
    m_count->setToolTip({});
    const std::string text = m_search->text().toStdString();
    const Result<trace::SliceFilter> wanted = trace::parseSliceFilter(text);
    m_filters = wanted.has_value() && !wanted->isEmpty();
    if (!wanted.has_value()) {
        m_count->setText(tr("not understood"));
        m_count->setToolTip(capitalised(wanted.error().text()));
    } else if (m_opened && m_filters) {
        m_hits = trace::slicesOf(*m_opened->trace, m_opened->categories, *wanted);
        countHits();
    }
    emphasize();
}

void TraceView::emphasize() {
    m_canvas->setEmphasis(nullptr);
    if (!m_opened || (!m_filters && !m_path->isChecked())) return;
    const trace::Trace& trace = *m_opened->trace;
    std::vector<bool> strong(trace.slices.size());
    if (m_filters)
        for (const std::uint32_t slice : m_hits) strong[slice] = true;
    else
        for (const trace::PathStretch& stretch : m_opened->path->stretches) strong[stretch.slice] = true;
    m_canvas->setEmphasis(
        std::make_shared<const trace::RowMask>(trace, [&](std::uint32_t slice) { return strong[slice]; }));
}

void TraceView::countHits() {
    if (!m_filters) return;
    const auto at =
        m_canvas->selected() ? std::ranges::lower_bound(m_hits, *m_canvas->selected()) : m_hits.end();
    const bool isHit = at != m_hits.end() && *at == *m_canvas->selected();
    const QString count = toText(formatExact(static_cast<std::int64_t>(m_hits.size()), ""));
    m_count->setText(isHit ? tr("%1 of %2").arg(at - m_hits.begin() + 1).arg(count)
                           : (m_hits.size() == 1 ? tr("1 hit") : tr("%1 hits").arg(count)));
}

void TraceView::findNext(bool forwards) {
    if (m_hits.empty()) return;
    const auto selected = m_canvas->selected();
    if (forwards) {
        const auto next = selected ? std::ranges::upper_bound(m_hits, *selected) : m_hits.begin();
        return m_canvas->select(next == m_hits.end() ? m_hits.front() : *next);
    }
    const auto at = selected ? std::ranges::lower_bound(m_hits, *selected) : m_hits.end();
    m_canvas->select(at == m_hits.begin() ? m_hits.back() : *std::prev(at));
}

bool TraceView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_search || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)
        return QWidget::eventFilter(watched, event);
    findNext((key->modifiers() & Qt::ShiftModifier) == 0);
    return true;
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_view.h"

#include "core/trace/range_sums.h"
#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/trace/ranks_panel.h"
#include "ui/trace/trace_canvas.h"
#include "ui/trace/trace_strip.h"
#include "ui/widgets/slider_row.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

namespace {
constexpr std::size_t kMostTopKernels = 20;

QString traceSeconds(trace::Nanoseconds time) { return quantityText(static_cast<double>(time) * 1e-9, "s"); }

QString traceShare(trace::Nanoseconds part, trace::Nanoseconds whole) {
    if (whole <= 0) return QStringLiteral("–");
    return QString::number(100.0 * static_cast<double>(part) / static_cast<double>(whole), 'f', 1) +
           QStringLiteral(" %");
}

QTreeWidgetItem* addTraceRow(QTreeWidgetItem* parent, const QString& name, trace::Nanoseconds time,
                             const QString& share) {
    auto* item = new QTreeWidgetItem(parent, {name, traceSeconds(time), share});
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(0, name);
    return item;
}

QTreeWidgetItem* addTraceSection(QTreeWidget* tree, const QString& name, const QString& time,
                                 const QString& share, const QString& definition) {
    auto* item = new QTreeWidgetItem(tree, {name, time, share});
    QFont bold = tree->font();
    bold.setBold(true);
    item->setFont(0, bold);
    for (int column = 0; column < 3; ++column) {
        item->setToolTip(column, definition);
        if (column > 0) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    item->setExpanded(true);
    return item;
}

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
      m_file(file),
      m_name(new QLabel(this)),
      m_report(new QLabel(this)),
      m_search(new QLineEdit(this)),
      m_strip(new TraceStrip(context.theme, this)),
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
    m_search->setPlaceholderText(tr("Find a name"));
    m_search->setFixedWidth(180);
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
    head->addWidget(m_report, 1);
    head->addWidget(m_search);
    head->addWidget(close);
    auto* lanes = new QVBoxLayout;
    lanes->addWidget(m_strip);
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
    connect(m_search, &QLineEdit::returnPressed, this, &TraceView::findNext);
    connect(m_canvas, &TraceCanvas::windowChanged, m_strip, &TraceStrip::setWindow);
    connect(m_canvas, &TraceCanvas::selectionChanged, this, &TraceView::showFacts);
    connect(m_canvas, &TraceCanvas::rangeChosen, this, &TraceView::showRange);
    connect(m_strip, &TraceStrip::windowChosen, m_canvas, &TraceCanvas::setWindow);
    connect(m_ranks, &RanksPanel::collectiveChosen, this,
            [this](std::uint32_t slice, trace::Nanoseconds from, trace::Nanoseconds to) {
                m_canvas->setWindow({from, to});
                m_canvas->select(slice);
            });
    connect(m_tables, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
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
            traceSeconds(window), {},
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
        if (device.communication > 0)
            addTraceRow(section, tr("exposed traffic"), device.exposedCommunication,
                        traceShare(device.exposedCommunication, window));
    }
    trace::Nanoseconds all = 0;
    for (const trace::WorkSum& sum : overview.categories) all = trace::saturated(all, sum.time);
    auto* categories =
        addTraceSection(m_tables, tr("GPU work by category"), traceSeconds(all), {},
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
        m_tables, tr("Range"), traceSeconds(range->length()), {},
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

void TraceView::findNext() {
    if (!m_opened || m_search->text().isEmpty()) return;
    const trace::Trace& trace = *m_opened->trace;
    std::vector<bool> hits(trace.names.size());
    for (std::size_t i = 0; i < hits.size(); ++i)
        hits[i] = toText(trace.names.at(static_cast<trace::NameId>(i)))
                      .contains(m_search->text(), Qt::CaseInsensitive);
    const std::size_t count = trace.slices.size();
    const std::size_t first = m_canvas->selected() ? *m_canvas->selected() + std::size_t{1} : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t slice = (first + i) % count;
        if (hits[trace.slices.name[slice]]) return m_canvas->select(static_cast<std::uint32_t>(slice));
    }
    m_facts->setText(tr("No slice has “%1” in its name.").arg(m_search->text()));
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_sections.h"

#include "ui/charts/sparkline.h"
#include "ui/theme/text.h"
#include "ui/trace/trace_text.h"

#include <QTreeWidget>

#include <algorithm>

namespace plumb::ui {

namespace {
constexpr std::size_t kMostShownModules = 5000;
constexpr std::size_t kMostPathRows = 12;

void addTraceDevice(QTreeWidget* tree, const trace::DeviceWindow& device) {
    const trace::Nanoseconds window = device.end - device.begin;
    const trace::DeviceTimes& times = device.times;
    auto* section = addTraceSection(
        tree,
        device.rank < 0 ? tr("Device %1").arg(device.id)
                        : tr("Rank %1, device %2").arg(device.rank).arg(device.id),
        timeText(window), {},
        tr("Of all of the trace from its first to its last work, of a step its window. Busy is the time in "
           "which at least one kernel, copy or memset runs. Idle time counts by the work that ends it: "
           "launched late by the host; a gap below 5 µs between kernels; launched in time and waited longer; "
           "its launch not in the trace. Exposed traffic is communication in which no other kernel runs."));
    addTraceRow(section, tr("busy"), times.busy, traceShare(times.busy, window));
    for (std::size_t cause = 0; cause < trace::kIdleCauses; ++cause)
        if (times.idleBy[cause] > 0)
            addTraceRow(section, tr("idle: %1").arg(idleText(static_cast<trace::IdleCause>(cause))),
                        times.idleBy[cause], traceShare(times.idleBy[cause], window));
    if (times.idleAtEnd > 0)
        addTraceRow(section, tr("idle: nothing followed"), times.idleAtEnd,
                    traceShare(times.idleAtEnd, window));
    if (times.communication > 0) {
        addTraceRow(section, tr("exposed traffic"), times.exposedCommunication,
                    traceShare(times.exposedCommunication, window));
        addTraceRow(section, tr("traffic behind kernels"), times.communication - times.exposedCommunication,
                    traceShare(times.communication - times.exposedCommunication, times.communication));
    }
    addTraceRow(section, tr("tensor cores, by name"), device.tensorCoreTime,
                traceShare(device.tensorCoreTime, device.kernelTime))
        ->setToolTip(0, tr("Time of kernels whose name says that they use tensor cores, of the time of all "
                           "kernels. Proof needs a hardware counter."));
}

/// Categories and names of GPU work.
void addTraceWork(QTreeWidget* tree, const OpenedTrace& opened, const trace::RangeSums& sums) {
    const trace::Nanoseconds all = sums.all.work.time;
    auto* categories = addTraceSection(
        tree, tr("GPU work by category"), timeText(all), {},
        tr("Sum of the durations of kernels, copies and memsets of all devices, cut to the step; the "
           "category is that of the op where it tells, else of the name."));
    for (const auto& [category, name] : trace::kKernelCategoryNames)
        if (const trace::WorkSum& sum = sums.categories[static_cast<std::size_t>(category)]; sum.count > 0)
            addTraceRow(categories, coreText(name), sum.time, traceShare(sum.time, all));
    auto* rows = addTraceSection(tree, tr("Top kernels and copies"), {}, {},
                                 tr("Sum of the durations of all work of one name, and its share of all GPU "
                                    "work; the %1 longest.")
                                     .arg(kMostTopKernels));
    for (std::size_t i = 0; i < std::min(kMostTopKernels, sums.rows.size()); ++i)
        addTraceRow(rows, toText(opened.trace->names.at(sums.rows[i].name)), sums.rows[i].sum.work.time,
                    traceShare(sums.rows[i].sum.work.time, all));
}

}  // namespace

QString pathClassText(trace::PathClass kind) {
    switch (kind) {
    case trace::PathClass::Host:
        return tr("host");
    case trace::PathClass::Launch:
        return tr("launch");
    case trace::PathClass::KernelGap:
        return tr("gap between kernels");
    case trace::PathClass::Compute:
        return tr("compute");
    case trace::PathClass::Communication:
        return tr("communication");
    case trace::PathClass::DataLoading:
        break;
    }
    return tr("data loading");
}

QString idleText(trace::IdleCause cause) {
    switch (cause) {
    case trace::IdleCause::HostWait:
        return tr("late launches");
    case trace::IdleCause::KernelWait:
        return tr("kernel gaps");
    case trace::IdleCause::Other:
        return tr("other waits");
    case trace::IdleCause::Unknown:
        break;
    }
    return tr("launch unknown");
}

QString traceShare(trace::Nanoseconds part, trace::Nanoseconds whole) {
    if (whole <= 0) return QStringLiteral("–");
    return numberText(100.0 * static_cast<double>(part) / static_cast<double>(whole), 'f', 1) +
           QStringLiteral(" %");
}

QTreeWidgetItem* addTraceRow(QTreeWidgetItem* parent, const QString& name, trace::Nanoseconds time,
                             const QString& share) {
    auto* item = new QTreeWidgetItem(parent, {name, timeText(time), share});
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

void addTraceSentence(QTreeWidgetItem* section, const QString& sentence) {
    auto* item = new QTreeWidgetItem(section, {sentence});
    item->setFirstColumnSpanned(true);
    item->setToolTip(0, sentence);
    item->setDisabled(true);
}

void addTraceNote(QTreeWidget* tree, const QString& name, const QString& sentence) {
    addTraceSentence(addTraceSection(tree, name, {}, {}, sentence), sentence);
}

void addTraceLaunches(QTreeWidget* tree, Theme& theme, const trace::DeviceFigures& device) {
    auto* section =
        addTraceSection(tree, tr("Launches of device %1").arg(device.id), {}, {},
                        tr("Of the whole trace. From the end of a launch to the beginning of its work, at "
                           "least 0. The queue of "
                           "a stream is what was "
                           "launched less what has ended; short kernels take less time than their launch."));
    if (device.launched == 0) return addTraceSentence(section, tr("No launch is in the trace."));
    addTraceRow(section, tr("delay, median"), device.medianLatency, {});
    addTraceRow(section, tr("delay, 90 %"), device.p90Latency, {});
    addTraceRow(section, tr("delay, longest"), device.longestLatency, {});
    std::int64_t longest = 0;
    for (const trace::StreamFigures& stream : device.streams)
        longest = std::max(longest, stream.longestQueue);
    const auto count = [&](const QString& name, std::int64_t value) {
        auto* item = new QTreeWidgetItem(section, {name, exactText(value, "")});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        return item;
    };
    count(tr("longest queue"), longest);
    Sparkline::Content curve;
    for (std::size_t part = 0; part < device.queueDepths.size(); ++part)
        curve.line.push_back({static_cast<double>(part), static_cast<double>(device.queueDepths[part])});
    curve.high = static_cast<double>(std::max<std::int64_t>(1, longest));
    auto* queue = new Sparkline(theme, tree);
    queue->setObjectName(QStringLiteral("traceQueue"));
    queue->setContent(curve);
    queue->setToolTip(
        tr("Length of the queue from the first to the last work; of the stream whose queue is the "
           "longest then."));
    queue->setAccessibleName(tr("Queue of launches over time, at most %1").arg(longest));
    auto* over = new QTreeWidgetItem(section);
    over->setFirstColumnSpanned(true);
    over->setSizeHint(0, {100, 30});
    tree->setItemWidget(over, 0, queue);
    auto* kernels = count(tr("short kernels"), device.shortKernels);
    kernels->setText(2, traceShare(device.shortKernels, device.kernels));
    kernels->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    if (device.isHostBound())
        addTraceSentence(section, tr("The host is too slow: idle time waits for launches."));
}

void addTracePath(QTreeWidget* tree, const OpenedTrace& opened, const ScopeFigures& figures) {
    if (!figures.pathStep) {
        const QString sentence = opened.ranks
                                     ? tr("Not worked out over ranks: open the trace of one by itself.")
                                     : tr("No steps, so that none has a critical path.");
        return addTraceNote(tree, tr("Critical path"), sentence);
    }
    const trace::NameTable& names = opened.trace->names;
    const QString step = toText(names.at(opened.links.steps[*figures.pathStep].name));
    if (!figures.path)
        return addTraceNote(tree, tr("Critical path"), tr("%1 has too many slices, or none.").arg(step));
    auto* section = addTraceSection(
        tree, tr("Critical path of %1").arg(step), timeText(figures.path->length), {},
        tr("The longest chain of what waits for each other in the step. Waits are inferred "
           "from "
           "the names of calls, so that it is approximate. Below each class is what it is spent on; a click "
           "shows the longest piece."));
    for (std::size_t kind = 0; kind < trace::kPathClasses; ++kind) {
        if (figures.path->by[kind] == 0) continue;
        const auto one = static_cast<trace::PathClass>(kind);
        QTreeWidgetItem* row = addTraceRow(section, pathClassText(one), figures.path->by[kind],
                                           traceShare(figures.path->by[kind], figures.path->length));
        std::size_t shown = 0;
        for (const trace::PathSum& sum : figures.pathSums) {
            if (sum.kind != one || shown++ >= kMostPathRows) continue;
            addTraceRow(row, toText(names.at(sum.name)), sum.time, traceShare(sum.time, figures.path->length))
                ->setData(0, kSliceRole, sum.longest);
        }
    }
}

void addTraceOps(QTreeWidget* tree, const OpenedTrace& opened) {
    const trace::TraceOverview& overview = opened.overview;
    if (overview.ops.empty()) {
        const QString sentence = tr("No ops of PyTorch: record with ProfilerActivity.CPU.");
        return addTraceNote(tree, tr("Top ops"), sentence);
    }
    auto* section = addTraceSection(
        tree, tr("Top ops"), tr("host"), tr("GPU"),
        tr("Of the whole trace: time of all calls of one name on the host, with the ops within it, "
           "and the GPU time of the work that "
           "it launched itself; the %1 longest.")
            .arg(kMostTopKernels));
    for (std::size_t i = 0; i < std::min(kMostTopKernels, overview.ops.size()); ++i) {
        const trace::OpUse& op = overview.ops[i];
        addTraceRow(section, toText(opened.trace->names.at(op.name)), op.hostTime, timeText(op.gpuTime))
            ->setToolTip(1, tr("%1 calls, %2 in the op itself").arg(op.count).arg(timeText(op.selfTime)));
    }
}

void addTraceModules(QTreeWidget* tree, const OpenedTrace& opened) {
    const std::vector<trace::ModuleUse>& modules = opened.overview.modules;
    if (modules.empty()) {
        const QString sentence = tr("No modules: record with with_stack=True.");
        return addTraceNote(tree, tr("Modules"), sentence);
    }
    const bool onGpu = !opened.overview.devices.empty();
    auto* section = addTraceSection(
        tree, tr("Modules"), tr("host"), onGpu ? tr("GPU") : QString(),
        tr("Of the whole trace: time of a module's calls on the host, and GPU time of forward and "
           "backward, that of modules within it "
           "included."));
    std::vector<QTreeWidgetItem*> items;
    for (std::size_t i = 0; i < std::min(kMostShownModules, modules.size()); ++i) {  // callers come first
        const trace::ModuleUse& use = modules[i];
        QString name = toText(opened.trace->names.at(use.name));
        name.remove(QStringLiteral("nn.Module: "));
        items.push_back(
            addTraceRow(use.parent == trace::kNone ? section : items[use.parent], name, use.hostTime,
                        onGpu ? timeText(trace::saturated(use.forwardTime, use.backwardTime)) : QString()));
        items.back()->setToolTip(
            2, tr("forward %1, backward %2").arg(timeText(use.forwardTime), timeText(use.backwardTime)));
    }
    if (modules.size() > items.size())
        addTraceSentence(section, tr("and %1 more").arg(modules.size() - items.size()));
}

void fillTraceTables(QTreeWidget* tree, Theme& theme, const OpenedTrace& opened,
                     const ScopeFigures& figures) {
    tree->clear();
    for (const trace::DeviceWindow& device : figures.window.devices) addTraceDevice(tree, device);
    for (const trace::DeviceFigures& device : opened.overview.devices) addTraceLaunches(tree, theme, device);
    if (opened.overview.devices.empty())
        addTraceNote(tree, tr("GPU"),
                     tr("No GPU work: record with ProfilerActivity.CUDA where there is a GPU."));
    addTracePath(tree, opened, figures);
    if (!opened.overview.devices.empty()) addTraceWork(tree, opened, figures.window.sums);
    addTraceOps(tree, opened);
    addTraceModules(tree, opened);
}

}  // namespace plumb::ui

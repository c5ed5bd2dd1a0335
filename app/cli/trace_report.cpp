// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_report.h"

#include "core/base/plain_text.h"
#include "core/base/quantity.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace plumb::cli {

namespace {

using nlohmann::json;
using trace::Nanoseconds;
using trace::Trace;

using trace::timeText;

constexpr std::string_view kNoFigure = "–";

std::string shareText(Nanoseconds part, Nanoseconds whole) {
    if (whole <= 0) return std::string(kNoFigure);
    return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

json percentOf(Nanoseconds part, Nanoseconds whole) {
    return whole > 0 ? numberJson(100 * static_cast<double>(part) / static_cast<double>(whole)) : json();
}

template <class List>
auto firstOf(const List& list, std::int64_t most) {
    return std::span(list).first(std::min(list.size(), static_cast<std::size_t>(most)));
}

json causesJson(const trace::IdleTimes& idle) {
    json object = json::object();
    for (const auto& [cause, name] : trace::kIdleCauseNames)
        object[std::string(name)] = idle[static_cast<std::size_t>(cause)];
    return object;
}

json streamJson(const trace::StreamFigures& stream) {
    return {{"stream", stream.stream},
            {"kernels", stream.kernels},
            {"busy_ns", stream.busy},
            {"idle_by_ns", causesJson(stream.idle)},
            {"longest_queue", stream.longestQueue},
            {"mean_queue", numberJson(stream.meanQueue)}};
}

json deviceJson(const trace::DeviceFigures& device) {
    json streams = json::array();
    for (const trace::StreamFigures& stream : device.streams) streams.push_back(streamJson(stream));
    const auto overlap = device.overlap();
    return {{"id", device.id},
            {"name", device.name.empty() ? json() : json(device.name)},
            {"kernels", device.kernels},
            {"copies", device.copies},
            {"memsets", device.memsets},
            {"start_ns", device.begin},
            {"duration_ns", device.end - device.begin},
            {"busy_ns", device.busy},
            {"idle_ns", device.idle},
            {"idle_by_ns", causesJson(device.idleBy)},
            {"communication_ns", device.communication},
            {"exposed_communication_ns", device.exposedCommunication},
            {"overlap_percent", overlap ? numberJson(100 * *overlap) : json()},
            {"tensor_core_percent_by_name", percentOf(device.tensorCoreTime, device.kernelTime)},
            {"launch",
             {{"known", device.launched},
              {"median_latency_ns", device.medianLatency},
              {"p90_latency_ns", device.p90Latency},
              {"longest_latency_ns", device.longestLatency},
              {"short_kernels", device.shortKernels},
              {"cpu_bound", device.isHostBound()}}},
            {"streams", device.streams.size()},
            {"by_stream", std::move(streams)}};
}

json stepsJson(const TraceReport& report, const Trace& trace) {
    json steps = json::array();
    for (const trace::StepFigures& figures : report.overview.steps)
        steps.push_back({{"name", trace.names.at(figures.step.name)},
                         {"start_ns", figures.step.begin},
                         {"duration_ns", figures.step.duration},
                         {"busy_ns", figures.busy},
                         {"idle_ns", figures.idle},
                         {"gpu_duration_ns", figures.gpuDuration ? json(*figures.gpuDuration) : json()}});
    return steps;
}

json pathJson(const TraceReport& report) {
    if (!report.path || !report.pathStep) return {};
    json by = json::object();
    for (const auto& [kind, name] : trace::kPathClassNames)
        by[std::string(name)] = report.path->by[static_cast<std::size_t>(kind)];
    return {{"step", *report.pathStep},
            {"length_ns", report.path->length},
            {"by_ns", std::move(by)},
            {"approximate", true}};
}

/// The modules of a path from the root, "GPT_0/Block_0/Linear_0".
std::string pathOf(const TraceReport& report, const Trace& trace, std::size_t module) {
    constexpr std::string_view kPrefix = "nn.Module: ";
    std::string path;
    for (std::size_t depth = 0; module != trace::kNone && depth < 64; ++depth) {
        const trace::ModuleUse& use = report.overview.modules[module];
        std::string name(trace.names.at(use.name));
        if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
        path = path.empty() ? name : name + "/" + path;
        module = use.parent;
    }
    return path;
}

/// Modules by their GPU time, or by that on the host where there is none.
std::vector<std::size_t> modulesByTime(const TraceReport& report, std::int64_t most) {
    const auto& modules = report.overview.modules;
    std::vector<std::size_t> order(modules.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto weight = [&](std::size_t i) {
        const Nanoseconds gpu = trace::saturated(modules[i].forwardTime, modules[i].backwardTime);
        return std::pair(gpu, modules[i].hostTime);
    };
    std::ranges::stable_sort(order, std::ranges::greater(), weight);
    order.resize(std::min(order.size(), static_cast<std::size_t>(most)));
    return order;
}

std::string headOf(const Trace& trace, const OpenRequest& request) {
    std::string text = fmt::format("{}: {} trace, {}", request.file, trace.writer(),
                                   bytesText(static_cast<double>(trace.textBytes)));
    if (trace.fileBytes != trace.textBytes)
        text += fmt::format(" ({} packed)", bytesText(static_cast<double>(trace.fileBytes)));
    text += fmt::format(", {} events, {} lost\n", formatExact(trace.events, ""), trace.losses.events());
    if (trace.rank)
        text += fmt::format("rank {} of {}\n", *trace.rank,
                            trace.worldSize ? std::to_string(*trace.worldSize) : "?");
    return text;
}

std::string stepTable(const TraceReport& report, const Trace& trace, std::int64_t top) {
    const auto& steps = report.overview.steps;
    if (steps.empty()) return "\nThe trace has no steps: call step() of the profiler after each.\n";
    const auto median = static_cast<double>(steps[*report.pathStep].step.duration);
    Table table;
    table.add({fmt::format("Step ({} of {})", firstOf(steps, top).size(), steps.size()), "time", "on the GPU",
               "GPU busy", "to median"});
    for (const trace::StepFigures& figures : firstOf(steps, top)) {
        const Nanoseconds window = figures.step.windowEnd - figures.step.begin;
        table.add({std::string(trace.names.at(figures.step.name)), timeText(figures.step.duration),
                   figures.gpuDuration ? timeText(*figures.gpuDuration) : std::string(kNoFigure),
                   shareText(figures.busy, window),
                   median > 0 ? fmt::format("{:+.1f} %",
                                            100 * (static_cast<double>(figures.step.duration) / median - 1))
                              : std::string(kNoFigure)});
    }
    return "\n" + table.text() +
           (report.overview.stepsAreInferred
                ? "Each ends with an Optimizer.step: the trace has no ProfilerStep.\n"
                : "");
}

std::string deviceText(const trace::DeviceFigures& device) {
    const Nanoseconds window = device.end - device.begin;
    std::string text =
        fmt::format("\nDevice {}{}: {} kernels, {} copies, {} memsets on {} stream{}\n", device.id,
                    device.name.empty() ? "" : " (" + device.name + ")", device.kernels, device.copies,
                    device.memsets, device.streams.size(), device.streams.size() == 1 ? "" : "s");
    Table table;
    table.add({"from first to last work", timeText(window), ""});
    table.add({"  busy", timeText(device.busy), shareText(device.busy, window)});
    const auto idle = [&](std::string what, trace::IdleCause cause) {
        const Nanoseconds time = device.idleBy[static_cast<std::size_t>(cause)];
        if (time > 0) table.add({std::move(what), timeText(time), shareText(time, window)});
    };
    idle("  idle: launched late by the host", trace::IdleCause::HostWait);
    idle("  idle: between kernels", trace::IdleCause::KernelWait);
    idle("  idle: waits for something else", trace::IdleCause::Other);
    idle("  idle: launch not in the trace", trace::IdleCause::Unknown);
    if (device.communication > 0) {
        table.add({"communication", timeText(device.communication), shareText(device.communication, window)});
        table.add({"  behind other kernels", timeText(device.communication - device.exposedCommunication),
                   fmt::format("{:.2f} %", 100 * device.overlap().value_or(0))});
    }
    table.add({"tensor cores, by name", timeText(device.tensorCoreTime),
               shareText(device.tensorCoreTime, device.kernelTime)});
    table.add({"launch to start, median", timeText(device.medianLatency), ""});
    table.add({"launch to start, 90 %", timeText(device.p90Latency), ""});
    std::int64_t queue = 0;
    for (const trace::StreamFigures& stream : device.streams) queue = std::max(queue, stream.longestQueue);
    table.add({"longest launch queue", std::to_string(queue), ""});
    table.add({"kernels shorter than their launch", std::to_string(device.shortKernels), ""});
    text += table.text();
    if (device.isHostBound()) text += "The host is too slow: most of the idle time waits for launches.\n";
    return text;
}

std::string categoryTable(const TraceReport& report) {
    Nanoseconds all = 0;
    std::vector<std::pair<trace::WorkSum, std::string_view>> rows;
    for (const auto& [category, name] : trace::kKernelCategoryNames) {
        const trace::WorkSum& sum = report.overview.categories[static_cast<std::size_t>(category)];
        all = trace::saturated(all, sum.time);
        if (sum.count > 0) rows.emplace_back(sum, name);
    }
    if (rows.empty()) return {};
    std::ranges::stable_sort(rows, std::ranges::greater(), [](const auto& row) { return row.first.time; });
    Table table;
    table.add({"GPU work", "count", "time", "share"});
    for (const auto& [sum, name] : rows)
        table.add(
            {std::string(name), std::to_string(sum.count), timeText(sum.time), shareText(sum.time, all)});
    return "\n" + table.text();
}

std::string pathText(const TraceReport& report, const Trace& trace) {
    if (!report.path || !report.pathStep) return {};
    std::string text = fmt::format(
        "\nCritical path of {}, about {}:", trace.names.at(report.overview.steps[*report.pathStep].step.name),
        timeText(report.path->length));
    for (const auto& [kind, name] : trace::kPathClassNames) {
        const Nanoseconds time = report.path->by[static_cast<std::size_t>(kind)];
        if (time == 0) continue;
        std::string words(name);
        std::ranges::replace(words, '_', ' ');
        text += fmt::format(" {} {},", words, shareText(time, report.path->length));
    }
    text.back() = '\n';
    return text;
}

std::string listTables(const TraceReport& report, const Trace& trace, std::int64_t top) {
    const trace::TraceOverview& overview = report.overview;
    std::string text;
    if (!overview.kernels.empty()) {
        Table table;
        table.add(
            {fmt::format("Kernel ({} of {})", firstOf(overview.kernels, top).size(), overview.kernels.size()),
             "count", "time"});
        for (const trace::KernelSum& kernel : firstOf(overview.kernels, top))
            table.add({plainLine(trace.names.at(kernel.name), 72), std::to_string(kernel.sum.count),
                       timeText(kernel.sum.time)});
        text += "\n" + table.text();
    }
    if (!overview.ops.empty()) {
        Table table;
        table.add({fmt::format("Op ({} of {})", firstOf(overview.ops, top).size(), overview.ops.size()),
                   "count", "on the host", "itself", "GPU"});
        for (const trace::OpUse& op : firstOf(overview.ops, top))
            table.add({plainLine(trace.names.at(op.name), 60), std::to_string(op.count),
                       timeText(op.hostTime), timeText(op.selfTime), timeText(op.gpuTime)});
        text += "\n" + table.text();
    }
    if (!overview.modules.empty()) {
        Table table;
        table.add(
            {fmt::format("Module ({} of {})", firstOf(overview.modules, top).size(), overview.modules.size()),
             "calls", "on the host", "GPU forward", "GPU backward"});
        for (const std::size_t i : modulesByTime(report, top)) {
            const trace::ModuleUse& use = overview.modules[i];
            table.add({plainLine(pathOf(report, trace, i), 72), std::to_string(use.calls),
                       timeText(use.hostTime), timeText(use.forwardTime), timeText(use.backwardTime)});
        }
        text += "\n" + table.text();
    }
    return text;
}

}  // namespace

TraceReport reportOf(const Trace& trace) {
    TraceReport report;
    trace::TraceLinks links = trace::linkTrace(trace);
    report.pathStep = trace::medianStep(links);
    if (report.pathStep) {
        const trace::TraceStep& step = links.steps[*report.pathStep];
        report.path = trace::criticalPath(trace, links, step.begin, step.windowEnd);
    }
    report.overview = trace::overviewOf(trace, std::move(links));
    return report;
}

std::string jsonOf(const TraceReport& report, const Trace& trace, std::int64_t top) {
    const trace::TraceOverview& overview = report.overview;
    json devices = json::array();
    for (const trace::DeviceFigures& device : overview.devices) devices.push_back(deviceJson(device));
    json categories = json::object();
    for (const auto& [category, name] : trace::kKernelCategoryNames)
        if (const trace::WorkSum& sum = overview.categories[static_cast<std::size_t>(category)];
            sum.count > 0)
            categories[std::string(name)] = sum.time;
    json kernels = json::array();
    for (const trace::KernelSum& kernel : firstOf(overview.kernels, top))
        kernels.push_back({{"name", trace.names.at(kernel.name)},
                           {"category", trace::kKernelCategoryNames.name(kernel.category)},
                           {"count", kernel.sum.count},
                           {"total_ns", kernel.sum.time}});
    json ops = json::array();
    for (const trace::OpUse& op : firstOf(overview.ops, top))
        ops.push_back({{"name", trace.names.at(op.name)},
                       {"count", op.count},
                       {"total_ns", op.hostTime},
                       {"self_ns", op.selfTime},
                       {"gpu_ns", op.gpuTime}});
    json modules = json::array();
    for (const std::size_t i : modulesByTime(report, top)) {
        const trace::ModuleUse& use = overview.modules[i];
        modules.push_back({{"path", pathOf(report, trace, i)},
                           {"calls", use.calls},
                           {"host_ns", use.hostTime},
                           {"gpu_forward_ns", use.forwardTime},
                           {"gpu_backward_ns", use.backwardTime}});
    }
    json counts = json::object();
    for (const trace::Tally& tally : trace.categories)
        counts[std::string(trace.names.at(tally.name))] = tally.count;
    const json document{
        {"format", trace.isOfNsys               ? "nsys-sqlite"
                   : trace.writer() == "Kineto" ? "kineto-trace"
                                                : "chrome-trace"},
        {"file_bytes", trace.fileBytes},
        {"text_bytes", trace.textBytes},
        {"memory_bytes", trace.memoryBytes()},
        {"events", trace.events},
        {"lost_events", trace.losses.events()},
        {"losses", trace.losses.sentences()},
        {"slices", trace.slices.size()},
        {"flows", trace.flows},
        {"overlapping_gpu_slices", trace.overlaps},
        {"events_by_category", std::move(counts)},
        {"base_ns", trace.baseNanoseconds ? json(*trace.baseNanoseconds) : json()},
        {"rank", trace.rank ? json(*trace.rank) : json()},
        {"world_size", trace.worldSize ? json(*trace.worldSize) : json()},
        {"start_ns", overview.begin},
        {"duration_ns", overview.end - overview.begin},
        {"steps", overview.stepsAreInferred ? json::array() : stepsJson(report, trace)},
        {"inferred_steps", overview.stepsAreInferred ? stepsJson(report, trace) : json::array()},
        {"devices", std::move(devices)},
        {"categories", std::move(categories)},
        {"launches_not_in_trace", overview.unlaunched},
        {"repeated_correlations", overview.duplicateLaunches},
        {"critical_path", pathJson(report)},
        {"top_kernels", std::move(kernels)},
        {"top_ops", std::move(ops)},
        {"top_modules", std::move(modules)}};
    return dumpJson(document, 1) + "\n";
}

std::string textOf(const TraceReport& report, const Trace& trace, const OpenRequest& request) {
    std::string text = headOf(trace, request);
    for (const std::string& sentence : trace.losses.sentences()) text += "  " + sentence + "\n";
    if (trace.overlaps > 0)
        text += fmt::format("  {} pieces of GPU work begin before the one before them on their stream ends\n",
                            trace.overlaps);
    if (report.overview.unlaunched > 0)
        text +=
            fmt::format("  {} pieces of GPU work have no launch in the trace\n", report.overview.unlaunched);
    if (report.overview.duplicateLaunches > 0)
        text += fmt::format("  {} launches have the correlation of an earlier one, which counts\n",
                            report.overview.duplicateLaunches);
    text += stepTable(report, trace, request.top);
    for (const trace::DeviceFigures& device : report.overview.devices) text += deviceText(device);
    if (report.overview.devices.empty()) text += "\nThe trace has no GPU work.\n";
    text += categoryTable(report) + pathText(report, trace) + listTables(report, trace, request.top);
    return text;
}

}  // namespace plumb::cli

// SPDX-License-Identifier: Apache-2.0
#include "core/io/chrome_trace.h"

#include "core/io/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace plumb {

namespace {

constexpr int kMeasured = 1;
constexpr int kPredicted = 2;
constexpr int kStepsThread = 1;  // lanes follow
constexpr int kFirstLane = 2;

std::string jsonText(std::string_view text) { return dumpJson(nlohmann::json(text)); }
/// Microseconds to the nanosecond: what the format counts in, and what was measured.
std::string micros(Seconds seconds) { return fmt::format("{:.3f}", seconds * 1e6); }

class TraceWriter {
public:
    template <class... Parts>
    void event(fmt::format_string<Parts...> format, Parts&&... parts) {
        m_text += m_text.empty() ? "\n" : ",\n";
        fmt::format_to(std::back_inserter(m_text), format, std::forward<Parts>(parts)...);
    }
    void nameProcess(int process, std::string_view name) {
        event(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":{}}}}})", process,
              jsonText(name));
        event(R"({{"ph":"M","name":"process_sort_index","pid":{},"tid":0,"args":{{"sort_index":{}}}}})",
              process, process);
    }
    void nameThread(int process, int thread, std::string_view name) {
        event(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", process, thread,
              jsonText(name));
        event(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
              process, thread, thread);
    }
    void bar(int process, int thread, std::string_view name, std::string_view category, Seconds begin,
             Seconds end, const std::string& arguments) {
        event(R"({{"ph":"X","pid":{},"tid":{},"name":{},"cat":"{}","ts":{},"dur":{},"args":{{{}}}}})",
              process, thread, jsonText(name), category, micros(begin), micros(end - begin), arguments);
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

std::string_view nameOf(const Timeline& timeline, const Reading& reading, const TimelineRecord& record) {
    if (record.name >= 0) return timeline.names[static_cast<std::size_t>(record.name)];
    if (record.op >= 0) return reading.ops[static_cast<std::size_t>(record.op)].name;
    return timelineKindName(record.kind);
}

std::string argumentsOf(const Reading& reading, const TimelineRecord& record) {
    std::string text;
    const auto add = [&](std::string_view name, const std::string& value) {
        fmt::format_to(std::back_inserter(text), "{}\"{}\":{}", text.empty() ? "" : ",", name, value);
    };
    if (record.op >= 0) {
        const OpReading& op = reading.ops[static_cast<std::size_t>(record.op)];
        add("op", jsonText(op.id));
        add("phase", jsonText(phaseName(op.phase)));
    }
    if (record.bytes >= 0) add("bytes", std::to_string(record.bytes));
    if (record.correlation > 0) add("correlation", std::to_string(record.correlation));
    return text;
}

/// A flow from each launch on the host to what it launched.
void addFlows(TraceWriter& trace, const Timeline& timeline) {
    std::unordered_map<std::uint32_t, const TimelineRecord*> calls;
    for (const TimelineRecord& record : timeline.records)
        if (record.kind == TimelineKind::Call && record.correlation > 0)
            calls.emplace(record.correlation, &record);
    std::int64_t id = 0;
    for (const TimelineRecord& record : timeline.records) {
        const auto call = calls.find(record.correlation);
        if (record.kind == TimelineKind::Call || call == calls.end()) continue;
        ++id;
        const auto add = [&](const char* phase, const TimelineRecord& at) {
            trace.event(R"({{"ph":"{}","id":{},"name":"launch","cat":"launch","pid":{},"tid":{},"ts":{}}})",
                        phase, id, kMeasured, kFirstLane + at.lane, micros(at.begin));
        };
        add(R"(s)", *call->second);
        add(R"(f","bp":"e)", record);
    }
}

void addMeasured(TraceWriter& trace, const Timeline& timeline, const Reading& reading,
                 const std::string& title) {
    trace.nameProcess(kMeasured, fmt::format("measured ({}): {}", sourceName(timeline.source), title));
    trace.nameThread(kMeasured, kStepsThread, "steps");
    for (std::size_t lane = 0; lane < timeline.lanes.size(); ++lane)
        if (timeline.lanes[lane].kind != LaneKind::Memory)
            trace.nameThread(kMeasured, kFirstLane + static_cast<int>(lane), timeline.lanes[lane].name);
    for (const TimelineStep& step : timeline.steps)
        trace.bar(kMeasured, kStepsThread, fmt::format("step {}", step.step), "step", step.begin, step.end,
                  "");
    for (const TimelineRecord& record : timeline.records) {
        if (record.kind == TimelineKind::Memory)
            trace.event(R"({{"ph":"C","pid":{},"tid":0,"name":{},"ts":{},"args":{{"bytes":{}}}}})", kMeasured,
                        jsonText(timeline.lanes[record.lane].name), micros(record.begin),
                        std::max<Bytes>(record.bytes, 0));
        else
            trace.bar(kMeasured, kFirstLane + record.lane, nameOf(timeline, reading, record),
                      timelineKindName(record.kind), record.begin, record.end, argumentsOf(reading, record));
    }
    addFlows(trace, timeline);
}

bool hasTimes(const std::optional<Reading>& reading) {
    return reading &&
           std::ranges::any_of(reading->ops, [](const OpReading& op) { return op.seconds.has_value(); });
}

void addPredicted(TraceWriter& trace, const Reading& reading, Seconds begin, const std::string& title) {
    trace.nameProcess(kPredicted, "predicted: " + title);
    trace.nameThread(kPredicted, 1, "ops");
    for (const OpReading& op : reading.ops) {
        const Seconds end = begin + op.seconds.value_or(0);
        std::string arguments = fmt::format(R"("op":{},"phase":{},"executions":{})", jsonText(op.id),
                                            jsonText(phaseName(op.phase)), op.executions);
        if (op.flops) arguments += fmt::format(R"(,"flops":{})", *op.flops);
        if (op.bytes) arguments += fmt::format(R"(,"bytes":{})", *op.bytes);
        if (op.seconds) trace.bar(kPredicted, 1, op.name, "op", begin, end, arguments);
        begin = end;
    }
}

}  // namespace

Result<std::string> toChromeTrace(const Snapshot& snapshot) {
    const Timeline* timeline = snapshot.measured ? snapshot.measured->timeline.get() : nullptr;
    const RunConfig& config = snapshot.config;
    const std::string title = fmt::format("{}, dim {}, layers {}, batch {}, {}", snapshot.machine.name,
                                          config.dim, config.layers, config.batch, name(config.precision));
    if (timeline == nullptr && !hasTimes(snapshot.predicted))
        return Error{ErrorCode::BadInput, "this snapshot holds no timeline and no predicted times",
                     "write one with profile --out FILE.plumb"};
    TraceWriter trace;
    if (timeline != nullptr) addMeasured(trace, *timeline, *snapshot.measured, title);
    const Seconds begin = timeline != nullptr && !timeline->steps.empty() ? timeline->steps.front().begin : 0;
    if (hasTimes(snapshot.predicted)) addPredicted(trace, *snapshot.predicted, begin, title);
    return fmt::format(
        R"({{"displayTimeUnit":"ns","otherData":{{"program":{},"created":{},"dropped":{}}},"traceEvents":[{}
]}}
)",
        jsonText(snapshot.program), jsonText(snapshot.created),
        jsonText(timeline != nullptr ? std::to_string(timeline->dropped) : "0"), trace.take());
}

}  // namespace plumb

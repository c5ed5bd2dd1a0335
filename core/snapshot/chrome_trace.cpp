// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/chrome_trace.h"

#include "core/base/entry_at.h"
#include "core/base/quantity.h"
#include "core/io/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

namespace plumb {

namespace {

constexpr int kMeasured = 1;
constexpr int kPredicted = 2;
constexpr int kStepsThread = 1;  // lanes follow
constexpr int kFirstLane = 2;

std::string jsonText(std::string_view text) { return dumpJson(nlohmann::json(text)); }

/// Beyond this, a trace has no time: 285 years.
constexpr Seconds kMostSeconds = 9e9;

/// Whole nanoseconds, which is what was measured. Only moments are rounded and lengths are differences of
/// them, so that a bar ends exactly where the next one begins.
std::int64_t nanos(Seconds moment) {
    return std::llround(std::clamp(moment, -kMostSeconds, kMostSeconds) * 1e9);
}
/// Microseconds are what the format counts in.
std::string micros(std::int64_t nanoseconds) {
    return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

/// The bars of a thread must lie within each other or apart. What crosses another (copies both ways at once)
/// goes to a further track of its lane.
class Tracks {
public:
    /// Bars come by their begin, the longer first.
    std::size_t place(std::size_t lane, std::int64_t begin, std::int64_t end) {
        auto& tracks = m_open[lane];
        for (std::size_t i = 0;; ++i) {
            if (i == tracks.size()) tracks.emplace_back();
            std::vector<std::int64_t>& ends = tracks[i];
            while (!ends.empty() && ends.back() <= begin) ends.pop_back();
            if (!ends.empty() && ends.back() < end) continue;
            ends.push_back(end);
            return i;
        }
    }

private:
    std::map<std::size_t, std::vector<std::vector<std::int64_t>>> m_open;
};

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
              process, thread, jsonText(name), category, micros(nanos(begin)),
              micros(nanos(end) - nanos(begin)), arguments);
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

std::string_view nameOf(const Timeline& timeline, const Reading& reading, const TimelineRecord& record) {
    if (record.name >= 0) return entryAt(timeline.names, record.name);
    if (record.op >= 0) return entryAt(reading.ops, record.op).name;
    return timelineKindName(record.kind);
}

std::string argumentsOf(const Reading& reading, const TimelineRecord& record) {
    std::string text;
    const auto add = [&](std::string_view name, const std::string& value) {
        fmt::format_to(std::back_inserter(text), "{}\"{}\":{}", text.empty() ? "" : ",", name, value);
    };
    if (record.op >= 0) {
        const OpReading& op = entryAt(reading.ops, record.op);
        add("op", jsonText(op.id));
        add("phase", jsonText(phaseName(op.phase)));
    }
    if (record.bytes >= 0) add("bytes", std::to_string(record.bytes));
    if (record.correlation > 0) add("correlation", std::to_string(record.correlation));
    return text;
}

/// The thread of each record: that of its lane, or of a further track of it behind all lanes.
class Threads {
public:
    Threads(TraceWriter& trace, const Timeline& timeline) : m_of(timeline.records.size()) {
        Tracks tracks;
        std::map<std::pair<std::size_t, std::size_t>, int> further;
        for (std::size_t lane = 0; lane < timeline.lanes.size(); ++lane)
            if (timeline.lanes[lane].kind != LaneKind::Memory)
                trace.nameThread(kMeasured, threadOf(lane), timeline.lanes[lane].name);
        for (std::size_t i = 0; i < m_of.size(); ++i) {
            const TimelineRecord& record = timeline.records[i];
            m_of[i] = threadOf(record.lane);
            if (record.kind == TimelineKind::Memory) continue;
            const std::size_t track = tracks.place(record.lane, nanos(record.begin), nanos(record.end));
            if (track == 0) continue;
            const int next = threadOf(timeline.lanes.size() + further.size());
            const auto [place, fresh] =
                further.emplace(std::pair<std::size_t, std::size_t>(record.lane, track), next);
            m_of[i] = place->second;
            if (fresh)
                trace.nameThread(kMeasured, next,
                                 fmt::format("{} ({})", timeline.lanes[record.lane].name, track + 1));
        }
    }
    [[nodiscard]] int of(std::size_t record) const { return m_of[record]; }

private:
    static int threadOf(std::size_t lane) { return kFirstLane + static_cast<int>(lane); }
    std::vector<int> m_of;
};

/// A flow from each launch on the host to what it launched.
void addFlows(TraceWriter& trace, const Timeline& timeline, const Threads& threads) {
    std::unordered_map<std::uint32_t, std::size_t> calls;
    for (std::size_t i = 0; i < timeline.records.size(); ++i)
        if (timeline.records[i].kind == TimelineKind::Call && timeline.records[i].correlation > 0)
            calls.emplace(timeline.records[i].correlation, i);
    std::int64_t id = 0;
    for (std::size_t i = 0; i < timeline.records.size(); ++i) {
        const auto call = calls.find(timeline.records[i].correlation);
        if (timeline.records[i].kind == TimelineKind::Call || call == calls.end()) continue;
        ++id;
        const auto add = [&](const char* phase, std::size_t at) {
            trace.event(R"({{"ph":"{}","id":{},"name":"launch","cat":"launch","pid":{},"tid":{},"ts":{}}})",
                        phase, id, kMeasured, threads.of(at), micros(nanos(timeline.records[at].begin)));
        };
        add(R"(s)", call->second);
        add(R"(f","bp":"e)", i);
    }
}

/// Steps of one training follow each other; where they do not, the later one begins where the other ends.
void addSteps(TraceWriter& trace, std::vector<TimelineStep> steps) {
    std::ranges::sort(steps, {}, &TimelineStep::begin);
    Seconds free = -kMostSeconds;
    for (const TimelineStep& step : steps) {
        const Seconds begin = std::max(step.begin, free);
        free = std::max(begin, step.end);
        trace.bar(kMeasured, kStepsThread, fmt::format("step {}", step.step), "step", begin, free, "");
    }
}

void addMeasured(TraceWriter& trace, const Timeline& timeline, const Reading& reading,
                 const std::string& title) {
    trace.nameProcess(kMeasured, fmt::format("measured ({}): {}", sourceName(timeline.source), title));
    trace.nameThread(kMeasured, kStepsThread, "steps");
    const Threads threads(trace, timeline);
    addSteps(trace, timeline.steps);
    for (std::size_t i = 0; i < timeline.records.size(); ++i) {
        const TimelineRecord& record = timeline.records[i];
        if (record.kind == TimelineKind::Memory)
            trace.event(R"({{"ph":"C","pid":{},"tid":0,"name":{},"ts":{},"args":{{"bytes":{}}}}})", kMeasured,
                        jsonText(timeline.lanes[record.lane].name), micros(nanos(record.begin)),
                        std::max<Bytes>(record.bytes, 0));
        else
            trace.bar(kMeasured, threads.of(i), nameOf(timeline, reading, record),
                      timelineKindName(record.kind), record.begin, record.end, argumentsOf(reading, record));
    }
    addFlows(trace, timeline, threads);
}

bool hasTimes(const std::optional<Reading>& reading) {
    return reading &&
           std::ranges::any_of(reading->ops, [](const OpReading& op) { return op.seconds.has_value(); });
}

Seconds predictedSeconds(const Reading& reading) {
    Seconds sum = 0;
    for (const OpReading& op : reading.ops) sum += op.seconds.value_or(0);
    return sum;
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
    const std::string title = fmt::format("{}, dim {}, layers {}, batch {}, {}", snapshot.target.machine.name,
                                          config.dim, config.layers, config.batch, name(config.precision));
    if (timeline == nullptr && !hasTimes(snapshot.predicted))
        return Error{ErrorCode::BadInput, "this snapshot holds no timeline and no predicted times",
                     "write one with profile --out FILE.plumb"};
    const Seconds begin = timeline != nullptr && !timeline->steps.empty() ? timeline->steps.front().begin : 0;
    if (hasTimes(snapshot.predicted))
        if (const Seconds seconds = begin + predictedSeconds(*snapshot.predicted); !(seconds < kMostSeconds))
            return Error{ErrorCode::BadInput,
                         fmt::format("the predicted step takes {}, and a trace holds 285 years",
                                     formatQuantity(seconds, "s")),
                         "correct the machine in the file, or predict it again"};
    TraceWriter trace;
    if (timeline != nullptr) addMeasured(trace, *timeline, *snapshot.measured, title);
    if (hasTimes(snapshot.predicted)) addPredicted(trace, *snapshot.predicted, begin, title);
    return fmt::format(
        R"({{"displayTimeUnit":"ns","otherData":{{"program":{},"created":{},"dropped":{}}},"traceEvents":[{}
]}}
)",
        jsonText(snapshot.program), jsonText(snapshot.created),
        jsonText(timeline != nullptr ? std::to_string(timeline->dropped) : "0"), trace.take());
}

}  // namespace plumb

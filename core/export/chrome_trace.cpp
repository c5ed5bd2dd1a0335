// SPDX-License-Identifier: Apache-2.0
#include "core/export/chrome_trace.h"

#include "core/base/entry_at.h"
#include "core/base/quantity.h"
#include "core/io/json_fields.h"
#include "core/recorded/recorded_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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

bool isTraffic(const Timeline& timeline, const TimelineRecord& record) {
    return timeline.lanes[record.lane].kind == LaneKind::Traffic;
}

/// What the profiler of PyTorch calls such a record, which is what readers of its traces go by.
std::string_view categoryOf(const Timeline& timeline, const TimelineRecord& record) {
    if (isTraffic(timeline, record)) return "cpu_op";  // ranks of a GPU have no such lane
    switch (record.kind) {
    case TimelineKind::Op:
        return "cpu_op";
    case TimelineKind::Kernel:
        return "kernel";
    case TimelineKind::Copy:
        return "gpu_memcpy";
    case TimelineKind::Memset:
        return "gpu_memset";
    case TimelineKind::Call:
        return "cuda_runtime";
    case TimelineKind::Memory:
        break;
    }
    return "memory";
}

bool runsOnDevice(const Timeline& timeline, const TimelineRecord& record) {
    const TimelineKind kind = record.kind;
    return kind == TimelineKind::Kernel || kind == TimelineKind::Memset ||
           (kind == TimelineKind::Copy && !isTraffic(timeline, record));
}

/// The number in the name of a lane ("stream 7"), else one that no stream has.
std::int64_t streamOf(const Timeline& timeline, std::size_t lane) {
    const std::string& name = timeline.lanes[lane].name;
    const std::size_t digits = name.find_first_of("0123456789");
    std::int64_t number = 0;
    if (digits != std::string::npos &&
        std::from_chars(name.data() + digits, name.data() + name.size(), number).ec == std::errc() &&
        number > 0)
        return number;
    return 1'000'000 + static_cast<std::int64_t>(lane);
}

std::string_view nameOf(const Timeline& timeline, const Reading& reading, const TimelineRecord& record) {
    if (record.name >= 0) return entryAt(timeline.names, record.name);
    if (record.op >= 0) return entryAt(reading.ops, record.op).name;
    return timelineKindName(record.kind);
}

/// The arguments of a bar: "name":value, ...
class Arguments {
public:
    void add(std::string_view name, const std::string& value) {
        fmt::format_to(std::back_inserter(m_text), "{}\"{}\":{}", m_text.empty() ? "" : ",", name, value);
    }
    void add(std::string_view name, std::int64_t value) { add(name, std::to_string(value)); }
    void addText(std::string_view name, std::string_view value) { add(name, jsonText(value)); }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

/// What the step says of its ops beside what readings say, by id.
class OpFacts {
public:
    explicit OpFacts(const Step* step) : m_step(step), m_recorded(dynamic_cast<const RecordedStep*>(step)) {
        if (step == nullptr) return;
        for (std::int32_t op = 0; op < step->opCount(); ++op) m_places.emplace(step->opId(op), op);
    }
    void add(Arguments& arguments, const OpReading& op) const {
        arguments.addText("op", op.id);
        arguments.addText("phase", phaseName(op.phase));
        arguments.addText("kind", op.kind);
        const auto found = m_places.find(op.id);
        if (found == m_places.end()) return;
        if (const std::string module = m_step->opModule(found->second); !module.empty())
            arguments.addText("module", module);
        if (m_recorded == nullptr) return;
        const auto& shapes = m_recorded->op(found->second).inputShapes;
        if (!shapes.empty()) arguments.add("Input Dims", dumpJson(nlohmann::json(shapes)));
    }

private:
    const Step* m_step;
    const RecordedStep* m_recorded;
    std::unordered_map<std::string, std::int32_t> m_places;
};

std::string argumentsOf(const Timeline& timeline, const Reading& reading, const TimelineRecord& record,
                        const OpFacts& facts) {
    Arguments arguments;
    if (record.op >= 0) facts.add(arguments, entryAt(reading.ops, record.op));
    if (record.bytes >= 0) arguments.add("bytes", record.bytes);
    if (record.correlation > 0) arguments.add("correlation", static_cast<std::int64_t>(record.correlation));
    if (runsOnDevice(timeline, record)) {
        arguments.add("device", std::int64_t{0});
        arguments.add("stream", streamOf(timeline, record.lane));
    }
    return arguments.take();
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

void addStep(TraceWriter& trace, int process, std::int64_t step, Seconds begin, Seconds end) {
    trace.bar(process, kStepsThread, fmt::format("ProfilerStep#{}", step), "user_annotation", begin, end, "");
}

/// What ends the last step for readers that leave out the last.
void addEnd(TraceWriter& trace, int process, std::int64_t step, Seconds end) {
    constexpr Seconds kNanosecond = 1e-9;
    trace.bar(process, kStepsThread, fmt::format("ProfilerStep#{}", step), "user_annotation", end,
              end + kNanosecond, R"("plumbline":"the end of the last step")");
}

/// Steps of one training follow each other; where they do not, the later one begins where the other ends.
void addSteps(TraceWriter& trace, std::vector<TimelineStep> steps) {
    std::ranges::sort(steps, {}, &TimelineStep::begin);
    Seconds free = -kMostSeconds;
    std::int64_t last = -1;
    for (const TimelineStep& step : steps) {
        const Seconds begin = std::max(step.begin, free);
        free = std::max(begin, step.end);
        last = std::max(last, step.step);
        addStep(trace, kMeasured, step.step, begin, free);
    }
    if (!steps.empty() && last < INT64_MAX) addEnd(trace, kMeasured, last + 1, free);
}

void addMeasured(TraceWriter& trace, const Timeline& timeline, const Reading& reading, const OpFacts& facts,
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
                      categoryOf(timeline, record), record.begin, record.end,
                      argumentsOf(timeline, reading, record, facts));
    }
    addFlows(trace, timeline, threads);
}

bool hasTimes(const Reading* reading) {
    return reading != nullptr &&
           std::ranges::any_of(reading->ops, [](const OpReading& op) { return op.seconds.has_value(); });
}

Seconds secondsOfOps(const Reading& reading) {
    Seconds sum = 0;
    for (const OpReading& op : reading.ops) sum += op.seconds.value_or(0);
    return sum;
}

/// The bytes of each category while an op runs, as a counter of several series.
void addBytes(TraceWriter& trace, int process, const CategoryBytes& bytes, Seconds begin) {
    Arguments values;
    for (const Category category : kAllCategories)
        values.add(categoryName(category), std::max<Bytes>(bytes[category], 0));
    trace.event(R"({{"ph":"C","pid":{},"tid":0,"name":"memory","ts":{},"args":{{{}}}}})", process,
                micros(nanos(begin)), values.take());
}

/// Ops that have a length and no place in time, end to end.
void addLaidOut(TraceWriter& trace, int process, const Reading& reading, const OpFacts& facts, Seconds begin,
                std::string_view category) {
    constexpr int kOpsThread = 2;
    trace.nameThread(process, kStepsThread, "steps");
    trace.nameThread(process, kOpsThread, "ops, end to end");
    const Seconds end = begin + secondsOfOps(reading);
    addStep(trace, process, 0, begin, end);
    addEnd(trace, process, 1, end);
    for (std::size_t i = 0; i < reading.ops.size(); ++i) {
        const OpReading& op = reading.ops[i];
        const Seconds last = begin + op.seconds.value_or(0);
        Arguments arguments;
        facts.add(arguments, op);
        arguments.add("executions", op.executions);
        if (op.flops) arguments.add("flops", *op.flops);
        if (op.bytes) arguments.add("bytes", *op.bytes);
        if (op.seconds) trace.bar(process, kOpsThread, op.name, category, begin, last, arguments.take());
        if (reading.memory && i < reading.memory->curve.size())
            addBytes(trace, process, reading.memory->curve[i], begin);
        begin = last;
    }
}

Error tooLong(Seconds seconds) {
    return badInput(
        fmt::format("the step takes {}, and a trace holds 285 years", formatQuantity(seconds, "s")),
        "correct the machine in the file, or predict it again");
}

}  // namespace

Result<std::string> toChromeTrace(const ExportedStep& step) {
    const Timeline* timeline = step.measured ? step.measured->timeline.get() : nullptr;
    const bool hasMeasured = timeline != nullptr || hasTimes(step.measured.get());
    const bool hasPredicted = hasTimes(step.predicted.get());
    if (!hasMeasured && !hasPredicted)
        return badInput("there is no timeline and no time of an operation",
                        "write them with profile --out FILE.plumb, or predict for a machine that is known");
    const Seconds begin = timeline != nullptr && !timeline->steps.empty() ? timeline->steps.front().begin : 0;
    for (const Reading* reading : {step.predicted.get(), step.measured.get()})
        if (hasTimes(reading))
            if (const Seconds seconds = begin + secondsOfOps(*reading); !(seconds < kMostSeconds))
                return tooLong(seconds);
    std::string title = step.title;
    if (step.planned && !step.planned->machine().name.empty())
        title = fmt::format("{}, {}", step.planned->machine().name, title);
    TraceWriter trace;
    const OpFacts facts(step.step());
    if (timeline != nullptr) {
        addMeasured(trace, *timeline, *step.measured, facts, title);
    } else if (hasMeasured) {
        trace.nameProcess(kMeasured, "measured, without a timeline: " + title);
        addLaidOut(trace, kMeasured, *step.measured, facts, begin, "cpu_op");
    }
    if (hasPredicted) {
        trace.nameProcess(kPredicted, "predicted: " + title);
        addLaidOut(trace, kPredicted, *step.predicted, facts, begin, hasMeasured ? "predicted" : "cpu_op");
    }
    // Readers find the rank by its text, with the space behind the colon.
    return fmt::format(
        R"({{"schemaVersion":1,"displayTimeUnit":"ns","distributedInfo":{{"rank": 0,"world_size":1}},)"
        R"("otherData":{{"program":{},"created":{},"dropped":{}}},"traceEvents":[{}
]}}
)",
        jsonText(step.program), jsonText(step.created),
        jsonText(timeline != nullptr ? std::to_string(timeline->dropped) : "0"), trace.take());
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/measure/counters_json.h"

#include "core/io/json_names.h"
#include "core/io/json_values.h"

namespace plumb {

using nlohmann::json;

json countersJson(const OpCounters& counters) {
    if (counters.empty()) return {};
    json result = json::object();
    for (const CounterKind kind : kAllCounters)
        if (const std::optional<Counted>& count = counters[kind])
            result[std::string(counterName(kind))] = {{"value", count->value},
                                                      {"source", sourceName(count->source)}};
    return result;
}

OpCounters readCounters(const JsonField& field) {
    OpCounters counters;
    if (!field.expectObject()) return counters;
    for (const CounterKind kind : kAllCounters) {
        const JsonField entry = field[counterName(kind)];
        if (entry.isNull() || !entry.expectObject()) continue;
        const JsonField value = entry["value"], source = entry["source"];
        counters[kind] = Counted{value.count(), readName(source, kSourceNames)};
    }
    return counters;
}

json counterRunJson(const CounterRun& run) {
    return {{"chip", run.chip},
            {"driver", run.driver},
            {"cupti", run.cupti},
            {"metrics", run.metrics},
            {"passes", run.passes},
            {"sm_clock_hz", numberJson(run.smClockHz)},
            {"memory_clock_hz", numberJson(run.memoryClockHz)}};
}

CounterRun readCounterRun(const JsonField& field) {
    CounterRun run;
    if (!field.expectObject()) return run;
    run.chip = field["chip"].text();
    run.driver = field["driver"].textOr("");
    run.cupti = field["cupti"].textOr("");
    run.passes = field["passes"].count();
    const JsonField metrics = field["metrics"];
    const std::size_t size = metrics.arraySize();
    run.metrics.reserve(size);
    for (std::size_t i = 0; i < size && field.ok(); ++i) run.metrics.push_back(metrics.at(i).text());
    run.smClockHz = field["sm_clock_hz"].numberOrNull();
    run.memoryClockHz = field["memory_clock_hz"].numberOrNull();
    return run;
}

}  // namespace plumb

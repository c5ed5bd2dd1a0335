// SPDX-License-Identifier: Apache-2.0
#include "core/measure/counters_json.h"

namespace plumb {

using nlohmann::json;
using enum Presence;

JsonType<Counted> jsonType(Of<Counted> /*type*/) {
    static constexpr JsonMember<Counted> kMembers[]{
        member<&Counted::value>("value", Required),
        member<&Counted::source, Named<kSourceNames>>("source", Required)};
    return {"count", {}, kMembers};
}

json Json<OpCounters>::write(const OpCounters& counters) {
    if (counters.empty()) return {};
    json result = json::object();
    for (const CounterKind kind : kAllCounters)
        if (counters[kind]) result[std::string(counterName(kind))] = toJson(*counters[kind]);
    return result;
}

OpCounters Json<OpCounters>::read(const JsonField& field) {
    OpCounters counters;
    if (!field.expectObject()) return counters;
    for (const CounterKind kind : kAllCounters)
        counters[kind] = Json<std::optional<Counted>>::read(field[counterName(kind)]);
    return counters;
}

json Json<OpCounters>::schema(json& definitions) {
    json properties = json::object();
    for (const CounterKind kind : kAllCounters)
        properties[std::string(counterName(kind))] = Json<Counted>::schema(definitions);
    return orNull({{"type", "object"}, {"properties", std::move(properties)}});
}

JsonType<CounterRun> jsonType(Of<CounterRun> /*type*/) {
    static constexpr JsonMember<CounterRun> kMembers[]{
        member<&CounterRun::chip>("chip", Required),
        member<&CounterRun::driver>("driver", Added),
        member<&CounterRun::cupti>("cupti", Added, "Version of the interface of the library"),
        member<&CounterRun::passes>("passes", Required, "Training steps that it took"),
        member<&CounterRun::metrics>("metrics", Required),
        member<&CounterRun::smClockHz>("sm_clock_hz", Added, "Rated, not of the run"),
        member<&CounterRun::memoryClockHz>("memory_clock_hz", Added)};
    return {"counter_run", "How counters were collected", kMembers};
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading_json.h"

#include "core/base/entry_at.h"
#include "core/machine/machine_json.h"
#include "core/measure/category_json.h"
#include "core/measure/counters_json.h"
#include "core/measure/library_product_json.h"
#include "core/measure/rank_reading_json.h"
#include "core/measure/reading_columns.h"
#include "core/measure/spread_json.h"
#include "core/measure/telemetry_json.h"

#include <algorithm>
#include <unordered_map>

namespace plumb {

namespace {

using nlohmann::json;
using enum Presence;

constexpr auto kMemorySources = enumNames<Source>(
    {{Source::Predicted, sourceName(Source::Predicted)}, {Source::Allocator, sourceName(Source::Allocator)}});

/// Range and tier of the seconds, where they are known; older files have neither.
template <class Times>
struct Trust {
    static json write(const Times& times) {
        json result = SpreadJson<Times>::write(times);
        if (times.tier) result["tier"] = tierName(*times.tier);
        return result;
    }
    static void read(const JsonField& field, Times& times) {
        SpreadJson<Times>::read(field, times);
        times.tier = Maybe<Named<kTierNames>>::read(field["tier"]);
    }
    static json schema(json& definitions) {
        json group = SpreadJson<Times>::schema(definitions);
        json& tier = group["properties"]["tier"] = Named<kTierNames>::schema(definitions);
        tier["description"] =
            "How well founded the seconds are: they ran; from measured times of this machine; from a data "
            "sheet at what public measurements on such a device reached; at what devices reach in general. "
            "Of an op, when missing: that of totals";
        return group;
    }
};

struct OpId : Json<std::string> {
    static json schema(json& /*definitions*/) { return {{"type", "string"}, {"minLength", 1}}; }
};

}  // namespace

JsonType<MemoryShare> jsonType(Of<MemoryShare> /*type*/) {
    static constexpr JsonMember<MemoryShare> kMembers[]{
        member<&MemoryShare::name>("name", Required),
        member<&MemoryShare::bytes, Signed>("bytes", Required, "Negative where others give memory back")};
    return {{}, {}, kMembers};
}

JsonType<Totals> jsonType(Of<Totals> /*type*/) {
    static constexpr JsonMember<Totals> kMembers[]{
        member<&Totals::flops>("flops", Always),
        member<&Totals::matmulFlops>("matmul_flops", Always),
        member<&Totals::bytes>("bytes", Always),
        member<&Totals::seconds>("seconds", Always),
        member<&Totals::exposed>("exposed_s", IfSet,
                                 "Of these, those that the step would not take if traffic between ranks were "
                                 "free; of a prediction"),
        member<&Totals::samplesPerSecond>("samples_per_second", Always),
        member<&Totals::flopPerSecond>("flop_per_s", Always),
        member<&Totals::mfu>(
            "mfu", Always,
            "Matrix FLOPs without recomputation, over seconds, over the peak of the compute dtype"),
        custom<Totals, Trust<Totals>>({}, Added)};
    return {"totals", {}, kMembers};
}

JsonType<OpReading> jsonType(Of<OpReading> /*type*/) {
    static constexpr JsonMember<OpReading> kMembers[]{
        member<&OpReading::id, OpId>("id", Required),
        member<&OpReading::name>("name", Required),
        member<&OpReading::phase, Named<kPhaseNames>>("phase", Required),
        member<&OpReading::kind>("kind", Required),
        member<&OpReading::layer>("layer", Added, "1 to layers; layers + 1 is the head; 0 is none"),
        member<&OpReading::executions>("executions", Added,
                                       "Times per step; counts and seconds are of all of them"),
        member<&OpReading::flops>("flops", Always,
                                  "Of the model; of a measured reading those that counters saw executed"),
        member<&OpReading::bytes>(
            "bytes", Always,
            "Compulsory traffic: each distinct input read once, each output written once; of a measured "
            "reading the DRAM bytes that were counted"),
        member<&OpReading::seconds>("seconds", Always),
        custom<OpReading, Trust<OpReading>>({}, Added),
        member<&OpReading::source, Named<kSourceNames>>("source", Always, "Of the seconds"),
        member<&OpReading::counters>(
            "counters", Added,
            "What was counted of one op in one step, all executions together; what was not is absent. FLOPs "
            "are executed ones, padding of tiles included"),
        member<&OpReading::products, ProductsOfOp>(
            "products", IfSet, "Which of the reading's products of the matrix library it ran")};
    return {"op", {}, kMembers};
}

JsonType<CollectiveReading> jsonType(Of<CollectiveReading> /*type*/) {
    static constexpr JsonMember<CollectiveReading> kMembers[]{
        member<&CollectiveReading::op, Whole<0, INT32_MAX>>(
            "op", Required, "Index into ops; the seconds there are what the step waited for it"),
        member<&CollectiveReading::bytes, Whole<>>("bytes", Required,
                                                   "That are reduced, gathered or scattered in one step"),
        member<&CollectiveReading::sentBytes>(
            "sent_bytes", IfSet,
            "That the rank sends to others in one step: of the plan, or counted where they were posted"),
        member<&CollectiveReading::seconds>("seconds", IfSet,
                                            "From when it is its turn until its end, beside other ops too")};
    return {"collective", "What ranks do together in a step", kMembers};
}

JsonType<MeasuredSpeed> jsonType(Of<MeasuredSpeed> /*type*/) {
    static constexpr JsonMember<MeasuredSpeed> kMembers[]{
        inlined<&MeasuredSpeed::probe>(),
        member<&MeasuredSpeed::ofCalibrated>(
            "of_calibrated", Added, "As a share of the speed that calibration found, for this step")};
    return {{}, {}, kMembers};
}

namespace {

/// The id of the op; null is none.
struct PeakOp {
    static json write(const Reading& reading) {
        const auto index = static_cast<std::size_t>(reading.memory->peakOp);
        return reading.memory->peakOp >= 0 && index < reading.ops.size() ? json(reading.ops[index].id)
                                                                         : json();
    }
    static void read(const JsonField& field, Reading& reading) {
        const std::string id = field.text();
        const auto found =
            std::ranges::find_if(reading.ops, [&](const OpReading& op) { return op.id == id; });
        if (found == reading.ops.end()) return field.fail("is '" + id + "', and no op has this id");
        reading.memory->peakOp = static_cast<std::int32_t>(found - reading.ops.begin());
    }
    static json schema(json& definitions) { return Json<std::optional<std::string>>::schema(definitions); }
};

/// A list that people can read, with the id of each op, or columns.
struct Curve {
    static json write(const Reading& reading) {
        const std::vector<CategoryBytes>& curve = reading.memory->curve;
        if (curve.size() > kMostListedOps) return curveColumns(curve);
        json list = json::array();
        for (std::size_t i = 0; i < curve.size(); ++i) {
            json& entry = list.emplace_back(Categories::write(curve[i]));
            entry["op"] = i < reading.ops.size() ? json(reading.ops[i].id) : json();
        }
        return list;
    }
    static void read(const JsonField& field, Reading& reading) {
        const std::vector<OpReading>& ops = reading.ops;
        std::vector<CategoryBytes>& curve = reading.memory->curve;
        if (field.json() != nullptr && field.json()->is_object()) {
            curve = readCurveColumns(field, ops.size());
            return;
        }
        const std::size_t size = field.arraySize();
        if (field.ok() && size != ops.size())
            field.fail("has " + std::to_string(size) + " entries for " + std::to_string(ops.size()) + " ops");
        curve.reserve(size);
        for (std::size_t i = 0; i < size && field.ok(); ++i) {
            const JsonField entry = field.at(i);
            curve.push_back(Categories::read(entry));
            const JsonField op = entry["op"];
            if (op.text() != ops[i].id) op.fail("is not '" + ops[i].id + "', the op at this place");
        }
    }
    static json schema(json& definitions) {
        json op{{"required", {"op"}}, {"properties", {{"op", Json<std::string>::schema(definitions)}}}};
        json list{{"type", "array"},
                  {"description", "Resident bytes while each op runs"},
                  {"items", {{"allOf", {Categories::schema(definitions), std::move(op)}}}}};
        return {{"oneOf", {std::move(list), curveColumnsSchema(definitions)}}};
    }
};

void expectCategories(const JsonField& field, const CategoryBytes& bytes, const CategoryBytes& derived) {
    for (const Category category : kAllCategories) {
        if (bytes[category] != derived[category])
            field[categoryName(category)].fail("is " + std::to_string(bytes[category]) +
                                               ", and the curve makes it " +
                                               std::to_string(derived[category]));
    }
}

/// Refuses a summary that is not the one of the curve.
void expectSummary(const JsonField& field, Reading& reading) {
    const MemoryReading& memory = *reading.memory;
    if (memory.curve.empty()) return;
    const MemoryReading derived = summariseCurve(memory.curve);
    if (memory.peakBytes != derived.peakBytes)
        field["peak_bytes"].fail("is " + std::to_string(memory.peakBytes) +
                                 ", and the highest of the curve is " + std::to_string(derived.peakBytes));
    const JsonField peakOp = field["peak_op"];
    if (memory.peakOp != derived.peakOp) {
        const std::string& highest = entryAt(reading.ops, derived.peakOp).id;
        peakOp.fail(peakOp.isNull()
                        ? "is not known, and the curve is highest at '" + highest + "'"
                        : "is " + peakOp.json()->dump() + ", and the curve is highest at '" + highest + "'");
    }
    const JsonField atPeak = field["at_peak_bytes"], categoryPeak = field["category_peak_bytes"];
    expectCategories(atPeak, memory.atPeak, derived.atPeak);
    expectCategories(categoryPeak, memory.categoryPeak, derived.categoryPeak);
}

/// Refuses a total that is not the sum of the ops. Without a total, or when an op's number is not known,
/// there is nothing to compare.
void expectSum(const JsonField& field, std::optional<std::int64_t> total, const std::vector<OpReading>& ops,
               std::optional<std::int64_t> OpReading::*number) {
    if (!total || ops.empty()) return;
    std::int64_t sum = 0;
    for (const OpReading& op : ops) {
        if (!(op.*number)) return;
        sum = addOrOverflow(sum, *(op.*number));
        if (sum < 0) return field.fail("is " + std::to_string(*total) + ", and the ops overflow 63 bits");
    }
    if (sum != *total)
        field.fail("is " + std::to_string(*total) + ", and the ops add up to " + std::to_string(sum));
}

std::vector<OpReading> readOpList(const JsonField& field, const Totals& totals) {
    std::vector<OpReading> ops;
    const std::size_t size = field.arraySize();
    if (size > kMostOps)
        field.fail("has " + std::to_string(size) + " entries, and " + std::to_string(kMostOps) +
                   " is the most");
    if (field.ok()) ops.reserve(size);
    for (std::size_t i = 0; i < size && field.ok(); ++i) {
        const JsonField entry = field.at(i);
        OpReading& op = ops.emplace_back(readJson<OpReading>(entry));
        if (op.seconds && !op.tier) op.tier = totals.tier;
    }
    return ops;
}

/// A problem with `key` of the op at `index`, in a list or in columns.
void failAt(const JsonField& ops, std::size_t index, std::string_view key, const std::string& what) {
    if (ops.json()->is_array()) {
        const JsonField entry = ops.at(index);
        return entry[key].fail(what);
    }
    ops[key].fail("of op " + std::to_string(index) + " " + what);
}

/// Refuses FLOPs or bytes of an op that are not those of its counters.
void expectCounted(const JsonField& ops, std::size_t index, std::string_view key,
                   std::optional<std::int64_t> number, std::optional<std::int64_t> counted) {
    if (number && counted && *number != *counted)
        failAt(ops, index, key,
               "is " + std::to_string(*number) + ", and the counters make it " + std::to_string(*counted));
}

std::vector<OpReading> readOps(const JsonField& field, const Totals& totals) {
    const bool isList = field.json() == nullptr || !field.json()->is_object();
    std::vector<OpReading> ops = isList ? readOpList(field, totals) : readOpColumns(field, totals.tier);
    std::unordered_map<std::string_view, std::size_t> ids;
    ids.reserve(ops.size());
    for (std::size_t i = 0; i < ops.size() && field.ok(); ++i) {
        const OpReading& op = ops[i];
        if (op.id.empty())
            failAt(field, i, "id", "is empty");
        else if (const auto [first, fresh] = ids.emplace(op.id, i); !fresh)
            failAt(field, i, "id",
                   "is '" + op.id + "', which ops[" + std::to_string(first->second) + "] has already");
        expectCounted(field, i, "flops", op.flops, op.counters.executedFlops());
        expectCounted(field, i, "bytes", op.bytes, op.counters.bytesAt(MemoryLevel::Dram));
    }
    return ops;
}

/// A list that people can read, or columns.
struct Ops {
    static json write(const Reading& reading) {
        if (reading.ops.size() > kMostListedOps)
            if (auto columns = opColumns(reading.ops, reading.totals.tier)) return *std::move(columns);
        json ops = json::array();
        for (const OpReading& op : reading.ops) {
            json& entry = ops.emplace_back(toJson(op));
            if (op.tier == reading.totals.tier) entry.erase("tier");  // most of them
        }
        return ops;
    }
    static void read(const JsonField& field, Reading& reading) {
        reading.ops = readOps(field, reading.totals);
    }
    static json schema(json& definitions) {
        return {{"oneOf", {Json<std::vector<OpReading>>::schema(definitions), opColumnsSchema(definitions)}}};
    }
};

/// In an object of its own, with fields that only the whole reading can write and read.
struct Memory {
    static JsonType<Reading> type() {
        using Part = MemoryReading;
        constexpr auto kPart = &Reading::memory;
        static constexpr JsonMember<Reading> kMembers[]{
            member<kPart, &Part::source, Named<kMemorySources>>(
                "source", Added,
                "The plan, or the allocator that counted while the step ran; when missing: as the reading, "
                "predicted or not"),
            custom<Reading, Curve>("curve", Required),
            member<kPart, &Part::device>(
                "device", IfSet, "All that is in use on the device between two steps, by what it is for"),
            member<kPart, &Part::peakBytes>("peak_bytes", Required),
            custom<Reading, PeakOp>("peak_op", Always, "id of the op during which the peak is reached"),
            member<kPart, &Part::atPeak, Categories>("at_peak_bytes", Required),
            member<kPart, &Part::categoryPeak, Categories>("category_peak_bytes", Required)};
        return {"memory", {}, kMembers, expectSummary};
    }
    static json write(const Reading& reading) {
        return reading.memory ? writeObject(type(), reading) : json();
    }
    static void read(const JsonField& field, Reading& reading) {
        const bool isPlan = reading.source == Source::Predicted;
        reading.memory.emplace().source = isPlan ? Source::Predicted : Source::Allocator;
        if (field.expectObject()) readMembers(type(), field, reading);
    }
    static json schema(json& definitions) {
        return orNull(
            namedSchema(type().name, definitions, [&] { return objectSchema(type(), definitions); }));
    }
};

struct TimelineOfOps {
    static json write(const Reading& reading) {
        return reading.timeline ? toJson(*reading.timeline) : json();
    }
    static void read(const JsonField& field, Reading& reading) {
        reading.timeline = std::make_shared<const Timeline>(readTimeline(field, reading.ops.size()));
    }
    static json schema(json& definitions) { return orNull(Json<Timeline>::schema(definitions)); }
};

/// Refuses an op that names a product which is not there.
void expectProducts(const JsonField& ops, const Reading& reading) {
    const auto count = static_cast<std::int32_t>(reading.products.size());
    for (std::size_t i = 0; i < reading.ops.size() && ops.ok(); ++i)
        for (const std::int32_t product : reading.ops[i].products)
            if (product >= count)
                failAt(ops, i, "products",
                       "names product " + std::to_string(product) + ", and there are " +
                           std::to_string(count));
}

/// Refuses a collective that is none of the ops.
void expectCollectives(const JsonField& list, const Reading& reading) {
    for (std::size_t i = 0; i < reading.collectives.size() && list.ok(); ++i)
        if (static_cast<std::size_t>(reading.collectives[i].op) >= reading.ops.size())
            list.at(i).fail("names an op that is not there");
}

void expectConsistency(const JsonField& field, Reading& reading) {
    expectCollectives(field["collectives"], reading);
    expectProducts(field["ops"], reading);
    const JsonField totals = field["totals"];
    expectSum(totals["flops"], reading.totals.flops, reading.ops, &OpReading::flops);
    expectSum(totals["bytes"], reading.totals.bytes, reading.ops, &OpReading::bytes);
}

}  // namespace

JsonType<Reading> jsonType(Of<Reading> /*type*/) {
    static constexpr JsonMember<Reading> kMembers[]{
        member<&Reading::source, Named<kSourceNames>>("source", Added),
        member<&Reading::stepsMeasured>("steps_measured", Added,
                                        "Repeats behind the medians; 0 for a prediction"),
        member<&Reading::engine>("engine", IfSet,
                                 "What ran a measured step, where it was not the built-in trainer"),
        member<&Reading::remarks>("remarks", IfSet,
                                  "What that engine did not measure and why, or counts otherwise; sentences"),
        member<&Reading::totals>("totals", Required),
        member<&Reading::speed>(
            "speed", IfSet,
            "Of the machine while it was measured: the median of the probes between the steps"),
        member<&Reading::telemetry>("telemetry", IfSet),
        member<&Reading::telemetryAbsent>("telemetry_absent", IfSet,
                                          "Why a measured reading has no telemetry, in one sentence"),
        member<&Reading::counterRun>("counter_run", Added),
        member<&Reading::countersAbsent>("counters_absent", Added,
                                         "Why a measured reading has no counters, in one sentence"),
        member<&Reading::products>("products", IfSet,
                                   "Products of the matrix library as the ops ran them, each once"),
        member<&Reading::ranks, ListOf<Json<RankReading>, kMostToldRanks>>(
            "ranks", IfSet, "Of a step of several ranks, by rank; all else is of the first"),
        custom<Reading, Ops>("ops", Required),
        member<&Reading::collectives>("collectives", IfSet,
                                      "Of a step of several ranks, in the order of its ops"),
        custom<Reading, Memory>("memory", Always),
        custom<Reading, TimelineOfOps>("timeline", Added)};
    return {"reading", "Everything known about one optimizer step", kMembers, expectConsistency};
}

}  // namespace plumb

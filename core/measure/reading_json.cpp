// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading_json.h"

#include "core/io/json_names.h"
#include "core/io/json_values.h"
#include "core/machine/machine_json.h"
#include "core/measure/counters_json.h"
#include "core/measure/reading_columns.h"

#include <algorithm>
#include <unordered_map>

namespace plumb {

namespace {

using nlohmann::json;

constexpr auto kMemorySources = enumNames<Source>(
    {{Source::Predicted, sourceName(Source::Predicted)}, {Source::Allocator, sourceName(Source::Allocator)}});

json categoriesJson(const CategoryBytes& bytes) {
    json result = json::object();
    for (const Category category : kAllCategories)
        result[std::string(categoryName(category))] = bytes[static_cast<std::size_t>(category)];
    return result;
}

/// A category that is not named has no bytes.
CategoryBytes readCategories(const JsonField& field) {
    CategoryBytes bytes{};
    if (!field.expectObject()) return bytes;
    Bytes sum = 0;
    for (const Category category : kAllCategories) {
        const JsonField entry = field[categoryName(category)];
        const Bytes value = entry.isNull() ? 0 : entry.count();
        bytes[static_cast<std::size_t>(category)] = value;
        sum = addOrOverflow(sum, value);
        if (sum < 0) {
            field.fail("adds up to more than 63 bits can count");
            return {};
        }
    }
    return bytes;
}

json curveJson(const std::vector<CategoryBytes>& curve, const std::vector<OpReading>& ops) {
    if (curve.size() > kMostListedOps) return curveColumns(curve);
    json list = json::array();
    for (std::size_t i = 0; i < curve.size(); ++i) {
        json entry = categoriesJson(curve[i]);
        entry["op"] = i < ops.size() ? json(ops[i].id) : json();
        list.push_back(std::move(entry));
    }
    return list;
}

json memoryJson(const MemoryReading& memory, const std::vector<OpReading>& ops) {
    const bool known = memory.peakOp >= 0 && static_cast<std::size_t>(memory.peakOp) < ops.size();
    json result{{"source", sourceName(memory.source)},
                {"peak_bytes", memory.peakBytes},
                {"peak_op", known ? json(ops[static_cast<std::size_t>(memory.peakOp)].id) : json()},
                {"at_peak_bytes", categoriesJson(memory.atPeak)},
                {"category_peak_bytes", categoriesJson(memory.categoryPeak)},
                {"curve", curveJson(memory.curve, ops)}};
    if (!memory.device.empty()) {
        json device = json::array();
        for (const MemoryShare& share : memory.device)
            device.push_back(json{{"name", share.name}, {"bytes", share.bytes}});
        result["device"] = std::move(device);
    }
    return result;
}

/// Shares may be negative: others give memory back.
std::vector<MemoryShare> readShares(const JsonField& field) {
    std::vector<MemoryShare> shares;
    if (field.isNull()) return shares;
    const std::size_t size = field.arraySize();
    for (std::size_t i = 0; i < size && field.ok(); ++i) {
        const JsonField entry = field.at(i);
        shares.push_back({entry["name"].text(), entry["bytes"].integer()});
    }
    return shares;
}

/// The index of the op that `field` names; -1 for null.
std::int32_t readPeakOp(const JsonField& field, const std::vector<OpReading>& ops) {
    if (field.isNull()) return -1;
    const std::string id = field.text();
    const auto found = std::find_if(ops.begin(), ops.end(), [&](const OpReading& op) { return op.id == id; });
    if (found != ops.end()) return static_cast<std::int32_t>(found - ops.begin());
    field.fail("is '" + id + "', and no op has this id");
    return -1;
}

void expectCategories(const JsonField& field, const CategoryBytes& bytes, const CategoryBytes& derived) {
    for (const Category category : kAllCategories) {
        const auto index = static_cast<std::size_t>(category);
        if (bytes[index] != derived[index])
            field[categoryName(category)].fail("is " + std::to_string(bytes[index]) +
                                               ", and the curve makes it " + std::to_string(derived[index]));
    }
}

/// Refuses a summary that is not the one of the curve.
void expectSummary(const JsonField& field, const MemoryReading& memory, const std::vector<OpReading>& ops) {
    const MemoryReading derived = summariseCurve(memory.curve);
    if (memory.peakBytes != derived.peakBytes)
        field["peak_bytes"].fail("is " + std::to_string(memory.peakBytes) +
                                 ", and the highest of the curve is " + std::to_string(derived.peakBytes));
    const JsonField peakOp = field["peak_op"];
    if (memory.peakOp != derived.peakOp)
        peakOp.fail((peakOp.isNull() ? "is not known" : "is " + peakOp.json()->dump()) +
                    ", and the curve is highest at '" + ops[static_cast<std::size_t>(derived.peakOp)].id +
                    "'");
    const JsonField atPeak = field["at_peak_bytes"], categoryPeak = field["category_peak_bytes"];
    expectCategories(atPeak, memory.atPeak, derived.atPeak);
    expectCategories(categoryPeak, memory.categoryPeak, derived.categoryPeak);
}

std::vector<CategoryBytes> readCurve(const JsonField& field, const std::vector<OpReading>& ops) {
    if (field.json() != nullptr && field.json()->is_object()) return readCurveColumns(field, ops.size());
    std::vector<CategoryBytes> curve;
    const std::size_t size = field.arraySize();
    if (field.ok() && size != ops.size())
        field.fail("has " + std::to_string(size) + " entries for " + std::to_string(ops.size()) + " ops");
    curve.reserve(size);
    for (std::size_t i = 0; i < size && field.ok(); ++i) {
        const JsonField entry = field.at(i);
        curve.push_back(readCategories(entry));
        const JsonField op = entry["op"];
        if (op.text() != ops[i].id) op.fail("is not '" + ops[i].id + "', the op at this place");
    }
    return curve;
}

/// `whole` is the source of the reading that the memory is part of.
MemoryReading readMemory(const JsonField& field, const std::vector<OpReading>& ops, Source whole) {
    MemoryReading memory;
    if (!field.expectObject()) return memory;
    const JsonField source = field["source"];
    memory.source = whole == Source::Predicted ? Source::Predicted : Source::Allocator;
    if (!source.isNull()) memory.source = readName(source, kMemorySources);
    memory.curve = readCurve(field["curve"], ops);
    memory.device = readShares(field["device"]);
    memory.peakBytes = field["peak_bytes"].count();
    memory.peakOp = readPeakOp(field["peak_op"], ops);
    memory.atPeak = readCategories(field["at_peak_bytes"]);
    memory.categoryPeak = readCategories(field["category_peak_bytes"]);
    if (field.ok() && !memory.curve.empty()) expectSummary(field, memory, ops);
    return memory;
}

/// Where they are known; older files have neither.
void addTrust(json& result, const std::optional<Spread>& spread, std::optional<Tier> tier) {
    if (spread) {
        result["seconds_low"] = numberJson(spread->low);
        result["seconds_high"] = numberJson(spread->high);
    }
    if (tier) result["tier"] = tierName(*tier);
}

template <class Times>
void readTrust(const JsonField& field, Times& times) {
    const auto low = field["seconds_low"].numberOrNull(), high = field["seconds_high"].numberOrNull();
    if (low && high) {
        if (*low > *high) field["seconds_low"].fail("is above seconds_high");
        times.spread = Spread{*low, *high};
    }
    const JsonField tier = field["tier"];
    if (!tier.isNull()) times.tier = readName(tier, kTierNames);
}

json totalsJson(const Totals& totals) {
    json result{{"flops", countJson(totals.flops)},
                {"matmul_flops", countJson(totals.matmulFlops)},
                {"bytes", countJson(totals.bytes)},
                {"seconds", numberJson(totals.seconds)},
                {"samples_per_second", numberJson(totals.samplesPerSecond)},
                {"flop_per_s", numberJson(totals.flopPerSecond)},
                {"mfu", numberJson(totals.mfu)}};
    addTrust(result, totals.spread, totals.tier);
    return result;
}

Totals readTotals(const JsonField& field) {
    Totals totals;
    if (!field.expectObject()) return totals;
    totals.flops = field["flops"].countOrNull();
    totals.matmulFlops = field["matmul_flops"].countOrNull();
    totals.bytes = field["bytes"].countOrNull();
    totals.seconds = field["seconds"].numberOrNull();
    totals.samplesPerSecond = field["samples_per_second"].numberOrNull();
    totals.flopPerSecond = field["flop_per_s"].numberOrNull();
    totals.mfu = field["mfu"].numberOrNull();
    readTrust(field, totals);
    return totals;
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

/// The tier of an op is left out where it is that of the whole: most of them.
json opJson(const OpReading& op, const Totals& totals) {
    json result{{"id", op.id},
                {"name", op.name},
                {"phase", phaseName(op.phase)},
                {"kind", op.kind},
                {"layer", op.layer},
                {"executions", op.executions},
                {"flops", countJson(op.flops)},
                {"bytes", countJson(op.bytes)},
                {"seconds", numberJson(op.seconds)},
                {"source", sourceName(op.source)},
                {"counters", countersJson(op.counters)}};
    addTrust(result, op.spread, op.tier == totals.tier ? std::nullopt : op.tier);
    return result;
}

OpReading readOp(const JsonField& field, const Totals& totals) {
    OpReading op;
    if (!field.expectObject()) return op;
    op.id = field["id"].text();
    op.name = field["name"].text();
    op.phase = readName(field["phase"], kPhaseNames);
    op.kind = field["kind"].text();
    const JsonField layer = field["layer"], executions = field["executions"], source = field["source"];
    op.layer = layer.isNull() ? 0 : static_cast<std::int32_t>(layer.count(0, INT32_MAX));
    op.executions = executions.isNull() ? 1 : executions.count();
    op.flops = field["flops"].countOrNull();
    op.bytes = field["bytes"].countOrNull();
    op.seconds = field["seconds"].numberOrNull();
    readTrust(field, op);
    if (op.seconds && !op.tier) op.tier = totals.tier;
    op.source = source.isNull() ? Source::Predicted : readName(source, kSourceNames);
    if (const JsonField counters = field["counters"]; !counters.isNull())
        op.counters = readCounters(counters);
    return op;
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
        ops.push_back(readOp(entry, totals));
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

}  // namespace

json toJson(const Reading& reading) {
    std::optional<json> columns;
    if (reading.ops.size() > kMostListedOps) columns = opColumns(reading.ops, reading.totals.tier);
    json ops = columns ? *std::move(columns) : json::array();
    if (ops.is_array())
        for (const OpReading& op : reading.ops) ops.push_back(opJson(op, reading.totals));
    json result{{"source", sourceName(reading.source)},
                {"steps_measured", reading.stepsMeasured},
                {"counter_run", reading.counterRun ? counterRunJson(*reading.counterRun) : json()},
                {"counters_absent", reading.countersAbsent},
                {"totals", totalsJson(reading.totals)},
                {"memory", reading.memory ? memoryJson(*reading.memory, reading.ops) : json()},
                {"ops", std::move(ops)},
                {"timeline", reading.timeline ? toJson(*reading.timeline) : json()}};
    if (reading.speed) {
        json speed = toJson(reading.speed->probe);
        speed["of_calibrated"] = numberJson(reading.speed->ofCalibrated);
        result["speed"] = std::move(speed);
    }
    return result;
}

Reading readReading(const JsonField& field) {
    Reading reading;
    if (!field.expectObject()) return reading;
    const JsonField source = field["source"], steps = field["steps_measured"], ops = field["ops"];
    reading.source = source.isNull() ? Source::Predicted : readName(source, kSourceNames);
    reading.stepsMeasured = steps.isNull() ? 0 : static_cast<std::int32_t>(steps.count(0, INT32_MAX));
    const JsonField totals = field["totals"];
    reading.totals = readTotals(totals);
    if (const JsonField speed = field["speed"]; !speed.isNull())
        reading.speed = MeasuredSpeed{readJson<SpeedProbe>(speed), speed["of_calibrated"].numberOrNull()};
    const JsonField run = field["counter_run"], absent = field["counters_absent"];
    if (!run.isNull()) reading.counterRun = readCounterRun(run);
    reading.countersAbsent = absent.textOr("");

    reading.ops = readOps(ops, reading.totals);
    if (field.ok()) {
        expectSum(totals["flops"], reading.totals.flops, reading.ops, &OpReading::flops);
        expectSum(totals["bytes"], reading.totals.bytes, reading.ops, &OpReading::bytes);
    }
    if (const JsonField memory = field["memory"]; field.ok() && !memory.isNull())
        reading.memory = readMemory(memory, reading.ops, reading.source);
    if (const JsonField timeline = field["timeline"]; field.ok() && !timeline.isNull())
        reading.timeline = std::make_shared<const Timeline>(readTimeline(timeline, reading.ops.size()));
    return reading;
}

Result<Reading> readingFromJson(const json& document) {
    return readWhole<Reading>(document, "reading", readReading);
}

}  // namespace plumb

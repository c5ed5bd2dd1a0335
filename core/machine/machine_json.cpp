// SPDX-License-Identifier: Apache-2.0
#include "core/machine/machine_json.h"

#include "core/model/parallel.h"

namespace plumb {

namespace {

using nlohmann::json;
using enum Presence;

struct Capability : Whole<10, 1000> {
    static std::int64_t read(const JsonField& field) {
        const std::int64_t value = field.count();
        if (value >= 10 && value <= 1000) return value;
        field.fail("is out of range");
        return 10;
    }
};

struct Rates {
    using ByDtype = std::vector<std::pair<Dtype, double>>;
    static json write(const ByDtype& rates) {
        json object = json::object();
        for (const auto& [dtype, value] : rates)
            object[std::string(dtypeName(dtype))] = Positive::write(value);
        return object;
    }
    static ByDtype read(const JsonField& field) {
        ByDtype rates;
        if (!field.expectObject()) return rates;
        for (const Dtype dtype : kAllDtypes)
            if (const auto value = Maybe<Positive>::read(field[dtypeName(dtype)]))
                rates.emplace_back(dtype, *value);
        return rates;
    }
    static json schema(json& definitions) {
        return {{"type", "object"}, {"additionalProperties", Maybe<Positive>::schema(definitions)}};
    }
};

/// Absent where they are of another version.
struct KnownCosts {
    static json write(const std::optional<CostTables>& costs) {
        return Json<std::optional<CostTables>>::write(costs);
    }
    static std::optional<CostTables> read(const JsonField& field) {
        if (!field.expectObject() || field["version"].count(1) != kCostsVersion) return std::nullopt;
        return readJson<CostTables>(field);
    }
    static json schema(json& definitions) { return Json<CostTables>::schema(definitions); }
};

/// Without those that are of another version.
struct KnownRankCosts {
    static json write(const std::vector<RankCosts>& all) { return Json<std::vector<RankCosts>>::write(all); }
    static std::vector<RankCosts> read(const JsonField& field) {
        std::vector<RankCosts> known;
        const std::size_t size = field.arraySize();
        std::int64_t before = 1;
        for (std::size_t i = 0; i < size && field.ok(); ++i) {
            const JsonField entry = field.at(i), costs = entry["costs"];
            const std::int64_t ranks = entry["ranks"].count(2, kMostRanks);
            if (field.ok() && ranks <= before) entry.fail("does not rise in ranks");
            before = ranks;
            if (costs["version"].count(1) == kCostsVersion) known.push_back(readJson<RankCosts>(entry));
        }
        return known;
    }
    static json schema(json& definitions) { return Json<std::vector<RankCosts>>::schema(definitions); }
};

constexpr JsonMember<Machine> kMembers[]{
    member<&Machine::id>("id", Added),
    member<&Machine::name>("name", Required),
    member<&Machine::backend>("backend", Always),
    member<&Machine::computeCapability, Maybe<Capability>>("compute_capability", IfSet,
                                                           "Of a GPU for CUDA: 90 for 9.0"),
    member<&Machine::index>("device_index", IfSet, "Of a GPU, in the order of the CUDA runtime"),
    member<&Machine::uuid>("uuid", IfSet, "Of a GPU, or of an instance of one (MIG)"),
    member<&Machine::memoryBytes>("memory_bytes", Always),
    member<&Machine::bandwidthBytesPerSecond, Maybe<Positive>>("bandwidth_bytes_per_s", Always),
    member<&Machine::perOpOverhead>("per_op_overhead_s", Added, "Added to each execution of an op"),
    member<&Machine::source>("source", Always,
                             "Where the ceilings are from: a data sheet, a calibration, or none"),
    member<&Machine::costs, KnownCosts>("costs", IfSet),
    member<&Machine::ofRanks, KnownRankCosts>("costs_of_ranks", IfSet,
                                              "Of ranks that share the machine, by rising number of them"),
    member<&Machine::copies>("copies", IfSet),
    member<&Machine::checked>("prediction_check", IfSet),
    member<&Machine::linkBytesPerSecond, Maybe<Positive>>(
        "link_bytes_per_s", IfSet, "To the other devices of the node, all links together, in one direction"),
    member<&Machine::linkName>("link_name", IfSet),
    member<&Machine::powerWatts, Maybe<Positive>>("power_w", IfSet, "Of the board or module, as labelled"),
    member<&Machine::dollarsPerHour, Maybe<Positive>>(
        "dollars_per_hour", IfSet, "What an hour of the device costs, in a record of the user's own"),
    member<&Machine::peakFlopPerSecond, Rates>(
        "peak_flop_per_s", Always, "Dense, by dtype. A dtype that is not named, or null, is not known."),
    member<&Machine::measuredMatmulFlopPerSecond, Rates>(
        "measured_matmul_flop_per_s", IfSet,
        "The best that a public search over shapes measured on such a device, by dtype")};

}  // namespace

JsonType<Machine> jsonType(Of<Machine> /*type*/) {
    return {"machine", "A device: its memory and its ceilings", kMembers};
}

}  // namespace plumb

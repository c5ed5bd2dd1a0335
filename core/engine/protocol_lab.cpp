// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol_json.h"
#include "core/measure/training_json.h"

#include <limits>

namespace plumb {

using nlohmann::json;
using enum Presence;

namespace {

/// Exponents that an fp64 can have; no histogram has more bins than that.
constexpr std::int64_t kLeastExponent = -1100;
constexpr std::int64_t kLargestExponent = 1100;

/// Null: infinite or not a number, as that of an fp8 tensor which holds such.
struct Scale : AnyNumber {
    static double read(const JsonField& field) {
        return field.numberOrNull().value_or(std::numeric_limits<double>::quiet_NaN());
    }
};

struct Sizes {
    static json write(const DimensionSizes& sizes) { return sizes; }
    static DimensionSizes read(const JsonField& field) {
        DimensionSizes sizes;
        if (!field.expectObject()) return sizes;
        for (const auto& item : field.json()->items()) sizes[item.key()] = field[item.key()].count(1);
        return sizes;
    }
    static json schema(json& definitions) {
        return {{"type", "object"}, {"additionalProperties", Whole<1>::schema(definitions)}};
    }
};

}  // namespace

JsonType<FormatLoss> jsonType(Of<FormatLoss> /*type*/) {
    static constexpr JsonMember<FormatLoss> kMembers[]{member<&FormatLoss::format>("format", Required),
                                                       member<&FormatLoss::exact>("exact", Required),
                                                       member<&FormatLoss::rounded>("rounded", Required),
                                                       member<&FormatLoss::subnormal>("subnormal", Required),
                                                       member<&FormatLoss::toZero>("to_zero", Required),
                                                       member<&FormatLoss::beyond>("beyond", Required)};
    return {{}, {}, kMembers};
}

JsonType<ValueHistogram> jsonType(Of<ValueHistogram> /*type*/) {
    static constexpr JsonMember<ValueHistogram> kMembers[]{
        member<&ValueHistogram::count>("count", Required),
        member<&ValueHistogram::zeros>("zeros", Required),
        member<&ValueHistogram::infinities>("infinities", Required),
        member<&ValueHistogram::notNumbers>("not_numbers", Required),
        member<&ValueHistogram::negatives>("negatives", Required),
        member<&ValueHistogram::largest>("largest", Required),
        member<&ValueHistogram::smallest>("smallest", Required),
        member<&ValueHistogram::rootMeanSquare>("root_mean_square", Required),
        member<&ValueHistogram::lowestExponent, Whole<kLeastExponent, kLargestExponent>>("lowest_exponent",
                                                                                         Required),
        member<&ValueHistogram::counts>("counts", Required),
        member<&ValueHistogram::formats>("formats", Required)};
    static constexpr auto kCheck = [](const JsonField& field, ValueHistogram& histogram) {
        if (static_cast<std::int64_t>(histogram.counts.size()) > kLargestExponent - kLeastExponent)
            field["counts"].fail("has more entries than numbers have exponents");
    };
    return {{}, {}, kMembers, kCheck};
}

JsonType<ValueGrid> jsonType(Of<ValueGrid> /*type*/) {
    static constexpr JsonMember<ValueGrid> kMembers[]{
        member<&ValueGrid::rows, Whole<0, ValueGrid::kMostCells>>("rows", Required),
        member<&ValueGrid::columns, Whole<0, ValueGrid::kMostCells>>("columns", Required),
        member<&ValueGrid::means, ListOf<AnyNumber>>("means", Required)};
    static constexpr auto kCheck = [](const JsonField& field, ValueGrid& grid) {
        if (static_cast<std::int64_t>(grid.means.size()) != grid.rows * grid.columns)
            field["means"].fail("is not rows times columns numbers");
    };
    return {{}, {}, kMembers, kCheck};
}

/// Numbers that are not finite are null: those of a training that diverged.
JsonType<RecoveredNumbers> jsonType(Of<RecoveredNumbers> /*type*/) {
    static constexpr JsonMember<RecoveredNumbers> kMembers[]{
        member<&RecoveredNumbers::expected>("expected", Required),
        member<&RecoveredNumbers::found, ListOf<AnyNumber>>("found", Required),
        member<&RecoveredNumbers::largestError, AnyNumber>("largest_error", Required),
        member<&RecoveredNumbers::meanError, AnyNumber>("mean_error", Required)};
    static constexpr auto kCheck = [](const JsonField& field, RecoveredNumbers& recovered) {
        if (recovered.found.size() != recovered.expected.size() ||
            recovered.found.size() > RecoveredNumbers::kMost)
            field["found"].fail("has " + std::to_string(recovered.found.size()) + " entries for " +
                                std::to_string(recovered.expected.size()) + " expected ones");
    };
    return {{}, {}, kMembers, kCheck};
}

JsonType<TensorInspection> jsonType(Of<TensorInspection> /*type*/) {
    static constexpr JsonMember<TensorInspection> kMembers[]{
        member<&TensorInspection::role, StatisticsRole>("role", Required),
        member<&TensorInspection::layer>("layer", Required),
        member<&TensorInspection::steps>("steps", Required),
        member<&TensorInspection::dtype, Named<kDtypeNames>>("dtype", Required),
        member<&TensorInspection::rows>("rows", Required),
        member<&TensorInspection::columns>("columns", Required),
        member<&TensorInspection::scale, Scale>("scale", Required),
        member<&TensorInspection::histogram>("histogram", Required),
        member<&TensorInspection::grid>("grid", Always),
        member<&TensorInspection::savedTo>("saved_to", IfSet),
        member<&TensorInspection::recovered>("recovered", IfSet)};
    return {{}, {}, kMembers};
}

namespace protocol {

JsonType<Inspect> jsonType(Of<Inspect> /*type*/) {
    static constexpr JsonMember<Inspect> kMembers[]{member<&Inspect::role, StatisticsRole>("role", Required),
                                                    member<&Inspect::layer>("layer", Required),
                                                    member<&Inspect::saveTo>("save_to", IfSet)};
    return {"inspect", {}, kMembers};
}

JsonType<TimeEinsum> jsonType(Of<TimeEinsum> /*type*/) {
    static constexpr JsonMember<TimeEinsum> kMembers[]{
        member<&TimeEinsum::expression>("expression", Required),
        member<&TimeEinsum::dtype, Named<kDtypeNames>>("dtype", Required),
        member<&TimeEinsum::sizes, Sizes>("sizes", Required)};
    return {"time_einsum", {}, kMembers};
}

JsonType<TensorValues> jsonType(Of<TensorValues> /*type*/) {
    static constexpr JsonMember<TensorValues> kMembers[]{inlined<&TensorValues::inspection>()};
    return {"tensor_values", {}, kMembers};
}

JsonType<EinsumTimed> jsonType(Of<EinsumTimed> /*type*/) {
    static constexpr JsonMember<EinsumTimed> kMembers[]{
        member<&EinsumTimed::expression>("expression", Required),
        member<&EinsumTimed::median>("seconds", Required),
        member<&EinsumTimed::fastest>("fastest_seconds", Required),
        member<&EinsumTimed::runs, Whole<1>>("runs", Required),
        member<&EinsumTimed::implementation>("implementation", Always),
        member<&EinsumTimed::machine>("machine", Always)};
    return {"einsum_timed", {}, kMembers};
}

}  // namespace protocol
}  // namespace plumb

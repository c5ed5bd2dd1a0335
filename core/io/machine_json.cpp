// SPDX-License-Identifier: Apache-2.0
#include "core/io/cost_tables_json.h"
#include "core/io/snapshot_json.h"
#include "core/plan/library_scratch.h"

namespace plumb {

using nlohmann::json;

namespace {

/// A rate of zero is what a driver says that does not know it.
json rateJson(std::optional<double> value) { return value && *value <= 0 ? json() : numberJson(value); }

}  // namespace

json toJson(const Machine& machine) {
    json peaks = json::object();
    for (const auto& [dtype, value] : machine.peakFlopPerSecond)
        peaks[std::string(dtypeName(dtype))] = rateJson(value);
    json result{{"id", machine.id},
                {"name", machine.name},
                {"backend", machine.backend},
                {"memory_bytes", countJson(machine.memoryBytes)},
                {"bandwidth_bytes_per_s", rateJson(machine.bandwidthBytesPerSecond)},
                {"peak_flop_per_s", std::move(peaks)},
                {"per_op_overhead_s", numberJson(machine.perOpOverhead)},
                {"source", machine.source}};
    // Since 0.3, for planning; a machine without them is written as before.
    if (machine.linkBytesPerSecond) result["link_bytes_per_s"] = rateJson(machine.linkBytesPerSecond);
    if (!machine.linkName.empty()) result["link_name"] = machine.linkName;
    if (machine.powerWatts) result["power_w"] = rateJson(machine.powerWatts);
    if (machine.dollarsPerHour) result["dollars_per_hour"] = rateJson(machine.dollarsPerHour);
    if (!machine.measuredMatmulFlopPerSecond.empty()) {
        json measured = json::object();
        for (const auto& [dtype, value] : machine.measuredMatmulFlopPerSecond)
            measured[std::string(dtypeName(dtype))] = rateJson(value);
        result["measured_matmul_flop_per_s"] = std::move(measured);
    }
    if (machine.computeCapability) result["compute_capability"] = *machine.computeCapability;
    if (machine.costs) result["costs"] = toJson(*machine.costs);
    if (machine.checked) result["prediction_check"] = toJson(*machine.checked);
    return result;
}

namespace {

/// Rates by dtype. Dtypes that this version does not know are passed over, like other unknown fields.
std::vector<std::pair<Dtype, double>> readRates(const JsonField& field) {
    std::vector<std::pair<Dtype, double>> rates;
    if (field.isNull() || !field.expectObject()) return rates;
    for (const Dtype dtype : kAllDtypes) {
        const JsonField entry = field[dtypeName(dtype)];
        const auto value = entry.numberOrNull();
        if (value == 0.0)
            entry.fail("is zero");
        else if (value)
            rates.emplace_back(dtype, *value);
    }
    return rates;
}

}  // namespace

Machine readMachine(const JsonField& field) {
    Machine machine;
    if (!field.expectObject()) return machine;
    machine.id = field["id"].textOr("");
    machine.name = field["name"].text();
    machine.backend = field["backend"].textOr("");
    if (const auto capability = field["compute_capability"].countOrNull()) {
        if (*capability < 10 || *capability > 1000)
            field["compute_capability"].fail("is out of range");
        else
            machine.computeCapability = static_cast<int>(*capability);
    }
    machine.memoryBytes = field["memory_bytes"].countOrNull();
    machine.bandwidthBytesPerSecond = field["bandwidth_bytes_per_s"].numberOrNull();
    machine.perOpOverhead = field["per_op_overhead_s"].numberOrNull();
    machine.source = field["source"].textOr("");
    const JsonField costs = field["costs"];
    machine.costs = readCosts(costs);
    const JsonField checked = field["prediction_check"];
    machine.checked = readPredictionRecord(checked);
    machine.linkBytesPerSecond = field["link_bytes_per_s"].numberOrNull();
    machine.linkName = field["link_name"].textOr("");
    machine.powerWatts = field["power_w"].numberOrNull();
    machine.dollarsPerHour = field["dollars_per_hour"].numberOrNull();
    const auto refuseZero = [&](std::optional<double> value, std::string_view key) {
        if (value == 0.0) field[key].fail("is zero");
    };
    refuseZero(machine.bandwidthBytesPerSecond, "bandwidth_bytes_per_s");
    refuseZero(machine.linkBytesPerSecond, "link_bytes_per_s");
    refuseZero(machine.powerWatts, "power_w");
    refuseZero(machine.dollarsPerHour, "dollars_per_hour");

    const JsonField peaks = field["peak_flop_per_s"];
    machine.peakFlopPerSecond = readRates(peaks);
    const JsonField measured = field["measured_matmul_flop_per_s"];
    machine.measuredMatmulFlopPerSecond = readRates(measured);
    return machine;
}

Result<Machine> machineFromJson(const json& document) {
    return readWhole<Machine>(document, "machine", readMachine);
}

json toJson(const BackendTraits& traits) {
    return json{{"backend", traits.backend},
                {"casts_products", traits.castsProducts},
                {"library_scratch_bytes", traits.libraryScratchBytes},
                {"library_scratch_per_byte", numberJson(traits.libraryScratchPerByte)},
                {"library_scratch_base_bytes", traits.libraryScratchBase},
                {"shared_scratch_bytes", traits.sharedScratchBytes},
                {"head_parts", traits.headParts},
                {"adafactor_rows", traits.adafactorRows},
                {"relu_masks", traits.reluMasks},
                {"casts_fp8_results", traits.castsFp8Results},
                {"transposes_fp8", traits.transposesFp8},
                {"fp8_multiple", traits.fp8Multiple},
                {"lacks_fp8", traits.lacksFp8},
                {"records_steps", traits.recordsSteps},
                {"emulates_tf32", traits.emulatesTf32},
                {"emulates_fp8", traits.emulatesFp8},
                {"multiplies_bf16", traits.multipliesBf16}};
}

BackendTraits readTraits(const JsonField& field) {
    BackendTraits traits;
    if (!field.expectObject()) return traits;
    traits.backend = field["backend"].text();
    // Until 0.2 the field told of bf16, the only format that was cast.
    const JsonField casts = field["casts_products"];
    traits.castsProducts = casts.isNull() ? field["casts_bf16_products"].boolean() : casts.boolean();
    traits.libraryScratchBytes = field["library_scratch_bytes"].count();
    traits.libraryScratchPerByte = field["library_scratch_per_byte"].number();
    traits.libraryScratchBase = field["library_scratch_base_bytes"].count();
    // Since 0.2, like the formats themselves.
    const auto flag = [&](std::string_view name) { return !field[name].isNull() && field[name].boolean(); };
    traits.reluMasks = flag("relu_masks");
    traits.castsFp8Results = flag("casts_fp8_results");
    traits.transposesFp8 = flag("transposes_fp8");
    traits.lacksFp8 = flag("lacks_fp8");
    traits.recordsSteps = flag("records_steps");
    if (const JsonField shared = field["shared_scratch_bytes"]; !shared.isNull())
        traits.sharedScratchBytes = shared.count();
    if (const JsonField parts = field["head_parts"]; !parts.isNull()) traits.headParts = parts.count();
    if (const JsonField rows = field["adafactor_rows"]; !rows.isNull()) traits.adafactorRows = rows.count();
    if (const JsonField multiple = field["fp8_multiple"]; !multiple.isNull())
        traits.fp8Multiple = multiple.count();
    traits.emulatesTf32 = flag("emulates_tf32");
    traits.emulatesFp8 = flag("emulates_fp8");
    traits.multipliesBf16 = flag("multiplies_bf16");
    if (!field.ok()) return traits;
    if (const auto possible = checkTraits(traits); !possible.has_value())
        field.fail("are impossible: " + possible.error().text());
    return traits;
}

Result<BackendTraits> traitsFromJson(const json& document) {
    return readWhole<BackendTraits>(document, "traits", readTraits);
}

}  // namespace plumb

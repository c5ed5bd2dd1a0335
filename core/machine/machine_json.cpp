// SPDX-License-Identifier: Apache-2.0
#include "core/machine/machine_json.h"

#include "core/io/json_values.h"
#include "core/machine/cost_tables_json.h"

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

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "core/base/quantity.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/machine/machine_json.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>

namespace plumb::cli {

namespace {

std::string peakText(const Machine& machine, Dtype dtype) {
    const auto peak = machine.peak(dtype);
    return peak ? formatQuantity(*peak, "FLOP/s") : "–";
}

Result<void> runDevices(const Arguments& arguments) {
    const std::vector<protocol::DeviceEntry> devices = listDevices();
    if (arguments.json()) {
        nlohmann::json list = nlohmann::json::array();
        for (const protocol::DeviceEntry& device : devices) {
            nlohmann::json entry = toJson(device.target.machine);
            entry["available"] = device.available;
            entry["reason"] = device.available ? nlohmann::json() : nlohmann::json(device.reason);
            entry["counters_absent"] =
                device.counters.available() ? nlohmann::json() : nlohmann::json(device.counters.absent);
            list.push_back(std::move(entry));
        }
        return print(dumpJson(list, 1) + "\n");
    }
    Table table(4);
    table.add({"Device", "--device", "backend", "state", "memory", "fp32", "bf16", "bandwidth"});
    for (const protocol::DeviceEntry& device : devices) {
        const Machine& machine = device.target.machine;
        table.add({machine.name, machine.index ? std::to_string(*machine.index) : "–", machine.backend,
                   device.available ? machine.source : "not available: " + device.reason,
                   machine.memoryBytes ? bytesText(*machine.memoryBytes) : "–",
                   peakText(machine, Dtype::Fp32), peakText(machine, Dtype::Bf16),
                   machine.bandwidthBytesPerSecond ? formatQuantity(*machine.bandwidthBytesPerSecond, "B/s")
                                                   : "–"});
    }
    std::string text = table.text();
    for (const protocol::DeviceEntry& device : devices)
        if (!device.target.machine.uuid.empty())
            text += fmt::format("{}: {}\n", *device.target.machine.index, device.target.machine.uuid);
    for (const protocol::DeviceEntry& device : devices) {
        const Machine& machine = device.target.machine;
        if (!machine.copies) continue;
        text += fmt::format("{}: copies ({})\n", *machine.index, copySource(*machine.copies));
        for (const CopyLine& line : copyLines(machine))
            text += fmt::format("   {}: {}\n", line.label, line.value);
    }
    for (const protocol::DeviceEntry& device : devices)
        if (device.target.machine.checked)
            text += fmt::format("{}: {}\n", device.target.machine.name,
                                plumb::text(*device.target.machine.checked));
    return print(text);
}

}  // namespace

CommandSpec devicesCommand() {
    return CommandSpec{
        .name = "devices",
        .help = "backends and devices of this machine; an unavailable one says why (data sheets: device)",
        .run = runDevices};
}

}  // namespace plumb::cli

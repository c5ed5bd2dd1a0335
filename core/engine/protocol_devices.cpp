// SPDX-License-Identifier: Apache-2.0
// The list of devices, and what each lets itself be counted.
#include "core/engine/protocol_json.h"
#include "core/io/json_names.h"
#include "core/machine/machine_json.h"
#include "core/model/names.h"
#include "core/plan/traits_json.h"

namespace plumb::protocol {

namespace {

using nlohmann::json;

json countersJson(const CounterSupport& support) {
    if (!support.available()) return {{"absent", support.absent}};
    json passes = json::array();
    for (const CounterSupport::Passes& entry : support.passes)
        passes.push_back({{"precision", kPrecisionNames.name(entry.precision)},
                          {"detail", detailName(entry.detail)},
                          {"passes", entry.passes}});
    return {{"absent", ""},
            {"chip", support.chip},
            {"ranges_at_once", support.rangesAtOnce},
            {"passes", std::move(passes)}};
}

CounterSupport::Passes readPasses(const JsonField& entry) {
    CounterSupport::Passes passes;
    const JsonField precision = entry["precision"], detail = entry["detail"];
    passes.precision = readName(precision, kPrecisionNames);
    const auto read = counterDetailFromName(detail.text());
    if (read.has_value())
        passes.detail = *read;
    else if (entry.ok())
        detail.fail("is no amount of counters: " + read.error().hint);
    passes.passes = entry["passes"].count(1);
    return passes;
}

CounterSupport readCounters(const JsonField& field) {
    CounterSupport support;
    if (field.isNull()) return support;
    support.absent = field["absent"].textOr("");
    support.chip = field["chip"].textOr("");
    if (!support.available()) return support;
    support.rangesAtOnce = field["ranges_at_once"].count(1);
    const JsonField passes = field["passes"];
    const std::size_t size = passes.arraySize();
    for (std::size_t i = 0; i < size && field.ok(); ++i) {
        const JsonField entry = passes.at(i);
        support.passes.push_back(readPasses(entry));
    }
    return support;
}

}  // namespace

json fieldsOf(const DeviceList& list) {
    json devices = json::array();
    for (const DeviceEntry& entry : list.devices)
        devices.push_back(json{{"machine", toJson(entry.target.machine)},
                               {"available", entry.available},
                               {"reason", entry.reason},
                               {"traits", toJson(entry.target.traits)},
                               {"counters", countersJson(entry.counters)}});
    return {{"devices", std::move(devices)}};
}

DeviceList readDevices(const JsonField& message) {
    DeviceList list;
    const JsonField devices = message["devices"];
    const std::size_t size = devices.arraySize();
    for (std::size_t i = 0; i < size && message.ok(); ++i) {
        const JsonField entry = devices.at(i);
        DeviceEntry device;
        device.target.machine = readJson<Machine>(entry["machine"]);
        device.available = entry["available"].boolean();
        device.reason = entry["reason"].textOr("");
        device.target.traits = readJson<BackendTraits>(entry["traits"]);
        device.counters = readCounters(entry["counters"]);
        list.devices.push_back(std::move(device));
    }
    return list;
}

}  // namespace plumb::protocol

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/machine_json.h"
#include "core/model/config_json.h"
#include "core/plan/traits_json.h"
#include "core/snapshot/snapshot.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// What the lists of a session in a snapshot have in common (its runs, measurements and curves): an entry has
// a configuration and a machine, and those of what ran have traits and their place in time.
namespace plumb {

/// Machine of an entry that ran, or of a curve, which is of a machine alone.
template <class Entry>
[[nodiscard]] auto& machineOf(Entry& entry) {
    if constexpr (requires { entry.target; })
        return entry.target.machine;
    else
        return entry.machine;
}

/// The common fields of an entry, to be completed. `machine` is toJson(snapshot.target.machine); a machine or
/// traits that are the snapshot's own are null.
template <class Entry>
[[nodiscard]] nlohmann::json entryJson(const Entry& entry, const Snapshot& snapshot,
                                       const nlohmann::json& machine) {
    nlohmann::json own = toJson(machineOf(entry));
    if (own == machine) own = nullptr;
    nlohmann::json object{{"config", toJson(entry.config)}, {"machine", std::move(own)}};
    if constexpr (requires { entry.target; }) {
        object["traits"] =
            entry.target.traits == snapshot.target.traits ? nlohmann::json() : toJson(entry.target.traits);
        object["is_newer"] = entry.isNewer;
    }
    return object;
}

/// The entries of a list; `readRest(field, entry)` reads what the common fields are not, if those are usable.
/// `snapshot` has machine and traits already. Null, as in files of before: none. More than `most` are a
/// problem of the field.
template <class Entry, class ReadRest>
[[nodiscard]] std::vector<Entry> readEntries(const JsonField& field, std::size_t most,
                                             const Snapshot& snapshot, ReadRest readRest) {
    std::vector<Entry> list;
    if (!field.ok() || field.isNull()) return list;
    const std::size_t count = field.arraySize();
    if (count > most) {
        field.fail("has " + std::to_string(count) + " entries, and " + std::to_string(most) + " is the most");
        return list;
    }
    for (std::size_t i = 0; i < count && field.ok(); ++i) {
        const JsonField from = field.at(i);
        if (!from.expectObject()) break;
        Entry entry;
        const JsonField config = from["config"], machine = from["machine"];
        entry.config = readConfig(config);
        if (field.ok())
            if (const auto valid = validate(entry.config); !valid.has_value())
                config.fail("cannot be used: " + valid.error().text());
        machineOf(entry) = machine.isNull() ? snapshot.target.machine : readJson<Machine>(machine);
        if constexpr (requires { entry.target; }) {
            const JsonField traits = from["traits"], newer = from["is_newer"];
            entry.target.traits = traits.isNull() ? snapshot.target.traits : readJson<BackendTraits>(traits);
            entry.isNewer = !newer.isNull() && newer.boolean();
        }
        if (field.ok()) readRest(from, entry);
        list.push_back(std::move(entry));
    }
    return list;
}

}  // namespace plumb

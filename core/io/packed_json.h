// SPDX-License-Identifier: Apache-2.0
// Columns of numbers that repeat themselves, as those of a deep network do: its layers cost the same.
#pragma once

#include "core/io/json_type.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plumb {

/// The differences from value to value, the first from 0; [PERIOD, COUNT] in their place says that the last
/// PERIOD differences go on for COUNT more. 0 1 2 3 4 5 becomes [0, 1, [1, 4]].
[[nodiscard]] nlohmann::json packedJson(std::span<const std::int64_t> values);
/// The way back, of exactly `count` values that are 0 or more; a problem otherwise. Memory is taken for what
/// is there, never for what the text promises beyond `count`.
[[nodiscard]] std::vector<std::int64_t> readPacked(const JsonField& field, std::size_t count);
[[nodiscard]] nlohmann::json packedSchema(nlohmann::json& definitions);

/// Cells as a list or, where few differ, {"values": those that do, "index": which, packed}.
[[nodiscard]] nlohmann::json columnJson(const std::vector<nlohmann::json>& cells);
/// Calls `take(i, cell)` for each of `count` cells.
template <class Take>
void readColumn(const JsonField& field, std::size_t count, const Take& take) {
    if (field.json() == nullptr || !field.json()->is_object()) {
        if (const std::size_t size = field.arraySize(); field.ok() && size != count)
            field.fail("has " + std::to_string(size) + " entries, and " + std::to_string(count) +
                       " are needed");
        for (std::size_t i = 0; i < count && field.ok(); ++i) take(i, field.at(i));
        return;
    }
    const JsonField values = field["values"], index = field["index"];
    const std::size_t size = values.arraySize();
    const std::vector<std::int64_t> places = readPacked(index, count);
    for (std::size_t i = 0; i < count && field.ok(); ++i) {
        if (places[i] >= static_cast<std::int64_t>(size))
            index.fail("points beyond its " + std::to_string(size) + " values");
        else
            take(i, values.at(static_cast<std::size_t>(places[i])));
    }
}
[[nodiscard]] nlohmann::json cellsSchema(nlohmann::json& definitions);

/// Values in columns, the fields of all of them under one key. The reader is given as many values as there
/// are; a column of a field that was added later may be missing, and so may a cell of one that is not
/// required.
template <class Value>
void writeColumns(std::span<const JsonMember<Value>> fields, const std::vector<Value>& values,
                  nlohmann::json& object) {
    for (const JsonMember<Value>& each : fields) {
        std::vector<nlohmann::json> cells;
        cells.reserve(values.size());
        for (const Value& value : values) cells.push_back(each.write(value));
        object[std::string(each.key)] = columnJson(cells);
    }
}
template <class Value>
void readColumns(const JsonField& field, std::span<const JsonMember<Value>> fields,
                 std::vector<Value>& values) {
    for (const JsonMember<Value>& each : fields) {
        const JsonField column = field[each.key];
        if (!field.ok()) return;
        if (each.presence == Presence::Added && column.isNull()) continue;
        readColumn(column, values.size(), [&](std::size_t i, const JsonField& cell) {
            if (each.presence == Presence::Required || !cell.isNull()) each.read(cell, values[i]);
        });
    }
}
/// Adds the columns to the schema of an object.
template <class Value>
void describeColumns(std::span<const JsonMember<Value>> fields, nlohmann::json& definitions,
                     nlohmann::json& object) {
    for (const JsonMember<Value>& each : fields) {
        object["properties"][std::string(each.key)] = cellsSchema(definitions);
        if (each.presence != Presence::Added) object["required"].push_back(each.key);
    }
}

}  // namespace plumb

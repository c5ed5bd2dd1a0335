// SPDX-License-Identifier: Apache-2.0
// Columns of numbers that repeat themselves, as those of a deep network do: its layers cost the same.
#pragma once

#include "core/io/json_fields.h"

#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

/// The differences from value to value, the first from 0; [PERIOD, COUNT] in their place says that the last
/// PERIOD differences go on for COUNT more. 0 1 2 3 4 5 becomes [0, 1, [1, 4]].
[[nodiscard]] nlohmann::json packedJson(std::span<const std::int64_t> values);
/// The way back, of exactly `count` values that are 0 or more; a problem otherwise. Memory is taken for what
/// is there, never for what the text promises beyond `count`.
[[nodiscard]] std::vector<std::int64_t> readPacked(const JsonField& field, std::size_t count);

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

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/io/packed_json.h"

#include <algorithm>
#include <unordered_map>

namespace plumb {

namespace {

using nlohmann::json;

/// A layer of the backward pass has three ops at most, in the memory curve as in the list of ops.
constexpr std::size_t kLongestPeriod = 8;
/// Shorter repeats take no more room as they are.
constexpr std::size_t kShortestRepeat = 4;

/// Wraps around, so that it is there for any two values.
std::int64_t difference(std::int64_t to, std::int64_t from) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

json packedJson(std::span<const std::int64_t> values) {
    std::vector<std::int64_t> steps(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        steps[i] = difference(values[i], i > 0 ? values[i - 1] : 0);
    json packed = json::array();
    for (std::size_t i = 0; i < steps.size();) {
        std::size_t longest = 0, best = 0;
        for (std::size_t period = 1; period <= std::min(i, kLongestPeriod); ++period) {
            std::size_t length = 0;
            while (i + length < steps.size() && steps[i + length] == steps[i + length - period]) ++length;
            if (length > longest) {
                longest = length;
                best = period;
            }
        }
        if (longest >= kShortestRepeat) {
            packed.push_back(json::array({best, longest}));
            i += longest;
        } else {
            packed.push_back(steps[i++]);
        }
    }
    return packed;
}

std::vector<std::int64_t> readPacked(const JsonField& field, std::size_t count) {
    std::vector<std::int64_t> steps;
    steps.reserve(count);
    const std::size_t size = field.arraySize();
    for (std::size_t i = 0; i < size && field.ok(); ++i) {
        const JsonField item = field.at(i);
        const auto room = static_cast<std::int64_t>(count - steps.size());
        if (room == 0) {
            item.fail("is beyond the " + std::to_string(count) + " values that there are");
        } else if (item.json()->is_array() && item.arraySize() == 2) {
            const JsonField periodField = item.at(0), lengthField = item.at(1);
            const std::int64_t period = periodField.count(1, static_cast<std::int64_t>(steps.size()));
            const std::int64_t length = lengthField.count(1, room);
            for (std::int64_t n = 0; n < length && field.ok(); ++n)
                steps.push_back(steps[steps.size() - static_cast<std::size_t>(period)]);
        } else {
            steps.push_back(item.integer());
        }
    }
    if (field.ok() && steps.size() != count)
        field.fail("has " + std::to_string(steps.size()) + " values, and " + std::to_string(count) +
                   " are needed");
    steps.resize(count);
    std::int64_t value = 0;
    for (std::int64_t& step : steps) {
        value = sum(value, step);
        step = value;
        if (value < 0 && field.ok()) field.fail("has a negative value");
    }
    return steps;
}

json packedSchema(json& definitions) {
    return namedSchema("packed", definitions, [&] {
        json repeat{
            {"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", Whole<1>::schema(definitions)}};
        return json{{"type", "array"},
                    {"description",
                     "Whole numbers from 0 on as differences, each to the one before it and the first to 0. "
                     "[PERIOD, COUNT] among them: the last PERIOD differences go on for COUNT more."},
                    {"items", {{"oneOf", {Signed::schema(definitions), std::move(repeat)}}}}};
    });
}

json cellsSchema(json& definitions) {
    return namedSchema("cells", definitions, [&] {
        json few{{"type", "object"},
                 {"required", {"values", "index"}},
                 {"properties", {{"values", {{"type", "array"}}}, {"index", packedSchema(definitions)}}}};
        return json{{"description",
                     "One for each op or tensor, as a list; where few differ, as those that do "
                     "and the index of each one's"},
                    {"oneOf", {{{"type", "array"}}, std::move(few)}}};
    });
}

json columnJson(const std::vector<json>& cells) {
    std::unordered_map<std::string, std::int64_t> known;
    json values = json::array();
    std::vector<std::int64_t> index;
    index.reserve(cells.size());
    for (const json& cell : cells) {
        const auto [place, fresh] = known.emplace(cell.dump(), static_cast<std::int64_t>(known.size()));
        if (fresh) values.push_back(cell);
        index.push_back(place->second);
        if (known.size() > cells.size() / 2) return cells;
    }
    return json{{"values", std::move(values)}, {"index", packedJson(index)}};
}

}  // namespace plumb

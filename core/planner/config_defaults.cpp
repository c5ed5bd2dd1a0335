// SPDX-License-Identifier: Apache-2.0
#include "core/planner/config_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb {

extern const std::string_view configDefaultsJson;  // generated from resources/config_defaults.json

namespace planner {

namespace {

const nlohmann::json& tables() {
    // The build embeds it, and the tests read all of it: that it can be parsed is no question here.
    static const nlohmann::json parsed = nlohmann::json::parse(configDefaultsJson, nullptr, false);
    return parsed;
}

/// Null for what is not there.
const nlohmann::json* find(const nlohmann::json& object, std::string_view key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

std::string_view textOf(const nlohmann::json* value) {
    return value == nullptr ? std::string_view() : std::string_view(value->get_ref<const std::string&>());
}

}  // namespace

ClassDefaults classDefaultsOf(std::string_view family) {
    const nlohmann::json* const entry = find(tables()["classes"], family);
    if (entry == nullptr) return {};
    return {.name = textOf(find(*entry, "class")), .sizes = find(*entry, "defaults")};
}

std::string_view classDefaultsFrom() { return textOf(find(tables(), "made_by")); }

std::string_view textFamilyOf(std::string_view type) { return textOf(find(tables()["parts"], type)); }

bool hasFlatTextPart(std::string_view type) {
    const nlohmann::json& flat = tables()["flat"];
    return std::any_of(flat.begin(), flat.end(),
                       [&](const nlohmann::json& each) { return textOf(&each) == type; });
}

}  // namespace planner

}  // namespace plumb

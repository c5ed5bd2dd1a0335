// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_json.h"

namespace plumb {

namespace {

using nlohmann::json;

/// The option as JSON: switches as booleans, numbers as numbers, everything else as text. File names stay
/// text even when they look like a number.
json optionJson(const RunConfig& config, std::string_view name) {
    const std::string text = optionValue(config, name);
    if (name == "data" || name == "targets") return text;
    if (text == "on" || text == "off") return text == "on";
    json number = json::parse(text, nullptr, false);
    return number.is_number() ? number : json(text);
}

std::string optionText(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
    return value.dump();
}

}  // namespace

json toJson(const RunConfig& config) {
    json result = json::object();
    for (const OptionInfo& option : runOptions())
        if (optionApplies(config, option.name))
            result[std::string(option.name)] = optionJson(config, option.name);
    return result;
}

RunConfig Json<RunConfig>::read(const JsonField& field) {
    RunConfig config;
    if (!field.expectObject()) return {};
    for (const OptionInfo& option : runOptions()) {
        const JsonField entry = field[option.name];
        if (entry.isNull()) continue;
        if (entry.json()->is_structured()) {
            entry.fail("is neither a text, a number nor a switch");
            return {};
        }
        const auto set = setOption(config, option.name, optionText(*entry.json()));
        if (!set.has_value()) {
            entry.fail("cannot be used: " + set.error().text());
            return {};
        }
    }
    return config;
}

Result<RunConfig> configFromJson(const json& document) {
    JsonField::Problem problem;
    RunConfig config = Json<RunConfig>::read(JsonField(document, "config", problem));
    if (problem) return *std::move(problem);
    return config;
}

RunConfig ValidConfig::read(const JsonField& field) {
    RunConfig config = Json<RunConfig>::read(field);
    if (!field.ok()) return config;
    if (const auto valid = validate(config); !valid.has_value())
        field.fail("cannot be used: " + valid.error().text());
    return config;
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_type.h"

#include "core/base/nearest.h"

#include <fmt/format.h>

namespace plumb {

using nlohmann::json;

json orNull(json schema) {
    const auto type = schema.find("type");
    if (type == schema.end()) return {{"oneOf", {{{"type", "null"}}, std::move(schema)}}};
    if (type->is_string()) *type = json::array({std::move(*type), "null"});
    return schema;
}

void refuseOthers(const JsonField& field, const std::vector<std::string>& known) {
    constexpr std::size_t kMostShown = 60;
    if (field.json() == nullptr) return;
    if (const auto unknown = unknownKeyOf(*field.json(), known)) {
        const std::string nearest = nearestWord(*unknown, known);
        const std::string shown = unknown->substr(0, kMostShown);
        field.fail(nearest.empty() ? fmt::format("has a field that is not known ('{:s}')", shown)
                                   : fmt::format("has a field that is not known ('{:s}'; did you mean {:s}?)",
                                                 shown, nearest));
    }
}

void addProperties(json& schema, const json& more) {
    schema["properties"].update(more.at("properties"));
    if (const auto required = more.find("required"); required != more.end())
        for (const json& key : *required) schema["required"].push_back(key);
}

}  // namespace plumb

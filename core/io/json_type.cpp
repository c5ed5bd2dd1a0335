// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_type.h"

namespace plumb {

using nlohmann::json;

json orNull(json schema) {
    const auto type = schema.find("type");
    if (type == schema.end()) return {{"oneOf", {{{"type", "null"}}, std::move(schema)}}};
    if (type->is_string()) *type = json::array({std::move(*type), "null"});
    return schema;
}

void addProperties(json& schema, const json& more) {
    schema["properties"].update(more.at("properties"));
    if (const auto required = more.find("required"); required != more.end())
        for (const json& key : *required) schema["required"].push_back(key);
}

}  // namespace plumb

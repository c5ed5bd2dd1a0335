// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/io/json_type.h"
#include "core/plan/step.h"

#include <string>

namespace plumb {

/// Bytes by category as an object. A category that is not named has no bytes.
struct Categories {
    static nlohmann::json write(const CategoryBytes& bytes) {
        nlohmann::json result = nlohmann::json::object();
        for (const auto& [category, name] : kCategoryNames) result[std::string(name)] = bytes[category];
        return result;
    }
    static CategoryBytes read(const JsonField& field) {
        CategoryBytes bytes{};
        if (!field.expectObject()) return bytes;
        Bytes sum = 0;
        for (const auto& [category, name] : kCategoryNames) {
            const JsonField entry = field[name];
            const Bytes value = entry.isNull() ? 0 : entry.count();
            bytes[category] = value;
            sum = addOrOverflow(sum, value);
            if (sum < 0) {
                field.fail("adds up to more than 63 bits can count");
                return {};
            }
        }
        return bytes;
    }
    static nlohmann::json schema(nlohmann::json& definitions) {
        return namedSchema("categories", definitions, [&] {
            nlohmann::json result{{"type", "object"}, {"description", "Bytes by what they are for"}};
            for (const auto& [category, name] : kCategoryNames) {
                result["properties"][std::string(name)] = Whole<>::schema(definitions);
                if (isInEveryFile(category)) result["required"].push_back(name);
            }
            return result;
        });
    }
};

}  // namespace plumb

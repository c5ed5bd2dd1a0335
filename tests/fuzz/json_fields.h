// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::fuzz {

/// An input that is or holds a JSON document: alone, behind an empty line, behind eight bytes, or behind
/// eight bytes with its length and before other content (safetensors).
struct JsonInput {
    std::string before;
    nlohmann::json document;
    std::string after;
    bool hasLength = false;

    [[nodiscard]] static std::optional<JsonInput> of(std::string_view input);
    [[nodiscard]] std::string text() const;
};

/// Every place of a document but its root: each field of an object; of an array the first two and the last.
[[nodiscard]] std::vector<nlohmann::json::json_pointer> placesOf(const nlohmann::json& document);

/// Values that readers must survive in any place: of every type, at and beyond the ends of every number type.
[[nodiscard]] std::span<const nlohmann::json> hostileValues();

/// Takes the field at `place` out of `document`.
void removeField(nlohmann::json& document, const nlohmann::json::json_pointer& place);

/// Gives a field that is drawn a hostile value, that of another field, or none. False: there is no field.
bool changeField(nlohmann::json& document, std::minstd_rand& random);

}  // namespace plumb::fuzz

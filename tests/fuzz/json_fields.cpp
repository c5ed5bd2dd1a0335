// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/json_fields.h"

#include <array>
#include <cstdint>

namespace plumb::fuzz {
namespace {

using nlohmann::json;

constexpr std::size_t kPrefix = 8;

std::uint64_t littleEndian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = kPrefix; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
    return value;
}

std::string littleEndian(std::uint64_t value) {
    std::string bytes;
    for (std::size_t i = 0; i < kPrefix; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
    return bytes;
}

void collect(const json& value, const json::json_pointer& place, std::vector<json::json_pointer>& places) {
    if (!place.empty()) places.push_back(place);
    if (value.is_object())
        for (const auto& [key, child] : value.items()) collect(child, place / key, places);
    if (!value.is_array()) return;
    for (std::size_t i = 0; i < value.size(); ++i)
        if (i < 2 || i + 1 == value.size()) collect(value[i], place / i, places);
}

}  // namespace

std::optional<JsonInput> JsonInput::of(std::string_view input) {
    JsonInput result;
    constexpr std::string_view kEmptyLine = "\n\n{";
    if (const std::size_t at = input.find(kEmptyLine);
        !input.starts_with('{') && at != std::string_view::npos) {
        result.before = input.substr(0, at + kEmptyLine.size() - 1);
        input.remove_prefix(result.before.size());
    } else if (!input.starts_with('{')) {
        if (input.size() <= kPrefix || input[kPrefix] != '{') return std::nullopt;
        const std::uint64_t length = littleEndian(input);
        result.before = input.substr(0, kPrefix);
        input.remove_prefix(kPrefix);
        result.hasLength = length <= input.size();
        if (result.hasLength) {
            result.after = input.substr(length);
            input = input.substr(0, length);
        }
    }
    result.document = json::parse(input, nullptr, false);
    if (result.document.is_discarded()) return std::nullopt;
    return result;
}

std::string JsonInput::text() const {
    const std::string json = document.dump(-1, ' ', false, json::error_handler_t::replace);
    return (hasLength ? littleEndian(json.size()) : before) + json + after;
}

std::vector<json::json_pointer> placesOf(const json& document) {
    std::vector<json::json_pointer> places;
    collect(document, json::json_pointer(), places);
    return places;
}

std::span<const json> hostileValues() {
    static const std::vector<json> values{
        -1,
        0,
        1,
        2,
        0.5,
        1e308,
        -1e308,
        1e19,
        1e18,
        4e18,
        INT64_MAX,
        INT64_MIN,
        UINT64_MAX,
        INT32_MAX,
        INT64_C(2147483648),
        INT64_C(4294967296),
        5e-324,
        1e-300,
        nullptr,
        "",
        json::array(),
        json::object(),
        true,
        "x",
        std::string(1, '\0'),
        std::string(300, 'a'),
        "\xc3\x28",
        "<b>&amp;\x1b[31m",
        json::array({1}),
        json::array({nullptr, "x"}),
        json{{"a", 1}},
        INT64_C(1099511627776),
        65536,
        1e15,
        1e-15,
        1e30,
        3.2e9,
    };
    return values;
}

void removeField(json& document, const json::json_pointer& place) {
    json& parent = document.at(place.parent_pointer());
    if (parent.is_object())
        parent.erase(place.back());
    else
        parent.erase(static_cast<std::size_t>(&document.at(place) - &parent.front()));
}

bool changeField(json& document, std::minstd_rand& random) {
    const auto places = placesOf(document);
    if (places.empty()) return false;
    const auto values = hostileValues();
    const auto& place = places[random() % places.size()];
    switch (random() % 4) {
    case 0:
        removeField(document, place);
        break;
    case 1:
        document[place] = json(document.at(places[random() % places.size()]));
        break;
    default:
        document[place] = values[random() % values.size()];
        break;
    }
    return true;
}

}  // namespace plumb::fuzz

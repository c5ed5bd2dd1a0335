// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_fields.h"

#include "core/io/json_inspector.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumb {

Result<nlohmann::json> parseJson(std::string_view text, const std::string& what, std::size_t mostBytes) {
    JsonInspector inspector(what, mostBytes);
    nlohmann::json document;
    PLUMB_CHECK(inspector.inspect(text, {}, document));
    return document;
}

std::optional<std::string> unknownKeyOf(const nlohmann::json& object, const std::vector<std::string>& known) {
    if (!object.is_object()) return std::nullopt;
    for (const auto& [key, value] : object.items())
        if (std::find(known.begin(), known.end(), key) == known.end()) return key;
    return std::nullopt;
}

Error jsonError(const nlohmann::json::exception& problem, std::size_t byte, std::size_t size,
                const std::string& what) {
    constexpr int kNumberOverflow = 406;  // the library's id for a number like 1e999
    // The parser counts from 1 and reports the end of the text as one past it.
    if (byte > size)
        return Error{ErrorCode::BadInput,
                     what + " is truncated: its JSON ends within a value at byte " + std::to_string(size),
                     "copy or write it again"};
    if (problem.id == kNumberOverflow)
        return Error{ErrorCode::BadInput,
                     what + " holds a number that is out of range (at byte " + std::to_string(byte) + ")",
                     "write a number up to 1.8e308"};
    return Error{ErrorCode::BadInput, what + " is not JSON (at byte " + std::to_string(byte) + ")",
                 "check that it is from Plumbline"};
}

std::string dumpJson(const nlohmann::json& json, int indent) {
    return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json numberJson(double value) { return std::isfinite(value) ? nlohmann::json(value) : nullptr; }

JsonField JsonField::operator[](std::string_view key) const& {
    const nlohmann::json* child = nullptr;
    if (m_value != nullptr && m_value->is_object()) {
        const auto& object = m_value->get_ref<const nlohmann::json::object_t&>();
        if (const auto found = object.find(key); found != object.end()) child = &found->second;
    }
    return JsonField(child, *this, key, -1);
}

JsonField JsonField::at(std::size_t index) const& {
    return JsonField(&(*m_value)[index], *this, {}, static_cast<std::int64_t>(index));
}

std::string JsonField::path() const {
    std::string result = m_parent != nullptr ? m_parent->path() : "";
    if (m_index >= 0) return result + "[" + std::to_string(m_index) + "]";
    if (!result.empty() && !m_key.empty()) result += ".";
    return result + std::string(m_key);
}

void JsonField::fail(const std::string& what) const {
    if (ok())
        *m_problem =
            Error{ErrorCode::BadInput, path() + " " + what, "write the file again, or correct this field"};
}

bool JsonField::expect(bool condition, const char* what) const {
    if (!condition) fail(m_value == nullptr ? "is missing" : what);
    return condition;
}

bool JsonField::expectObject() const {
    return expect(m_value != nullptr && m_value->is_object(), "is not an object");
}

std::size_t JsonField::arraySize() const {
    return expect(m_value != nullptr && m_value->is_array(), "is not a list") ? m_value->size() : 0;
}

std::string JsonField::text() const {
    if (!expect(m_value != nullptr && m_value->is_string(), "is not a text")) return "";
    const auto& text = m_value->get_ref<const std::string&>();
    if (text.size() <= kMostTextBytes) return text;
    fail("is a text of " + std::to_string(text.size()) + " bytes, and " + std::to_string(kMostTextBytes) +
         " is the most");
    return "";
}

std::string JsonField::textOr(const std::string& fallback) const { return isNull() ? fallback : text(); }

bool JsonField::boolean() const {
    return expect(m_value != nullptr && m_value->is_boolean(), "is neither true nor false") &&
           m_value->get<bool>();
}

std::int64_t JsonField::count(std::int64_t least, std::int64_t most) const {
    if (!expect(m_value != nullptr && m_value->is_number_integer(), "is not a whole number")) return least;
    const bool tooLarge = m_value->is_number_unsigned() &&
                          m_value->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
    const std::int64_t value = tooLarge ? INT64_MAX : m_value->get<std::int64_t>();
    if (tooLarge || value < least || value > most) {
        fail("is " + m_value->dump() + ", and " + std::to_string(least) + " to " + std::to_string(most) +
             " is possible");
        return least;
    }
    return value;
}

std::optional<std::int64_t> JsonField::countOrNull() const {
    return isNull() ? std::nullopt : std::optional(count());
}

std::int64_t JsonField::integer() const {
    if (!expect(m_value != nullptr && m_value->is_number_integer(), "is not a whole number")) return 0;
    const bool fits = !m_value->is_number_unsigned() ||
                      m_value->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX);
    return expect(fits, "is more than 63 bits can count") ? m_value->get<std::int64_t>() : 0;
}

double JsonField::number() const {
    if (!expect(m_value != nullptr && m_value->is_number(), "is not a number")) return 0;
    const auto value = m_value->get<double>();
    return expect(value >= 0, "is negative") ? value : 0;
}

double JsonField::numberOrNan() const {
    if (isNull()) return std::numeric_limits<double>::quiet_NaN();
    return expect(m_value->is_number(), "is neither a number nor null") ? m_value->get<double>() : 0;
}

std::optional<double> JsonField::numberOrNull() const {
    return isNull() ? std::nullopt : std::optional(number());
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <utility>

namespace plumb::protocol {

namespace {

using nlohmann::json;

/// Listens to the parser instead of letting it build a document, which a hostile line of 64 MB would make
/// gigabytes large.
class HeadingReader final : public nlohmann::json_sax<json> {
public:
    Heading heading;

    bool null() override { return take(); }
    bool boolean(bool /*value*/) override { return take(); }
    bool number_integer(number_integer_t /*negative*/) override { return take(); }
    bool number_unsigned(number_unsigned_t value) override {
        const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
        return take(fits ? static_cast<std::int64_t>(value) : 0);
    }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return take(); }
    bool string(string_t& value) override { return take(0, std::move(value)); }
    bool binary(binary_t& /*value*/) override { return take(); }
    bool start_object(std::size_t /*elements*/) override { return m_depth++ == 0 || takeAt(2); }
    bool start_array(std::size_t /*elements*/) override { return m_depth++ > 0 && takeAt(2); }
    bool end_object() override { return --m_depth >= 0; }
    bool end_array() override { return --m_depth >= 0; }
    bool key(string_t& value) override {
        if (m_depth == 1) m_key = std::move(value);
        return true;
    }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*problem*/) override {
        return false;
    }

private:
    /// False, which ends the reading, for a value that is the whole document.
    bool take(std::int64_t id = 0, std::string text = {}) {
        return m_depth > 0 && takeAt(1, id, std::move(text));
    }
    bool takeAt(int depth, std::int64_t id = 0, std::string text = {}) {
        if (m_depth == depth && m_key == "id") heading.id = id;
        if (m_depth == depth && m_key == "type") heading.type = std::move(text);
        return true;
    }

    int m_depth = 0;
    std::string m_key;  // of the outermost object
};

}  // namespace

Heading headingOf(std::string_view line) {
    HeadingReader reader;
    // Errors reach parse_error() above; the parser throws none for this kind of reader.
    if (!json::sax_parse(line, &reader)) return {};
    return std::move(reader.heading);
}

}  // namespace plumb::protocol

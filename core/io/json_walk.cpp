// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_walk.h"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

namespace plumb {

namespace {

using Visitor = nlohmann::json_sax<nlohmann::json>;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Takes what the fast reader meets to a visitor.
class Events {
public:
    Events(const rapidjson::MemoryStream& stream, const ReadControl& control, Visitor& visitor)
        : m_stream(stream), m_control(control), m_visitor(visitor) {}

    /// Whether the visitor, or who waits for it, ended the walk.
    [[nodiscard]] bool ended() const { return m_ended; }

    // What rapidjson::Reader calls. NOLINTBEGIN(readability-identifier-naming)
    bool Null() {
        return go([this] { return m_visitor.null(); });
    }
    bool Bool(bool value) {
        return go([this, value] { return m_visitor.boolean(value); });
    }
    bool RawNumber(const char* text, std::size_t size, bool /*copy*/) {
        return number(std::string_view(text, size));
    }
    bool String(const char* text, std::size_t size, bool /*copy*/) {
        if (!take(text, size)) return false;
        return go([this] { return m_visitor.string(m_text); });
    }
    bool Key(const char* text, std::size_t size, bool /*copy*/) {
        if (!take(text, size)) return false;
        return go([this] { return m_visitor.key(m_text); });
    }
    bool StartObject() {
        return go([this] { return m_visitor.start_object(kUnknown); });
    }
    bool EndObject(std::size_t /*members*/) {
        return go([this] { return m_visitor.end_object(); });
    }
    bool StartArray() {
        return go([this] { return m_visitor.start_array(kUnknown); });
    }
    bool EndArray(std::size_t /*elements*/) {
        return go([this] { return m_visitor.end_array(); });
    }
    // Not called, since numbers come as text.
    static bool Int(int) { return false; }
    static bool Uint(unsigned) { return false; }
    static bool Int64(std::int64_t) { return false; }
    static bool Uint64(std::uint64_t) { return false; }
    static bool Double(double) { return false; }
    // NOLINTEND(readability-identifier-naming)

private:
    static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
    static constexpr std::size_t kStride = std::size_t{1} << 20U;

    template <class Tell>
    bool go(const Tell& tell) {
        if (m_stream.Tell() >= m_next) {
            m_control.tell(static_cast<double>(m_stream.Tell()) / static_cast<double>(m_stream.size_));
            m_next = m_stream.Tell() + kStride;
            m_ended = m_control.isStopped();
        }
        m_ended = m_ended || !tell();
        return !m_ended;
    }

    bool number(std::string_view text) {
        const char* const begin = text.data();
        const char* const end = begin + text.size();
        const auto isWhole = [end](std::from_chars_result read) {
            return read.ec == std::errc() && read.ptr == end;
        };
        if (std::int64_t value = 0; text.front() == '-' && isWhole(std::from_chars(begin, end, value)))
            return go([this, value] { return m_visitor.number_integer(value); });
        if (std::uint64_t value = 0; text.front() != '-' && isWhole(std::from_chars(begin, end, value)))
            return go([this, value] { return m_visitor.number_unsigned(value); });
        double value = 0;
        if (std::from_chars(begin, end, value).ec != std::errc()) {
            // Too large, or so small that it is rounded to 0 or to less than its digits.
            const nlohmann::json small = nlohmann::json::parse(text, nullptr, false);
            if (!small.is_number()) return false;
            value = small.get<double>();
        }
        m_text = text;
        return go([this, value] { return m_visitor.number_float(value, m_text); });
    }

    /// The reader lets half of a pair of UTF-16 escapes by, which is no text.
    bool take(const char* text, std::size_t size) {
        m_text.assign(text, size);
        for (std::size_t at = m_text.find('\xed'); at != std::string::npos; at = m_text.find('\xed', at + 1))
            if (static_cast<unsigned char>(m_text[at + 1]) >= 0xa0) return false;
        return true;
    }

    const rapidjson::MemoryStream& m_stream;
    const ReadControl& m_control;
    Visitor& m_visitor;
    std::string m_text;
    std::size_t m_next = kStride;
    bool m_ended = false;
};

/// Says what the slow parser finds wrong, and nothing else.
class Complaint final : public Visitor {
public:
    explicit Complaint(Visitor& visitor) : m_visitor(visitor) {}

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t /*value*/) override { return true; }
    bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
    bool string(string_t& /*text*/) override { return true; }
    bool binary(binary_t& /*value*/) override { return true; }
    bool key(string_t& /*text*/) override { return true; }
    bool start_object(std::size_t /*elements*/) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t /*elements*/) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t byte, const std::string& token,
                     const nlohmann::json::exception& problem) override {
        m_told = true;
        return m_visitor.parse_error(byte, token, problem);
    }

    [[nodiscard]] bool told() const { return m_told; }

private:
    Visitor& m_visitor;
    bool m_told = false;
};

void complain(std::string_view text, std::size_t at, Visitor& visitor) {
    Complaint complaint(visitor);
    nlohmann::json::sax_parse(text, &complaint);
    if (complaint.told()) return;
    constexpr int kNumberOverflow = 406;  // the library's id
    visitor.parse_error(at, "", nlohmann::json::out_of_range::create(kNumberOverflow, {}, nullptr));
}

}  // namespace

void walkJson(std::string_view text, const ReadControl& control, Visitor& visitor) {
    control.tell(0);
    if (control.isStopped()) return;
    const std::size_t skipped = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    rapidjson::MemoryStream stream(text.data() + skipped, text.size() - skipped);
    rapidjson::Reader reader;
    Events events(stream, control, visitor);
    constexpr unsigned kFlags = rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag;
    const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, events);
    if (events.ended()) return;
    if (result.IsError()) return complain(text, skipped + result.Offset() + 1, visitor);
    control.tell(1);
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_inspector.h"

#include "core/base/quantity.h"
#include "core/io/json_fields.h"
#include "core/io/json_walk.h"

#include <utility>
#include <vector>

namespace plumb {

namespace {

constexpr const char* kNotOurs = "check that it is from Plumbline";
/// A text of up to so many bytes lies within its object.
constexpr std::size_t kShortText = 15;

/// Puts a document together from what a walk meets and `gate` lets through.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
public:
    Builder(nlohmann::json_sax<nlohmann::json>& gate, nlohmann::json& built) : m_gate(gate), m_built(built) {}

    bool null() override { return m_gate.null() && put(nullptr); }
    bool boolean(bool value) override { return m_gate.boolean(value) && put(value); }
    bool number_integer(number_integer_t value) override {
        return m_gate.number_integer(value) && put(value);
    }
    bool number_unsigned(number_unsigned_t value) override {
        return m_gate.number_unsigned(value) && put(value);
    }
    bool number_float(number_float_t value, const string_t& text) override {
        return m_gate.number_float(value, text) && put(value);
    }
    bool binary(binary_t& value) override {
        return m_gate.binary(value) && put(nlohmann::json::binary(std::move(value)));
    }
    bool string(string_t& text) override { return m_gate.string(text) && put(std::move(text)); }
    bool key(string_t& text) override {
        if (!m_gate.key(text)) return false;
        m_key = std::move(text);
        return true;
    }
    bool start_object(std::size_t elements) override {
        return m_gate.start_object(elements) && open(nlohmann::json::object());
    }
    bool start_array(std::size_t elements) override {
        return m_gate.start_array(elements) && open(nlohmann::json::array());
    }
    bool end_object() override { return m_gate.end_object() && close(); }
    bool end_array() override { return m_gate.end_array() && close(); }
    bool parse_error(std::size_t byte, const std::string& token,
                     const nlohmann::json::exception& problem) override {
        return m_gate.parse_error(byte, token, problem);
    }

private:
    nlohmann::json& place(nlohmann::json&& value) {
        if (m_open.empty()) return m_built = std::move(value);
        nlohmann::json& into = *m_open.back();
        if (into.is_object()) return into[m_key] = std::move(value);
        into.push_back(std::move(value));
        return into.back();
    }
    bool put(nlohmann::json&& value) {
        place(std::move(value));
        return true;
    }
    bool open(nlohmann::json&& value) {
        m_open.push_back(&place(std::move(value)));
        return true;
    }
    bool close() {
        m_open.pop_back();
        return true;
    }

    nlohmann::json_sax<nlohmann::json>& m_gate;
    nlohmann::json& m_built;
    std::vector<nlohmann::json*> m_open;  ///< from the outermost in; none moves while one within it is open
    std::string m_key;
};

std::size_t bytesOf(const std::string& text) { return text.size() > kShortText ? text.size() + 17 : 0; }

}  // namespace

Result<void> JsonInspector::inspect(std::string_view text, const ReadControl& control, json_sax& visitor) {
    m_size = text.size();
    // Parsers take a zero byte for the end of the text and what follows for nothing.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        return Error{ErrorCode::BadInput,
                     m_what + " is not JSON (a zero at byte " + std::to_string(zero + 1) + ")", kNotOurs};
    walkJson(text, control, visitor);
    if (m_problem) return *std::move(m_problem);
    return {};
}

Result<void> JsonInspector::inspect(std::string_view text, const ReadControl& control) {
    return inspect(text, control, *this);
}

Result<void> JsonInspector::inspect(std::string_view text, const ReadControl& control,
                                    nlohmann::json& built) {
    Builder builder(*this, built);
    return inspect(text, control, builder);
}

bool JsonInspector::refuse(const std::string& why, const std::string& hint) {
    m_problem = Error{ErrorCode::BadInput, m_what + " " + why, hint};
    return false;
}

bool JsonInspector::add(std::size_t bytes) {
    m_bytes += bytes;
    if (m_bytes <= m_mostBytes) return true;
    return refuse("would take more than the " + formatQuantity(static_cast<double>(m_mostBytes), "B") +
                      " of memory that such a document may",
                  kNotOurs);
}

bool JsonInspector::open(std::size_t bytes) {
    if (++m_depth > kMostNesting)
        return refuse("nests more than " + std::to_string(kMostNesting) + " levels of JSON deep", kNotOurs);
    return add(bytes);
}

bool JsonInspector::string(string_t& text) { return add(kText + bytesOf(text)); }

bool JsonInspector::key(string_t& text) {
    if (m_depth == 1) m_topKey = text;
    return add(kMember + bytesOf(text));
}

bool JsonInspector::start_object(std::size_t /*elements*/) { return open(kObject); }
bool JsonInspector::start_array(std::size_t /*elements*/) { return open(kList); }

bool JsonInspector::parse_error(std::size_t byte, const std::string& /*token*/,
                                const nlohmann::json::exception& problem) {
    m_problem = jsonError(problem, byte, m_size, m_what);
    return false;
}

}  // namespace plumb

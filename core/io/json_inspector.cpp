// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_inspector.h"

#include "core/base/quantity.h"
#include "core/io/json_fields.h"
#include "core/io/watched_text.h"

namespace plumb {

namespace {

constexpr const char* kNotOurs = "check that it is from Plumbline";
/// A text of up to so many bytes lies within its object.
constexpr std::size_t kShortText = 15;

std::size_t bytesOf(const std::string& text) { return text.size() > kShortText ? text.size() + 17 : 0; }

}  // namespace

template <class Walk>
Result<void> JsonInspector::inspect(std::string_view text, const Walk& walk) {
    m_size = text.size();
    // The library takes a zero byte for the end of the text and what follows for nothing.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        return Error{ErrorCode::BadInput,
                     m_what + " is not JSON (a zero at byte " + std::to_string(zero + 1) + ")", kNotOurs};
    walk();
    if (m_problem) return *std::move(m_problem);
    return {};
}

Result<void> JsonInspector::inspect(std::string_view text) {
    return inspect(text, [this, text] { nlohmann::json::sax_parse(text, this); });
}

Result<void> JsonInspector::inspect(std::string_view text, const ReadControl& control) {
    return inspect(text, [this, text, &control] {
        WatchedText watched(text, control);
        nlohmann::json::sax_parse(watched.begin(), watched.end(), this);
    });
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

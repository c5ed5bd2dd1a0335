// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"
#include "core/engine/protocol.h"

namespace plumb::protocol {

std::vector<Result<std::string>> LineBuffer::add(std::string_view bytes) {
    std::vector<Result<std::string>> lines;
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const bool complete = end != std::string_view::npos;
        const std::string_view part = bytes.substr(0, end);
        bytes.remove_prefix(complete ? end + 1 : bytes.size());

        if (!m_skipping && part.size() > m_limit - m_pending.size()) {
            lines.emplace_back(
                Error{ErrorCode::BadInput,
                      "a message is longer than " + formatExact(static_cast<std::int64_t>(m_limit), "B"),
                      "it was left out; check that both sides are Plumbline"});
            m_skipping = true;
            m_pending = std::string();  // gives the memory back, which clear() would not
        }
        if (!m_skipping) m_pending += part;
        if (!complete) break;
        if (!m_skipping) {
            if (m_pending.ends_with('\r')) m_pending.pop_back();
            if (!m_pending.empty()) lines.emplace_back(std::move(m_pending));
        }
        m_pending = std::string();
        m_skipping = false;
    }
    return lines;
}

Result<void> LineBuffer::finish() const {
    if (m_pending.empty()) return {};
    return Error{ErrorCode::BadInput,
                 "the last message ends after " + std::to_string(m_pending.size()) +
                     " bytes without a line break",
                 "the other side stopped while it was writing"};
}

}  // namespace plumb::protocol

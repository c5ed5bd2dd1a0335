// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/pickle_window.h"

#include <algorithm>
#include <cstring>

namespace plumb {

Result<void> PickleWindow::refill(std::size_t count) {
    std::memmove(m_bytes.data(), m_bytes.data() + m_at, m_end - m_at);
    m_offset += m_at;
    m_end -= m_at;
    m_at = 0;
    if (m_bytes.size() < count) m_bytes.resize(count);
    const std::uint64_t next = m_offset + m_end;
    const auto more =
        static_cast<std::size_t>(std::min<std::uint64_t>(m_bytes.size() - m_end, m_file.size() - next));
    PLUMB_CHECK(m_file.read(next, std::as_writable_bytes(std::span(m_bytes).subspan(m_end, more))));
    m_end += more;
    return {};
}

}  // namespace plumb

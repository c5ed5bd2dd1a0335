// SPDX-License-Identifier: Apache-2.0
#include "core/trace/text_window.h"

#include <cstring>

namespace plumb::trace {

Result<bool> TextWindow::more() {
    if (m_buffer.size() - kPadding - m_end < kPiece) {
        std::memmove(m_buffer.data(), begin(), size());
        m_end -= m_begin;
        m_begin = 0;
        if (m_buffer.size() - kPadding - m_end < kPiece) m_buffer.resize(m_buffer.size() * 2);
    }
    PLUMB_TRY(const std::size_t count, m_source->read({m_buffer.data() + m_end, kPiece}));
    m_end += count;
    m_added += count;
    std::memset(m_buffer.data() + m_end, 0, kPadding);
    return count > 0;
}

}  // namespace plumb::trace

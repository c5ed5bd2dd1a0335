// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace_time.h"

namespace plumb::trace {

/// Adds up the union of intervals that come in the order of their beginnings.
class UnionLength {
public:
    /// The gap since the end of all before it; below 0 for none.
    Nanoseconds add(Nanoseconds begin, Nanoseconds end) {
        const Nanoseconds gap = m_any ? begin - m_end : -1;
        if (!m_any || begin >= m_end) {
            m_length = saturated(m_length, end - begin);
            m_end = end;
        } else if (end > m_end) {
            m_length = saturated(m_length, end - m_end);
            m_end = end;
        }
        m_any = true;
        return gap;
    }
    [[nodiscard]] Nanoseconds length() const { return m_length; }
    [[nodiscard]] Nanoseconds end() const { return m_end; }

private:
    Nanoseconds m_length = 0;
    Nanoseconds m_end = 0;
    bool m_any = false;
};

}  // namespace plumb::trace

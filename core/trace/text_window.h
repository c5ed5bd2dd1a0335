// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/text_source.h"

#include <string_view>
#include <vector>

namespace plumb::trace {

/// The part of a text that is being looked at; grows at its end and is taken from at its beginning. Views of
/// it hold until more().
class TextWindow {
public:
    explicit TextWindow(TextSource& source) : m_source(&source), m_buffer(kPiece * 2 + kPadding, '\0') {}

    [[nodiscard]] const char* begin() const { return m_buffer.data() + m_begin; }
    [[nodiscard]] const char* end() const { return m_buffer.data() + m_end; }  ///< followed by 8 bytes of 0
    [[nodiscard]] std::size_t size() const { return m_end - m_begin; }
    [[nodiscard]] std::string_view text() const { return {begin(), size()}; }
    /// Takes what stands before `to`.
    void take(const char* to) { m_begin = static_cast<std::size_t>(to - m_buffer.data()); }
    /// Adds another piece; false at the end of the text. Errors: those of the source.
    [[nodiscard]] Result<bool> more();
    /// Bytes that more() has added.
    [[nodiscard]] std::uint64_t added() const { return m_added; }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 20U;
    static constexpr std::size_t kPadding = 8;

    TextSource* m_source;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    std::uint64_t m_added = 0;
};

}  // namespace plumb::trace

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace plumb {

/// The stretch of a file that is in memory while the file is read from its beginning to its end.
class PickleWindow {
public:
    /// `file` outlives it.
    explicit PickleWindow(const ReadableFile& file) : m_file(file), m_bytes(kBytes) {}

    /// Place in the file of the next byte that is taken.
    [[nodiscard]] std::uint64_t position() const { return m_offset + m_at; }
    /// Bytes of the file that have not been taken.
    [[nodiscard]] std::uint64_t left() const { return m_file.size() - position(); }
    /// Bytes of the file that have been in memory.
    [[nodiscard]] std::uint64_t seen() const { return m_offset + m_end; }
    /// What can be taken without reading.
    [[nodiscard]] std::string_view available() const { return {m_bytes.data() + m_at, m_end - m_at}; }
    [[nodiscard]] bool holds(std::size_t count) const { return m_end - m_at >= count; }
    /// Reads on, so that `count` bytes are there or the file has ended. Errors: those of reading.
    [[nodiscard]] Result<void> refill(std::size_t count);
    /// The next bytes, until the window is filled again. Pre: holds(count).
    [[nodiscard]] const char* take(std::size_t count) {
        const char* bytes = m_bytes.data() + m_at;
        m_at += count;
        return bytes;
    }

private:
    static constexpr std::size_t kBytes = std::size_t{1} << 20U;
    const ReadableFile& m_file;
    std::vector<char> m_bytes;
    std::size_t m_at = 0;        ///< place in the window
    std::size_t m_end = 0;       ///< end of what is filled of it
    std::uint64_t m_offset = 0;  ///< place of the window in the file
};

}  // namespace plumb

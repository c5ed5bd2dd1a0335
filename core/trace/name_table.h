// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::trace {

using NameId = std::uint32_t;

/// Each text once: events hold its number.
class NameTable {
public:
    /// When there are more, they are longer, or they are made to collide, others are the one name "(other
    /// names)".
    static constexpr std::size_t kMostNames = 4'000'000;
    static constexpr std::size_t kMostBytes = std::size_t{512} << 20U;
    static constexpr std::size_t kLongest = 65'536;  ///< of one; the rest is cut

    NameTable();
    // Its texts lie in its own blocks, which a move takes along.
    NameTable(const NameTable&) = delete;
    NameTable& operator=(const NameTable&) = delete;
    NameTable(NameTable&&) = default;
    NameTable& operator=(NameTable&&) = default;
    ~NameTable() = default;
    [[nodiscard]] NameId intern(std::string_view text);
    [[nodiscard]] std::string_view at(NameId id) const { return m_texts[id]; }
    [[nodiscard]] std::size_t size() const { return m_texts.size(); }
    /// How often a name became "(other names)".
    [[nodiscard]] std::int64_t refused() const { return m_refused; }
    [[nodiscard]] std::size_t bytes() const;

private:
    [[nodiscard]] std::string_view kept(std::string_view text);
    void grow();

    std::vector<std::string_view> m_texts;
    std::vector<std::uint64_t> m_hashes;  ///< of each text
    std::vector<std::uint32_t> m_slots;   ///< 1 + id, 0: free; a power of two of them, at most half in use
    std::deque<std::string> m_blocks;     ///< hold the texts
    std::size_t m_textBytes = 0;
    std::int64_t m_refused = 0;
};

}  // namespace plumb::trace

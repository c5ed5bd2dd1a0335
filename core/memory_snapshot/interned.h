// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// Finds the number of a thing by its hash: open addressing, half empty. The hashes are seeded anew in each
/// process, so that no file can choose texts that all fall into one place.
class HashIndex {
public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    /// The number of the thing that `isSame(number)` accepts; else `next`, which is noted for it.
    template <class IsSame>
    std::uint32_t findOrNote(std::uint64_t hash, std::uint32_t next, IsSame&& isSame) {
        if (2 * (m_count + 1) > m_places.size()) grow();
        const auto short_ = static_cast<std::uint32_t>(hash >> 32U);
        for (std::size_t at = hash & (m_places.size() - 1);; at = (at + 1) & (m_places.size() - 1)) {
            Place& place = m_places[at];
            if (place.number == kNone) {
                place = {hash, next};
                ++m_count;
                return next;
            }
            if (static_cast<std::uint32_t>(place.hash >> 32U) == short_ && isSame(place.number))
                return place.number;
        }
    }
    [[nodiscard]] std::size_t bytes() const { return m_places.size() * sizeof(Place); }
    void clear() {
        m_places = {};
        m_count = 0;
    }

private:
    struct Place {
        std::uint64_t hash = 0;
        std::uint32_t number = kNone;
    };
    void grow();

    std::vector<Place> m_places;
    std::size_t m_count = 0;
};

/// A hash of bytes that differs from process to process.
[[nodiscard]] std::uint64_t seededHash(std::string_view bytes);

/// Each text once, known by its number; the empty text is number 0.
class TextTable {
public:
    TextTable() { (void)add({}); }
    [[nodiscard]] std::uint32_t add(std::string_view text);
    [[nodiscard]] std::string_view operator[](std::uint32_t number) const {
        return {m_text.data() + m_begin[number], m_begin[number + 1] - m_begin[number]};
    }
    [[nodiscard]] std::size_t size() const { return m_begin.size() - 1; }
    [[nodiscard]] std::size_t bytes() const {
        return m_text.capacity() + m_begin.capacity() * sizeof(m_begin[0]) + m_index.bytes();
    }
    /// Gives back what only add() needs, which must not be called again.
    void seal() { m_index.clear(); }

private:
    std::string m_text;
    std::vector<std::size_t> m_begin{0};
    HashIndex m_index;
};

/// Each sequence of numbers once, known by its own number; the empty sequence is number 0.
class SequenceTable {
public:
    SequenceTable() { (void)add({}); }
    [[nodiscard]] std::uint32_t add(std::span<const std::uint32_t> values);
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t number) const {
        return std::span(m_values).subspan(m_begin[number], m_begin[number + 1] - m_begin[number]);
    }
    [[nodiscard]] std::size_t size() const { return m_begin.size() - 1; }
    [[nodiscard]] std::size_t bytes() const {
        return m_values.capacity() * sizeof(m_values[0]) + m_begin.capacity() * sizeof(m_begin[0]) +
               m_index.bytes();
    }
    /// Gives back what only add() needs, which must not be called again.
    void seal() { m_index.clear(); }

private:
    std::vector<std::uint32_t> m_values;
    std::vector<std::size_t> m_begin{0};
    HashIndex m_index;
};

}  // namespace plumb

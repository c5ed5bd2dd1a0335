// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/interned.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

namespace plumb {

namespace {

std::uint64_t processSeed() {
    static const std::uint64_t seed = [] {
        std::random_device device;
        return (std::uint64_t{device()} << 32U) ^ device();
    }();
    return seed;
}

/// Both halves of the product of 128 bits, folded: every bit of the result depends on every bit of both.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

}  // namespace

void HashIndex::grow() {
    const std::vector<Place> before =
        std::exchange(m_places, std::vector<Place>(std::max<std::size_t>(64, 2 * m_places.size())));
    for (const Place& place : before) {
        if (place.number == kNone) continue;
        std::size_t at = place.hash & (m_places.size() - 1);
        while (m_places[at].number != kNone) at = (at + 1) & (m_places.size() - 1);
        m_places[at] = place;
    }
}

std::uint64_t seededHash(std::string_view bytes) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = mixed(processSeed() ^ bytes.size(), kOdd);
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const std::size_t count = std::min(bytes.size(), sizeof word);
        std::memcpy(&word, bytes.data(), count);
        bytes.remove_prefix(count);
        hash = mixed(hash ^ word, kOdd ^ processSeed() << 1U);
    }
    return hash;
}

std::uint32_t TextTable::add(std::string_view text) {
    const auto next = static_cast<std::uint32_t>(size());
    const std::uint32_t number = m_index.findOrNote(
        seededHash(text), next, [&](std::uint32_t other) { return (*this)[other] == text; });
    if (number == next) {
        m_text += text;
        m_begin.push_back(m_text.size());
    }
    return number;
}

std::uint32_t SequenceTable::add(std::span<const std::uint32_t> values) {
    const auto next = static_cast<std::uint32_t>(size());
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    const std::uint32_t number = m_index.findOrNote(seededHash(bytes), next, [&](std::uint32_t other) {
        return std::ranges::equal((*this)[other], values);
    });
    if (number == next) {
        m_values.insert(m_values.end(), values.begin(), values.end());
        m_begin.push_back(m_values.size());
    }
    return number;
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/base/content_hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace plumb {

static_assert(std::endian::native == std::endian::little, "words are hashed as they lie in memory");

namespace {

constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9U;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63U;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5U;

template <class Word>
Word wordAt(const std::byte* bytes) {
    Word word{};
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

}  // namespace

void ContentHash::takeStripe(const std::byte* stripe) {
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane)
        m_lanes[lane] =
            std::rotl(m_lanes[lane] + wordAt<std::uint64_t>(stripe + 8 * lane) * kPrime2, 31) * kPrime1;
}

void ContentHash::add(std::span<const std::byte> bytes) {
    const auto begun = static_cast<std::size_t>(m_count % kStripe);
    m_count += bytes.size();
    if (begun > 0) {
        const std::size_t fits = std::min(kStripe - begun, bytes.size());
        std::copy_n(bytes.begin(), fits, m_rest.begin() + static_cast<std::ptrdiff_t>(begun));
        bytes = bytes.subspan(fits);
        if (begun + fits < kStripe) return;
        takeStripe(m_rest.data());
    }
    for (; bytes.size() >= kStripe; bytes = bytes.subspan(kStripe)) takeStripe(bytes.data());
    std::copy(bytes.begin(), bytes.end(), m_rest.begin());
}

std::uint64_t ContentHash::value() const {
    const auto round = [](std::uint64_t word) { return std::rotl(word * kPrime2, 31) * kPrime1; };
    std::uint64_t hash = kPrime5;
    if (m_count >= kStripe) {
        hash = std::rotl(m_lanes[0], 1) + std::rotl(m_lanes[1], 7) + std::rotl(m_lanes[2], 12) +
               std::rotl(m_lanes[3], 18);
        for (const std::uint64_t lane : m_lanes) hash = (hash ^ round(lane)) * kPrime1 + kPrime4;
    }
    hash += m_count;
    const std::byte* next = m_rest.data();
    auto left = static_cast<std::size_t>(m_count % kStripe);
    for (; left >= 8; left -= 8, next += 8)
        hash = std::rotl(hash ^ round(wordAt<std::uint64_t>(next)), 27) * kPrime1 + kPrime4;
    if (left >= 4) {
        hash = std::rotl(hash ^ wordAt<std::uint32_t>(next) * kPrime1, 23) * kPrime2 + kPrime3;
        left -= 4, next += 4;
    }
    for (; left > 0; --left, ++next)
        hash = std::rotl(hash ^ static_cast<std::uint64_t>(*next) * kPrime5, 11) * kPrime1;
    hash = (hash ^ (hash >> 33U)) * kPrime2;
    hash = (hash ^ (hash >> 29U)) * kPrime3;
    return hash ^ (hash >> 32U);
}

std::string ContentHash::hex() const {
    std::string digits(16, '0');
    std::uint64_t rest = value();
    for (std::size_t i = digits.size(); i-- > 0; rest >>= 4U) digits[i] = "0123456789abcdef"[rest & 15U];
    return digits;
}

}  // namespace plumb

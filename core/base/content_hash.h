// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plumb {

/// XXH64 with seed 0 of bytes that come in pieces: tells damaged or exchanged content, and protects from no
/// forger. The same on every machine, and what `xxhsum -H1` prints.
class ContentHash {
public:
    void add(std::span<const std::byte> bytes);
    void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
    [[nodiscard]] std::uint64_t value() const;
    [[nodiscard]] std::string hex() const;  ///< 16 digits

private:
    static constexpr std::size_t kStripe = 32;
    static constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87U;
    static constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4FU;
    void takeStripe(const std::byte* stripe);

    std::array<std::uint64_t, 4> m_lanes{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
    std::array<std::byte, kStripe> m_rest{};  ///< the last m_count % kStripe bytes
    std::uint64_t m_count = 0;
};

}  // namespace plumb

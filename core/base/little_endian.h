// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace plumb {

/// Appends the bytes of a number to `text`, the lowest first, whatever the order of the machine.
template <class Number>
void appendLittleEndian(std::string& text, Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    using Bits = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
    static_assert(sizeof(Number) == sizeof(Bits));
    auto bits = std::bit_cast<Bits>(value);
    for (std::size_t i = 0; i < sizeof(Bits); ++i, bits >>= 8U)
        text += static_cast<char>(static_cast<std::uint8_t>(bits & 0xFFU));
}

}  // namespace plumb

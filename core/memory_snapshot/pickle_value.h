// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plumb {

/// A value of a pickle in eight bytes: what it is, and a number that says where the rest lies. Memo and stack
/// of a file of a gigabyte hold tens of millions of them.
class PickleValue {
public:
    enum class Kind : std::uint8_t {
        None,
        False,
        True,
        Integer,      ///< of 60 bits, itself
        WideInteger,  ///< of 64 bits; the number of a wide one
        Real,         ///< number of a wide one
        Text,         ///< str or bytes; number of the text
        Tuple,        ///< number of the tuple
        Container,    ///< dict or list; number of the container, which may still be filled
        Entry,        ///< row of an entry of a trace
        Block,        ///< row of a block of a segment
        Frame,        ///< number of the frame
    };

    PickleValue() = default;
    PickleValue(Kind kind, std::uint64_t number) : m_bits(number << 4U | static_cast<std::uint64_t>(kind)) {}
    [[nodiscard]] static bool fits(std::int64_t value) { return value >= -kHalf && value < kHalf; }
    /// Pre: fits(value).
    [[nodiscard]] static PickleValue integer(std::int64_t value) {
        return {Kind::Integer, static_cast<std::uint64_t>(value)};
    }

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(m_bits & 15U); }
    [[nodiscard]] bool is(Kind kind) const { return this->kind() == kind; }
    [[nodiscard]] std::uint64_t number() const { return m_bits >> 4U; }
    /// Pre: is(Kind::Integer).
    [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(m_bits) >> 4; }
    [[nodiscard]] std::uint64_t bits() const { return m_bits; }
    bool operator==(const PickleValue&) const = default;

private:
    static constexpr std::int64_t kHalf = std::int64_t{1} << 59;
    std::uint64_t m_bits = 0;
};

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

namespace plumb {

/// How many enumerators there are. The enum counts them from 0 without gaps and names its last one beside
/// itself, where it is found by its namespace:
///     constexpr Colour lastOf(Colour /*type*/) { return Colour::Blue; }
template <class Enum>
inline constexpr std::size_t kEnumCount = static_cast<std::size_t>(lastOf(Enum{})) + 1;

/// All enumerators in their order.
template <class Enum>
inline constexpr std::array<Enum, kEnumCount<Enum>> kEnumerators = [] {
    std::array<Enum, kEnumCount<Enum>> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Enum>(i);
    return all;
}();

/// One value for each enumerator, in their order; nothing else is an index. An aggregate like std::array, and
/// as cheap.
template <class Enum, class T>
struct EnumArray {
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    T values[kEnumCount<Enum>];

    [[nodiscard]] constexpr T& operator[](Enum place) {
        assert(static_cast<std::size_t>(place) < kEnumCount<Enum>);
        return values[static_cast<std::size_t>(place)];
    }
    [[nodiscard]] constexpr const T& operator[](Enum place) const {
        assert(static_cast<std::size_t>(place) < kEnumCount<Enum>);
        return values[static_cast<std::size_t>(place)];
    }
    [[nodiscard]] constexpr T* begin() { return values; }
    [[nodiscard]] constexpr T* end() { return values + kEnumCount<Enum>; }
    [[nodiscard]] constexpr const T* begin() const { return values; }
    [[nodiscard]] constexpr const T* end() const { return values + kEnumCount<Enum>; }
    [[nodiscard]] static constexpr std::size_t size() { return kEnumCount<Enum>; }
    /// The enumerator whose value `it` points to.
    [[nodiscard]] constexpr Enum enumeratorOf(const T* it) const { return static_cast<Enum>(it - values); }

    bool operator==(const EnumArray&) const = default;
};

}  // namespace plumb

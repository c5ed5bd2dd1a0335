// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace plumb {

/// The entry of a vector, span or array at an index as ops, tensors, layers and rows have them: signed,
/// because -1 is none. The conversion to what containers count in stands here once. An enumerator is an index
/// where a container has its rows in the enum's order. Pre: there is such an entry.
template <class Entries, class Index>
requires(std::integral<Index> || std::is_enum_v<Index>) [[nodiscard]] constexpr decltype(auto)
    entryAt(Entries&& entries, Index index) {
    assert(static_cast<std::size_t>(index) < static_cast<std::size_t>(std::size(entries)));
    return entries[static_cast<std::size_t>(index)];
}

}  // namespace plumb

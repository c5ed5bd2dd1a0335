// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_array.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace plumb {

/// The enumerator that name() calls so, found by its namespace; empty: none is.
template <class Enum>
[[nodiscard]] std::optional<Enum> enumeratorOf(std::string_view word) {
    const auto& all = kEnumerators<Enum>;
    const auto found = std::ranges::find(all, word, [](Enum each) { return std::string_view(name(each)); });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

}  // namespace plumb

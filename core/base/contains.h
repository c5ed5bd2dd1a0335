// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace plumb {

/// Whether one of the values is this one.
template <class Range, class Value>
[[nodiscard]] bool contains(const Range& values, const Value& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace plumb

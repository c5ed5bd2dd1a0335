// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"

#include <concepts>
#include <optional>

namespace plumb {

/// Adds a part to a sum of which every part is known, or to one that is not: a sum in which a part is unknown
/// is unknown, since it would be too small without saying so. Whole numbers beyond 63 bits are unknown too.
template <class Number>
void addKnown(std::optional<Number>& sum, const std::optional<Number>& part) {
    if (!sum || !part) {
        sum.reset();
    } else if constexpr (std::integral<Number>) {
        const Number added = addOrOverflow(*sum, *part);
        sum = added < 0 ? std::nullopt : std::optional(added);
    } else {
        *sum += *part;
    }
}

/// Such a sum; of nothing it is 0.
template <class Number>
class KnownSum {
public:
    void add(const std::optional<Number>& part) { addKnown(m_sum, part); }
    [[nodiscard]] const std::optional<Number>& value() const { return m_sum; }

private:
    std::optional<Number> m_sum{Number{}};
};

}  // namespace plumb

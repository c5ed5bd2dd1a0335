// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"

#include <concepts>
#include <optional>

namespace plumb {

/// A sum of which a part may be unknown, and which is unknown then: it would be too small without saying so.
/// Whole numbers beyond 63 bits are unknown too. The sum of nothing is 0.
template <class Number>
class KnownSum {
public:
    KnownSum() = default;
    explicit KnownSum(Number start) : m_sum(start) {}

    void add(const std::optional<Number>& part) {
        if (!part) m_known = false;
        if (!m_known) return;
        if constexpr (std::integral<Number>) {
            m_sum = addOrOverflow(m_sum, *part);
            m_known = m_sum >= 0;
        } else {
            m_sum += *part;
        }
    }
    [[nodiscard]] std::optional<Number> value() const {
        return m_known ? std::optional<Number>(m_sum) : std::nullopt;
    }

private:
    Number m_sum{};
    bool m_known = true;
};

/// The number as a double, where there is one.
template <class Number>
[[nodiscard]] std::optional<double> asDouble(const std::optional<Number>& number) {
    return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

/// The same as KnownSum for a sum that stands somewhere as what it is known to be.
template <class Number>
void addKnown(std::optional<Number>& sum, const std::optional<Number>& part) {
    if (!sum) return;
    KnownSum<Number> longer(*sum);
    longer.add(part);
    sum = longer.value();
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"

#include <array>
#include <string>
#include <string_view>

namespace plumb {

/// Reads a name out of a small set; another one is a problem that lists the set.
template <class Enum, std::size_t kCount>
[[nodiscard]] Enum readName(const JsonField& field, const std::array<Enum, kCount>& all,
                            std::string_view (*name)(Enum)) {
    const std::string text = field.text();
    for (const Enum value : all)
        if (name(value) == text) return value;
    std::string known;
    for (const Enum value : all) known += (known.empty() ? "" : ", ") + std::string(name(value));
    field.fail("is '" + text + "', and one of " + known + " is possible");
    return all[0];
}

}  // namespace plumb

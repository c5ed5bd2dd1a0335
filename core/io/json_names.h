// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/io/json_fields.h"

#include <cstddef>

namespace plumb {

/// Reads one of the names; another text is a problem that lists them.
template <class Enum, std::size_t kCount>
[[nodiscard]] Enum readName(const JsonField& field, const EnumNames<Enum, kCount>& names) {
    const std::string text = field.text();
    if (const auto found = names.find(text)) return *found;
    field.fail("is '" + text.substr(0, 40) + "', and one of " + names.list() + " is possible");
    return names.at(0).first;
}

}  // namespace plumb

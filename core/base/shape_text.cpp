// SPDX-License-Identifier: Apache-2.0
#include "core/base/shape_text.h"

#include <fmt/format.h>

namespace plumb {

std::string shapeText(std::span<const std::int64_t> sizes) {
    return fmt::format("[{}]", fmt::join(sizes, ", "));
}

}  // namespace plumb

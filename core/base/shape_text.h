// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace plumb {

/// "[2, 3, 4]", as torch writes a shape.
[[nodiscard]] std::string shapeText(std::span<const std::int64_t> sizes);

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace plumb {

/// A PNG file of `width` by `height` pixels from the top left, four bytes each: red, green, blue, alpha (not
/// multiplied in). The same pixels give the same bytes. Pre: pixels.size() == 4 * width * height, both sizes
/// positive.
[[nodiscard]] std::string pngFile(std::span<const std::uint8_t> pixels, int width, int height);

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// What the header of a .npy file says, before it is judged.
struct NpyHeader {
    std::string descr;  ///< "<f4"; "structured" when the header holds a list of fields
    bool fortranOrder = false;
    std::vector<std::int64_t> shape;
    std::size_t dataOffset = 0;  ///< bytes before the first element
};

/// Reads magic, version (1.0 to 3.0) and the Python dictionary of the header: exactly the keys descr,
/// fortran_order and shape, in any order. `path` is for messages. Errors: BadInput.
[[nodiscard]] Result<NpyHeader> parseNpyHeader(std::span<const std::byte> file, const std::string& path);

}  // namespace plumb

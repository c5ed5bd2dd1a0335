// SPDX-License-Identifier: Apache-2.0
#include "core/base/dtype_bytes.h"

#include "core/base/quantity.h"

#include <fmt/format.h>

namespace plumb {

std::int64_t bytesOrOverflow(Dtype dtype, std::int64_t elements) {
    if (dtypeBits(dtype) >= 8) return mulOrOverflow(elements, dtypeSize(dtype));
    const std::int64_t inByte = 8 / dtypeBits(dtype);
    return elements < 0 ? -1 : elements / inByte + (elements % inByte != 0 ? 1 : 0);
}

std::string elementSizeText(Dtype dtype) {
    return fmt::format("{} B", static_cast<double>(dtypeBits(dtype)) / 8);
}

}  // namespace plumb

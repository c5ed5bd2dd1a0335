// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/measure/library_product.h"

#include <cstdint>
#include <vector>

namespace plumb {

[[nodiscard]] JsonType<LibraryProduct> jsonType(Of<LibraryProduct>);
[[nodiscard]] JsonType<EpilogueTimes> jsonType(Of<EpilogueTimes>);

/// OpReading::products. An op of ours runs two of them at most; in columns every op may repeat the list,
/// which therefore is short.
struct ProductsOfOp : ListOf<Whole<0, INT32_MAX>, 8> {
    static std::vector<std::int32_t> read(const JsonField& field) {
        const std::vector<std::int64_t> wide = ListOf::read(field);
        return {wide.begin(), wide.end()};
    }
};

}  // namespace plumb

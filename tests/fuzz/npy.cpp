// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy.h"

#include "core/io/npy_header.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void npy(std::string_view input) {
    (void)isTaken(parseNpyHeader(std::as_bytes(std::span(input.data(), input.size())), "it"));
    const MemoryFile file(input);
    const auto array = NpyArray::open(file.path());
    if (!isTaken(array)) return;
    require(array->rows() > 0 && array->columns() > 0, "an array that is read has elements");
    constexpr std::int64_t kWide = 100'000;
    if (array->columns() > kWide) return;
    const std::vector<std::int64_t> rows{0, array->rows() - 1, array->rows() / 2, 0};
    std::vector<float> target(rows.size() * static_cast<std::size_t>(array->columns()));
    require(array->copyRows(rows, target).has_value(), "rows of a whole file are copied");
}

}  // namespace plumb::fuzz

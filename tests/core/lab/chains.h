// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/tensor_layout.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb::lab {

using Sizes = std::vector<std::int64_t>;

/// Where there is no such tensor the test fails.
inline TensorLayout tensor(Sizes shape) {
    auto made = newTensor(std::move(shape));
    EXPECT_TRUE(made.has_value());
    return made.has_value() ? *made : TensorLayout{};
}

/// Where the text is not understood the test fails.
inline std::vector<LayoutStep> parsed(std::string_view text) {
    const auto steps = parseSteps(text);
    EXPECT_TRUE(steps.has_value()) << text << ": " << (steps.has_value() ? "" : steps.error().text());
    return steps.has_value() ? *steps : std::vector<LayoutStep>{};
}

inline LayoutChain chainOf(Sizes shape, std::string_view text) {
    return applySteps(tensor(std::move(shape)), parsed(text));
}

}  // namespace plumb::lab

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/layout_views.h"

#include <array>
#include <span>
#include <string_view>

namespace plumb::lab {

/// A method of torch.Tensor that is a step.
struct Method {
    std::string_view name;
    StepKind kind = StepKind::View;
    std::string_view parameters;  ///< names, separated by blanks; "*": any number of sizes or dimensions
    std::size_t required = 0;
    std::array<std::int64_t, 3> defaults{};
    bool attribute = false;  ///< written without brackets
};
inline constexpr std::string_view kScalar =
    "#";  ///< parameters of a method that takes one number, whole or not

[[nodiscard]] std::span<const Method> layoutMethods();

}  // namespace plumb::lab

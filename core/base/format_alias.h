// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace plumb {

/// The name that this program has for a number format that others call otherwise: "fp4", "E4M3", "float32",
/// "torch.bfloat16". What it does not know comes back as it is, in lower case.
[[nodiscard]] std::string canonicalFormat(std::string_view name);

}  // namespace plumb

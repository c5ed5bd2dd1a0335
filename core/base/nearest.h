// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// The known word with the smallest edit distance to `word`; empty when none is near enough to be meant.
[[nodiscard]] std::string nearestWord(std::string_view word, const std::vector<std::string>& known);

}  // namespace plumb

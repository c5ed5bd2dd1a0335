// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace plumb {

/// A page of one file around `body`, which is HTML: style sheet for light, dark and paper, the script of its
/// tables and of the switch between light and dark, and a policy under which a browser fetches nothing.
[[nodiscard]] std::string reportPage(std::string_view title, std::string_view body);

}  // namespace plumb

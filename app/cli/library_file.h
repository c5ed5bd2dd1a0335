// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace plumb::cli {

/// Why the file at `path` must not be given to dlopen(), which trusts a library's header: the program would
/// be ended by a bus error at the first page that a copy cut short lacks. Empty: nothing speaks against it,
/// and dlopen() says best what is wrong with a file that is not there or no library at all.
[[nodiscard]] std::string whyNotLoadable(const std::string& path);

}  // namespace plumb::cli

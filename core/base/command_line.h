// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// The words of a command line as a shell cuts it, without variables, patterns and substitution: spaces
/// separate, 'single quotes' keep everything, "double quotes" all but a backslash before " \ $ `, and outside
/// of quotes a backslash keeps the character after it. Errors: BadInput with the place, where a quote is
/// never closed or nothing follows a backslash.
[[nodiscard]] Result<std::vector<std::string>> splitCommandLine(std::string_view line);

/// `word` in such a form that splitCommandLine() and any shell read it as this one word.
[[nodiscard]] std::string quotedWord(std::string_view word);

/// The command line that has these words.
[[nodiscard]] std::string joinCommandLine(const std::vector<std::string>& words);

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace plumb {

/// Refuses JSON with a key that stands twice in one object: of its two values a parser takes the last without
/// a word. For documents that people write. Errors: BadInput, said of `what`, with the key. Nothing is said
/// of text that is no JSON, which its parser refuses.
[[nodiscard]] Result<void> checkUniqueKeys(std::string_view text, const std::string& what);

}  // namespace plumb

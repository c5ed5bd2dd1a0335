// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace plumb {

/// Names of the files in a ZIP archive, in its order. Errors: BadInput for what is no archive, Io.
[[nodiscard]] Result<std::vector<std::string>> zipMembers(const std::string& path);

/// One of them, stored or deflated, whole. Errors: BadInput for a member that is not
/// there (with those that are), encrypted, damaged or over kMostZipBytes; Io.
[[nodiscard]] Result<std::vector<std::byte>> readZipMember(const std::string& path,
                                                           const std::string& member);

/// What a member may hold; it is in memory as a whole.
inline constexpr std::size_t kMostZipBytes = std::size_t{4} << 30U;

}  // namespace plumb

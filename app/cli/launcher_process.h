// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace plumb::cli {

/// Has `launcher` (mpirun or srun) start this very command line once for each rank, and waits for them. What
/// the first rank writes is written here, and the process ends as it does; `stop` asks it to stop. Errors:
/// Unavailable where the launcher is not there or starts nothing; RunFailed where a rank was killed.
[[nodiscard]] Result<void> runUnderLauncher(const std::string& launcher, std::int64_t ranks,
                                            const std::stop_token& stop);

}  // namespace plumb::cli

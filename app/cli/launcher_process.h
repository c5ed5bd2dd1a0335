// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace plumb::cli {

/// Has `launcher` (mpirun or srun) start this very command line once for each rank, and waits for them. What
/// the first rank writes is written here, and the process ends as it does; `stop` asks it to stop. Errors:
/// Unavailable where the launcher is not there or starts nothing; RunFailed where a rank was killed.
[[nodiscard]] Result<void> runUnderLauncher(const std::string& launcher, std::int64_t ranks,
                                            const std::stop_token& stop);

/// Parts what comes from a launcher: what ranks say goes on at once, and what the launcher and MPI say of
/// them, long texts between lines of dashes for the most part, is kept.
class LauncherTalk {
public:
    /// What of it is of ranks.
    [[nodiscard]] std::string take(std::string_view text);
    /// What the launcher has said, without its dashes.
    [[nodiscard]] const std::string& kept() const { return m_kept; }
    /// Whether a rank has said why it ends.
    [[nodiscard]] bool hasReason() const { return m_hasReason; }

private:
    std::string m_line;      ///< not whole yet
    std::size_t m_told = 0;  ///< letters of it that have gone on
    std::string m_kept;
    bool m_isInside = false, m_hasReason = false;
};

/// Why ranks ended that did not say it themselves, by what the launcher said. `status`: what it exited with.
[[nodiscard]] Error endOfRanks(const std::string& launcher, const std::string& said, int status);

}  // namespace plumb::cli

// SPDX-License-Identifier: Apache-2.0
// What other programs wrote, as recorded steps (docs/step-file.md): the file that the window shows in every
// view which it can fill. What such a file does not say stays absent, and `said` names it.
#pragma once

#include "core/base/result.h"
#include "core/memory_snapshot/memory_replay.h"
#include "core/recorded/step_file.h"
#include "core/trace/trace_links.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace plumb {

struct ImportOptions {
    std::optional<std::string>
        step;  ///< of a trace: its name or number in the file, from 0; else the median one
    std::stop_token stop = {};
    std::function<void(double share)> progress = {};
};

/// The step in a trace with ops, or all that a memory snapshot says as one step.
///
/// Errors: BadInput for what is no such file, with the reason why its kind is none; those of the readers.
[[nodiscard]] Result<StepFile> importStep(const std::string& path, const ImportOptions& options = {});

/// One step of a trace; `links` need places. Ops are those that launched GPU work, the outermost first, or
/// without any GPU work in the trace those of the host that are no mere wrappers. Errors: BadInput without
/// ops, or where `step` is none of the trace.
[[nodiscard]] Result<StepFile> stepOfTrace(const trace::Trace& trace, const trace::TraceLinks& links,
                                           const std::string& name, const std::optional<std::string>& step);

/// All entries of a device: an op for each run of allocations from one place, a tensor for each allocation.
/// Errors: BadInput without allocations, or with more than a step file holds.
[[nodiscard]] Result<StepFile> stepOfMemory(const AllocationSites& sites, const MemoryReplay& replay,
                                            const std::string& name);

/// Where a storage was made and given back, as far as phases tell.
struct StorageLife {
    bool isFromBefore = false;
    bool isKept = false;  ///< beyond the end
    Phase made{};
    Phase freed{};
};
/// The category and the role that such a life suggests: a guess by lifetime, which a step file says.
struct GuessedCategory {
    Category category{};
    std::string_view role;
};
[[nodiscard]] GuessedCategory guessedCategory(const StorageLife& life);

}  // namespace plumb

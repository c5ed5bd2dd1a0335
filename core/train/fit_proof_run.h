// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/engine/backend.h"
#include "core/measure/fit_proof.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace plumb {

struct FitProofOptions {
    std::optional<Bytes> limitBytes;  ///< that the allocator is held to; empty: the device's memory
    std::optional<Bytes> freeBytes;   ///< that can be had of it now; empty: not known
    std::stop_token stop;
    /// Ops that were begun, of both steps.
    std::function<void(std::int64_t done, std::int64_t total)> progress;
};

/// What can safely be had of the memory of the backend now; empty where nobody knows.
[[nodiscard]] std::optional<Bytes> safelyFreeBytes(Backend& backend);

/// Runs one step of the largest batch that is predicted to fit, and one of the next, which must not, with the
/// backend's allocator held to the limit: the smallest of what is asked for, the device's memory and what can
/// be had of it. The plan refuses neither.
///
/// Errors: Unavailable for a backend whose memory is not limited or not known; BadInput where no batch fits
/// or the next one is not there, with the remedy; RunFailed when stopped, and what no trial is to blame for.
[[nodiscard]] Result<FitProof> proveFit(const RunConfig& config, Backend& backend,
                                        const FitProofOptions& options);

}  // namespace plumb

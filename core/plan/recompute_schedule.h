// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"

#include <cstdint>
#include <vector>

namespace plumb {

/// Layers from+1..to in a row, starting at h_from (x for 0); h_to stays until the backward pass used it.
struct RecomputeStretch {
    std::int32_t from = 0;
    std::int32_t to = 0;
    bool operator==(const RecomputeStretch&) const = default;
};

/// Which activations the forward pass keeps and how the backward pass makes the others again. The backward
/// of layer l needs h_{l-1}; an h is freed after the last op that reads it.
struct RecomputeSchedule {
    std::vector<bool> keeps;  ///< [0..L]: after the forward pass; x (0) and h_L are always there
    std::vector<RecomputeStretch> stretches;  ///< in order of execution
    /// Index by layer, [0..L+1]: stretches [firstStretch[l + 1], firstStretch[l]) run before the backward ops
    /// of layer l. (The backward pass goes down, so the entries rise with falling l; firstStretch[L+1] is 0.)
    std::vector<std::int32_t> firstStretch;
    [[nodiscard]] std::int64_t recomputedLayers() const;  ///< number in one micro-batch
};

/// The schedule of `config`'s policy. Errors: those of fitSchedule().
[[nodiscard]] Result<RecomputeSchedule> recomputeSchedule(const RunConfig& config,
                                                          const BackendTraits& traits);

/// k of `sqrt`: ceil(sqrt(L)), 1 without layers.
[[nodiscard]] std::int64_t sqrtInterval(std::int64_t layers);

}  // namespace plumb

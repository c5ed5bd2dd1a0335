// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/machine/copy_rates.h"
#include "kernels/cuda/driver.h"

#include <stop_token>
#include <vector>

namespace plumb::cuda {

/// What is copied: so much that starting a copy takes no part of its time worth naming.
struct CopySurvey {
    Bytes bytes = Bytes{256} << 20;
    int copies = 7;
};

/// Copies between the host and the card of this number, from and to pinned and pageable memory, and between
/// every two of `cards`, those that are visible, in both directions and with peer access where they offer it.
/// What fails is a rate that is absent, with the reason. Leaves the current card and peer access as they
/// were. Errors: RunFailed when stopped.
[[nodiscard]] Result<CopyRates> surveyCopies(int card, const std::vector<GpuIdentity>& cards,
                                             const CopySurvey& survey, const std::stop_token& stop);

}  // namespace plumb::cuda

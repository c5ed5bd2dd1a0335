// SPDX-License-Identifier: Apache-2.0
// The simulated device as the backend sees a GPU.
#pragma once

#include "core/calibrate/cost_survey.h"
#include "kernels/cuda/cuda_backend.h"

#include <memory>
#include <vector>

namespace plumb::test::simulated {

/// Identity by the device's options, as the card of this number. It is called what it is, wherever a device
/// is named.
[[nodiscard]] cuda::GpuIdentity identity(int index = 0);
/// All of its cards.
[[nodiscard]] std::vector<cuda::GpuIdentity> identities();

/// The CUDA backend on it; choices of algorithms are not kept.
[[nodiscard]] Result<std::unique_ptr<Backend>> makeBackend(const Machine& machine, bool tunes = true);

/// Sizes that a processor gets through.
[[nodiscard]] SurveyGrid surveyGrid();

}  // namespace plumb::test::simulated

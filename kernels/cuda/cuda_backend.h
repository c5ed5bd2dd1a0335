// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "kernels/cuda/driver.h"

#include <memory>

namespace plumb::cuda {

struct CudaBackendOptions {
    /// Time algorithms of products. Without: the matrix library's own first choice, or those kept from
    /// before.
    bool tunes = true;
    /// Keep the choices in a file, and read those of earlier runs.
    bool keepsChoices = true;
};

/// The first GPU as a Backend: cuBLASLt's products, everything else from our own kernels, one stream. Two
/// runs on the same GPU with the same libraries and the same chosen algorithms have the same bits. `machine`
/// describes the GPU, with its calibration when there is one. Errors: Unavailable.
[[nodiscard]] Result<std::unique_ptr<Backend>> makeCudaBackend(Machine machine, const GpuIdentity& gpu,
                                                               const CudaBackendOptions& options = {});

}  // namespace plumb::cuda

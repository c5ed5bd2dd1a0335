// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/library_product.h"

#include <cublasLt.h>

namespace plumb::cuda {

/// What the matrix library tells of one of its algorithms, but for the workspace. What it does not tell stays
/// as it is in a new LibraryAlgorithm.
[[nodiscard]] LibraryAlgorithm algorithmOf(const cublasLtMatmulAlgo_t& algorithm);

}  // namespace plumb::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace plumb::cuda {

// Memory of the current device without a backend around it, for tests of single kernels. Each call waits for
// all work before it. What fails returns null, or the cudaError_t.

/// Empty when kernels can run; otherwise one clause that says why not.
[[nodiscard]] std::string whyNoDevice();
[[nodiscard]] void* plainAllocate(std::size_t bytes);
void plainRelease(void* memory);
[[nodiscard]] int plainUpload(void* to, const void* from, std::size_t bytes);
[[nodiscard]] int plainDownload(void* to, const void* from, std::size_t bytes);
/// The first error of all work so far.
[[nodiscard]] int plainSynchronize();

}  // namespace plumb::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/module.h"

#include <string>

namespace plumb::cli {

/// The file name of the module that holds the CUDA backend.
inline constexpr const char* kCudaModuleFile = "libplumbline_cuda.so";

/// The CUDA backend of this program: loaded when first asked for, and kept. It is looked for where the
/// environment variable PLUMBLINE_CUDA_MODULE says ("none": nowhere), or else beside the program and in
/// ../lib*/plumbline, where it is loaded only if there is a driver and a GPU. Errors: Unavailable, with one
/// sentence for each: not part of this installation, no driver or no GPU, not loadable (a library that it
/// needs is not there), of another build.
[[nodiscard]] Result<const cuda::Module*> cudaModule();

/// The same without the memory of the first time.
[[nodiscard]] Result<const cuda::Module*> loadCudaModule(const std::string& path);

}  // namespace plumb::cli

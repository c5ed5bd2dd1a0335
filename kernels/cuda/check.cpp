// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/check.h"

#include <fmt/format.h>

#include <string_view>

namespace plumb::cuda {

namespace {

/// "cudaMemcpyAsync" of "cudaMemcpyAsync(target, ...)".
std::string_view functionOf(std::string_view call) { return call.substr(0, call.find('(')); }

}  // namespace

// What was told is not told again: the runtime keeps an error until somebody asks, and a launch asks.
Error errorOf(cudaError_t result, const char* call) {
    static_cast<void>(cudaGetLastError());
    if (result == cudaErrorMemoryAllocation)
        return {ErrorCode::OutOfMemory, fmt::format("the GPU has no memory left ({})", functionOf(call)),
                "lower batch, dim or layers, or end other programs that use the GPU"};
    return {ErrorCode::RunFailed,
            fmt::format("the GPU failed ({}: {}, {})", functionOf(call), cudaGetErrorName(result),
                        cudaGetErrorString(result)),
            "run it again; when it fails again, report it with the configuration"};
}

Error errorOf(cublasStatus_t result, const char* call) {
    return {
        ErrorCode::RunFailed,
        fmt::format("the matrix library failed ({}: {})", functionOf(call), cublasLtGetStatusName(result)),
        "run it again; when it fails again, report it with the configuration"};
}

Result<void> checkLaunch(int result, const char* function) {
    if (result == 0) return {};
    return errorOf(static_cast<cudaError_t>(result), function);
}

}  // namespace plumb::cuda

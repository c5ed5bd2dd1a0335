// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/check.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace plumb::cuda {

namespace {

/// "cudaMemcpyAsync" of "cudaMemcpyAsync(target, ...)".
std::string_view functionOf(std::string_view call) { return call.substr(0, call.find('(')); }

/// The runtime answers with such an error to every later call of this program too.
bool staysUntilTheEnd(cudaError_t result) {
    switch (result) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
        return true;
    default:
        return false;
    }
}

/// The remedy of an error that is not about the work itself; empty of others.
const char* remedyOf(cudaError_t result) {
    switch (result) {
    case cudaErrorDevicesUnavailable:
        return "another program may hold the GPU alone: see its processes and its compute mode in nvidia-smi";
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
        return "see whether nvidia-smi still lists the GPU, and restart the machine where it does not";
    case cudaErrorSystemNotReady:
        return "start the service nvidia-fabricmanager, which machines with NVSwitch need";
    case cudaErrorSystemDriverMismatch:
        return "restart the machine after an update of the driver";
    case cudaErrorInsufficientDriver:
        return "update the driver";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
        return "build Plumbline for this GPU: CMAKE_CUDA_ARCHITECTURES is its compute capability";
    default:
        return "";
    }
}

}  // namespace

// What was told is not told again: the runtime keeps an error until somebody asks, and a launch asks.
Error errorOf(cudaError_t result, const char* call) {
    static_cast<void>(cudaGetLastError());
    if (result == cudaErrorMemoryAllocation)
        return {ErrorCode::OutOfMemory, fmt::format("the GPU has no memory left ({})", functionOf(call)),
                "lower batch, dim or layers, or end other programs that use the GPU"};
    const std::string told =
        fmt::format("({}: {}, {})", functionOf(call), cudaGetErrorName(result), cudaGetErrorString(result));
    if (const char* const remedy = remedyOf(result); *remedy != '\0')
        return {ErrorCode::Unavailable, "the GPU is not to be had " + told, remedy};
    if (staysUntilTheEnd(result))
        return {
            ErrorCode::RunFailed, "the GPU failed " + told,
            "it does nothing more for this program: start that again (in the window: Restart the engine); "
            "where it fails again see the driver's messages (Xid) in the system's log, and report it with "
            "the configuration"};
    return {ErrorCode::RunFailed, "the GPU failed " + told,
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

// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/check.h"

#include "core/engine/lost_device.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace plumb::cuda {

namespace {

/// "cudaMemcpyAsync" of "cudaMemcpyAsync(target, ...)".
std::string_view functionOf(std::string_view call) { return call.substr(0, call.find('(')); }

/// The runtime answers with such an error to every later call of this program too.
bool isOfALostDevice(cudaError_t result) {
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

/// The loss behind a call that failed, as the runtime tells it to whoever asks for anything; cudaSuccess: the
/// device goes on. Asked where something failed and nowhere else.
cudaError_t lossNow() {
    std::size_t free = 0;
    std::size_t all = 0;
    const cudaError_t told = cudaMemGetInfo(&free, &all);
    static_cast<void>(cudaGetLastError());
    return isOfALostDevice(told) ? told : cudaSuccess;
}

Error lostDevice(cudaError_t loss) {
    return plumb::lostDevice(fmt::format("{}, {}", cudaGetErrorName(loss), cudaGetErrorString(loss)));
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

Error noMemory(std::string message) {
    return {ErrorCode::OutOfMemory, std::move(message),
            "lower batch, dim or layers, or end other programs that use the GPU"};
}

}  // namespace

// What was told is not told again: the runtime keeps an error until somebody asks, and a launch asks.
Error errorOf(cudaError_t result, const char* call) {
    static_cast<void>(cudaGetLastError());
    if (isOfALostDevice(result)) return lostDevice(result);
    const std::string told =
        fmt::format("({}: {}, {})", functionOf(call), cudaGetErrorName(result), cudaGetErrorString(result));
    if (const char* const remedy = remedyOf(result); *remedy != '\0')
        return {ErrorCode::Unavailable, "the GPU is not to be had " + told, remedy};
    if (const cudaError_t loss = lossNow(); loss != cudaSuccess) return lostDevice(loss);
    if (result == cudaErrorMemoryAllocation)
        return noMemory(fmt::format("the GPU has no memory left ({})", functionOf(call)));
    return {ErrorCode::RunFailed, "the GPU failed " + told,
            "run it again; when it fails again, report it with the configuration"};
}

// The library has one word for all that can go wrong with a device.
Error errorOf(cublasStatus_t result, const char* call) {
    if (const cudaError_t loss = lossNow(); loss != cudaSuccess) return lostDevice(loss);
    const std::string told = fmt::format("({}: {})", functionOf(call), cublasLtGetStatusName(result));
    if (result == CUBLAS_STATUS_ALLOC_FAILED)
        return noMemory("the matrix library has no memory left " + told);
    return {ErrorCode::RunFailed, "the matrix library failed " + told,
            "run it again; when it fails again, report it with the configuration"};
}

Result<void> checkLaunch(int result, const char* function) {
    if (result == 0) return {};
    return errorOf(static_cast<cudaError_t>(result), function);
}

}  // namespace plumb::cuda

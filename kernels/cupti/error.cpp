// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/api.h"

#include <fmt/format.h>

namespace plumb::cupti {

namespace {

struct Known {
    CUptiResult result;
    const char* message;
    const char* hint;
};

/// What users can meet, and what they can do about it.
constexpr Known kKnown[] = {
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "the driver lets only administrators read GPU counters",
     "run as root or with CAP_SYS_ADMIN, or set NVreg_RestrictProfilingToAdminUsers=0 for the driver's "
     "module"},
    {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "another profiler owns CUPTI in this process",
     "start without it"},
    {CUPTI_ERROR_HARDWARE_BUSY, "the GPU's counters are in use by another program",
     "stop the other profiler, or pause the monitoring service (dcgmi profile --pause)"},
    {CUPTI_ERROR_OUT_OF_MEMORY, "there is not enough free memory on the GPU to count",
     "leave 1 to 2 GB free, or count less (--counters quick)"},
    {CUPTI_ERROR_INVALID_CHIP_NAME, "this GPU is newer than the CUPTI that is installed",
     "install a newer CUDA Toolkit 13"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "the hypervisor does not allow GPU counters",
     "ask the administrator to enable profiling for this virtual GPU"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, "the hypervisor does not allow GPU counters",
     "ask the administrator to enable profiling for this virtual GPU"},
    {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "GPU counters are off in confidential computing mode",
     "switch the mode off, or go on with timing only"},
    {CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, "mining cards have no GPU counters", "go on with timing only"},
    {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "this slice of the GPU (MIG) has no counters of its own",
     "use a slice with all compute instances, or go on with timing only"},
    {CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, "GPU counters are off with SLI", "switch SLI off"},
    {CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "GPU counters need Windows 11 and driver 525 or newer under WSL",
     "update both, or go on with timing only"},
};

}  // namespace

Error cuptiError(const CuptiApi& api, CUptiResult result, const char* call) {
    for (const Known& known : kKnown)
        if (known.result == result) return {ErrorCode::Unavailable, known.message, known.hint};
    const char* name = nullptr;
    if (api.cuptiGetResultString != nullptr) api.cuptiGetResultString(result, &name);
    return {
        ErrorCode::RunFailed,
        fmt::format("{} failed ({} {})", call, name != nullptr ? name : "error", static_cast<int>(result)),
        "go on with timing only"};
}

}  // namespace plumb::cupti

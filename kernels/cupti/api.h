// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cuda.h>

#include <cstddef>
#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <span>
#include <string>
#include <vector>

// Tables of the functions that are used of CUPTI and of the driver. Both are loaded while the program runs:
// it starts without them, and tests put in functions of their own.
namespace plumb::cupti {

/// Every function of CUPTI that is used, by its own name.
#define PLUMB_CUPTI_FUNCTIONS(use)                                                                           \
    use(cuptiGetVersion) use(cuptiGetResultString) use(cuptiComputeCapabilitySupported) use(                 \
        cuptiGetTimestamp) use(cuptiSubscribe_v2) use(cuptiUnsubscribe) use(cuptiEnableCallback)             \
        use(cuptiGetCallbackName) use(cuptiDeviceGetChipName) use(cuptiGetGraphNodeId) use(                  \
            cuptiProfilerInitialize) use(cuptiProfilerDeInitialize) use(cuptiProfilerDeviceSupported)        \
            use(cuptiProfilerGetCounterAvailability) use(cuptiProfilerHostGetSupportedChips)                 \
                use(cuptiProfilerHostInitialize) use(cuptiProfilerHostDeinitialize) use(                     \
                    cuptiProfilerHostGetBaseMetrics) use(cuptiProfilerHostConfigAddMetrics)                  \
                    use(cuptiProfilerHostGetConfigImageSize) use(cuptiProfilerHostGetConfigImage) use(       \
                        cuptiProfilerHostGetNumOfPasses) use(cuptiProfilerHostEvaluateToGpuValues)           \
                        use(cuptiRangeProfilerEnable) use(cuptiRangeProfilerDisable) use(                    \
                            cuptiRangeProfilerSetConfig) use(cuptiRangeProfilerStart)                        \
                            use(cuptiRangeProfilerStop) use(cuptiRangeProfilerPushRange) use(                \
                                cuptiRangeProfilerPopRange) use(cuptiRangeProfilerDecodeData)                \
                                use(cuptiRangeProfilerGetCounterDataSize) use(                               \
                                    cuptiRangeProfilerCounterDataImageInitialize)                            \
                                    use(cuptiRangeProfilerGetCounterDataInfo) use(                           \
                                        cuptiRangeProfilerCounterDataGetRangeInfo) use(cuptiActivityEnable)  \
                                        use(cuptiActivityDisable) use(cuptiActivityFlushAll)                 \
                                            use(cuptiActivityRegisterCallbacks)                              \
                                                use(cuptiActivityGetNextRecord)                              \
                                                    use(cuptiActivityGetNumDroppedRecords)                   \
                                                        use(cuptiActivitySetAttribute)                       \
                                                            use(cuptiActivityPushExternalCorrelationId)      \
                                                                use(cuptiActivityPopExternalCorrelationId)   \
                                                                    use(cuptiActivityEnableDriverApi)        \
                                                                        use(cuptiActivityEnableRuntimeApi)

struct CuptiApi {
#define PLUMB_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
    PLUMB_CUPTI_FUNCTIONS(PLUMB_CUPTI_MEMBER)
#undef PLUMB_CUPTI_MEMBER
};

/// The few functions of the driver that have to be asked before CUPTI may be.
#define PLUMB_DRIVER_FUNCTIONS(use)                                                                          \
    use(cuInit) use(cuDriverGetVersion) use(cuDeviceGetCount) use(cuDeviceGet) use(cuDeviceGetAttribute)     \
        use(cuCtxGetCurrent) use(cuCtxGetDevice) use(cuCtxSynchronize)

struct DriverApi {
#define PLUMB_DRIVER_MEMBER(name) decltype(&::name) name = nullptr;
    PLUMB_DRIVER_FUNCTIONS(PLUMB_DRIVER_MEMBER)
#undef PLUMB_DRIVER_MEMBER
};

/// The driver's functions from libcuda.so.1, loaded once and never unloaded. Errors: Unavailable, no driver.
[[nodiscard]] Result<const DriverApi*> loadDriver();

/// CUPTI from the loader's path, the toolkit's usual folders or beside the cuBLASLt that is loaded, once and
/// never unloaded. Errors: Unavailable where it is not there, lacks a function, or this program was built
/// with a sanitizer that CUPTI does not survive.
[[nodiscard]] Result<const CuptiApi*> loadCupti();

/// Where it is looked for: on the loader's path, where toolkits put it and where the matrix library in use
/// lies, whose wheel of PyTorch has both; never relative to the current folder.
[[nodiscard]] std::vector<std::string> usualCuptiFiles();

/// The same from the first of `candidates` that can be loaded, each time anew; for tests.
[[nodiscard]] Result<CuptiApi> loadCuptiFrom(std::span<const std::string> candidates);

/// A parameter structure of CUPTI: all zero, with its size.
template <class Params>
[[nodiscard]] Params paramsOf(std::size_t structSize) {
    Params params{};
    params.structSize = structSize;
    return params;
}

/// What a failed call becomes: one sentence with its remedy for what users can meet, else the function and
/// the library's own words. `call` is the function's name.
[[nodiscard]] Error cuptiError(const CuptiApi& api, CUptiResult result, const char* call);

}  // namespace plumb::cupti

/// `Type params = PLUMB_PARAMS(Type);` with the structure's own size macro.
#define PLUMB_PARAMS(Type) plumb::cupti::paramsOf<Type>(Type##_STRUCT_SIZE)

/// `PLUMB_CUPTI(api, cuptiRangeProfilerStop, &params);` returns the Error from the enclosing function.
#define PLUMB_CUPTI(api, function, ...)                                                                      \
    do {                                                                                                     \
        if (const CUptiResult plumbCode = (api).function(__VA_ARGS__); plumbCode != CUPTI_SUCCESS)           \
            return plumb::cupti::cuptiError(api, plumbCode, #function);                                      \
    } while (false)

// SPDX-License-Identifier: Apache-2.0
// CUPTI and the driver of the simulated device, in place of kernels/cupti/load.cpp: counters of ranges, of
// what kernels and products were seen to move and to multiply. Where the device counts nothing
// (Options::counts) there is no driver. Records of activity are refused.
//
// FLOPs are those of products alone: nobody knows what our kernels compute. A cycle is a nanosecond of the
// device's clock, and one block of 256 threads is on it. Other counts are 0.
#include "tests/kernels/simulated/counters.h"

#include "core/model/names.h"
#include "kernels/cupti/api.h"
#include "kernels/cupti/metric_table.h"
#include "tests/kernels/simulated/device.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::test::simulated {

namespace {

/// Of a device that needs two for what one could count, so that a step is counted in parts.
constexpr std::size_t kPasses = 2;
constexpr std::size_t kImageBytes = 32;
constexpr double kSectorBytes = 32;
constexpr double kWarpsOfABlock = 8;

/// What was counted between two marks.
struct CountedRange {
    std::string name;
    LaunchCount count;
};

struct CountersState {
    CUpti_CallbackFunc callback = nullptr;
    void* callbackData = nullptr;
    std::string chip;
    std::vector<std::string> baseMetrics;
    std::vector<const char*> baseNames, chipNames;
    std::vector<std::string> chips;
    std::vector<CountedRange> ranges;  ///< of this pass
    CountedRange open;                 ///< with what had been counted when it began
    std::size_t stops = 0;
};
CountersState& counters() {
    static CountersState state;
    return state;
}

/// Of all kernels that were done so far.
LaunchCount countedSoFar() {
    Device& device = Device::get();
    const std::scoped_lock lock(device.lock());
    LaunchCount all;
    for (const auto& [kernel, count] : device.launched()) all += count;
    return all;
}

const char* chipOf(int computeCapability) {
    return computeCapability == 80    ? "GA100"
           : computeCapability == 89  ? "AD102"
           : computeCapability >= 100 ? "GB100"
                                      : "GH100";
}

template <class T>
T* handleOf(std::uintptr_t number) {
    return reinterpret_cast<T*>(number);
}

double valueOf(const CountedRange& range, std::string_view metric, bool isFirstOfTensor) {
    const LaunchCount& of = range.count;
    const auto read = static_cast<double>(of.bytesRead), written = static_cast<double>(of.bytesWritten);
    const auto cycles = static_cast<double>(of.nanoseconds);
    if (metric.starts_with("sm__ops_path_tensor_"))
        return isFirstOfTensor ? static_cast<double>(of.tensorFlops) : 0;
    if (metric == "sm__sass_thread_inst_executed_op_ffma_pred_on.sum")
        return static_cast<double>(of.coreFlops) / 2;
    if (metric.starts_with("dram__bytes"))
        return metric.find("read") != std::string_view::npos ? read : written;
    if (metric == "lts__t_sectors_srcunit_tex.sum" || metric == "lts__t_sectors_lookup_miss.sum")
        return (read + written) / kSectorBytes;
    if (metric == "lts__t_sectors_lookup_hit.sum") return static_cast<double>(of.bytesOfSums) / kSectorBytes;
    if (metric == "l1tex__t_bytes.sum") return read + written;
    if (metric == "sm__cycles_active.sum") return cycles;
    if (metric == "sm__pipe_tensor_cycles_active.sum") return of.tensorFlops > 0 ? cycles : 0;
    if (metric == "sm__warps_active.sum") return kWarpsOfABlock * cycles;
    return 0;
}

CUptiResult done() { return CUPTI_SUCCESS; }

void setHostFunctions(cupti::CuptiApi& api) {
    api.cuptiProfilerHostGetSupportedChips = [](CUpti_Profiler_Host_GetSupportedChips_Params* params) {
        CountersState& state = counters();
        state.chips = cupti::knownChips();
        state.chipNames.clear();
        for (const std::string& chip : state.chips) state.chipNames.push_back(chip.c_str());
        params->ppChipNames = state.chipNames.data();
        params->numChips = state.chipNames.size();
        return done();
    };
    api.cuptiProfilerHostInitialize = [](CUpti_Profiler_Host_Initialize_Params* params) {
        counters().chip = params->pChipName;
        params->pHostObject = handleOf<CUpti_Profiler_Host_Object>(0x1000);
        return done();
    };
    api.cuptiProfilerHostDeinitialize = [](CUpti_Profiler_Host_Deinitialize_Params*) { return done(); };
    api.cuptiProfilerHostGetBaseMetrics = [](CUpti_Profiler_Host_GetBaseMetrics_Params* params) {
        CountersState& state = counters();
        params->numMetrics = 0;
        if (params->metricType != CUPTI_METRIC_TYPE_COUNTER) return done();
        std::set<std::string> names;
        for (std::size_t i = 0; i < kPrecisionNames.size(); ++i) {
            const auto set = cupti::metricsFor(state.chip, kPrecisionNames.at(i).first, CounterDetail::Full);
            if (!set.has_value()) return CUPTI_ERROR_INVALID_CHIP_NAME;
            for (const CounterMetric& metric : set->metrics)
                names.insert(metric.name.substr(0, metric.name.find('.')));
        }
        state.baseMetrics.assign(names.begin(), names.end());
        state.baseNames.clear();
        for (const std::string& name : state.baseMetrics) state.baseNames.push_back(name.c_str());
        params->ppMetricNames = state.baseNames.data();
        params->numMetrics = state.baseNames.size();
        return done();
    };
    api.cuptiProfilerHostConfigAddMetrics = [](CUpti_Profiler_Host_ConfigAddMetrics_Params*) {
        return done();
    };
    api.cuptiProfilerHostGetConfigImageSize = [](CUpti_Profiler_Host_GetConfigImageSize_Params* params) {
        params->configImageSize = kImageBytes;
        return done();
    };
    api.cuptiProfilerHostGetConfigImage = [](CUpti_Profiler_Host_GetConfigImage_Params* params) {
        std::memset(params->pConfigImage, 1, params->configImageSize);
        return done();
    };
    api.cuptiProfilerHostGetNumOfPasses = [](CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
        params->numOfPasses = kPasses;
        return done();
    };
    api.cuptiProfilerHostEvaluateToGpuValues = [](CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
        const CountedRange& range = counters().ranges.at(params->rangeIndex);
        bool isFirstOfTensor = true;
        for (std::size_t i = 0; i < params->numMetrics; ++i) {
            const std::string_view name = params->ppMetricNames[i];
            params->pMetricValues[i] = valueOf(range, name, isFirstOfTensor);
            if (name.starts_with("sm__ops_path_tensor_")) isFirstOfTensor = false;
        }
        return done();
    };
}

void setRangeFunctions(cupti::CuptiApi& api) {
    api.cuptiRangeProfilerEnable = [](CUpti_RangeProfiler_Enable_Params* params) {
        counters().stops = 0;
        params->pRangeProfilerObject = handleOf<CUpti_RangeProfiler_Object>(0x2000);
        return done();
    };
    api.cuptiRangeProfilerDisable = [](CUpti_RangeProfiler_Disable_Params*) { return done(); };
    api.cuptiRangeProfilerSetConfig = [](CUpti_RangeProfiler_SetConfig_Params*) { return done(); };
    api.cuptiRangeProfilerStart = [](CUpti_RangeProfiler_Start_Params*) {
        counters().ranges.clear();
        return done();
    };
    api.cuptiRangeProfilerStop = [](CUpti_RangeProfiler_Stop_Params* params) {
        params->isAllPassSubmitted = ++counters().stops >= kPasses ? 1 : 0;
        return done();
    };
    api.cuptiRangeProfilerPushRange = [](CUpti_RangeProfiler_PushRange_Params* params) {
        counters().open = {params->pRangeName, countedSoFar()};
        return done();
    };
    api.cuptiRangeProfilerPopRange = [](CUpti_RangeProfiler_PopRange_Params*) {
        const CountedRange& open = counters().open;
        counters().ranges.push_back({open.name, countedSoFar() - open.count});
        return done();
    };
    api.cuptiRangeProfilerDecodeData = [](CUpti_RangeProfiler_DecodeData_Params* params) {
        params->numOfRangeDropped = 0;
        return done();
    };
    api.cuptiRangeProfilerGetCounterDataSize = [](CUpti_RangeProfiler_GetCounterDataSize_Params* params) {
        params->counterDataSize = kImageBytes * params->maxNumOfRanges;
        return done();
    };
    api.cuptiRangeProfilerCounterDataImageInitialize =
        [](CUpti_RangeProfiler_CounterDataImage_Initialize_Params*) { return done(); };
    api.cuptiRangeProfilerGetCounterDataInfo = [](CUpti_RangeProfiler_GetCounterDataInfo_Params* params) {
        params->numTotalRanges = counters().ranges.size();
        return done();
    };
    api.cuptiRangeProfilerCounterDataGetRangeInfo =
        [](CUpti_RangeProfiler_CounterData_GetRangeInfo_Params* params) {
            params->rangeName = counters().ranges.at(params->rangeIndex).name.c_str();
            return done();
        };
}

// Functions of activity that are called before one refuses.
void setOtherFunctions(cupti::CuptiApi& api) {
    api.cuptiGetVersion = [](std::uint32_t* version) {
        *version = CUPTI_API_VERSION;
        return done();
    };
    api.cuptiGetResultString = [](CUptiResult, const char** text) {
        *text = "the simulated device does not do this";
        return done();
    };
    api.cuptiComputeCapabilitySupported = [](int, int, int* supported) {
        *supported = 1;
        return done();
    };
    api.cuptiSubscribe_v2 = [](CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* data,
                               CUpti_SubscriberParams*) {
        counters().callback = callback;
        counters().callbackData = data;
        *handle = handleOf<CUpti_Subscriber_st>(0x4000);
        return done();
    };
    api.cuptiUnsubscribe = [](CUpti_SubscriberHandle) {
        counters().callback = nullptr;
        return done();
    };
    api.cuptiEnableCallback = [](std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain,
                                 CUpti_CallbackId) { return done(); };
    api.cuptiDeviceGetChipName = [](CUpti_Device_GetChipName_Params* params) {
        params->pChipName = chipOf(Device::get().options().computeCapability);
        return done();
    };
    api.cuptiProfilerInitialize = [](CUpti_Profiler_Initialize_Params*) { return done(); };
    api.cuptiProfilerDeviceSupported = [](CUpti_Profiler_DeviceSupported_Params* params) {
        params->isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
        return done();
    };
    api.cuptiProfilerGetCounterAvailability = [](CUpti_Profiler_GetCounterAvailability_Params* params) {
        params->counterAvailabilityImageSize = kImageBytes;
        return done();
    };
    api.cuptiActivityRegisterCallbacks = [](CUpti_BuffersCallbackRequestFunc,
                                            CUpti_BuffersCallbackCompleteFunc) {
        return CUPTI_ERROR_NOT_SUPPORTED;
    };
    api.cuptiActivityFlushAll = [](std::uint32_t) { return done(); };
}

cupti::CuptiApi simulatedCupti() {
    cupti::CuptiApi api;  // what stays null is never called
    setHostFunctions(api);
    setRangeFunctions(api);
    setOtherFunctions(api);
    return api;
}

cupti::DriverApi simulatedDriver() {
    cupti::DriverApi driver;
    driver.cuInit = [](unsigned) { return CUDA_SUCCESS; };
    driver.cuDriverGetVersion = [](int* version) {
        *version = CUDA_VERSION;
        return CUDA_SUCCESS;
    };
    driver.cuDeviceGetCount = [](int* count) {
        *count = Device::get().options().cards;
        return CUDA_SUCCESS;
    };
    driver.cuDeviceGetAttribute = [](int* value, CUdevice_attribute attribute, CUdevice) {
        const int capability = Device::get().options().computeCapability;
        *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? capability / 10
                 : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? capability % 10
                                                                             : 1'000'000;  // kHz of clocks
        return CUDA_SUCCESS;
    };
    driver.cuCtxGetCurrent = [](CUcontext* context) {
        *context = handleOf<CUctx_st>(0x3000);
        return CUDA_SUCCESS;
    };
    driver.cuCtxGetDevice = [](CUdevice* device) {
        *device = 0;
        return CUDA_SUCCESS;
    };
    driver.cuCtxSynchronize = [] {
        return cudaDeviceSynchronize() == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED;
    };
    return driver;
}

}  // namespace

void noteLaunch(const char* kernel) {
    const CountersState& state = counters();
    if (state.callback == nullptr) return;
    CUpti_CallbackData data{};
    data.symbolName = kernel;
    for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
        data.callbackSite = site;
        state.callback(state.callbackData, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                       &data);
    }
}

}  // namespace plumb::test::simulated

namespace plumb::cupti {

Result<const DriverApi*> loadDriver() {
    static const DriverApi driver = test::simulated::simulatedDriver();
    if (test::simulated::Device::get().options().counts) return &driver;
    return Error{ErrorCode::Unavailable, "the simulated device has no counters", "profile on a GPU"};
}

Result<const CuptiApi*> loadCupti() {
    static const CuptiApi api = test::simulated::simulatedCupti();
    return &api;
}

}  // namespace plumb::cupti

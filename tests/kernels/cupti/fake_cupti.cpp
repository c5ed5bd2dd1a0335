// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cupti/fake_cupti.h"

#include "kernels/cupti/metric_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>

namespace plumb::cupti {

FakeCupti* FakeCupti::current = nullptr;

namespace {

FakeCupti& fake() { return *FakeCupti::current; }

/// Every structure must say its size, and keep the private pointer null.
template <class Params>
CUptiResult begin(const char* function, const Params* params, std::size_t size) {
    EXPECT_EQ(params->structSize, size) << function;
    EXPECT_EQ(params->pPriv, nullptr) << function;
    return fake().answer(function);
}
#define FAKE_BEGIN(function, Type)                                                                           \
    if (const CUptiResult result = begin(#function, params, Type##_STRUCT_SIZE); result != CUPTI_SUCCESS)    \
    return result

auto* const kHost = reinterpret_cast<CUpti_Profiler_Host_Object*>(0x1000);
auto* const kRange = reinterpret_cast<CUpti_RangeProfiler_Object*>(0x2000);
auto* const kContext = reinterpret_cast<CUcontext>(0x3000);
auto* const kSubscriber = reinterpret_cast<CUpti_SubscriberHandle>(0x4000);

CUptiResult version(std::uint32_t* number) {
    *number = fake().cuptiVersion;
    return fake().answer("cuptiGetVersion");
}
CUptiResult resultString(CUptiResult, const char** text) {
    *text = "FAKE_ERROR";
    return CUPTI_SUCCESS;
}
CUptiResult capability(int, int, int* supported) {
    *supported = fake().computeSupported;
    return fake().answer("cuptiComputeCapabilitySupported");
}
CUptiResult subscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* data,
                      CUpti_SubscriberParams* params) {
    EXPECT_EQ(params->structSize, CUpti_SubscriberParams_STRUCT_SIZE);
    EXPECT_GE(params->oldSubscriberSize, 64U);
    EXPECT_LE(std::strlen(params->subscriberName), static_cast<std::size_t>(CUPTI_SUBSCRIBER_NAME_MAX_LEN));
    const CUptiResult result = fake().answer("cuptiSubscribe_v2");
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        std::strncpy(params->oldSubscriberName, fake().oldSubscriber.c_str(), params->oldSubscriberSize);
    if (result != CUPTI_SUCCESS) return result;
    fake().callback = callback;
    fake().callbackData = data;
    fake().order.emplace_back("subscribe");
    *handle = kSubscriber;
    return result;
}
CUptiResult unsubscribe(CUpti_SubscriberHandle handle) {
    EXPECT_EQ(handle, kSubscriber);
    fake().callback = nullptr;
    fake().order.emplace_back("unsubscribe");
    return fake().answer("cuptiUnsubscribe");
}
CUptiResult enableCallback(std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId) {
    return fake().answer("cuptiEnableCallback");
}
CUptiResult chipName(CUpti_Device_GetChipName_Params* params) {
    FAKE_BEGIN(cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params);
    params->pChipName = fake().chip.c_str();
    return CUPTI_SUCCESS;
}
CUptiResult initialise(CUpti_Profiler_Initialize_Params* params) {
    FAKE_BEGIN(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params);
    return CUPTI_SUCCESS;
}
CUptiResult deviceSupported(CUpti_Profiler_DeviceSupported_Params* params) {
    FAKE_BEGIN(cuptiProfilerDeviceSupported, CUpti_Profiler_DeviceSupported_Params);
    EXPECT_EQ(params->api, CUPTI_PROFILER_RANGE_PROFILING);
    const auto size = params->structSize;
    *params = fake().support;
    params->structSize = size;
    return CUPTI_SUCCESS;
}
CUptiResult availability(CUpti_Profiler_GetCounterAvailability_Params* params) {
    FAKE_BEGIN(cuptiProfilerGetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params);
    EXPECT_EQ(params->ctx, kContext) << "a null context crashes the real one";
    params->counterAvailabilityImageSize = 16;
    return CUPTI_SUCCESS;
}
CUptiResult chips(CUpti_Profiler_Host_GetSupportedChips_Params* params) {
    FAKE_BEGIN(cuptiProfilerHostGetSupportedChips, CUpti_Profiler_Host_GetSupportedChips_Params);
    fake().chipPointers.clear();
    for (const std::string& chip : fake().chips) fake().chipPointers.push_back(chip.c_str());
    params->ppChipNames = fake().chipPointers.data();
    params->numChips = fake().chipPointers.size();
    return CUPTI_SUCCESS;
}
CUptiResult hostInitialise(CUpti_Profiler_Host_Initialize_Params* params) {
    FAKE_BEGIN(cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params);
    EXPECT_EQ(params->profilerType, CUPTI_PROFILER_TYPE_RANGE_PROFILER);
    fake().order.emplace_back("host open");
    params->pHostObject = kHost;
    return CUPTI_SUCCESS;
}
CUptiResult hostDeinitialise(CUpti_Profiler_Host_Deinitialize_Params* params) {
    EXPECT_EQ(params->pHostObject, kHost);
    fake().order.emplace_back("host close");
    FAKE_BEGIN(cuptiProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params);
    return CUPTI_SUCCESS;
}
CUptiResult baseMetrics(CUpti_Profiler_Host_GetBaseMetrics_Params* params) {
    FAKE_BEGIN(cuptiProfilerHostGetBaseMetrics, CUpti_Profiler_Host_GetBaseMetrics_Params);
    EXPECT_EQ(params->pHostObject, kHost);
    params->numMetrics = 0;
    if (params->metricType != CUPTI_METRIC_TYPE_COUNTER || !fake().knowsEveryMetric) return CUPTI_SUCCESS;
    fake().baseMetrics.clear();
    fake().basePointers.clear();
    for (const Precision precision : kAllPrecisions) {
        const auto set = metricsFor(fake().chip, precision, CounterDetail::Full);
        for (const CounterMetric& metric : set->metrics)
            fake().baseMetrics.push_back(metric.name.substr(0, metric.name.find('.')));
    }
    for (const std::string& name : fake().baseMetrics) fake().basePointers.push_back(name.c_str());
    params->ppMetricNames = fake().basePointers.data();
    params->numMetrics = fake().basePointers.size();
    return CUPTI_SUCCESS;
}
CUptiResult addMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
    FAKE_BEGIN(cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params);
    EXPECT_GT(params->numMetrics, 0U);
    return CUPTI_SUCCESS;
}
CUptiResult imageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* params) {
    FAKE_BEGIN(cuptiProfilerHostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params);
    params->configImageSize = 32;
    return CUPTI_SUCCESS;
}
CUptiResult image(CUpti_Profiler_Host_GetConfigImage_Params* params) {
    FAKE_BEGIN(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params);
    EXPECT_EQ(params->configImageSize, 32U);
    std::memset(params->pConfigImage, 7, params->configImageSize);
    return CUPTI_SUCCESS;
}
CUptiResult numOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
    FAKE_BEGIN(cuptiProfilerHostGetNumOfPasses, CUpti_Profiler_Host_GetNumOfPasses_Params);
    params->numOfPasses = fake().passes;
    return CUPTI_SUCCESS;
}
CUptiResult evaluate(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
    FAKE_BEGIN(cuptiProfilerHostEvaluateToGpuValues, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    EXPECT_EQ(params->pHostObject, kHost);
    for (std::size_t i = 0; i < params->numMetrics; ++i)
        params->pMetricValues[i] =
            fake().value ? fake().value(fake().decoded.at(params->rangeIndex), params->ppMetricNames[i]) : 1;
    return CUPTI_SUCCESS;
}

CUptiResult enable(CUpti_RangeProfiler_Enable_Params* params) {
    FAKE_BEGIN(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params);
    EXPECT_EQ(params->ctx, kContext) << "a null context crashes the real one";
    fake().order.emplace_back("enable");
    fake().stops = 0;
    params->pRangeProfilerObject = kRange;
    return CUPTI_SUCCESS;
}
CUptiResult disable(CUpti_RangeProfiler_Disable_Params* params) {
    fake().order.emplace_back("disable");
    EXPECT_EQ(params->pRangeProfilerObject, kRange);
    FAKE_BEGIN(cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable_Params);
    return CUPTI_SUCCESS;
}
CUptiResult setConfig(CUpti_RangeProfiler_SetConfig_Params* params) {
    FAKE_BEGIN(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params);
    EXPECT_EQ(params->range, CUPTI_UserRange);
    EXPECT_EQ(params->replayMode, CUPTI_UserReplay);
    EXPECT_EQ(params->numNestingLevels, 1);
    EXPECT_EQ(params->minNestingLevel, 1);
    EXPECT_EQ(params->targetNestingLevel, 1);
    EXPECT_EQ(params->configSize, 32U);
    EXPECT_EQ(params->pConfig[31], 7);
    fake().configured.push_back(params->maxRangesPerPass);
    return CUPTI_SUCCESS;
}
CUptiResult start(CUpti_RangeProfiler_Start_Params* params) {
    FAKE_BEGIN(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params);
    fake().order.emplace_back("start");
    fake().ranges.clear();
    return CUPTI_SUCCESS;
}
CUptiResult stop(CUpti_RangeProfiler_Stop_Params* params) {
    fake().order.emplace_back("stop");
    FAKE_BEGIN(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params);
    params->isAllPassSubmitted = ++fake().stops >= fake().passesNeeded ? 1 : 0;
    return CUPTI_SUCCESS;
}
CUptiResult push(CUpti_RangeProfiler_PushRange_Params* params) {
    FAKE_BEGIN(cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params);
    EXPECT_EQ(fake().openRanges, 0) << "ranges are never nested";
    ++fake().openRanges;
    fake().ranges.emplace_back(params->pRangeName);
    return CUPTI_SUCCESS;
}
CUptiResult pop(CUpti_RangeProfiler_PopRange_Params* params) {
    EXPECT_EQ(fake().openRanges, 1);
    --fake().openRanges;
    FAKE_BEGIN(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params);
    return CUPTI_SUCCESS;
}
CUptiResult decode(CUpti_RangeProfiler_DecodeData_Params* params) {
    FAKE_BEGIN(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params);
    params->numOfRangeDropped = fake().dropped;
    fake().decoded = fake().ranges;
    if (fake().changeRanges) fake().changeRanges(fake().decoded);
    return CUPTI_SUCCESS;
}
CUptiResult dataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* params) {
    FAKE_BEGIN(cuptiRangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params);
    EXPECT_GE(params->maxNumRangeTreeNodes, params->maxNumOfRanges);
    params->counterDataSize = 100 * params->maxNumOfRanges;
    return CUPTI_SUCCESS;
}
CUptiResult dataInitialise(CUpti_RangeProfiler_CounterDataImage_Initialize_Params* params) {
    FAKE_BEGIN(cuptiRangeProfilerCounterDataImageInitialize,
               CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    return CUPTI_SUCCESS;
}
CUptiResult dataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* params) {
    FAKE_BEGIN(cuptiRangeProfilerGetCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo_Params);
    params->numTotalRanges = fake().decoded.size();
    return CUPTI_SUCCESS;
}
CUptiResult rangeInfo(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params* params) {
    FAKE_BEGIN(cuptiRangeProfilerCounterDataGetRangeInfo,
               CUpti_RangeProfiler_CounterData_GetRangeInfo_Params);
    params->rangeName = fake().decoded.at(params->rangeIndex).c_str();
    return CUPTI_SUCCESS;
}

CUptiResult timestamp(std::uint64_t* now) {
    *now = fake().time += 100;
    return fake().answer("cuptiGetTimestamp");
}
CUptiResult callbackName(CUpti_CallbackDomain domain, std::uint32_t id, const char** name) {
    *name = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? "cudaSomething" : "cuSomething";
    return id == 0 ? CUPTI_ERROR_INVALID_PARAMETER : fake().answer("cuptiGetCallbackName");
}
CUptiResult nodeId(CUgraphNode node, std::uint64_t* id) {
    const auto found = fake().nodeIds.find(node);
    if (found == fake().nodeIds.end()) return CUPTI_ERROR_INVALID_PARAMETER;
    *id = found->second;
    return fake().answer("cuptiGetGraphNodeId");
}
CUptiResult activityEnable(CUpti_ActivityKind kind) {
    const CUptiResult result = fake().answer("cuptiActivityEnable");
    if (result != CUPTI_SUCCESS) return result;
    if (const CUptiResult own = fake().answer("enable " + std::to_string(kind)); own != CUPTI_SUCCESS)
        return own;
    fake().enabled.push_back(kind);
    return CUPTI_SUCCESS;
}
CUptiResult activityDisable(CUpti_ActivityKind kind) {
    std::erase(fake().enabled, kind);
    fake().order.emplace_back("activity off");
    return fake().answer("cuptiActivityDisable");
}
CUptiResult registerCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                              CUpti_BuffersCallbackCompleteFunc completed) {
    fake().requested = requested;
    fake().completed = completed;
    return fake().answer("cuptiActivityRegisterCallbacks");
}
/// Gives every pending record back in one buffer, one behind the other, as CUPTI does.
CUptiResult flushAll(std::uint32_t) {
    fake().order.emplace_back("flush");
    if (const CUptiResult result = fake().answer("cuptiActivityFlushAll"); result != CUPTI_SUCCESS)
        return result;
    if (fake().pending.empty() || fake().requested == nullptr) return CUPTI_SUCCESS;
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0, most = 1, used = 0;
    fake().requested(&buffer, &size, &most);
    EXPECT_NE(buffer, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer) % 8, 0U);
    EXPECT_EQ(most, 0U);
    for (const auto& record : std::exchange(fake().pending, {})) {
        std::memcpy(buffer + used, record.data(), record.size());
        used += record.size();
    }
    EXPECT_LE(used, size);
    fake().completed(nullptr, 0, buffer, size, used);
    return CUPTI_SUCCESS;
}
std::size_t sizeOf(CUpti_ActivityKind kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return sizeof(CUpti_ActivityMemory4);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
        return sizeof(CUpti_ActivityExternalCorrelation);
    default:
        return sizeof(CUpti_ActivityAPI);
    }
}
CUptiResult nextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
    if (const CUptiResult result = fake().answer("cuptiActivityGetNextRecord"); result != CUPTI_SUCCESS)
        return result;
    std::uint8_t* next =
        *record == nullptr ? buffer : reinterpret_cast<std::uint8_t*>(*record) + sizeOf((*record)->kind);
    if (next >= buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity*>(next);
    return CUPTI_SUCCESS;
}
CUptiResult droppedRecords(CUcontext, std::uint32_t, std::size_t* dropped) {
    *dropped = fake().droppedRecords;
    return fake().answer("cuptiActivityGetNumDroppedRecords");
}
CUptiResult pushExternal(CUpti_ExternalCorrelationKind kind, std::uint64_t id) {
    EXPECT_EQ(kind, CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0);
    fake().correlations.push_back(id);
    return fake().answer("cuptiActivityPushExternalCorrelationId");
}
CUptiResult popExternal(CUpti_ExternalCorrelationKind, std::uint64_t* last) {
    EXPECT_FALSE(fake().correlations.empty());
    *last = fake().correlations.back();
    fake().correlations.pop_back();
    return fake().answer("cuptiActivityPopExternalCorrelationId");
}

CUresult cuInitFake(unsigned) { return fake().driverAnswer("cuInit"); }
CUresult driverVersionFake(int* number) {
    *number = fake().driverVersion;
    return fake().driverAnswer("cuDriverGetVersion");
}
CUresult countFake(int* count) {
    *count = fake().devices;
    return fake().driverAnswer("cuDeviceGetCount");
}
CUresult attributeFake(int* value, CUdevice_attribute, CUdevice) {
    *value = 9;
    return fake().driverAnswer("cuDeviceGetAttribute");
}
CUresult currentFake(CUcontext* context) {
    *context = fake().context ? kContext : nullptr;
    return fake().driverAnswer("cuCtxGetCurrent");
}
CUresult deviceFake(CUdevice* device) {
    *device = 0;
    return fake().driverAnswer("cuCtxGetDevice");
}
CUresult synchronizeFake() { return fake().driverAnswer("cuCtxSynchronize"); }

}  // namespace

FakeCupti::FakeCupti() {
    EXPECT_EQ(current, nullptr);
    current = this;
    for (auto* level : {&support.isSupported, &support.architecture, &support.sli, &support.vGpu,
                        &support.confidentialCompute, &support.cmp, &support.wsl})
        *level = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    // What is not set stays null: calling it would be noticed.
    api.cuptiGetVersion = version;
    api.cuptiGetResultString = resultString;
    api.cuptiComputeCapabilitySupported = capability;
    api.cuptiSubscribe_v2 = subscribe;
    api.cuptiUnsubscribe = unsubscribe;
    api.cuptiEnableCallback = enableCallback;
    api.cuptiDeviceGetChipName = chipName;
    api.cuptiProfilerInitialize = initialise;
    api.cuptiProfilerDeviceSupported = deviceSupported;
    api.cuptiProfilerGetCounterAvailability = availability;
    api.cuptiProfilerHostGetSupportedChips = cupti::chips;
    api.cuptiProfilerHostInitialize = hostInitialise;
    api.cuptiProfilerHostDeinitialize = hostDeinitialise;
    api.cuptiProfilerHostGetBaseMetrics = cupti::baseMetrics;
    api.cuptiProfilerHostConfigAddMetrics = addMetrics;
    api.cuptiProfilerHostGetConfigImageSize = imageSize;
    api.cuptiProfilerHostGetConfigImage = image;
    api.cuptiProfilerHostGetNumOfPasses = numOfPasses;
    api.cuptiProfilerHostEvaluateToGpuValues = evaluate;
    api.cuptiRangeProfilerEnable = enable;
    api.cuptiRangeProfilerDisable = disable;
    api.cuptiRangeProfilerSetConfig = setConfig;
    api.cuptiRangeProfilerStart = start;
    api.cuptiRangeProfilerStop = stop;
    api.cuptiRangeProfilerPushRange = push;
    api.cuptiRangeProfilerPopRange = pop;
    api.cuptiRangeProfilerDecodeData = decode;
    api.cuptiRangeProfilerGetCounterDataSize = dataSize;
    api.cuptiRangeProfilerCounterDataImageInitialize = dataInitialise;
    api.cuptiRangeProfilerGetCounterDataInfo = dataInfo;
    api.cuptiRangeProfilerCounterDataGetRangeInfo = rangeInfo;
    api.cuptiGetTimestamp = timestamp;
    api.cuptiGetCallbackName = callbackName;
    api.cuptiGetGraphNodeId = nodeId;
    api.cuptiActivityEnable = activityEnable;
    api.cuptiActivityDisable = activityDisable;
    api.cuptiActivityRegisterCallbacks = registerCallbacks;
    api.cuptiActivityFlushAll = flushAll;
    api.cuptiActivityGetNextRecord = nextRecord;
    api.cuptiActivityGetNumDroppedRecords = cupti::droppedRecords;
    api.cuptiActivityPushExternalCorrelationId = pushExternal;
    api.cuptiActivityPopExternalCorrelationId = popExternal;
    driver.cuInit = cuInitFake;
    driver.cuDriverGetVersion = driverVersionFake;
    driver.cuDeviceGetCount = countFake;
    driver.cuDeviceGetAttribute = attributeFake;
    driver.cuCtxGetCurrent = currentFake;
    driver.cuCtxGetDevice = deviceFake;
    driver.cuCtxSynchronize = synchronizeFake;
}

FakeCupti::~FakeCupti() { current = nullptr; }

Libraries FakeCupti::libraries() {
    Libraries libraries;
    libraries.driver = [this]() -> Result<const DriverApi*> {
        if (!driverThere) return Error{ErrorCode::Unavailable, "there is no NVIDIA driver", "install it"};
        return &driver;
    };
    libraries.cupti = [this]() -> Result<const CuptiApi*> {
        if (!cuptiThere) return Error{ErrorCode::Unavailable, "CUPTI is not there", "install it"};
        return &api;
    };
    return libraries;
}

CUptiResult FakeCupti::answer(const std::string& function) {
    const int call = ++calls[function];
    const auto found = cuptiFails.find(function);
    if (found == cuptiFails.end()) return CUPTI_SUCCESS;
    const auto only = failsOnlyFor.find(function);
    return only == failsOnlyFor.end() || call <= only->second ? found->second : CUPTI_SUCCESS;
}

CUresult FakeCupti::driverAnswer(const std::string& function) {
    ++calls[function];
    const auto found = driverFails.find(function);
    return found == driverFails.end() ? CUDA_SUCCESS : found->second;
}

void FakeCupti::launch(const char* kernel, unsigned grid) {
    cuLaunchKernel_params params{};
    params.gridDimX = grid;
    params.gridDimY = params.gridDimZ = params.blockDimX = params.blockDimY = params.blockDimZ = 1;
    CUpti_CallbackData data{};
    data.callbackSite = CUPTI_API_ENTER;
    data.symbolName = kernel;
    data.functionParams = &params;
    callback(callbackData, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &data);
    data.callbackSite = CUPTI_API_EXIT;
    callback(callbackData, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &data);
}

void FakeCupti::resource(CUpti_CallbackId id, const CUpti_ResourceData& data) {
    callback(callbackData, CUPTI_CB_DOMAIN_RESOURCE, id, &data);
}

void FakeCupti::fatalError() {
    callback(callbackData, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR, nullptr);
}

}  // namespace plumb::cupti

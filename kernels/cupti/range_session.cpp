// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/range_session.h"

#include <fmt/format.h>

#include <new>
#include <utility>

namespace plumb::cupti {

namespace {

constexpr int kMostRetries = 3;

}  // namespace

RangeSession::RangeSession(const Device& device, const MetricConfig& config, Wait wait)
    : m_device(device), m_api(*device.cupti), m_config(config), m_wait(std::move(wait)) {}

RangeSession::~RangeSession() { disable(); }

// What fails here leaves nothing that could still be done.
void RangeSession::disable() {
    if (m_object == nullptr) return;
    if (m_pushed) {
        auto pop = PLUMB_PARAMS(CUpti_RangeProfiler_PopRange_Params);
        pop.pRangeProfilerObject = m_object;
        m_api.cuptiRangeProfilerPopRange(&pop);
        m_pushed = false;
    }
    if (m_started) {
        auto stop = PLUMB_PARAMS(CUpti_RangeProfiler_Stop_Params);
        stop.pRangeProfilerObject = m_object;
        m_api.cuptiRangeProfilerStop(&stop);
        m_started = false;
    }
    auto params = PLUMB_PARAMS(CUpti_RangeProfiler_Disable_Params);
    params.pRangeProfilerObject = std::exchange(m_object, nullptr);
    m_api.cuptiRangeProfilerDisable(&params);
}

Result<void> RangeSession::wait() const {
    const CUresult result = m_device.driver->cuCtxSynchronize();
    if (result == CUDA_SUCCESS) return {};
    return Error{ErrorCode::RunFailed,
                 fmt::format("the GPU failed while it was counted (error {})", static_cast<int>(result)),
                 "check it with nvidia-smi"};
}

Result<void> RangeSession::configure(std::size_t ranges) {
    disable();
    PLUMB_CHECK(wait());
    auto enable = PLUMB_PARAMS(CUpti_RangeProfiler_Enable_Params);
    enable.ctx = m_device.context;  // never null: that crashes
    PLUMB_CUPTI(m_api, cuptiRangeProfilerEnable, &enable);
    m_object = enable.pRangeProfilerObject;

    std::vector<const char*> names = m_config.names();
    auto size = PLUMB_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = m_object;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = ranges;
    size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);  // ranges are never nested
    PLUMB_CUPTI(m_api, cuptiRangeProfilerGetCounterDataSize, &size);
    try {
        m_counterData.assign(size.counterDataSize, 0);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory,
                     fmt::format("there is no memory for the counters ({} bytes)", size.counterDataSize),
                     "count less (--counters quick)"};
    }

    auto image = PLUMB_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    image.pRangeProfilerObject = m_object;
    image.counterDataSize = m_counterData.size();
    image.pCounterData = m_counterData.data();
    PLUMB_CUPTI(m_api, cuptiRangeProfilerCounterDataImageInitialize, &image);

    auto config = PLUMB_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
    config.pRangeProfilerObject = m_object;
    config.configSize = m_config.image().size();
    config.pConfig = m_config.image().data();
    config.counterDataImageSize = m_counterData.size();
    config.pCounterDataImage = m_counterData.data();
    config.range = CUPTI_UserRange;
    config.replayMode = CUPTI_UserReplay;
    config.maxRangesPerPass = ranges;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    config.passIndex = 0;
    config.targetNestingLevel = 1;
    PLUMB_CUPTI(m_api, cuptiRangeProfilerSetConfig, &config);
    return {};
}

Result<void> RangeSession::start() {
    auto params = PLUMB_PARAMS(CUpti_RangeProfiler_Start_Params);
    params.pRangeProfilerObject = m_object;
    CUptiResult result = m_api.cuptiRangeProfilerStart(&params);
    for (int retry = 0; result == CUPTI_ERROR_HARDWARE_BUSY && retry < kMostRetries; ++retry) {
        if (m_wait) m_wait();
        result = m_api.cuptiRangeProfilerStart(&params);
    }
    if (result != CUPTI_SUCCESS) return cuptiError(m_api, result, "cuptiRangeProfilerStart");
    m_started = true;
    return {};
}

Result<void> RangeSession::push(const std::string& name) {
    PLUMB_CHECK(wait());
    auto params = PLUMB_PARAMS(CUpti_RangeProfiler_PushRange_Params);
    params.pRangeProfilerObject = m_object;
    params.pRangeName = name.c_str();
    PLUMB_CUPTI(m_api, cuptiRangeProfilerPushRange, &params);
    m_pushed = true;
    return {};
}

Result<void> RangeSession::pop() {
    PLUMB_CHECK(wait());
    auto params = PLUMB_PARAMS(CUpti_RangeProfiler_PopRange_Params);
    params.pRangeProfilerObject = m_object;
    m_pushed = false;
    PLUMB_CUPTI(m_api, cuptiRangeProfilerPopRange, &params);
    return {};
}

Result<bool> RangeSession::stop() {
    auto params = PLUMB_PARAMS(CUpti_RangeProfiler_Stop_Params);
    params.pRangeProfilerObject = m_object;
    m_started = false;
    PLUMB_CUPTI(m_api, cuptiRangeProfilerStop, &params);
    return params.isAllPassSubmitted != 0;
}

Result<std::vector<RangeValues>> RangeSession::decode() {
    auto decoded = PLUMB_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decoded.pRangeProfilerObject = m_object;
    PLUMB_CUPTI(m_api, cuptiRangeProfilerDecodeData, &decoded);
    if (decoded.numOfRangeDropped != 0)
        return Error{ErrorCode::RunFailed,
                     fmt::format("the counters of some ops were dropped ({})", decoded.numOfRangeDropped),
                     "profile again, or with fewer of them (--counters quick)"};
    auto info = PLUMB_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params);
    info.pCounterDataImage = m_counterData.data();
    info.counterDataImageSize = m_counterData.size();
    PLUMB_CUPTI(m_api, cuptiRangeProfilerGetCounterDataInfo, &info);

    std::vector<RangeValues> ranges;
    ranges.reserve(info.numTotalRanges);
    for (std::size_t index = 0; index < info.numTotalRanges; ++index) {
        auto range = PLUMB_PARAMS(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params);
        range.pCounterDataImage = m_counterData.data();
        range.counterDataImageSize = m_counterData.size();
        range.rangeIndex = index;
        range.rangeDelimiter = "/";
        PLUMB_CUPTI(m_api, cuptiRangeProfilerCounterDataGetRangeInfo, &range);
        PLUMB_TRY(std::vector<double> values, m_config.evaluate(m_counterData, index));
        ranges.push_back({range.rangeName != nullptr ? range.rangeName : "", std::move(values)});
    }
    return ranges;
}

}  // namespace plumb::cupti

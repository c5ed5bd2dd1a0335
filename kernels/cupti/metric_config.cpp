// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/metric_config.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace plumb::cupti {

namespace {

/// The host library's code means that its second half is missing; that of others a driver too old.
Error hostError(const CuptiApi& api, CUptiResult result, const char* call) {
    if (result != CUPTI_ERROR_NOT_INITIALIZED) return cuptiError(api, result, call);
    return {ErrorCode::Unavailable, "CUPTI is there and its host library is not (libnvperf_host.so)",
            "install the whole of CUPTI, and put both files into one folder on the loader's path"};
}

}  // namespace

#define PLUMB_HOST(function, ...)                                                                            \
    do {                                                                                                     \
        if (const CUptiResult plumbCode = m_api->function(__VA_ARGS__); plumbCode != CUPTI_SUCCESS)          \
            return hostError(*m_api, plumbCode, #function);                                                  \
    } while (false)

Result<std::vector<std::string>> supportedChips(const CuptiApi& api) {
    auto params = PLUMB_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params);
    if (const CUptiResult result = api.cuptiProfilerHostGetSupportedChips(&params); result != CUPTI_SUCCESS)
        return hostError(api, result, "cuptiProfilerHostGetSupportedChips");
    return std::vector<std::string>(params.ppChipNames, params.ppChipNames + params.numChips);
}

Result<MetricConfig> MetricConfig::create(const CuptiApi& api, CounterSet set,
                                          std::span<const std::uint8_t> availability) {
    MetricConfig config(api, std::move(set));
    PLUMB_CHECK(config.open(availability));
    PLUMB_CHECK(config.checkMetrics());
    PLUMB_CHECK(config.buildImage());
    return config;
}

MetricConfig::MetricConfig(MetricConfig&& other) noexcept
    : m_api(other.m_api),
      m_set(std::move(other.m_set)),
      m_host(std::exchange(other.m_host, nullptr)),
      m_image(std::move(other.m_image)) {}

MetricConfig::~MetricConfig() {
    if (m_host == nullptr) return;
    auto params = PLUMB_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
    params.pHostObject = m_host;
    m_api->cuptiProfilerHostDeinitialize(&params);  // nothing is left to be done about a failure
}

Result<void> MetricConfig::open(std::span<const std::uint8_t> availability) {
    auto params = PLUMB_PARAMS(CUpti_Profiler_Host_Initialize_Params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = m_set.chip.c_str();
    params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
    PLUMB_HOST(cuptiProfilerHostInitialize, &params);
    m_host = params.pHostObject;
    return {};
}

// Asked beforehand, because the library answers an unknown name with no more than "invalid parameter".
Result<void> MetricConfig::checkMetrics() const {
    std::unordered_set<std::string> known;
    for (const CUpti_MetricType type :
         {CUPTI_METRIC_TYPE_COUNTER, CUPTI_METRIC_TYPE_RATIO, CUPTI_METRIC_TYPE_THROUGHPUT}) {
        auto params = PLUMB_PARAMS(CUpti_Profiler_Host_GetBaseMetrics_Params);
        params.pHostObject = m_host;
        params.metricType = type;
        PLUMB_HOST(cuptiProfilerHostGetBaseMetrics, &params);
        known.insert(params.ppMetricNames, params.ppMetricNames + params.numMetrics);
    }
    for (const CounterMetric& metric : m_set.metrics) {
        const std::string base = metric.name.substr(0, metric.name.find('.'));
        if (!known.contains(base))
            return Error{ErrorCode::Unavailable,
                         "this CUPTI does not know a metric of the chip (" + metric.name + ", " + m_set.chip +
                             ")",
                         "install CUPTI 13.0 or newer, or go on with timing only"};
    }
    return {};
}

Result<void> MetricConfig::buildImage() {
    std::vector<const char*> metrics = names();
    auto add = PLUMB_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    add.pHostObject = m_host;
    add.ppMetricNames = metrics.data();
    add.numMetrics = metrics.size();
    PLUMB_HOST(cuptiProfilerHostConfigAddMetrics, &add);

    auto size = PLUMB_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = m_host;
    PLUMB_HOST(cuptiProfilerHostGetConfigImageSize, &size);
    m_image.assign(size.configImageSize, 0);

    auto image = PLUMB_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
    image.pHostObject = m_host;
    image.configImageSize = m_image.size();
    image.pConfigImage = m_image.data();
    PLUMB_HOST(cuptiProfilerHostGetConfigImage, &image);

    auto passes = PLUMB_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params);
    passes.configImageSize = m_image.size();
    passes.pConfigImage = m_image.data();
    PLUMB_HOST(cuptiProfilerHostGetNumOfPasses, &passes);
    m_set.passes = static_cast<std::int64_t>(passes.numOfPasses);
    return {};
}

std::vector<const char*> MetricConfig::names() const {
    std::vector<const char*> result;
    result.reserve(m_set.metrics.size());
    for (const CounterMetric& metric : m_set.metrics) result.push_back(metric.name.c_str());
    return result;
}

Result<std::vector<double>> MetricConfig::evaluate(std::span<const std::uint8_t> counterData,
                                                   std::size_t range) const {
    std::vector<const char*> metrics = names();
    std::vector<double> values(metrics.size());
    auto params = PLUMB_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    params.pHostObject = m_host;
    params.pCounterDataImage = counterData.data();
    params.counterDataImageSize = counterData.size();
    params.rangeIndex = range;
    params.ppMetricNames = metrics.data();
    params.numMetrics = metrics.size();
    params.pMetricValues = values.data();
    PLUMB_HOST(cuptiProfilerHostEvaluateToGpuValues, &params);
    return values;
}

#undef PLUMB_HOST

}  // namespace plumb::cupti

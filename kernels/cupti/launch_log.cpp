// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/launch_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace plumb::cupti {

namespace {

/// The functions by which a kernel comes to the device, with and without a default stream per thread.
constexpr CUpti_CallbackId kLaunchCalls[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz};

bool isExtended(CUpti_CallbackId id) {
    return id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx ||
           id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz;
}

}  // namespace

Result<void> LaunchLog::watch(Subscription& subscription) {
    for (const CUpti_CallbackId id : kLaunchCalls)
        PLUMB_CHECK(subscription.enable(CUPTI_CB_DOMAIN_DRIVER_API, id));
    return {};
}

void LaunchLog::onDriverCall(CUpti_CallbackId id, const CUpti_CallbackData& data) {
    if (data.callbackSite != CUPTI_API_ENTER || std::this_thread::get_id() != m_thread) return;
    if (std::find(std::begin(kLaunchCalls), std::end(kLaunchCalls), id) == std::end(kLaunchCalls)) return;
    Launch launch;
    launch.op = m_op;
    if (data.symbolName != nullptr) launch.name = std::hash<std::string_view>{}(data.symbolName);
    if (data.functionParams != nullptr && isExtended(id)) {
        const auto& params = *static_cast<const cuLaunchKernelEx_params*>(data.functionParams);
        if (const CUlaunchConfig* config = params.config) {
            launch.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
            launch.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
        }
    } else if (data.functionParams != nullptr) {
        // The parameters of the cooperative launch begin with the same fields.
        const auto& params = *static_cast<const cuLaunchKernel_params*>(data.functionParams);
        launch.grid = {params.gridDimX, params.gridDimY, params.gridDimZ};
        launch.block = {params.blockDimX, params.blockDimY, params.blockDimZ};
    }
    m_launches.push_back(launch);
}

std::string firstDifference(const std::vector<Launch>& before, const std::vector<Launch>& now) {
    const auto [was, is] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
    if (was == before.end() && is == now.end()) return {};
    // The op that launched one kernel more or less is that of the last launch they share.
    std::int32_t op = was != before.end() ? was->op : is->op;
    const bool goesOn = was != before.begin() && (was == before.end() || was->op != (was - 1)->op) &&
                        is != now.end() && is->op == (is - 1)->op;
    if (goesOn) op = is->op;
    const auto kernelsOf = [op](const std::vector<Launch>& launches) {
        return std::count_if(launches.begin(), launches.end(),
                             [op](const Launch& launch) { return launch.op == op; });
    };
    const auto first = kernelsOf(before), second = kernelsOf(now);
    if (first != second) return fmt::format("op {} launched {} kernels, then {}", op, first, second);
    return fmt::format("op {} launched another kernel or another grid", op);
}

}  // namespace plumb::cupti

// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/metric_set_passes.h"

#include "kernels/cupti/metric_config.h"

namespace plumb::cupti {

Result<SetPasses> passesOf(const CounterSet& set) {
    PLUMB_TRY(const CuptiApi* const api, loadCupti());
    SetPasses answer;
    PLUMB_CUPTI(*api, cuptiGetVersion, &answer.cuptiVersion);
    PLUMB_TRY(const MetricConfig config, MetricConfig::create(*api, set));
    answer.passes = config.set().passes;
    return answer;
}

}  // namespace plumb::cupti

// SPDX-License-Identifier: Apache-2.0
#include "core/planner/counted_rate.h"

#include "core/planner/answer.h"
#include "core/planner/work.h"

namespace plumb::planner {

Result<std::vector<CountedRate>> countedRates(const Scenario& scenario) {
    PLUMB_TRY(const double mfu, evaluate(Output::MeasuredMfu, scenario));
    PLUMB_TRY(const double peak, numberOf(scenario, Input::Peak));
    PLUMB_TRY(const Work work, workPerToken(scenario));
    const bool isRate = scenario.given[Input::FlopsPerDevice].has_value();
    const double tokensPerSecond = mfu * peak / work.model();  // of one device
    std::vector<CountedRate> rates;
    for (const bool causal : {false, true})
        for (const bool recomputed : {false, true}) {
            CountedRate rate{.causal = causal, .recomputed = recomputed};
            rate.flopsPerToken = work.withAttention(causal ? work.causalForward : work.attentionForward) +
                                 (recomputed ? work.recomputed : 0);
            rate.flopsPerDevice = tokensPerSecond * rate.flopsPerToken;
            rate.utilisation = rate.flopsPerDevice / peak;
            if (isRate) rate.mfuIfGivenSo = mfu * work.model() / rate.flopsPerToken;
            rates.push_back(rate);
        }
    return rates;
}

}  // namespace plumb::planner

// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/bandwidth_survey.h"

#include "core/calibrate/steady_moments.h"

#include <algorithm>

namespace plumb {

Result<std::vector<BandwidthPoint>> surveyBandwidth(Backend& backend, std::span<const Bytes> workingSets,
                                                    const TrafficRate& rate, const SurveyProgress& progress,
                                                    const std::stop_token& stop) {
    SteadyMoments moments(backend);
    PLUMB_CHECK(moments.lookAround());
    std::vector<BandwidthPoint> curve;
    for (const Bytes workingSet : workingSets) {
        if (progress)
            progress("memory bandwidth", static_cast<int>(curve.size()),
                     static_cast<int>(workingSets.size()));
        BandwidthPoint point;
        point.workingSet = workingSet;
        const auto measure = [&]() -> Result<void> {
            for (double BandwidthPoint::*const pattern :
                 {&BandwidthPoint::read, &BandwidthPoint::copy, &BandwidthPoint::update}) {
                PLUMB_TRY(const double found, rate(pattern, workingSet));
                if (stop.stop_requested())
                    return Error{ErrorCode::RunFailed, "the calibration was stopped",
                                 "start it again; nothing was changed"};
                point.*pattern = std::max(point.*pattern, found);
            }
            return {};
        };
        PLUMB_CHECK(moments.measure(measure));
        curve.push_back(point);
    }
    return curve;
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/bandwidth_survey.h"

#include "tests/core/engine/test_backends.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace plumb {
namespace {

/// Only its probe is used.
class ProbedBackend final : public test::IdleBackend, public test::SpeedsInTurn {
public:
    using SpeedsInTurn::SpeedsInTurn;
    Capabilities capabilities() override {
        Capabilities can;
        can.prober = this;
        return can;
    }
};

TEST(BandwidthSurvey, FindsTheSameCurveWhileTheMachineChangesItsSpeed) {
    // Five probes before the first point; then slow in the first and fourth and twice in the sixth moment.
    ProbedBackend backend({1, 1, 1, 1, 1, 0.5, 1, 1, 0.6, 1, 0.5, 0.7, 1, 1});
    const std::vector<Bytes> sizes{1000, 4000, 16000, 64000, 256000};
    const auto law = [](double BandwidthPoint::*pattern, Bytes size) {
        return (pattern == &BandwidthPoint::read   ? 3e10
                : pattern == &BandwidthPoint::copy ? 2e10
                                                   : 1e10) /
               static_cast<double>(size);
    };
    const auto curve = surveyBandwidth(backend, sizes,
                                       [&](double BandwidthPoint::*pattern, Bytes size) -> Result<double> {
                                           return law(pattern, size) * backend.speed();
                                       },
                                       {}, {});
    ASSERT_TRUE(curve.has_value());
    ASSERT_EQ(curve->size(), sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_EQ((*curve)[i].workingSet, sizes[i]);
        for (const auto pattern : {&BandwidthPoint::read, &BandwidthPoint::copy, &BandwidthPoint::update})
            EXPECT_DOUBLE_EQ((*curve)[i].*pattern, law(pattern, sizes[i])) << i;
    }
}

TEST(BandwidthSurvey, TakesTheBestOfThreeOfAMachineThatStaysSlow) {
    ProbedBackend backend({1, 1, 1, 1, 1, 0.4, 0.6, 0.5});
    int calls = 0;
    const std::vector<Bytes> sizes{1000};
    const auto curve = surveyBandwidth(backend, sizes,
                                       [&](double BandwidthPoint::*, Bytes) -> Result<double> {
                                           ++calls;
                                           return 1e10 * backend.speed();
                                       },
                                       {}, {});
    ASSERT_TRUE(curve.has_value());
    EXPECT_EQ(calls, 9);
    EXPECT_DOUBLE_EQ(curve->front().copy, 6e9);
}

}  // namespace
}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/bandwidth_survey.h"

#include "core/engine/capabilities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace plumb {
namespace {

/// Only its probe is used; the speeds come in turn, the last one stays.
class ProbedBackend final : public Backend, public SpeedProber {
public:
    explicit ProbedBackend(std::vector<double> speeds) : m_speeds(std::move(speeds)) {}
    [[nodiscard]] double speed() const { return m_speeds[std::min(m_probes, m_speeds.size() - 1)]; }
    Result<std::optional<SpeedProbe>> probeSpeed() override {
        const double now = speed();
        ++m_probes;
        return std::optional(SpeedProbe{1e11 * now, 1e10 * now, 1e8 * now});
    }
    const Machine& machine() const override { return m_machine; }
    BackendTraits traits() const override { return {}; }
    Result<void> prepare(const StepPlan&) override { return {}; }
    Result<Buffer> allocate(const Tensor&) override { return Buffer{}; }
    void release(const Buffer&) override {}
    AllocationCount allocationCount() const override { return {}; }
    void resetHighWater() override {}
    Result<void> run(const OpCall&) override { return {}; }
    Result<void> initialise(std::span<const Buffer>, std::uint64_t) override { return {}; }
    Result<void> fillZero(const Buffer&) override { return {}; }
    Result<void> upload(const Buffer&, std::span<const std::byte>) override { return {}; }
    Result<void> download(std::span<std::byte>, const Buffer&) override { return {}; }
    Result<Seconds> clock() override { return 0; }
    Result<void> synchronize() override { return {}; }
    Capabilities capabilities() override {
        Capabilities can;
        can.prober = this;
        return can;
    }

private:
    Machine m_machine;
    std::vector<double> m_speeds;
    std::size_t m_probes = 0;
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

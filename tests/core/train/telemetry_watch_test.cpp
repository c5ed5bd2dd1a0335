// SPDX-License-Identifier: Apache-2.0
#include "core/train/telemetry_watch.h"

#include "core/train/trainer.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/core/engine/test_backends.h"
#include "tests/support/threads.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace plumb {
namespace {

/// Tells what the test says; one joule more each time that it is asked for the counter.
class ToldTelemetry final : public DeviceTelemetry {
public:
    DeviceSample sample() override {
        DeviceSample sample;
        sample.smClockHz = 1e9;
        sample.throttles = throttles;
        ++samples;
        if (!energyAbsent.empty()) sample.absent.push_back({"energy", energyAbsent});
        return sample;
    }
    Result<double> energy() override {
        if (!energyAbsent.empty()) return Error{ErrorCode::Unavailable, energyAbsent, "go on without"};
        return joules;
    }
    double joules = 1000;
    std::string energyAbsent;
    std::vector<Throttle> throttles;
    int samples = 0;
};

class TellingBackend final : public test::IdleBackend {
public:
    Capabilities capabilities() override {
        Capabilities all;
        all.telemetry = &device;
        return all;
    }
    ToldTelemetry device;
};

TEST(TelemetryWatch, AddsUpTheEnergyOfMeasuredStepsAlone) {
    TellingBackend backend;
    TelemetryWatch watch(backend, 1000, 0);
    watch.addStep();  // before the first stretch: not counted
    EXPECT_TRUE(watch.beforeStep().has_value()) << "the first look is a sample";
    EXPECT_FALSE(watch.beforeStep().has_value()) << "the next is not due";
    backend.device.joules += 30;
    watch.addStep();
    watch.addStep();
    watch.pause();
    backend.device.joules += 5000;  // something else
    static_cast<void>(watch.beforeStep());
    backend.device.joules += 10;
    watch.addStep();
    watch.addStep();
    EXPECT_TRUE(watch.finish().has_value());
    Reading reading;
    watch.describe(reading, 8);
    ASSERT_TRUE(reading.telemetry.has_value());
    EXPECT_EQ(reading.telemetry->samples, 2) << "at the beginning and at the end";
    EXPECT_DOUBLE_EQ(reading.telemetry->joulesPerStep.value_or(0), 10);
    EXPECT_DOUBLE_EQ(reading.telemetry->joulesPerSample.value_or(0), 1.25);
    EXPECT_TRUE(reading.telemetryAbsent.empty());
}

TEST(TelemetryWatch, LeavesOutAStretchThatWasDropped) {
    TellingBackend backend;
    TelemetryWatch watch(backend, 0, 0);
    static_cast<void>(watch.beforeStep());
    watch.addStep();
    backend.device.joules += 500;
    watch.drop();
    static_cast<void>(watch.beforeStep());
    watch.addStep();
    backend.device.joules += 7;
    static_cast<void>(watch.finish());
    Reading reading;
    watch.describe(reading, 1);
    EXPECT_DOUBLE_EQ(reading.telemetry->joulesPerStep.value_or(0), 7);
}

TEST(TelemetryWatch, TellsNoEnergyOfTooShortATimeNorWithoutACounter) {
    TellingBackend backend;
    const auto described = [&](Seconds least) {
        TelemetryWatch watch(backend, 0, least);
        static_cast<void>(watch.beforeStep());
        watch.addStep();
        backend.device.joules += 3;
        static_cast<void>(watch.finish());
        Reading reading;
        watch.describe(reading, 1);
        EXPECT_EQ(reading.telemetry->joulesPerStep.has_value(), reading.telemetry->absent.empty());
        return reading.telemetry->absent;
    };
    EXPECT_TRUE(described(0).empty());
    const auto tooShort = described(1e6);
    ASSERT_EQ(tooShort.size(), 1U);
    EXPECT_EQ(tooShort.front().what, "energy per step");
    backend.device.energyAbsent = "no permission";
    EXPECT_EQ(described(0), (std::vector<Absence>{{"energy per step", "no permission: go on without"}}))
        << "said once";
}

/// The processor, which tells what the test says.
class TellingCpu final : public test::BackendAround {
public:
    using BackendAround::BackendAround;
    Capabilities capabilities() override {
        Capabilities all = inner().capabilities();
        all.telemetry = &device;
        return all;
    }
    ToldTelemetry device;
};

struct SampleSink final : TrainingSink {
    void onStep(const StepMetrics&) override {}
    void onReading(const Reading&) override {}
    void onDevice(const DeviceMoment& moment) override { seen.push_back(moment); }
    std::vector<DeviceMoment> seen;
};

TEST(TelemetryWatch, IsPartOfATraining) {
    auto cpu = makeCpuBackend(test::kBackendThreads);
    ASSERT_TRUE(cpu.has_value());
    TellingCpu backend(std::move(*cpu));
    backend.device.throttles = {Throttle::PowerLimit};
    const RunConfig config{.dim = 16, .layers = 2, .batch = 32};
    TrainOptions options;
    options.steps = 20;
    options.sampleInterval = 0;
    SampleSink sink;
    const auto result = train(config, backend, options, sink);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    ASSERT_TRUE(result->measured.telemetry.has_value());
    EXPECT_GT(result->measured.telemetry->samples, 5);
    EXPECT_EQ(result->measured.telemetry->throttles,
              (std::vector<SeenThrottle>{{Throttle::PowerLimit, 1.0}}));
    EXPECT_EQ(static_cast<std::int64_t>(sink.seen.size()), result->measured.telemetry->samples);
    EXPECT_EQ(backend.device.samples, static_cast<int>(sink.seen.size()));
    EXPECT_EQ(sink.seen.back().step, 20) << "the last one comes after the last step";
    EXPECT_LT(sink.seen.front().step, sink.seen.back().step);
    const DeviceHistory& history = result->series.device;
    EXPECT_EQ(history.moments, sink.seen) << "it goes into the file as it was told";
    EXPECT_TRUE(history.none.empty());
}

TEST(TelemetryWatch, SaysWhyAProcessorTellsNothing) {
    auto cpu = makeCpuBackend(test::kBackendThreads);
    ASSERT_TRUE(cpu.has_value());
    RunConfig config;
    config.dim = 16;
    config.batch = 32;
    const auto result = profile(config, **cpu, 2, {}, {});
    ASSERT_TRUE(result.has_value());
    EXPECT_FALSE(result->measured.telemetry.has_value());
    EXPECT_NE(result->measured.telemetryAbsent.find("(cpu)"), std::string::npos)
        << result->measured.telemetryAbsent;
    EXPECT_EQ(result->series.device.none, result->measured.telemetryAbsent);
    EXPECT_TRUE(result->series.device.moments.empty());
}

}  // namespace
}  // namespace plumb

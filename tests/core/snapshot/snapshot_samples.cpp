// SPDX-License-Identifier: Apache-2.0
#include "tests/core/snapshot/snapshot_samples.h"

#include "core/data/data_provenance.h"
#include "core/machine/local_cpu.h"
#include "core/measure/training_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace plumb {

RunConfig sampleConfig() {
    return RunConfig{.dim = 32,
                     .layers = 5,
                     .outputs = 3,
                     .activation = Activation::Relu,
                     .batch = 24,
                     .microBatch = 12,
                     .precision = Precision::Bf16,
                     .learningRate = 0.0123,
                     .recompute = {RecomputePolicy::Kind::Every, 2},
                     .seed = 0xfedcba9876543210U,
                     .noise = 0.25};
}

Machine sampleMachine() {
    Machine machine{.id = "test",
                    .name = "Machine, \"quoted\"",
                    .backend = "cpu",
                    .index = 3,
                    .uuid = "GPU-8a1b",
                    .memoryBytes = Bytes{1} << 40U,
                    .bandwidthBytesPerSecond = 1.25e10,
                    .peakFlopPerSecond = {{Dtype::Fp32, 1.1e11}, {Dtype::Bf16, 3.3e11}},
                    .perOpOverhead = 1.5e-6,
                    .source = "calibrated 2026-11-20"};
    machine.costs =
        CostTables{{{"layer_forward fp32 fp32 > fp32",
                     {{1, 32, {8, 64}, {8192, 65536}, {1e-6, 5.5e-6}}, {1, 64, {8}, {32768}, {3e-6}}}}},
                   {{65536, 9e10, 8e10, 7e10}, {Bytes{1} << 30, 2e10, 1.5e10, 1.6e10}},
                   2.5e-7,
                   CalibratedSpeed{{4.2e11, 1.8e10, 6.1e8}, 0.04, 0.5, 12},
                   4};
    machine.costs->replay = ReplayCosts{1.25e-6, 4e-7};
    machine.copies = CopyRates{Bytes{1} << 28,
                               7,
                               {{CopyPath::HostToDevice, {}, {}, 5.5e10, {}, {}, {}},
                                {CopyPath::DeviceToPageable, {}, {}, std::nullopt, "no memory", {}, {}},
                                {CopyPath::CardToCard, 0, 1, 2.5e10, {}, "none is offered", CardLink::Pcie}},
                               "one card is visible"};
    machine.checked = PredictionErrors{"2026-11-20", 50, 0.06, 0.19, 0.04, 0.11, 0.13, 0.5};
    return machine;
}

Timeline sampleTimeline() {
    TimelineBuilder builder(Source::Activity, 100.0);
    const std::uint16_t memory = builder.lane(LaneKind::Memory, "memory");
    const std::uint16_t stream = builder.lane(LaneKind::Stream, "stream 7");
    const std::uint16_t host = builder.lane(LaneKind::Host, "host thread 1");
    const std::uint16_t ops = builder.lane(LaneKind::Ops, "ops");
    const std::uint16_t copies = builder.lane(LaneKind::Copies, "copies");
    builder.addStep(17, 100, 100.001);
    builder.add({100.0, 100.0, 4096, -1, 0, 0, memory, TimelineKind::Memory});
    builder.add({100.0001, 100.0003, -1, -1, 1, 0, ops, TimelineKind::Op});
    builder.add({100.0, 100.0001, -1, -1, 0, 0, ops, TimelineKind::Op});
    builder.add(
        {100.00005, 100.00006, -1, builder.name("cudaLaunchKernelExC"), -1, 41, host, TimelineKind::Call});
    builder.add(
        {100.00011, 100.0002, -1, builder.name("gemm<\"bf16\">"), 1, 41, stream, TimelineKind::Kernel});
    builder.add(
        {100.00021, 100.0003, -1, builder.name("splitk_reduce"), 1, 42, stream, TimelineKind::Kernel});
    builder.add(
        {100.0004, 100.00045, 1234567, builder.name("host to device"), -1, 43, copies, TimelineKind::Copy});
    builder.add({100.0005, 100.00050001, 512, -1, -1, 0, copies, TimelineKind::Memset});
    builder.add({100.0006, 100.0006, 1024, -1, -1, 0, memory, TimelineKind::Memory});
    builder.addDropped(3);
    return builder.take();
}

Telemetry sampleTelemetry() {
    return Telemetry{.samples = 12,
                     .smClockHz = SampledRange{1.755e9, 1.2e9, 1.98e9},
                     .powerWatts = SampledRange{412.5, 100.25, 699},
                     .powerLimitWatts = 700,
                     .joulesPerStep = 0.1 + 0.2,
                     .joulesPerSample = 0.3 / 24,
                     .throttles = {{Throttle::PowerLimit, 0.75}, {Throttle::Other, 1}},
                     .processes = {{4242, Bytes{3'000'000'000}}, {77, std::nullopt}},
                     .absent = {{"temperature", "this device does not tell it"}}};
}

DeviceHistory sampleDeviceHistory() {
    DeviceHistory history;
    DeviceSample sample;
    sample.smClockHz = 1.98e9;
    sample.powerWatts = 412.5;
    sample.throttles = std::vector<Throttle>{};
    sample.absent = {{"temperature", "this device does not tell it"}};
    history.add({0, 0, sample, std::nullopt, std::nullopt});
    sample.smClockHz = 1.2e9;
    sample.throttles = {Throttle::PowerLimit};
    sample.processes = std::vector<DeviceProcess>{{4242, Bytes{3'000'000'000}}};
    history.add({5, 0.0025, sample, 0.1 + 0.2, 0.3 / 24});
    return history;
}

Snapshot sampleSnapshot() {
    auto made = makeSnapshot(sampleConfig(), {sampleMachine(), cpuTraits()});
    EXPECT_TRUE(made.has_value()) << made.error().text();
    Snapshot snapshot = std::move(made).value();
    Reading measured = *snapshot.predicted;
    measured.source = Source::Clock;
    measured.stepsMeasured = 20;
    measured.totals.seconds = 0.00125;
    measured.totals.samplesPerSecond = 24 / 0.00125;
    measured.totals.flopPerSecond = static_cast<double>(*measured.totals.flops) / 0.00125;
    measured.totals.spread = Spread{0.0012, 0.0015};
    measured.totals.tier = Tier::Measured;
    measured.speed = MeasuredSpeed{{4.1e11, 1.7e10, 6e8}, 0.61};
    measured.telemetry = sampleTelemetry();
    measured.totals.mfu.reset();
    measured.memory->source = Source::Allocator;
    for (OpReading& op : measured.ops) {
        op.seconds = 1e-5;
        op.spread = Spread{0.9e-5, 1.2e-5};
        op.tier = Tier::Measured;
        op.source = Source::Clock;
    }
    measured.ops.back().seconds.reset();
    measured.ops.back().spread.reset();
    measured.ops.back().tier.reset();
    // Every kind on one op, one kind on another, none on the rest, from every source. Values that agree with
    // the op's FLOPs and bytes, which readers check.
    OpReading& product = measured.ops[1];
    product.source = Source::Event;
    for (const CounterKind kind : kAllCounters)
        product.counters[kind] = Counted{1000 + static_cast<std::int64_t>(kind), Source::Counter};
    product.counters[CounterKind::TensorFlops] = Counted{*product.flops - 5, Source::Counter};
    product.counters[CounterKind::CoreFlops] = Counted{5, Source::Predicted};
    product.counters[CounterKind::DramBytes] = Counted{*product.bytes, Source::Counter};
    measured.ops[2].source = Source::Activity;
    measured.ops[2].counters[CounterKind::L2Bytes] = Counted{0, Source::Activity};
    measured.counterRun =
        CounterRun{"GH100", "580.65", "130001", {"dram__bytes_read.sum", "a"}, 2, 1.98e9, std::nullopt};
    measured.countersAbsent = "the CUDA cores were not counted";
    measured.engine = "PyTorch 2.15.0 eager, CPU, 2 threads";
    measured.remarks = {"memory is that of tracked storages", "\xc3\xa4 \"b\""};
    measured.timeline = std::make_shared<const Timeline>(sampleTimeline());
    LibraryProduct split;
    split.product = "forward 12x32x32 bf16*bf16>bf16";
    split.origin = AlgorithmOrigin::Autotune;
    split.algorithm = {66, "128x256", "64x4", "2x1x1", 4, "compute_type", 1, 2, Bytes{1} << 25};
    split.tunedSeconds = 4.12e-5;
    split.apart = {PassApart::ReluAndMask};
    split.fallback = "the library offers no such product that writes the mask of a ReLU";
    split.epilogue = EpilogueTimes{4.5e-5, 4.125e-5, 2};
    LibraryProduct plain;
    plain.product = "weight 12x32x32 fp8*fp8>fp32";
    plain.algorithm.id = 21;
    plain.fastAccumulation = true;
    measured.products = {split, plain};
    measured.ops[1].products = {0, 1};
    measured.ops[2].products = {1};
    snapshot.measured = std::move(measured);
    snapshot.data =
        DataProvenance{"x.npy (fp16) and y.npy (fp32), 1797 rows", 1797, 42,
                       Standardization{{0.5, -1e-300}, {1, 0.1 + 0.2}}, Standardization{{150.25}, {77.0}}};
    snapshot.recomputeCurve = {{{RecomputePolicy::Kind::None, 1}, 12345, 0.0015, 10, Spread{0.0014, 0.0021}},
                               {{RecomputePolicy::Kind::Fit, 1, 1 << 20}, std::nullopt, std::nullopt, 0}};
    snapshot.training = TrainingSeries{
        .steps = {{0, 1.5, 0, 0.001, 12.5, 0.01, 1e-3, 65536},
                  {1, 0.1 + 0.2, 0.001, 0.001, 3, 0.02, 1e-3, 65536},
                  {5, 1e-300, 0.0025, 0.0005, 1e-7, 0, 5e-4, 32768},
                  {6, kNotKnown, 0.003, 0.0005, kNotKnown, 0.03, 2.5e-4, 32768, true}},
        .firstScales =
            LayerStatistics{0,
                            {{TensorRole::Activation, 0, 1.0, 3.5, 0, 0},
                             {TensorRole::Weight, 1, 0.06, 0.2, 2, 17},
                             {TensorRole::ActivationGradient, 3, std::nullopt, std::nullopt, 0, 5}}},
        .lastScales = std::nullopt,
        .holdOut = {{0, 2.5}, {6, 0.1 + 0.2}},
        .device = sampleDeviceHistory(),
        .skippedSteps = 1,
        .stepsDone = 7,
        .look = {"with \"warm-up\"", 3, false, true},
        .outcome = "diverged at step 6: the loss is not a number"};
    SessionRun earlier{sampleConfig(), sampleMachine(), cpuTraits(), false, *snapshot.training};
    earlier.config.layers = 4;
    SessionRun later{RunConfig{}, localCpu(), BackendTraits{}, true, {}};
    later.series.outcome = "stopped after 0 steps";
    snapshot.runs = {earlier, later};
    snapshot.measurements = {{earlier.config, sampleMachine(), cpuTraits(), false, *snapshot.measured},
                             {RunConfig{}, localCpu(), BackendTraits{}, true, {}}};
    snapshot.measurements[0].measured.timeline = nullptr;
    snapshot.curves = {{earlier.config, localCpu(), snapshot.recomputeCurve}};
    snapshot.predictedBy = "plumbline 0.0.9 (abc)";
    FitProof proof{"2026-11-26T10:00:00Z", sampleConfig(), "local-cpu", "a \"device\"", 1 << 30, 1 << 20,
                   FitLimit::Free};
    proof.fits = {511, 1048000, 1048000, "", false};
    proof.tooLarge = {512, 1049000, std::nullopt, "not enough memory: 2 kB needed", true};
    snapshot.fitProof = proof;
    return snapshot;
}

void expectSameMachine(const Machine& a, const Machine& b) {
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.backend, b.backend);
    EXPECT_EQ(a.index, b.index);
    EXPECT_EQ(a.uuid, b.uuid);
    EXPECT_EQ(a.memoryBytes, b.memoryBytes);
    EXPECT_EQ(a.bandwidthBytesPerSecond, b.bandwidthBytesPerSecond);
    for (const Dtype dtype : kAllDtypes) EXPECT_EQ(a.peak(dtype), b.peak(dtype));
    EXPECT_EQ(a.linkBytesPerSecond, b.linkBytesPerSecond);
    EXPECT_EQ(a.linkName, b.linkName);
    EXPECT_EQ(a.powerWatts, b.powerWatts);
    EXPECT_EQ(a.dollarsPerHour, b.dollarsPerHour);
    EXPECT_EQ(a.perOpOverhead, b.perOpOverhead);
    EXPECT_EQ(a.measuredMatmulFlopPerSecond, b.measuredMatmulFlopPerSecond);
    EXPECT_EQ(a.source, b.source);
    EXPECT_EQ(a.costs, b.costs);
    EXPECT_EQ(a.copies, b.copies);
    EXPECT_EQ(a.checked, b.checked);
}

void expectSameReading(const Reading& a, const Reading& b) {
    EXPECT_EQ(a.source, b.source);
    EXPECT_EQ(a.stepsMeasured, b.stepsMeasured);
    EXPECT_EQ(a.counterRun, b.counterRun);
    EXPECT_EQ(a.countersAbsent, b.countersAbsent);
    EXPECT_EQ(a.engine, b.engine);
    EXPECT_EQ(a.remarks, b.remarks);
    EXPECT_EQ(a.totals.flops, b.totals.flops);
    EXPECT_EQ(a.totals.matmulFlops, b.totals.matmulFlops);
    EXPECT_EQ(a.totals.bytes, b.totals.bytes);
    EXPECT_EQ(a.totals.seconds, b.totals.seconds);
    EXPECT_EQ(a.totals.samplesPerSecond, b.totals.samplesPerSecond);
    EXPECT_EQ(a.totals.flopPerSecond, b.totals.flopPerSecond);
    EXPECT_EQ(a.totals.mfu, b.totals.mfu);
    EXPECT_EQ(a.totals.spread, b.totals.spread);
    EXPECT_EQ(a.totals.tier, b.totals.tier);
    EXPECT_EQ(a.speed, b.speed);
    EXPECT_EQ(a.telemetry, b.telemetry);
    EXPECT_EQ(a.telemetryAbsent, b.telemetryAbsent);
    EXPECT_EQ(a.products, b.products);
    ASSERT_EQ(a.memory.has_value(), b.memory.has_value());
    if (a.memory) {
        EXPECT_EQ(a.memory->source, b.memory->source);
        EXPECT_EQ(a.memory->peakBytes, b.memory->peakBytes);
        EXPECT_EQ(a.memory->peakOp, b.memory->peakOp);
        EXPECT_EQ(a.memory->atPeak, b.memory->atPeak);
        EXPECT_EQ(a.memory->categoryPeak, b.memory->categoryPeak);
        EXPECT_EQ(a.memory->curve, b.memory->curve);
    }
    ASSERT_EQ(a.timeline == nullptr, b.timeline == nullptr);
    if (a.timeline) {
        EXPECT_EQ(*a.timeline, *b.timeline);
    }
    ASSERT_EQ(a.ops.size(), b.ops.size());
    for (std::size_t i = 0; i < a.ops.size(); ++i) {
        EXPECT_EQ(a.ops[i].id, b.ops[i].id);
        EXPECT_EQ(a.ops[i].name, b.ops[i].name);
        EXPECT_EQ(a.ops[i].phase, b.ops[i].phase);
        EXPECT_EQ(a.ops[i].kind, b.ops[i].kind);
        EXPECT_EQ(a.ops[i].layer, b.ops[i].layer);
        EXPECT_EQ(a.ops[i].executions, b.ops[i].executions);
        EXPECT_EQ(a.ops[i].flops, b.ops[i].flops);
        EXPECT_EQ(a.ops[i].bytes, b.ops[i].bytes);
        EXPECT_EQ(a.ops[i].seconds, b.ops[i].seconds);
        EXPECT_EQ(a.ops[i].spread, b.ops[i].spread);
        EXPECT_EQ(a.ops[i].tier, b.ops[i].tier);
        EXPECT_EQ(a.ops[i].source, b.ops[i].source);
        EXPECT_EQ(a.ops[i].counters, b.ops[i].counters);
        EXPECT_EQ(a.ops[i].products, b.ops[i].products);
    }
}

void expectSameSteps(const std::vector<StepMetrics>& a, const std::vector<StepMetrics>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        SCOPED_TRACE(i);
        EXPECT_EQ(a[i].step, b[i].step);
        EXPECT_EQ(a[i].skipped, b[i].skipped);
        for (const StepMetric& metric : kStepMetrics)
            EXPECT_THAT(a[i].*metric.value, testing::NanSensitiveDoubleEq(b[i].*metric.value)) << metric.name;
    }
}

}  // namespace plumb

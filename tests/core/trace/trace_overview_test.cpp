// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace_overview.h"

#include "core/trace/critical_path.h"
#include "tests/core/trace/trace_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace plumb::trace {
namespace {

using namespace test;

struct Opened {
    Trace trace;
    TraceLinks links;
    TraceOverview overview;
};

Opened opened(const std::vector<std::string>& events) {
    Opened result{readText(document(events)).value(), {}, {}};
    result.links = linkTrace(result.trace);
    result.overview = overviewOf(result.trace, result.links);
    return result;
}

Nanoseconds idleBy(const DeviceFigures& device, IdleCause cause) {
    return device.idleBy[static_cast<std::size_t>(cause)];
}

TEST(KernelCategory, IsToldByTheOpAndThenByTheName) {
    EXPECT_EQ(categoryByName("ncclDevKernel_AllReduce_Sum_f32"), KernelCategory::Communication);
    EXPECT_EQ(categoryByName("void multimem_all_reduce_kernel<>"), KernelCategory::Communication);
    EXPECT_EQ(categoryByName("Memcpy HtoD (Pageable -> Device)"), KernelCategory::Memory);
    EXPECT_EQ(categoryByName("void copyMemcpy"), KernelCategory::Elementwise);
    EXPECT_EQ(categoryByName("fmha_cutlassF_bf16"), KernelCategory::Attention);
    EXPECT_EQ(categoryByName("cudnn_convolve_sgemm"), KernelCategory::Convolution);
    EXPECT_EQ(categoryByName("convert_gemm"), KernelCategory::Gemm);
    EXPECT_EQ(categoryByName("Cijk_Ailk_Bljk"), KernelCategory::Gemm);
    EXPECT_EQ(categoryByName("xCijk"), KernelCategory::Other);
    EXPECT_EQ(categoryByName("adamw_step"), KernelCategory::Optimizer);
    EXPECT_EQ(categoryByName("adams"), KernelCategory::Other);
    EXPECT_EQ(categoryByName("lambda_x"), KernelCategory::Other);
    EXPECT_EQ(categoryByName("triton_poi_x"), KernelCategory::Triton);
    EXPECT_EQ(categoryByName("hipify_kernel"), KernelCategory::Other)
        << "HTA counts every ^hip as communication";
    EXPECT_EQ(categoryByOp("aten::addmm"), KernelCategory::Gemm);
    EXPECT_EQ(categoryByOp("aten::_convolution"), KernelCategory::Convolution);
    EXPECT_EQ(categoryByOp("aten::copy_"), std::nullopt);
    EXPECT_EQ(categoryByOp("my::mm"), std::nullopt);
}

TEST(UsesTensorCores, AsFarAsNamesTell) {
    for (const char* name :
         {"turing_h1688gemm_64x64", "sm80_xmma_gemm", "sm90_something_GEMM", "nvjet_hsh_128", "ck_tile_xdl"})
        EXPECT_TRUE(usesTensorCores(name)) << name;
    for (const char* name : {"volta_sgemm_64x64_nt", "gemm_sm80_", "vectorized_elementwise_kernel", "xdl"})
        EXPECT_FALSE(usesTensorCores(name)) << name;
}

TEST(TraceLinks, JoinByCorrelationAndByWhatEncloses) {
    const Opened o = opened({onHost("cpu_op", "aten::linear", 0, 50, R"("External id": 9)"),
                             onHost("cpu_op", "aten::addmm", 5, 40), launch(10, 5, 41),
                             onHost("cpu_op", "aten::add", 20, 5, "", 101), kernel("gemm", 30, 10, 7, 41),
                             kernel("stray", 60, 10, 7, 42)});
    ASSERT_EQ(o.links.work.size(), 2U);
    EXPECT_EQ(o.trace.name(o.links.work[0].op), "aten::addmm");
    EXPECT_EQ(o.links.work[1].launch, kNone);
    EXPECT_EQ(o.links.unlaunched, 1);
}

TEST(TraceLinks, TheFirstOfTwoLaunchesWithOneCorrelationCounts) {
    const Opened o =
        opened({onHost("cpu_op", "aten::mm", 0, 10), launch(1, 2, 41), onHost("cpu_op", "aten::add", 20, 10),
                launch(21, 2, 41), kernel("k", 40, 1, 7, 41)});
    EXPECT_EQ(o.links.duplicateLaunches, 1);
    EXPECT_EQ(o.trace.name(o.links.work[0].op), "aten::mm");
}

TEST(TraceLinks, BackwardBelongsToTheModuleOfItsForwardOp) {
    const std::string own = R"("Sequence number": 5, "Fwd thread id": 0)";
    const std::string back = R"("Sequence number": 5, "Fwd thread id": 1)";
    const Opened o = opened(
        {onHost("cpu_op", "autograd::engine::evaluate_function: MmBackward0", 100, 50, back, 7),
         onHost("cpu_op", "MmBackward0", 101, 48, back, 7), onHost("cpu_op", "aten::mm", 102, 20, "", 7),
         launch(103, 2, 42, "cudaLaunchKernel", 7),
         onHost("cpu_op", "aten::mm", 130, 10, R"("Sequence number": 8, "Fwd thread id": 0)", 7),
         launch(131, 2, 43, "cudaLaunchKernel", 7), kernel("back", 140, 6, 7, 42),
         kernel("again", 150, 1, 7, 43), onHost("python_function", "nn.Module: Net_0", 0, 90),
         onHost("python_function", "nn.Module: Linear_3", 10, 60),
         onHost("cpu_op", "aten::addmm", 20, 30, own), launch(22, 2, 41), kernel("forward", 30, 4, 7, 41)});
    ASSERT_EQ(o.links.work.size(), 3U);
    EXPECT_EQ(o.links.work[0].phase, TracePhase::Forward);
    EXPECT_EQ(o.links.work[1].phase, TracePhase::Backward);
    EXPECT_EQ(o.links.work[2].phase, TracePhase::Recompute);
    ASSERT_EQ(o.links.modules.size(), 2U);
    const ModuleUse& linear = o.links.modules[1];
    EXPECT_EQ(o.trace.names.at(linear.name), "nn.Module: Linear_3");
    EXPECT_EQ(linear.parent, 0U);
    EXPECT_EQ(linear.forwardTime, 4'000 + 1'000);  // recomputed within backward of the same op
    EXPECT_EQ(linear.backwardTime, 6'000);
    EXPECT_EQ(o.links.modules[0].backwardTime, 6'000);
}

TEST(TraceOverview, IdleTimeIsDividedByCause) {
    // b follows within 5 us of a though launched in time; c was launched late; d waits for no visible reason.
    const Opened o = opened({launch(0, 1, 1), launch(1, 1, 2), launch(3, 1, 4), launch(40, 1, 3),
                             kernel("a", 10, 10, 7, 1), kernel("b", 22, 8, 7, 2), kernel("c", 45, 5, 7, 3),
                             kernel("d", 70, 10, 7, 4), kernel("e", 90, 10, 7, 99)});
    ASSERT_EQ(o.overview.devices.size(), 1U);
    const DeviceFigures& device = o.overview.devices[0];
    EXPECT_EQ(device.busy, 43'000);
    EXPECT_EQ(device.idle, 47'000);
    EXPECT_EQ(idleBy(device, IdleCause::KernelWait), 2'000);
    EXPECT_EQ(idleBy(device, IdleCause::HostWait), 15'000);
    EXPECT_EQ(idleBy(device, IdleCause::Other), 20'000);
    EXPECT_EQ(idleBy(device, IdleCause::Unknown), 10'000);
    EXPECT_EQ(device.streams[0].idle, device.idleBy);
    const TraceOverview wide = overviewOf(o.trace, o.links, {.shortGap = 30'000});
    EXPECT_EQ(idleBy(wide.devices[0], IdleCause::KernelWait), 22'000);
}

TEST(TraceOverview, OverlapIsTheShareOfCommunicationBehindOtherKernels) {
    const Opened o = opened(
        {kernel("gemm", 0, 10, 7, 1), kernel("ncclAllReduce", 6, 10, 20, 2), kernel("gemm", 14, 1, 7, 3)});
    const DeviceFigures& device = o.overview.devices[0];
    EXPECT_EQ(device.communication, 10'000);
    EXPECT_EQ(device.exposedCommunication, 5'000);
    EXPECT_DOUBLE_EQ(device.overlap().value(), 0.5);
    EXPECT_EQ(opened({kernel("gemm", 0, 10, 7, 1)}).overview.devices[0].overlap(), std::nullopt);
}

TEST(TraceOverview, DevicesAreApartAndNamed) {
    const auto read = readText(R"({"deviceProperties": [{"id": 2, "name": "GPU two"}], "traceEvents": [)" +
                               kernel("a", 0, 1, 7, 1, 2) + "," + kernel("a", 0, 5, 7, 2, 0) + "]}");
    const TraceOverview overview = overviewOf(*read, linkTrace(*read));
    ASSERT_EQ(overview.devices.size(), 2U);
    EXPECT_EQ(overview.devices[0].id, 0);
    EXPECT_EQ(overview.devices[0].busy, 5'000);
    EXPECT_EQ(overview.devices[1].name, "GPU two");
    EXPECT_EQ(overview.kernels[0].sum.count, 2);
}

TEST(TraceOverview, StepsHaveWindowsUpToTheNext) {
    const Opened o = opened({onHost("user_annotation", "ProfilerStep#1", 0, 90),
                             onHost("user_annotation", "ProfilerStep#2", 100, 80), launch(10, 1, 1),
                             launch(110, 1, 2), launch(120, 1, 3), kernel("a", 20, 10, 7, 1),
                             kernel("b", 95, 10, 7, 2), kernel("c", 170, 40, 7, 3)});
    ASSERT_EQ(o.overview.steps.size(), 2U);
    EXPECT_EQ(o.overview.steps[0].busy, 15'000);
    EXPECT_EQ(o.overview.steps[0].idle, 85'000);
    EXPECT_EQ(o.overview.steps[1].busy, 15'000);  // of c what lies within the step
    EXPECT_EQ(o.overview.steps[1].gpuDuration, 180'000);
    EXPECT_EQ(o.overview.steps[0].gpuDuration, std::nullopt);
    EXPECT_FALSE(o.overview.stepsAreInferred);
    const Opened without = opened({onHost("cpu_op", "aten::mm", 0, 5),
                                   onHost("user_annotation", "Optimizer.step#SGD.step", 10, 5),
                                   onHost("user_annotation", "Optimizer.step#SGD.step", 40, 5)});
    EXPECT_TRUE(without.overview.stepsAreInferred);
    ASSERT_EQ(without.overview.steps.size(), 2U);
    EXPECT_EQ(without.overview.steps[1].step.begin, 15'000);
    EXPECT_EQ(without.overview.steps[1].step.duration, 30'000);
}

TEST(TraceOverview, StepsAreThoseOfOneProcessAndNotTheirEnd) {
    const auto step = [](int process, int number, double ts, double dur) {
        return slice("user_annotation", "ProfilerStep#" + std::to_string(number),
                     "\"pid\": " + std::to_string(process) + ", \"tid\": 1", times(ts, dur));
    };
    // A prediction beside what was measured, each closed by a step of a nanosecond.
    const Opened o = opened({step(2, 0, 0, 20), step(2, 1, 20, 0.001), step(1, 7, 0, 50), step(1, 8, 50, 60),
                             step(1, 9, 110, 0.001)});
    ASSERT_EQ(o.overview.steps.size(), 2U);
    EXPECT_EQ(o.overview.steps[0].step.duration, 50'000);
    EXPECT_EQ(o.overview.steps[1].step.windowEnd, 110'000);
}

TEST(TraceOverview, QueuesAndLatencies) {
    const Opened o = opened({launch(0, 1, 1), launch(2, 1, 2), launch(4, 20, 3), kernel("a", 5, 10, 7, 1),
                             kernel("b", 15, 10, 7, 2), kernel("c", 25, 10, 7, 3)});
    const DeviceFigures& device = o.overview.devices[0];
    EXPECT_EQ(device.streams[0].longestQueue, 3);
    EXPECT_DOUBLE_EQ(device.streams[0].meanQueue, (2 * 1 + 2 * 2 + 11 * 3 + 10 * 2 + 10 * 1) / 35.0);
    EXPECT_EQ(device.medianLatency, 4'000);
    EXPECT_EQ(device.longestLatency, 12'000);
    EXPECT_EQ(device.shortKernels, 1);
    EXPECT_EQ(device.launched, 3);
    // From 5 to 35 us: three are waited for until 15, two until 25, then one.
    ASSERT_EQ(device.queueDepths.size(), kQueueParts);
    EXPECT_EQ(device.queueDepths.front(), 3);
    EXPECT_EQ(device.queueDepths[kQueueParts / 2], 2);
    EXPECT_EQ(device.queueDepths.back(), 1);
}

/// The sums over all steps and streams hold for whatever a file says.
TEST(TraceOverview, SumsHoldForAnyTrace) {
    test::Draws draw(21);
    for (int round = 0; round < 150; ++round) {
        std::vector<std::string> events;
        for (int i = 0; i < 40; ++i) {
            const int at = draw.below(300);
            switch (draw.below(5)) {
            case 0:
                events.push_back(launch(at, draw.below(20), 1 + draw.below(20)));
                break;
            case 1:
                events.push_back(
                    onHost("cpu_op", draw.below(2) == 0 ? "aten::mm" : "aten::add", at, draw.below(60)));
                break;
            case 2:
                events.push_back(
                    onHost("user_annotation", "ProfilerStep#" + std::to_string(i), at, draw.below(60)));
                break;
            default:
                events.push_back(kernel(draw.below(3) == 0 ? "nccl" : "gemm", at, draw.below(40),
                                        7 + draw.below(2), 1 + draw.below(20), draw.below(2)));
            }
        }
        const Opened o = opened(events);
        Nanoseconds kernels = 0;
        for (const DeviceFigures& device : o.overview.devices) {
            EXPECT_EQ(device.busy + device.idle, device.end - device.begin);
            EXPECT_EQ(std::accumulate(device.idleBy.begin(), device.idleBy.end(), Nanoseconds{0}),
                      device.idle);
            EXPECT_GE(device.exposedCommunication, 0);
            EXPECT_LE(device.exposedCommunication, device.communication);
            EXPECT_LE(device.busy, device.kernelTime);
            kernels += device.kernelTime;
        }
        Nanoseconds categories = 0;
        for (const WorkSum& sum : o.overview.categories) categories += sum.time;
        EXPECT_EQ(categories, kernels);
        for (const StepFigures& step : o.overview.steps) {
            EXPECT_GE(step.idle, 0);
            EXPECT_GE(step.busy, 0);
        }
        for (const OpUse& op : o.overview.ops) EXPECT_LE(op.selfTime, op.hostTime);
        const auto path = criticalPath(o.trace, o.links, -1'000'000, 1'000'000);
        if (path) {
            EXPECT_EQ(std::accumulate(path->by.begin(), path->by.end(), Nanoseconds{0}), path->length);
            Nanoseconds sum = 0;
            Nanoseconds until = INT64_MIN;
            for (const PathStretch& stretch : path->stretches) {
                EXPECT_GE(stretch.begin, until);
                until = stretch.end;
                sum += stretch.end - stretch.begin;
            }
            EXPECT_EQ(sum, path->length);
        }
    }
}

Nanoseconds partOf(const CriticalPath& path, PathClass kind) {
    return path.by[static_cast<std::size_t>(kind)];
}

TEST(CriticalPath, GoesThroughTheHostWhereTheDeviceWaits) {
    const Opened o = opened({onHost("cpu_op", "a", 0, 100), launch(90, 5, 1), kernel("k", 100, 10, 7, 1)});
    const auto path = criticalPath(o.trace, o.links, 0, 1'000'000);
    ASSERT_TRUE(path.has_value());
    EXPECT_EQ(path->length, 110'000);
    EXPECT_EQ(partOf(*path, PathClass::Host), 90'000);
    EXPECT_EQ(partOf(*path, PathClass::Launch), 10'000);
    EXPECT_EQ(partOf(*path, PathClass::Compute), 10'000);
}

TEST(CriticalPath, GoesThroughTheDeviceWhereTheHostWaits) {
    const Opened o = opened({onHost("cpu_op", "a", 0, 20), launch(5, 5, 1), launch(12, 5, 2),
                             kernel("k", 10, 50, 7, 1), kernel("nccl", 62, 30, 7, 2),
                             launch(30, 65, 3, "cudaDeviceSynchronize"), onHost("cpu_op", "b", 100, 10)});
    const auto path = criticalPath(o.trace, o.links, 0, 1'000'000);
    ASSERT_TRUE(path.has_value());
    // 5 on the host, 5 to launch, k, the gap of 2, the communication; the wait and the time between ops count
    // 0.
    EXPECT_EQ(path->length, 102'000);
    EXPECT_EQ(partOf(*path, PathClass::Host), 15'000);
    EXPECT_EQ(partOf(*path, PathClass::Launch), 5'000);
    EXPECT_EQ(partOf(*path, PathClass::Compute), 50'000);
    EXPECT_EQ(partOf(*path, PathClass::KernelGap), 2'000);
    EXPECT_EQ(partOf(*path, PathClass::Communication), 30'000);
}

TEST(CriticalPath, WaitsForALaunchOnlyWhereTheStreamIsEmpty) {
    // The second kernel was in the queue behind the first, and the gap is too long to be a dependency.
    const Opened o = opened({onHost("cpu_op", "a", 0, 20), launch(1, 1, 1), launch(5, 1, 2),
                             kernel("k", 2, 8, 7, 1), kernel("k", 2000, 10, 7, 2)});
    EXPECT_EQ(criticalPath(o.trace, o.links, 0, 1'000'000)->length, 20'000);
}

TEST(CriticalPath, IsSummedByNameAndClass) {
    const Opened o = opened({onHost("cpu_op", "a", 0, 100), launch(90, 5, 1), kernel("k", 100, 10, 7, 1),
                             kernel("k", 110, 30, 7, 2)});
    const auto path = criticalPath(o.trace, o.links, 0, 1'000'000).value();
    const std::vector<PathSum> sums = sumsOfPath(o.trace, path);
    ASSERT_EQ(sums.size(), 3U);
    EXPECT_EQ(o.trace.names.at(sums[0].name), "a");
    EXPECT_EQ(sums[0].kind, PathClass::Host);
    EXPECT_EQ(sums[0].time, 90'000);
    EXPECT_EQ(sums[1].time + sums[2].time, 20'000);
    EXPECT_EQ(o.trace.names.at(sums[1].name), "k");
    EXPECT_NE(sums[1].kind, sums[2].kind);
    ASSERT_EQ(path.stretches.size(), 3U);
    EXPECT_EQ(path.stretches.back().begin, 100'000);
    EXPECT_EQ(o.trace.name(path.stretches.back().slice), "k");
}

/// Ops without a duration at one moment on two threads: each could wait for the other.
TEST(CriticalPath, GoesOnBehindACircleOfOneMoment) {
    const Opened o =
        opened({onHost("cpu_op", "before", 0, 10, "", 100), onHost("cpu_op", "x", 20, 0, "", 100),
                onHost("cpu_op", "y", 20, 0, "", 101), onHost("cpu_op", "after", 20, 30, "", 102)});
    EXPECT_EQ(criticalPath(o.trace, o.links, 0, 1'000'000)->length, 40'000);
}

TEST(TraceLinks, KnowTheWorkOfASliceAndTheMedianStep) {
    const Opened o = opened({onHost("user_annotation", "ProfilerStep#1", 0, 50),
                             onHost("user_annotation", "ProfilerStep#2", 50, 10),
                             onHost("user_annotation", "ProfilerStep#3", 60, 30), launch(1, 1, 1),
                             kernel("k", 5, 10, 7, 1)});
    EXPECT_EQ(medianStep(o.links), 2U);
    EXPECT_EQ(medianStep(TraceLinks{}), std::nullopt);
    for (std::uint32_t i = 0; i < o.trace.slices.size(); ++i) {
        const GpuWork* work = workOf(o.links, i);
        ASSERT_EQ(work != nullptr, o.trace.name(i) == "k");
        if (work != nullptr) {
            EXPECT_EQ(o.trace.name(work->launch), "cudaLaunchKernel");
        }
    }
}

TEST(CriticalPath, IsNotOfAnEmptyRange) {
    const Opened o = opened({onHost("cpu_op", "a", 0, 20)});
    EXPECT_FALSE(criticalPath(o.trace, o.links, 50'000, 60'000).has_value());
}

}  // namespace
}  // namespace plumb::trace

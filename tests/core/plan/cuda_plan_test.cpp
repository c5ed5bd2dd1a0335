// SPDX-License-Identifier: Apache-2.0
// The step of a GPU, planned where there is none.
#include "core/machine/hardware_database.h"
#include "core/measure/reading.h"
#include "core/plan/arena_layout.h"
#include "core/plan/control_tensors.h"
#include "core/plan/fit_schedule.h"
#include "core/plan/step_plan.h"
#include "tests/support/plans.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace plumb {
namespace {

constexpr std::array kCapabilities{80, 89, 90, 100, 120};

BackendTraits traitsOf(int capability) {
    const auto traits = cudaTraits(capability);
    EXPECT_TRUE(traits.has_value());
    return traits.has_value() ? *traits : BackendTraits{};
}

StepPlan planOf(const RunConfig& config, int capability = 90) {
    if (config.precision == Precision::Fp8) capability = std::max(capability, 89);
    return test::planOf(config, traitsOf(capability));
}

const Tensor& tensorAt(const StepPlan& plan, TensorId id) { return plan.tensor(id); }

template <class Visit>
void forEachNamed(const Op& op, Visit visit) {
    const auto all = [&](const auto& ranges) {
        for (const TensorRange& range : ranges)
            for (TensorId id = range.first; id < range.first + range.count; ++id) visit(id);
    };
    all(op.reads);
    all(op.writes);
    all(op.scratch);
}

TEST(CudaTraits, RefuseAGpuThatIsTooOldAndNameItsGeneration) {
    const auto traits = cudaTraits(75);
    ASSERT_FALSE(traits.has_value());
    EXPECT_EQ(traits.error().code, ErrorCode::Unavailable);
    EXPECT_NE(traits.error().message.find("7.5"), std::string::npos);
    EXPECT_FALSE(traitsFor("cuda", 75).replaysSteps);
    EXPECT_EQ(traitsFor("cuda", 90), traitsOf(90));
    EXPECT_EQ(traitsFor("cpu", std::nullopt), cpuTraits());
}

TEST(CudaTraits, ReadEveryDeviceOfTheDatabaseThatCanBeUsed) {
    int usable = 0;
    for (const Machine& machine : HardwareDatabase::builtIn().machines) {
        if (machine.backend != "cuda") {
            EXPECT_FALSE(machine.computeCapability.has_value()) << machine.id;
            continue;
        }
        ASSERT_TRUE(machine.computeCapability.has_value()) << machine.id;
        usable += traitsFor(machine.backend, machine.computeCapability).replaysSteps ? 1 : 0;
    }
    EXPECT_GT(usable, 5);
}

TEST(CudaPlan, ATensorLivesFromTheFirstOpThatNamesItToTheLast) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const StepPlan plan = planOf(test::randomGpuConfig(seed), kCapabilities[seed % kCapabilities.size()]);
        std::vector<std::int32_t> first(plan.tensors.size(), -1);
        std::vector<std::int32_t> last(plan.tensors.size(), -1);
        for (std::size_t index = 0; index < plan.ops.size(); ++index)
            forEachNamed(plan.ops[index], [&](TensorId id) {
                auto& begin = first[static_cast<std::size_t>(id)];
                if (begin < 0) begin = static_cast<std::int32_t>(index);
                last[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(index);
            });
        for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
            const Tensor& tensor = plan.tensors[id];
            if (tensor.persistent()) continue;
            ASSERT_EQ(tensor.firstOp, first[id]) << tensorName(plan, tensor) << " seed " << seed;
            ASSERT_EQ(tensor.lastOp, last[id]) << tensorName(plan, tensor) << " seed " << seed;
        }
    }
}

// Whoever reads a mask finds the one that was written with the h that it stands for; nobody reads both.
TEST(CudaPlan, AMaskStandsForTheActivationInTheGradientBelow) {
    int masks = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        RunConfig config = test::randomGpuConfig(seed);
        config.activation = Activation::Relu;
        const StepPlan plan = planOf(config);
        for (const Op& op : plan.ops) {
            if (op.kind != OpKind::InputGradient) {
                // The order of its bits is the affair of those two alone.
                for (const TensorRange& range : op.reads)
                    for (TensorId id = range.first; id < range.first + range.count; ++id)
                        ASSERT_NE(tensorAt(plan, id).role, TensorRole::ReluMask) << opId(op);
                continue;
            }
            const Tensor& mask = tensorAt(plan, op.reads[2].first);
            ASSERT_EQ(mask.layer, op.layer - 1) << "seed " << seed;
            const bool ownKernel = op.isHead || config.precision == Precision::Fp8;
            ASSERT_EQ(mask.role == TensorRole::ReluMask, !ownKernel) << "seed " << seed;
            if (ownKernel) continue;
            ++masks;
            // One bit for each element, rows of whole 128 bits, as the library wants them.
            EXPECT_EQ(mask.bytes(), op.batchRows * ((op.in + 127) / 128 * 128) / 8);
            const Op& maker = plan.op(mask.firstOp);
            ASSERT_TRUE(maker.kind == OpKind::LayerForward || maker.kind == OpKind::RecomputeChain);
            ASSERT_EQ(maker.layer, mask.layer);
            ASSERT_EQ(maker.pass, op.pass);
        }
    }
    EXPECT_GT(masks, 500);
}

TEST(CudaPlan, NothingIsCastButTheResultsOfFp8) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RunConfig config = test::randomGpuConfig(seed);
        const bool isFp8 = config.precision == Precision::Fp8;
        const int capability = std::max(kCapabilities[seed % kCapabilities.size()], isFp8 ? 89 : 80);
        const StepPlan plan = planOf(config, capability);
        const bool fp8 = config.precision == Precision::Fp8;
        for (const Op& op : plan.ops) {
            int turned = 0;
            int results = 0;
            for (const TensorRange& range : op.scratch) {
                if (range.count == 0) break;
                const Tensor& tensor = tensorAt(plan, range.first);
                EXPECT_EQ(tensor.firstOp, tensor.lastOp);
                (tensor.role == TensorRole::CastResult ? results : turned) += 1;
                EXPECT_EQ(dtypeSize(tensor.dtype), tensor.role == TensorRole::CastResult ? 2 : 1);
            }
            const bool layerProduct = !einsumText(op.kind).empty() && !op.isHead;
            const bool weightGradient = op.kind == OpKind::WeightGradient;
            ASSERT_EQ(results, fp8 && layerProduct && !weightGradient ? 1 : 0) << opId(op);
            const bool turns = fp8 && layerProduct && traitsOf(capability).transposesFp8;
            ASSERT_EQ(turned, turns && weightGradient ? 2 : 0) << opId(op);
        }
    }
}

TEST(CudaPlan, Fp8NeedsMultiplesOfSixteenAndSaysSo) {
    RunConfig config{.dim = 100, .batch = 32, .precision = Precision::Fp8};
    const auto refused = planStep(config, traitsOf(90));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().text(), "fp8 products of the cuda backend need a dim that is a multiple of 16 "
                                      "(100): use 112, or --precision bf16");
    config.dim = 112;
    EXPECT_TRUE(planStep(config, traitsOf(90)).has_value());
    config.microBatch = 8;
    EXPECT_FALSE(planStep(config, traitsOf(90)).has_value());
    EXPECT_TRUE(planStep(config, cpuTraits()).has_value());
    config.microBatch = 0;
    EXPECT_NE(planStep(config, traitsOf(80)).error().text().find("no products of fp8"), std::string::npos);
}

TEST(CudaPlan, TheLargestBatchFitsAndOneMoreDoesNot) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RunConfig config = test::randomGpuConfig(seed);
        config.microBatch = 0;
        const BackendTraits traits = traitsOf(90);
        const std::int64_t unit = config.precision == Precision::Fp8 ? 16 : 1;
        const Bytes memory = (Bytes{80} << 20) + static_cast<Bytes>(seed) * 100'000;
        const std::int64_t most = largestBatchThatFits(config, traits, memory);
        ASSERT_GT(most, 0) << "seed " << seed;
        EXPECT_EQ(most % unit, 0);
        const auto peak = [&](std::int64_t batch) {
            RunConfig asked = config;
            asked.batch = batch;
            const auto plan = planStep(asked, traits);
            return plan.has_value() ? summariseCurve(memoryCurve(*plan)).peakBytes : INT64_MAX;
        };
        EXPECT_LE(peak(most), memory) << "seed " << seed;
        EXPECT_GT(peak(most + unit), memory) << "seed " << seed;
    }
}

TEST(CudaPlan, AScheduleForABudgetKeepsWithinIt) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        RunConfig config = test::randomGpuConfig(seed);
        const auto least = leastPeak(config, traitsOf(90));
        ASSERT_TRUE(least.has_value()) << "seed " << seed;
        const Bytes budget = *least + (*least - (Bytes{64} << 20)) * static_cast<Bytes>(seed % 9) / 10;
        config.recompute = {RecomputePolicy::Kind::Fit, 1, std::max(budget, *least)};
        const auto plan = planStep(config, traitsOf(90));
        ASSERT_TRUE(plan.has_value()) << "seed " << seed << ": " << plan.error().text();
        EXPECT_LE(summariseCurve(memoryCurve(*plan)).peakBytes, config.recompute.budgetBytes)
            << "seed " << seed;
    }
}

TEST(ArenaLayout, KeepsApartWhatIsResidentTogether) {
    int least = 0;
    int plans = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const StepPlan plan = planOf(test::randomGpuConfig(seed), kCapabilities[seed % kCapabilities.size()]);
        const ArenaLayout layout = arenaLayout(plan);
        ASSERT_EQ(layout.offset.size(), plan.tensors.size());
        Bytes persistent = 0;
        for (std::size_t a = 0; a < plan.tensors.size(); ++a) {
            const Tensor& x = plan.tensors[a];
            if (x.persistent()) {
                persistent += x.bytes();
                EXPECT_EQ(layout.offset[a], -1);
                continue;
            }
            ASSERT_EQ(layout.offset[a] % 256, 0);
            ASSERT_LE(layout.offset[a] + x.bytes(), layout.bytes);
            for (std::size_t b = a + 1; b < plan.tensors.size(); ++b) {
                const Tensor& y = plan.tensors[b];
                if (y.persistent() || x.firstOp > y.lastOp || y.firstOp > x.lastOp ||
                    x.bytes() * y.bytes() == 0)
                    continue;
                const bool apart = layout.offset[a] + x.bytes() <= layout.offset[b] ||
                                   layout.offset[b] + y.bytes() <= layout.offset[a];
                ASSERT_TRUE(apart) << tensorName(plan, x) << " and " << tensorName(plan, y) << ", seed "
                                   << seed;
            }
        }
        const Bytes peak = summariseCurve(memoryCurve(plan)).peakBytes;
        EXPECT_GE(persistent + layout.leastBytes, peak);
        EXPECT_LE(persistent + layout.leastBytes, peak + 256 * static_cast<Bytes>(plan.tensors.size()));
        EXPECT_GE(layout.bytes, layout.leastBytes);
        EXPECT_LE(layout.bytes, layout.leastBytes + layout.leastBytes / 10) << "seed " << seed;
        ++plans;
        least += layout.bytes == layout.leastBytes ? 1 : 0;
    }
    EXPECT_GE(least * 100, plans * 90) << least << " of " << plans;
}

TEST(ArenaLayout, IsThePeakOfThePlanInStepsOfEverySize) {
    for (const std::int64_t layers : {1, 2, 8, 24, 64}) {
        RunConfig config{.dim = 1024,
                         .layers = layers,
                         .activation = Activation::Relu,
                         .batch = 2048,
                         .precision = Precision::Bf16};
        for (const auto kind :
             {RecomputePolicy::Kind::All, RecomputePolicy::Kind::Sqrt, RecomputePolicy::Kind::None}) {
            config.recompute = {kind, 1};
            const ArenaLayout layout = arenaLayout(planOf(config));
            EXPECT_EQ(layout.bytes, layout.leastBytes)
                << layers << " layers, policy " << static_cast<int>(kind);
        }
    }
}

}  // namespace
}  // namespace plumb

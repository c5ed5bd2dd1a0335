// SPDX-License-Identifier: Apache-2.0
#include "core/plan/control_tensors.h"
#include "core/plan/step_plan.h"
#include "tests/support/plans.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace plumb {
namespace {

StepPlan barePlan(const RunConfig& config, const BackendTraits& traits = {}) {
    return test::planOf(config, traits);
}

RunConfig small(std::int64_t layers, RecomputePolicy recompute = {}) {
    return RunConfig{.dim = 8, .layers = layers, .outputs = 3, .batch = 4, .recompute = recompute};
}

RecomputePolicy every(std::int64_t interval) { return {RecomputePolicy::Kind::Every, interval}; }
constexpr RecomputePolicy kNone{RecomputePolicy::Kind::None, 1};

std::string idsOf(const StepPlan& plan) {
    std::string ids;
    for (const Op& op : plan.ops) ids += opId(op) + "\n";
    return ids;
}

/// From the first op of the backward pass of the layers on.
std::string backwardIdsOf(const StepPlan& plan) {
    const std::string ids = idsOf(plan);
    return ids.substr(ids.find("m1.head.backward.input"));
}

template <class Visit>
void forEachTensor(const std::array<TensorRange, 6>& ranges, Visit visit) {
    for (const TensorRange& range : ranges) {
        for (std::int32_t i = 0; i < range.count; ++i) visit(range.first + i);
    }
}

TEST(Plan, TwoLayersKeptRunInTheOrderOfTheModel) {
    EXPECT_EQ(idsOf(barePlan(small(2))), "m1.load\n"
                                         "m1.layer1.forward\n"
                                         "m1.layer2.forward\n"
                                         "m1.head.forward\n"
                                         "m1.loss\n"
                                         "m1.head.backward.weight\n"
                                         "m1.head.backward.input\n"
                                         "m1.layer2.backward.weight\n"
                                         "m1.layer2.backward.input\n"
                                         "m1.layer1.backward.weight\n"
                                         "optimizer\n");
}

TEST(Plan, ABatchThatStaysIsThereAllTheTimeAndNoOpLoadsIt) {
    for (const auto& traits : {cpuTraits(), *cudaTraits(90)}) {
        RunConfig config{.dim = 32, .layers = 2, .batch = 16, .precision = Precision::Bf16};
        const auto made = planStep(config, traits);
        config.residentBatch = true;
        const auto kept = planStep(config, traits);
        ASSERT_TRUE(made.has_value() && kept.has_value());
        EXPECT_EQ("m1.load\n" + idsOf(*kept), idsOf(*made));
        EXPECT_EQ(kept->bytes, made->bytes - made->ops[0].bytes);
        EXPECT_EQ(kept->flops, made->flops - made->ops[0].flops);
        EXPECT_EQ(made->residentFeatures, -1);
        const Bytes batch = 16 * 32 * 2 + 16 * 4;
        for (const TensorId id : {kept->residentFeatures, kept->residentTargets}) {
            ASSERT_GE(id, 0);
            EXPECT_TRUE(kept->tensor(id).persistent());
            EXPECT_TRUE(livesAcrossSteps(config, kept->tensor(id).role));
        }
        EXPECT_EQ(kept->ops[0].reads[0].first, kept->residentFeatures);
        for (const CategoryBytes& bytes : memoryCurve(*kept)) EXPECT_EQ(bytes[Category::Data], batch);
        // What comes and goes is there as before, op for op.
        const auto before = memoryCurve(*made), after = memoryCurve(*kept);
        for (std::size_t op = 0; op < after.size(); ++op)
            EXPECT_EQ(total(after[op]) - batch, total(before[op + 1]) - before[op + 1][Category::Data]);
    }
}

TEST(Plan, ABatchThatStaysIsOneMicroBatch) {
    RunConfig config{.dim = 8, .layers = 1, .batch = 16, .microBatch = 4, .residentBatch = true};
    const auto refused = planStep(config, cpuTraits());
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
    EXPECT_NE(refused.error().text().find("resident-batch"), std::string::npos) << refused.error().text();
    config.microBatch = 16;
    EXPECT_TRUE(planStep(config, cpuTraits()).has_value());
    // Data of files are read in each step, whatever is asked.
    config.data = "x.npy";
    config.targets = "t.npy";
    config.microBatch = 4;
    const auto fromFile = planStep(config, cpuTraits());
    ASSERT_TRUE(fromFile.has_value()) << fromFile.error().text();
    EXPECT_EQ(fromFile->residentFeatures, -1);
    EXPECT_EQ(fromFile->ops[0].kind, OpKind::LoadBatch);
}

TEST(Plan, EveryTwoRecomputesSegmentsButTheLast) {
    EXPECT_EQ(backwardIdsOf(barePlan(small(5, every(2)))), "m1.head.backward.input\n"
                                                           "m1.layer5.backward.weight\n"
                                                           "m1.layer5.backward.input\n"
                                                           "m1.layer3.recompute\n"
                                                           "m1.layer4.backward.weight\n"
                                                           "m1.layer4.backward.input\n"
                                                           "m1.layer3.backward.weight\n"
                                                           "m1.layer3.backward.input\n"
                                                           "m1.layer1.recompute\n"
                                                           "m1.layer2.backward.weight\n"
                                                           "m1.layer2.backward.input\n"
                                                           "m1.layer1.backward.weight\n"
                                                           "optimizer\n");
}

TEST(Plan, KeepingNothingRecomputesEachInputFromTheFeatures) {
    const StepPlan plan = barePlan(small(3, kNone));
    EXPECT_EQ(backwardIdsOf(plan), "m1.head.backward.input\n"
                                   "m1.layer2.recompute\n"
                                   "m1.layer3.backward.weight\n"
                                   "m1.layer3.backward.input\n"
                                   "m1.layer1.recompute\n"
                                   "m1.layer2.backward.weight\n"
                                   "m1.layer2.backward.input\n"
                                   "m1.layer1.backward.weight\n"
                                   "optimizer\n");
    for (const Op& op : plan.ops) {
        if (op.kind != OpKind::RecomputeChain) continue;
        EXPECT_EQ(op.repeat, op.layer);
        EXPECT_EQ(op.writes[1].count, op.repeat >= 2 ? 1 : 0);
        EXPECT_EQ(plan.tensor(op.reads[0].first).role, TensorRole::Features);
    }
}

TEST(Plan, LaterMicroBatchesAreASecondPassThatAccumulates) {
    RunConfig config = small(2);
    config.batch = 12;
    config.microBatch = 4;
    const StepPlan plan = barePlan(config);
    ASSERT_EQ(plan.passEnd[0] - plan.passBegin[0], plan.passEnd[1] - plan.passBegin[1]);
    EXPECT_EQ(plan.passBegin[0], 0);
    EXPECT_EQ(plan.passBegin[1], plan.passEnd[0]);
    EXPECT_EQ(plan.passEnd[1] + 1, static_cast<std::int32_t>(plan.ops.size()));
    for (std::int32_t i = plan.passBegin[0]; i < plan.passEnd[0]; ++i) {
        const Op& first = plan.op(i);
        const Op& later = plan.op(i - plan.passBegin[0] + plan.passBegin[1]);
        EXPECT_EQ(opId(first).substr(2), opId(later).substr(3));
        EXPECT_EQ(first.executions, 1);
        EXPECT_EQ(later.executions, 2);
        EXPECT_FALSE(first.accumulates);
        EXPECT_EQ(later.accumulates,
                  later.kind == OpKind::WeightGradient || later.kind == OpKind::LossGradient);
    }
    const StepPlan single = barePlan(small(2));
    EXPECT_EQ(single.passBegin[1], single.passEnd[1]);
}

TEST(Plan, IdsAreUnique) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const StepPlan plan = barePlan(test::randomConfig(seed));
        std::map<std::string, int> count;
        for (const Op& op : plan.ops) EXPECT_EQ(++count[opId(op)], 1) << opId(op) << " seed " << seed;
    }
}

/// Runs a plan on symbols: every tensor holds the name of the value that was last written to it, and every op
/// checks that it finds the values that the model's equations call for.
class SymbolicRun {
public:
    explicit SymbolicRun(const StepPlan& plan) : m_plan(plan), m_depth(plan.config.layers) {
        for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
            if (plan.tensors[id].role == TensorRole::Weight)
                m_value[static_cast<TensorId>(id)] = "W" + std::to_string(plan.tensors[id].layer);
        }
        if (!plan.config.keepsBatch()) return;
        m_value[plan.residentFeatures] = "x";
        m_value[plan.residentTargets] = "t";
    }

    void run() {
        for (std::size_t i = 0; i < m_plan.ops.size(); ++i) {
            SCOPED_TRACE(opId(m_plan.ops[i]));
            runOp(m_plan.ops[i]);
            for (std::size_t id = 0; id < m_plan.tensors.size(); ++id) {
                const Tensor& tensor = m_plan.tensors[id];
                if (!tensor.persistent() && tensor.lastOp == static_cast<std::int32_t>(i))
                    m_value.erase(static_cast<TensorId>(id));
            }
        }
    }

private:
    std::string valueAt(const TensorRange& range) const {
        EXPECT_EQ(range.count, 1);
        const auto found = m_value.find(range.first);
        return found == m_value.end() ? "nothing" : found->second;
    }
    void write(const TensorRange& range, const std::string& value) { m_value[range.first] = value; }
    [[nodiscard]] std::string input(std::int32_t layer) const {
        return layer == 1 ? "x" : "h" + std::to_string(layer - 1);
    }
    [[nodiscard]] std::string outputGradient(std::int32_t layer) const {
        return layer > m_depth && m_plan.config.head ? "dy" : "g" + std::to_string(layer);
    }

    void runOp(const Op& op) {
        const std::string layer = std::to_string(op.layer);
        switch (op.kind) {
        case OpKind::LoadBatch:
            write(op.writes[0], "x");
            write(op.writes[1], "t");
            break;
        case OpKind::LayerForward:
        case OpKind::HeadForward:
            EXPECT_EQ(valueAt(op.reads[0]), input(op.layer));
            EXPECT_EQ(valueAt(op.reads[1]), "W" + layer);
            write(op.writes[0], op.isHead ? "y" : "h" + layer);
            break;
        case OpKind::LossGradient:
            EXPECT_EQ(valueAt(op.reads[0]), m_plan.config.head ? "y" : "h" + std::to_string(m_depth));
            EXPECT_EQ(valueAt(op.reads[1]), "t");
            if (op.accumulates) {
                EXPECT_EQ(valueAt(op.reads[2]), "loss");
            }
            write(op.writes[0], outputGradient(static_cast<std::int32_t>(m_plan.config.matrices())));
            write(op.writes[1], "loss");
            break;
        case OpKind::WeightGradient:
            EXPECT_EQ(valueAt(op.reads[0]), input(op.layer));
            EXPECT_EQ(valueAt(op.reads[1]), outputGradient(op.layer));
            if (op.accumulates) {
                EXPECT_EQ(valueAt(op.reads[2]), "dW" + layer);
            }
            write(op.writes[0], "dW" + layer);
            break;
        case OpKind::InputGradient:
            EXPECT_EQ(valueAt(op.reads[0]), outputGradient(op.layer));
            EXPECT_EQ(valueAt(op.reads[1]), "W" + layer);
            if (op.fusedActivation) {
                EXPECT_EQ(valueAt(op.reads[2]), input(op.layer));
            }
            write(op.writes[0], "g" + std::to_string(op.layer - 1));
            break;
        case OpKind::RecomputeChain: {
            const std::int32_t first = op.layer - op.repeat + 1;
            EXPECT_EQ(valueAt(op.reads[0]), input(first));
            ASSERT_EQ(op.reads[1].count, op.repeat);
            for (std::int32_t i = 0; i < op.repeat; ++i)
                EXPECT_EQ(valueAt(TensorRange{op.reads[1].first + i, 1}), "W" + std::to_string(first + i));
            write(op.writes[0], "h" + layer);
            break;
        }
        case OpKind::HeadPass:
            FAIL() << "a backend without traits has no fused head";
        case OpKind::AllReduce:
        case OpKind::ReduceScatter:
        case OpKind::AllGather:
            FAIL() << "a rank that is alone sends nothing";
        case OpKind::GradientNorm:
        case OpKind::OptimizerStep:
            ASSERT_EQ(op.reads[0].count, m_plan.config.matrices());
            for (std::int32_t i = 0; i < m_plan.config.matrices(); ++i)
                EXPECT_EQ(valueAt(TensorRange{op.reads[0].first + i, 1}), "dW" + std::to_string(i + 1));
            break;
        }
    }

    const StepPlan& m_plan;
    std::int64_t m_depth;
    std::map<TensorId, std::string> m_value;
};

TEST(Plan, EveryOpFindsTheValuesThatTheModelCallsFor) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const StepPlan plan = barePlan(test::randomConfig(seed));
        SymbolicRun(plan).run();
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Plan, WithoutLayersTheHeadAloneIsTrained) {
    const StepPlan plan = barePlan(small(0));
    std::vector<std::string> ids;
    for (const Op& op : plan.ops) ids.push_back(opId(op));
    EXPECT_EQ(ids, (std::vector<std::string>{"m1.load", "m1.head.forward", "m1.loss",
                                             "m1.head.backward.weight", "optimizer"}));
    const RunConfig& config = plan.config;
    EXPECT_EQ(config.parameters(), config.dim * config.outputs);
    EXPECT_EQ(plan.matmulFlops, 4 * config.batch * config.dim * config.outputs);
    using Kind = RecomputePolicy::Kind;
    for (const RecomputePolicy policy :
         {RecomputePolicy{Kind::None, 1}, RecomputePolicy{Kind::Every, 2}, RecomputePolicy{Kind::Sqrt, 1}})
        EXPECT_EQ(barePlan(small(0, policy)).ops.size(), plan.ops.size());
}

TEST(Plan, WithoutAHeadTheLossReadsTheLastLayer) {
    RunConfig config = small(2);
    config.head = false;
    config.activation = Activation::Relu;
    const StepPlan plan = barePlan(config);
    std::vector<std::string> ids;
    for (const Op& op : plan.ops) ids.push_back(opId(op));
    EXPECT_EQ(ids, (std::vector<std::string>{"m1.load", "m1.layer1.forward", "m1.layer2.forward", "m1.loss",
                                             "m1.layer2.backward.weight", "m1.layer2.backward.input",
                                             "m1.layer1.backward.weight", "optimizer"}));
    EXPECT_EQ(config.parameters(), 2 * config.dim * config.dim);
    EXPECT_EQ(plan.matmulFlops, Flops{5} * 2 * config.batch * config.dim * config.dim);
    for (const Tensor& tensor : plan.tensors) {
        EXPECT_LE(tensor.layer, 2) << tensorName(plan, tensor);
        if (tensor.role == TensorRole::Targets) {
            EXPECT_EQ(tensor.columns, config.dim);
        }
    }
}

TEST(Plan, ATensorLivesFromTheFirstOpThatNamesItToTheLast) {
    BackendTraits traits;
    traits.libraryScratchBytes = 1000;
    traits.libraryScratchBase = 100;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const StepPlan plan = barePlan(test::randomConfig(seed), traits);
        std::vector<std::int32_t> first(plan.tensors.size(), -1);
        std::vector<std::int32_t> last(plan.tensors.size(), -1);
        std::int32_t index = 0;
        const auto name = [&](TensorId id) {
            auto& begin = first[static_cast<std::size_t>(id)];
            begin = begin < 0 ? index : begin;
            last[static_cast<std::size_t>(id)] = index;
        };
        for (const Op& op : plan.ops) {
            forEachTensor(op.reads, name);
            forEachTensor(op.writes, name);
            for (const TensorRange& range : op.scratch) {
                for (std::int32_t i = 0; i < range.count; ++i) name(range.first + i);
            }
            ++index;
        }
        bool transientsBegan = false;
        for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
            const Tensor& tensor = plan.tensors[id];
            // Control tensors are open to every op and named by none.
            if (tensor.persistent() && tensor.role >= TensorRole::Statistics && tensor.layer == 0) continue;
            ASSERT_GE(first[id], 0) << tensorName(plan, tensor) << " is never used, seed " << seed;
            if (tensor.persistent()) {
                EXPECT_FALSE(transientsBegan) << "persistent tensors come first";
                EXPECT_EQ(tensor.lastOp, static_cast<std::int32_t>(plan.ops.size()));
                continue;
            }
            transientsBegan = true;
            EXPECT_EQ(tensor.firstOp, first[id]) << tensorName(plan, tensor) << " seed " << seed;
            EXPECT_EQ(tensor.lastOp, last[id]) << tensorName(plan, tensor) << " seed " << seed;
        }
    }
}

TEST(Plan, TheLossStaysUntilTheEndOfTheStep) {
    const StepPlan plan = barePlan(small(2));
    for (const Tensor& tensor : plan.tensors) {
        if (tensor.role == TensorRole::Loss) {
            EXPECT_EQ(tensor.lastOp + 1, static_cast<std::int32_t>(plan.ops.size()));
        }
    }
}

TEST(Plan, ScratchIsForLayerProductsAloneAndForOneOp) {
    RunConfig config = small(3, kNone);
    config.precision = Precision::Bf16;
    BackendTraits traits{
        .libraryScratchBytes = 4096, .libraryScratchPerByte = 0.5, .libraryScratchBase = 100};
    const StepPlan plan = barePlan(config, traits);
    const Bytes operands = 4 * (2 * config.batch * config.dim + config.dim * config.dim);
    for (const Op& op : plan.ops) {
        const bool layerProduct = !einsumText(op.kind).empty() && !op.isHead;
        Bytes bytes = 0;
        for (const TensorRange& range : op.scratch) {
            for (std::int32_t i = 0; i < range.count; ++i) {
                const Tensor& tensor = plan.tensor(range.first + i);
                EXPECT_EQ(tensor.firstOp, tensor.lastOp);
                bytes += tensor.bytes();
            }
        }
        EXPECT_EQ(bytes, layerProduct ? operands + 100 + operands / 2 : 0) << opId(op);
    }
    traits.libraryScratchBytes = 101;  // the cap, rounded up to whole fp32 elements
    const StepPlan capped = barePlan(config, traits);
    for (const Tensor& tensor : capped.tensors) {
        if (tensor.role == TensorRole::LibraryScratch) {
            EXPECT_EQ(tensor.bytes(), 104);
        }
    }
    config.precision = Precision::Fp32;
    const StepPlan plain = barePlan(config);
    for (const Op& op : plain.ops) EXPECT_EQ(op.scratch[0].count, 0);
}

TEST(Plan, RefusesTraitsThatMakeNoSense) {
    BackendTraits traits;
    traits.libraryScratchBytes = -1;
    EXPECT_FALSE(planStep(RunConfig{}, traits).has_value());
    traits.libraryScratchBytes = std::int64_t{1} << 61;
    EXPECT_FALSE(planStep(RunConfig{}, traits).has_value());
    traits.libraryScratchBytes = 1;
    traits.libraryScratchPerByte = -0.5;
    EXPECT_FALSE(planStep(RunConfig{}, traits).has_value());
}

TEST(Plan, RefusesTraitsThatContradictEachOther) {
    RunConfig config;
    config.precision = Precision::Fp8;
    BackendTraits traits = cpuTraits();
    ASSERT_TRUE(planStep(config, traits).has_value());
    traits.transposesFp8 = true;
    EXPECT_FALSE(planStep(config, traits).has_value());
    traits.transposesFp8 = false;
    traits.castsFp8Results = true;
    EXPECT_FALSE(planStep(config, traits).has_value());
    traits.castsProducts = false;
    traits.transposesFp8 = true;
    EXPECT_TRUE(planStep(config, traits).has_value()) << "the most scratch that an op has room for";
}

TEST(Plan, RefusesScratchThat63BitsDoNotCount) {
    BackendTraits traits = *cudaTraits(90);
    RunConfig config{.dim = 40'000, .layers = 1, .batch = 1, .precision = Precision::Bf16};
    config.outputs = 900'000'000'000;  // its parts of the head would be 9.2 EB, negative in 63 bits
    const auto head = planStep(config, traits);
    ASSERT_FALSE(head.has_value());
    EXPECT_EQ(head.error().code, ErrorCode::BadInput);

    traits.headParts = 0;
    config.outputs = 1;
    config.optimizer = Optimizer::Adafactor;
    traits.adafactorRows = INT64_MAX;
    EXPECT_FALSE(planStep(config, traits).has_value());
    traits.adafactorRows = 1;
    config.dim = 1 << 24;
    config.layers = 1000;  // a square per row and column: 4.5e18 floats
    EXPECT_FALSE(planStep(config, traits).has_value());

    config = RunConfig{};
    config.dim = 1 << 10;
    config.layers = 64;
    traits = cpuTraits();
    traits.libraryScratchBytes = traits.libraryScratchBase = Bytes{1} << 60;
    EXPECT_FALSE(planStep(config, traits).has_value()) << "each counts, their sum does not";
}

TEST(PrecisionNote, SaysHowTheCpuMultipliesAndWhatItEmulates) {
    RunConfig config;
    EXPECT_EQ(precisionNote(config, cpuTraits()), "");
    config.precision = Precision::Fp16;
    EXPECT_EQ(precisionNote(config, cpuTraits()),
              "fp16 multiplied in fp32 on the CPU: operands converted, sums in fp32, results rounded once");
    config.precision = Precision::Bf16;
    EXPECT_EQ(precisionNote(config, cpuTraits()),
              "bf16 multiplied in fp32 on the CPU: operands converted, sums in fp32, results rounded once");
    BackendTraits own = cpuTraits();
    own.multipliesBf16 = true;
    EXPECT_EQ(
        precisionNote(config, own),
        "bf16 multiplied as such on the CPU: pairs by the processor's dot product, sums in fp32, subnormal "
        "numbers as 0");
    config.precision = Precision::Tf32;
    EXPECT_EQ(precisionNote(config, cpuTraits()),
              "tf32 emulated on the CPU: operands rounded to 10 bits, products in fp32");
    config.precision = Precision::Fp8;
    EXPECT_NE(precisionNote(config, cpuTraits()).find("fp8 emulated on the CPU"), std::string::npos);
    BackendTraits device;
    device.backend = "cuda";
    device.castsProducts = false;
    for (const Precision precision : {Precision::Bf16, Precision::Fp16, Precision::Fp8}) {
        config.precision = precision;
        EXPECT_EQ(precisionNote(config, device), "") << name(precision);
    }
}

}  // namespace
}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/model/run_config.h"

#include "core/model/data_path.h"
#include "core/plan/step_plan.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

namespace plumb {
namespace {

Error refusedAfter(const std::function<void(RunConfig&)>& change) {
    RunConfig config;
    change(config);
    const Result<void> result = validate(config);
    EXPECT_FALSE(result.has_value());
    return result.has_value() ? Error{} : result.error();
}

void expectSays(const Error& error, std::string_view what, std::string_view value) {
    EXPECT_EQ(error.code, ErrorCode::BadInput) << error.text();
    EXPECT_NE(error.message.find(what), std::string::npos) << error.text();
    EXPECT_NE(error.message.find(value), std::string::npos) << error.text();
    EXPECT_FALSE(error.hint.empty()) << error.text();
}

TEST(Validate, AcceptsTheDefaultsAndEveryRandomConfiguration) {
    EXPECT_TRUE(validate(RunConfig{}).has_value());
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Result<void> result = validate(test::randomConfig(seed));
        EXPECT_TRUE(result.has_value()) << "seed " << seed << ": " << result.error().text();
    }
}

TEST(Validate, RefusesSizesOutOfRangeByName) {
    expectSays(refusedAfter([](RunConfig& c) { c.dim = 0; }), "dim", "0");
    expectSays(refusedAfter([](RunConfig& c) { c.dim = -7; }), "dim", "-7");
    expectSays(refusedAfter([](RunConfig& c) { c.dim = kMaxDimension + 1; }), "dim", "1099511627777");
    expectSays(refusedAfter([](RunConfig& c) { c.layers = -1; }), "layers", "-1");
    expectSays(refusedAfter([](RunConfig& c) {
                   c.layers = 0;
                   c.head = false;
               }),
               "layers", "0");
    expectSays(refusedAfter([](RunConfig& c) { c.layers = kMaxLayers + 1; }), "layers", "65537");
    expectSays(refusedAfter([](RunConfig& c) { c.outputs = 0; }), "outputs", "0");
    expectSays(refusedAfter([](RunConfig& c) { c.batch = -1; }), "batch", "-1");
    expectSays(refusedAfter([](RunConfig& c) { c.microBatch = -1; }), "micro-batch", "-1");
    expectSays(refusedAfter([](RunConfig& c) {
                   c.recompute = {RecomputePolicy::Kind::Every, 0};
               }),
               "checkpoint", "0");
}

TEST(Validate, AMicroBatchThatDoesNotDivideIsAnsweredWithOneThatDoes) {
    const Error error = refusedAfter([](RunConfig& c) { c.microBatch = 100; });
    expectSays(error, "micro-batch does not divide batch 256", "(100)");
    EXPECT_NE(error.hint.find("64"), std::string::npos) << error.hint;
    expectSays(refusedAfter([](RunConfig& c) { c.microBatch = 512; }),
               "micro-batch does not divide batch 256", "(512)");
}

TEST(Validate, RefusesTrainingNumbersThatAreNotUsable) {
    for (const double rate : {0.0, -1e-3, std::numeric_limits<double>::infinity(), std::nan("")})
        expectSays(refusedAfter([rate](RunConfig& c) { c.learningRate = rate; }), "lr", "");
    for (const double decay : {-1e-3, std::numeric_limits<double>::infinity(), std::nan("")})
        expectSays(refusedAfter([decay](RunConfig& c) { c.weightDecay = decay; }), "weight-decay", "");
    for (const double noise : {-0.1, std::nan("")})
        expectSays(refusedAfter([noise](RunConfig& c) { c.noise = noise; }), "noise", "");
}

TEST(Validate, DataAndTargetsComeTogether) {
    expectSays(refusedAfter([](RunConfig& c) { c.targets = "y.npy"; }), "targets", "y.npy");
    expectSays(refusedAfter([](RunConfig& c) {
                   c.data = "x.npy";
                   c.dataFormat = DataFormat::Npy;
               }),
               "data", "x.npy");
    expectSays(refusedAfter([](RunConfig& c) { c.data = ""; }), "data", "");
    RunConfig both;
    both.data = "x.npy";
    both.targets = "y.npy";
    EXPECT_TRUE(validate(both).has_value());
}

TEST(Validate, AnArrayWithoutTargetsIsTakenForTokensUntilItsHeaderIsRead) {
    RunConfig config;
    config.data = "ids.npy";
    EXPECT_EQ(config.effectiveDataFormat(), DataFormat::TokensNpy);
    EXPECT_TRUE(validate(config).has_value());
    config.targets = "y.npy";
    EXPECT_EQ(config.effectiveDataFormat(), DataFormat::Npy);
}

TEST(Validate, ArchivesAndTablesMayHoldTheTargetsThemselves) {
    for (const char* path : {"a.npz", "a.npz:images", "t.csv", "t.csv:rooms,area"}) {
        RunConfig config;
        config.data = path;
        EXPECT_TRUE(validate(config).has_value()) << path;
        EXPECT_FALSE(config.readsTokens()) << path;
    }
}

TEST(Validate, ParquetIsRefusedWithAWayAround) {
    const Error data = refusedAfter([](RunConfig& c) { c.data = "houses.parquet"; });
    expectSays(data, "Parquet is not read", "houses.parquet");
    EXPECT_NE(data.hint.find("to_csv"), std::string::npos);
    expectSays(refusedAfter([](RunConfig& c) {
                   c.data = "x.npy";
                   c.targets = "y.parquet";
               }),
               "Parquet is not read", "y.parquet");
}

TEST(Validate, RefusesAHoldOutThatLeavesNothingToTrainOn) {
    for (const double share : {-0.1, 1.0, std::nan("")})
        expectSays(refusedAfter([share](RunConfig& c) {
                       c.data = "corpus.u16";
                       c.holdOut = share;
                   }),
                   "holdout", "");
}

TEST(Validate, RefusesAStandardDeviationThatIsNone) {
    for (const double deviation : {0.0, -1.0, std::nan("")})
        expectSays(refusedAfter([deviation](RunConfig& c) {
                       c.initialisation = Initialisation::Fixed;
                       c.initialDeviation = deviation;
                   }),
                   "init-std", "");
}

TEST(DataPath, ANameMayBeFollowedByAPartOfTheFile) {
    EXPECT_EQ(parseDataPath("a:b.npy").file, "a:b.npy");
    EXPECT_EQ(parseDataPath("dir/a.npz:x").file, "dir/a.npz");
    EXPECT_EQ(parseDataPath("dir/a.npz:x").part, "x");
    EXPECT_EQ(parseDataPath("t.csv:rooms,area").part, "rooms,area");
    EXPECT_EQ(formatOfName("t.csv:rooms,area"), DataFormat::Csv);
    EXPECT_EQ(formatOfName("a.npz:x.npy"), DataFormat::Npz);
    EXPECT_EQ(formatOfName("corpus.bin"), DataFormat::Auto);
}

TEST(Validate, TokensBringTheirTargetsAndNamesSayWhatTheyAre) {
    RunConfig tokens;
    tokens.data = "corpus.u16";
    EXPECT_TRUE(validate(tokens).has_value());
    expectSays(refusedAfter([](RunConfig& c) {
                   c.data = "corpus.u16";
                   c.targets = "y.npy";
               }),
               "targets", "y.npy");
    const Error unknown = refusedAfter([](RunConfig& c) { c.data = "corpus.bin"; });
    expectSays(unknown, "name", "corpus.bin");
    EXPECT_NE(unknown.hint.find("--data-format npy, npz, csv, tokens-u16"), std::string::npos);
    tokens.data = "corpus.bin";
    tokens.dataFormat = DataFormat::TokensI32;
    EXPECT_TRUE(validate(tokens).has_value());
    for (const std::int64_t vocabulary : {std::int64_t{0}, (std::int64_t{1} << 31) + 1})
        expectSays(refusedAfter([vocabulary](RunConfig& c) {
                       c.data = "corpus.i32";
                       c.vocabulary = vocabulary;
                   }),
                   "vocabulary", std::to_string(vocabulary));
}

TEST(Validate, RefusesSumsBeyond63Bits) {
    expectSays(refusedAfter([](RunConfig& c) { c.dim = kMaxDimension; }), "dim 1099511627776", "63 bits");
    expectSays(refusedAfter([](RunConfig& c) {
                   c.batch = kMaxDimension;
                   c.dim = 65536;
               }),
               "FLOP", "1099511627776");
    // 6 B N - 2 B D^2 with 2^20 rows, D = 2^20 and one layer is 2^62 + ...; twice the batch is too much.
    RunConfig edge{.dim = std::int64_t{1} << 20, .layers = 1, .batch = std::int64_t{1} << 20};
    EXPECT_TRUE(validate(edge).has_value());
    edge.batch *= 2;
    EXPECT_FALSE(validate(edge).has_value());
}

/// Sums of the step in floating point, where nothing overflows: an oracle for integers, which may wrap.
struct RealSums {
    double matmulFlops = 0;
    double persistentBytes = 0;
};

RealSums realSums(const RunConfig& asked) {
    const RunConfig config = test::spelledOut(asked);
    const double batch = static_cast<double>(config.batch);
    const double dim = static_cast<double>(config.dim);
    const double layers = static_cast<double>(config.layers);
    const double head = config.head ? dim * static_cast<double>(config.outputs) : 0.0;
    const double parameters = layers * dim * dim + head;
    const double unread = config.layers > 0 ? dim * dim : head;  // nobody needs the gradient of x
    double recomputed = 0;
    const std::int64_t interval = config.recompute.interval;
    if (config.recompute.kind == RecomputePolicy::Kind::None)
        recomputed = layers * (layers - 1) / 2;
    else if (config.recompute.kind == RecomputePolicy::Kind::Every && interval < config.layers)
        recomputed =
            static_cast<double>(interval - 1) * (std::ceil(layers / static_cast<double>(interval)) - 1);
    const double perParameter = config.precision == Precision::Fp32 ? 4.0 : config.masterWeights ? 6.0 : 2.0;
    const double states = config.optimizer == Optimizer::AdamW     ? 8.0
                          : config.optimizer == Optimizer::Adagrad ? 4.0
                                                                   : 0.0;
    return {6 * batch * parameters - 2 * batch * unread + 2 * batch * dim * dim * recomputed,
            (perParameter + states) * parameters};
}

TEST(Validate, NothingOverflowsInThePlanOfAnAcceptedConfiguration) {
    std::mt19937_64 random(7);
    const auto power = [&random](int most) {
        const auto bits = static_cast<int>(random() % static_cast<std::uint64_t>(most + 1));
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(random() % (std::uint64_t{2} << bits)));
    };
    int accepted = 0;
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        RunConfig config = test::randomConfig(static_cast<std::uint64_t>(i));
        config.dim = std::min(power(40), kMaxDimension);
        config.outputs = std::min(power(40), kMaxDimension);
        config.microBatch = power(30);
        config.batch = config.microBatch * power(9);
        if (config.microBatches() > 1) config.residentBatch = false;  // refused by name
        const Result<StepPlan> plan = planStep(config, BackendTraits{});
        const RealSums real = realSums(config);
        if (!plan.has_value()) {
            ++refused;
            // Not refused lightly: half of the limit's FLOPs and a sixteenth of its bytes always pass.
            const double rows =
                static_cast<double>(config.batch) * static_cast<double>(config.dim + config.outputWidth());
            const double moved = 64 * (real.persistentBytes * static_cast<double>(config.microBatches()) +
                                       rows * static_cast<double>(config.matrices()) * 64);
            EXPECT_TRUE(real.matmulFlops > 4e18 || moved > 5e17) << plan.error().text();
            continue;
        }
        ++accepted;
        EXPECT_NEAR(static_cast<double>(plan->matmulFlops) / real.matmulFlops, 1.0, 1e-9);
        EXPECT_GE(plan->flops, plan->matmulFlops);
        Flops flops = 0;
        Bytes bytes = 0;
        for (const Op& op : plan->ops) {
            ASSERT_GE(op.matmulFlops, 0);
            ASSERT_GE(op.flops, op.matmulFlops);
            ASSERT_GT(op.bytes, 0);
            flops = addOrOverflow(flops, op.flops);
            bytes = addOrOverflow(bytes, op.bytes);
        }
        EXPECT_EQ(flops, plan->flops);
        EXPECT_EQ(bytes, plan->bytes);
        Bytes all = 0;
        for (const Tensor& tensor : plan->tensors)
            all = addOrOverflow(
                all, mulOrOverflow(mulOrOverflow(tensor.rows, tensor.columns), dtypeSize(tensor.dtype)));
        EXPECT_GT(all, 0);
        EXPECT_GE(static_cast<double>(all), real.persistentBytes * (1 - 1e-9));
    }
    EXPECT_GT(accepted, 300);
    EXPECT_GT(refused, 300);
}

TEST(RunConfig, EqualityComparesTheRunAndNotHowItWasWritten) {
    RunConfig implicit;
    RunConfig explicitly = implicit;
    explicitly.microBatch = implicit.batch;
    explicitly.learningRate = 1e-3;
    explicitly.weightDecay = 1e-2;
    EXPECT_EQ(implicit, explicitly);
    explicitly.learningRate = 2e-3;
    EXPECT_NE(implicit, explicitly);
    // Every single option tells two configurations apart.
    const std::pair<const char*, const char*> others[] = {
        {"dim", "7"},         {"layers", "7"},      {"outputs", "7"},      {"activation", "relu"},
        {"batch", "7"},       {"micro-batch", "8"}, {"precision", "bf16"}, {"master-weights", "off"},
        {"optimizer", "sgd"}, {"lr", "7"},          {"weight-decay", "7"}, {"checkpoint", "none"},
        {"seed", "7"},        {"noise", "7"},       {"data", "x"},         {"targets", "y"},
        {"backend", "cuda"},  {"head", "off"},      {"init", "he-normal"}};
    for (const auto& [option, value] : others) {
        RunConfig changed = implicit;
        ASSERT_TRUE(setOption(changed, option, value).has_value());
        EXPECT_NE(changed, implicit) << option;
    }
}

TEST(RunConfig, RecipesDecideTheMasterCopyAndTheDtype) {
    RunConfig config;
    EXPECT_FALSE(config.hasMasterCopy());
    EXPECT_EQ(config.computeDtype(), Dtype::Fp32);
    config.precision = Precision::Bf16;
    EXPECT_TRUE(config.hasMasterCopy());
    EXPECT_EQ(config.computeDtype(), Dtype::Bf16);
    config.masterWeights = false;
    EXPECT_FALSE(config.hasMasterCopy());
}

TEST(RandomConfig, CoversEveryChoice) {
    std::set<int> seen;
    std::int64_t widest = 0;
    std::int64_t deepest = 0;
    int beyondDepth = 0;
    int headAlone = 0;
    int chainAlone = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const RunConfig config = test::randomConfig(seed);
        EXPECT_EQ(config, test::randomConfig(seed));
        seen.insert(static_cast<int>(config.activation) + 2 * (config.precision == Precision::Bf16 ? 1 : 0) +
                    4 * (config.masterWeights ? 1 : 0) + 8 * static_cast<int>(config.optimizer) +
                    32 * static_cast<int>(config.recompute.kind) + 128 * (config.microBatches() > 1 ? 1 : 0));
        headAlone += config.layers == 0 ? 1 : 0;
        chainAlone += config.head ? 0 : 1;
        widest = std::max(widest, config.dim);
        deepest = std::max(deepest, config.layers);
        beyondDepth += config.recompute.interval > config.layers ? 1 : 0;
    }
    EXPECT_GT(seen.size(), 130U);  // of 144 combinations
    EXPECT_GT(headAlone, 20);
    EXPECT_GT(chainAlone, 50);
    EXPECT_GT(widest, 90);
    EXPECT_EQ(deepest, 12);
    EXPECT_GT(beyondDepth, 10);
}

}  // namespace
}  // namespace plumb

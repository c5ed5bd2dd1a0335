// SPDX-License-Identifier: Apache-2.0
// What readings say of the products of the matrix library: what ran, and nothing else.
#include "core/engine/capabilities.h"
#include "core/measure/reading.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cuda/algorithm_names.h"
#include "tests/gpu/gpu_training.h"
#include "tests/kernels/simulated/gpu.h"
#include "tests/kernels/simulated/simulated_fixture.h"

#include <cublasLt.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace plumb::test::simulated {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SimulatedProducts : public Simulated {
protected:
    Reading measure(const RunConfig& config, const Options& options) {
        const auto result = profile(config, open(options), 3, {}, {});
        EXPECT_TRUE(result.has_value()) << result.error().text();
        return result.has_value() ? result->measured : Reading();
    }
    /// What the op of this id ran.
    static std::vector<LibraryProduct> of(const Reading& reading, const std::string& id) {
        std::vector<LibraryProduct> products;
        for (const OpReading& op : reading.ops)
            if (op.id == id)
                for (const std::int32_t product : op.products)
                    products.push_back(reading.products.at(static_cast<std::size_t>(product)));
        return products;
    }
};

TEST_F(SimulatedProducts, AreThoseThatRanWithTheirAlgorithms) {
    const Reading reading = measure(smallConfig(), {});
    for (const OpReading& op : reading.ops) {
        const bool isProduct = op.layer > 0 && op.layer <= 3 && op.phase != Phase::Optimizer;
        EXPECT_EQ(op.products.size(), isProduct ? 1U : 0U) << op.id;
    }
    const auto forward = of(reading, "m1.layer1.forward");
    ASSERT_EQ(forward.size(), 1U);
    EXPECT_EQ(forward[0].product, "forward 32x64x64 fp32*fp32>fp32 relu-mask");
    EXPECT_EQ(forward[0].origin, AlgorithmOrigin::Autotune);
    EXPECT_GT(forward[0].tunedSeconds.value_or(0), 0);
    EXPECT_THAT(forward[0].apart, IsEmpty());
    // h_3 is there for the head, which masks with it.
    EXPECT_EQ(of(reading, "m1.layer3.forward")[0].product, "forward 32x64x64 fp32*fp32>fp32 relu");
    EXPECT_EQ(of(reading, "m2+.layer2.backward.weight")[0].product, "weight 32x64x64 fp32*fp32>fp32 add");
    // Each is listed once, however many ops ran it.
    for (std::size_t i = 0; i < reading.products.size(); ++i)
        EXPECT_EQ(std::count(reading.products.begin(), reading.products.end(), reading.products[i]), 1);

    // Not timed: the library's own first choice, with what it tells of it.
    Options options;
    options.tunes = false;
    for (const LibraryProduct& product : measure(smallConfig(), options).products) {
        EXPECT_EQ(product.origin, AlgorithmOrigin::Heuristic);
        EXPECT_EQ(product.tunedSeconds, std::nullopt);
        EXPECT_EQ(product.algorithm, (LibraryAlgorithm{60, "128x256", "64x4", "2x1x1", 1, "", 0, 0, 0}));
    }
}

TEST_F(SimulatedProducts, ComeFromTheCacheTheSecondTime) {
    Backend& device = open({});
    for (const AlgorithmOrigin expected : {AlgorithmOrigin::Autotune, AlgorithmOrigin::Cache}) {
        const auto result = profile(smallConfig(), device, 3, {}, {});
        ASSERT_TRUE(result.has_value()) << result.error().text();
        ASSERT_FALSE(result->measured.products.empty());
        for (const LibraryProduct& product : result->measured.products) {
            EXPECT_EQ(product.origin, expected) << product.product;
            // At this size all are as fast, and the library's first choice stays.
            EXPECT_EQ(product.algorithm.id, 60) << product.product;
            EXPECT_GT(product.tunedSeconds.value_or(0), 0);
        }
    }
}

TEST_F(SimulatedProducts, SayWhatAFallbackChangedAndWhy) {
    for (const bool inVain : {false, true}) {
        Options options;
        options.fusesEpilogues = inVain;
        options.offersInVain = inVain;
        const Reading reading = measure(smallConfig(), options);
        const auto first = of(reading, "m1.layer1.forward"), last = of(reading, "m1.layer3.forward"),
                   gradient = of(reading, "m1.layer2.backward.input");
        ASSERT_EQ(first.size() + last.size() + gradient.size(), 3U);
        EXPECT_EQ(first[0].product, "forward 32x64x64 fp32*fp32>fp32");
        EXPECT_THAT(first[0].apart, ElementsAre(PassApart::ReluAndMask));
        EXPECT_THAT(last[0].apart, ElementsAre(PassApart::Relu));
        EXPECT_THAT(gradient[0].apart, ElementsAre(PassApart::Mask));
        EXPECT_THAT(last[0].fallback,
                    HasSubstr(inVain ? "no algorithm that the library offers for"
                                     : "offers no such product with a ReLU (CUBLAS_STATUS_NOT_SUPPORTED)"));
        EXPECT_THAT(first[0].fallback, HasSubstr("mask"));
        EXPECT_THAT(of(reading, "m1.layer2.backward.weight")[0].fallback, IsEmpty());
    }
}

TEST_F(SimulatedProducts, HaveReluAndMaskWhereTheyWereFaster) {
    const RunConfig config = smallConfig();
    const std::vector<std::uint64_t> fused = bitsOf(trainOn(open({}), config, 6));
    for (const bool reluApart : {false, true})
        for (const bool masksApart : {false, true}) {
            Options options;
            options.reluNanoseconds = reluApart ? 100'000 : 0;
            options.maskNanoseconds = masksApart ? 100'000 : 0;
            const Reading reading = measure(config, options);
            const auto first = of(reading, "m1.layer1.forward"), last = of(reading, "m1.layer3.forward"),
                       gradient = of(reading, "m1.layer2.backward.input");
            ASSERT_EQ(first.size() + last.size() + gradient.size(), 3U);
            const auto expect = [](const LibraryProduct& product, const std::string& name, bool isApart,
                                   PassApart pass, std::int64_t products) {
                EXPECT_EQ(product.product.ends_with(name), !isApart) << product.product;
                ASSERT_TRUE(product.epilogue.has_value()) << product.product;
                EXPECT_EQ(product.epilogue->products, products);
                EXPECT_EQ(product.epilogue->apart < product.epilogue->fused, isApart);
                EXPECT_EQ(product.apart, isApart ? std::vector{pass} : std::vector<PassApart>());
                EXPECT_EQ(product.fallback, isApart ? text(*product.epilogue) : "");
                EXPECT_THAT(apartText(product), HasSubstr(text(*product.epilogue)));
            };
            expect(last[0], " relu", reluApart, PassApart::Relu, 1);
            expect(first[0], " relu-mask", masksApart, PassApart::ReluAndMask, 2);
            expect(gradient[0], " masked", masksApart, PassApart::Mask, 2);
            EXPECT_EQ(of(reading, "m1.layer2.backward.weight")[0].epilogue, std::nullopt);

            // Neither the memory nor the numbers depend on the choice.
            const auto plan = planStep(config, backend->traits());
            ASSERT_TRUE(plan.has_value()) << plan.error().text();
            const Prediction predicted = predict(*plan, backend->machine());
            ASSERT_TRUE(reading.memory.has_value());
            EXPECT_EQ(reading.memory->peakBytes, predicted.memory.peakBytes);
            EXPECT_EQ(reading.memory->curve, predicted.memory.curve);
            EXPECT_EQ(bitsOf(trainOn(open(options), config, 6)), fused);
        }
}

TEST_F(SimulatedProducts, KeepTheirChoiceOfPasses) {
    Options options;
    options.maskNanoseconds = 100'000;
    Backend& device = open(options);
    std::optional<EpilogueTimes> times;
    for (int run = 0; run < 2; ++run) {
        const auto result = profile(smallConfig(), device, 3, {}, {});
        ASSERT_TRUE(result.has_value()) << result.error().text();
        const auto products = of(result->measured, "m1.layer1.forward");
        ASSERT_EQ(products.size(), 1U);
        EXPECT_THAT(products[0].apart, ElementsAre(PassApart::ReluAndMask));
        EXPECT_EQ(products[0].origin, run == 0 ? AlgorithmOrigin::Autotune : AlgorithmOrigin::Cache);
        if (run == 1) {
            EXPECT_EQ(products[0].epilogue, times) << "as they were timed once";
        }
        times = products[0].epilogue;
    }
    // Untimed, what the library has is taken as it proposes it.
    options.tunes = false;
    const auto untimed = of(measure(smallConfig(), options), "m1.layer1.forward");
    ASSERT_EQ(untimed.size(), 1U);
    EXPECT_THAT(untimed[0].apart, IsEmpty());
    EXPECT_EQ(untimed[0].epilogue, std::nullopt);
}

TEST_F(SimulatedProducts, OfFp8SayWhatIsRoundedAndTransposedApart) {
    RunConfig config = smallConfig();
    config.precision = Precision::Fp8;
    const Reading scaled = measure(config, {});
    const auto forward = of(scaled, "m1.layer2.forward"), weight = of(scaled, "m1.layer2.backward.weight");
    ASSERT_FALSE(forward.empty());
    ASSERT_EQ(weight.size(), 1U);
    EXPECT_THAT(forward.back().product, HasSubstr(">fp8_e4m3 relu"))
        << "behind the first, which finds the scale";
    EXPECT_TRUE(forward.back().fastAccumulation);
    EXPECT_FALSE(weight[0].fastAccumulation);
    EXPECT_THAT(forward.back().apart, IsEmpty());
    EXPECT_THAT(weight[0].apart, ElementsAre(PassApart::TransposeFirst, PassApart::TransposeSecond));

    EXPECT_THAT(of(scaled, "m1.layer2.backward.input").at(0).fallback, HasSubstr("the mask of a ReLU"));
}

TEST_F(SimulatedProducts, OfFp8SayWhyTheirResultsAreRoundedApart) {
    for (const bool relu : {true, false}) {
        RunConfig config = smallConfig();
        config.precision = Precision::Fp8;
        config.activation = relu ? Activation::Relu : Activation::None;
        for (const bool inVain : {false, true}) {
            Options options;
            options.scalesResults = inVain;
            options.offersInVain = inVain;
            const Reading reading = measure(config, options);
            const auto forward = of(reading, "m1.layer2.forward");
            ASSERT_EQ(forward.size(), 1U);
            std::vector<PassApart> apart{PassApart::Round};
            if (relu) apart.insert(apart.begin(), PassApart::Relu);
            EXPECT_EQ(forward[0].apart, apart);
            const std::string says = inVain ? "no algorithm that the library offers for forward"
                                            : "no such product that scales its result and rounds it to fp8 "
                                              "(CUBLAS_STATUS_NOT_SUPPORTED)";
            EXPECT_THAT(forward[0].fallback, HasSubstr(says));
            EXPECT_THAT(apartText(forward[0]), HasSubstr(says));
            const auto gradient = of(reading, "m1.layer2.backward.input");
            ASSERT_EQ(gradient.size(), 1U);
            EXPECT_THAT(gradient[0].apart.back(), PassApart::Round);
            EXPECT_FALSE(gradient[0].fallback.empty());
            EXPECT_THAT(of(reading, "m1.layer2.backward.weight").at(0).fallback, IsEmpty())
                << "the transposes are meant so";
        }
    }
}

TEST_F(SimulatedProducts, OfARecomputedChainAreBothThatItRuns) {
    RunConfig config = smallConfig();
    config.recompute = {RecomputePolicy::Kind::None, 1};
    const Reading reading = measure(config, {});
    std::size_t most = 0;
    for (const OpReading& op : reading.ops)
        if (op.phase == Phase::Recompute) most = std::max(most, op.products.size());
    EXPECT_EQ(most, 2U) << "the links before the last leave no mask";
}

TEST_F(SimulatedProducts, NameAlgorithmsAsTheLibraryTellsOfThem) {
    open({});
    cublasLtHandle_t library = nullptr;
    cublasLtMatmulDesc_t product = nullptr;
    cublasLtMatrixLayout_t square = nullptr;
    cublasLtMatmulPreference_t preference = nullptr;
    std::array<cublasLtMatmulHeuristicResult_t, 3> offered{};
    int count = 0;
    const std::uint64_t workspace = std::uint64_t{1} << 30;
    ASSERT_EQ(cublasLtCreate(&library), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatrixLayoutCreate(&square, CUDA_R_32F, 64, 64, 64), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulPreferenceCreate(&preference), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                   &workspace, sizeof workspace),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulAlgoGetHeuristic(library, product, square, square, square, square, preference, 3,
                                             offered.data(), &count),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(count, 3);
    EXPECT_EQ(cuda::algorithmOf(offered[0].algo),
              (LibraryAlgorithm{60, "128x256", "64x4", "2x1x1", 1, "", 0, 0, 0}));
    // A tile that is in no table of ours, and sums in parts.
    EXPECT_EQ(cuda::algorithmOf(offered[2].algo),
              (LibraryAlgorithm{62, "number 538", "64xauto", "", 3, "compute_type", 0, 0, 0}));
    EXPECT_EQ(cuda::algorithmOf({}).id, -1) << "what is no algorithm has no number";
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatrixLayoutDestroy(square);
    cublasLtMatmulDescDestroy(product);
    cublasLtDestroy(library);
}

TEST_F(SimulatedProducts, AreAbsentOnTheCpu) {
    auto cpu = makeCpuBackend(1);
    ASSERT_TRUE(cpu.has_value());
    const auto result = profile(smallConfig(), **cpu, 3, {}, {});
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_TRUE(result->measured.products.empty());
}

}  // namespace
}  // namespace plumb::test::simulated

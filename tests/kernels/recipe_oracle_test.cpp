// SPDX-License-Identifier: Apache-2.0
// One forward and backward pass of every recipe, tensor by tensor, against NumPy and ml_dtypes
// (tests/data/recipes/make_recipes.py).
#include "tests/kernels/step_harness.h"
#include "tests/support/number.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace plumb {
namespace {

using test::StepHarness;

const nlohmann::json& reference() {
    static const nlohmann::json document = [] {
        std::ifstream file(std::string(PLUMB_TEST_DATA) + "/recipes/recipes.json");
        return nlohmann::json::parse(file);
    }();
    return document;
}

RunConfig configOf(const nlohmann::json& oneCase) {
    const nlohmann::json& file = reference();
    RunConfig config{.dim = file["dim"],
                     .layers = file["layers"],
                     .outputs = file["outputs"],
                     .batch = file["batch"],
                     .seed = file["seed"],
                     .noise = 0.1};
    config.lossScaling.initial = file["loss_scale"];
    EXPECT_TRUE(setOption(config, "precision", oneCase["recipe"].get<std::string>()).has_value());
    EXPECT_TRUE(setOption(config, "activation", oneCase["activation"].get<std::string>()).has_value());
    if (oneCase["fp32_gradients"].get<bool>()) config.gradientPrecision = GradientPrecision::Fp32;
    return config;
}

/// Relative distance of neighbouring numbers that one rounding may cross.
double unitOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Fp8E4M3:
        return 0x1p-3;
    case Dtype::Fp8E5M2:
        return 0x1p-2;
    case Dtype::Bf16:
        return 0x1p-7;
    case Dtype::Fp16:
        return 0x1p-10;
    default:
        return 0;
    }
}

struct Comparison {
    int numbers = 0;
    int different = 0;  ///< rounded the other way
    int wrong = 0;      ///< beyond that
};

/// The reference holds numbers as they are stored, fp8 without its scale. Sums in fp32 and in double are
/// apart by some 1e-7 of their terms: fp32 may differ by so much, the others by one unit, and seldom.
Comparison compare(const StepHarness& harness, std::size_t id, const nlohmann::json& expected) {
    const Tensor& tensor = harness.plan.tensors[id];
    Comparison result;
    EXPECT_EQ(static_cast<std::size_t>(tensor.elements()), expected.size());
    double largest = 0;
    for (const auto& value : expected) largest = std::max(largest, std::abs(value.get<double>()));
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
        const double actual = harness.element(id, i);
        const auto wanted = expected[static_cast<std::size_t>(i)].get<double>();
        const double distance = std::abs(actual - wanted);
        ++result.numbers;
        if (distance > unitOf(tensor.dtype) * std::abs(wanted) + 1e-6 * largest)
            ++result.wrong;
        else if (distance > 1e-6 * largest)
            ++result.different;
    }
    return result;
}

/// All tensors of a case; differences by name.
Comparison compareAll(const StepHarness& harness, const nlohmann::json& oneCase) {
    Comparison total;
    for (const auto& [key, expected] : oneCase["tensors"].items()) {
        const auto digits = key.find_first_of("0123456789");
        const std::string kind = key.substr(0, digits);
        const std::int32_t layer = digits == std::string::npos
                                       ? 0
                                       : test::numberIn<std::int32_t>(std::string_view(key).substr(digits));
        std::size_t id = 0;
        if (kind == "y") id = harness.find(TensorRole::HeadOutput);
        if (kind == "dy") id = harness.find(TensorRole::HeadGradient);
        if (kind == "dw") id = harness.find(TensorRole::Gradient, layer);
        if (kind == "g") id = harness.find(TensorRole::ActivationGradient, layer);
        if (kind == "h")
            id =
                layer == 0 ? harness.find(TensorRole::Features) : harness.find(TensorRole::Activation, layer);
        const Comparison one = compare(harness, id, expected);
        total.numbers += one.numbers;
        total.different += one.different;
        total.wrong += one.wrong;
    }
    return total;
}

TEST(RecipeOracle, EveryStoredTensorIsThatOfTheReference) {
    ASSERT_EQ(reference()["cases"].size(), 13U);
    for (const auto& oneCase : reference()["cases"]) {
        SCOPED_TRACE(oneCase["recipe"].get<std::string>() + " " + oneCase["activation"].get<std::string>());
        StepHarness harness(configOf(oneCase), {});
        harness.runPasses();
        const auto loss = oneCase["loss"].get<double>();
        EXPECT_NEAR(harness.loss(), loss, 1e-4 * loss);
        const Comparison result = compareAll(harness, oneCase);
        EXPECT_GT(result.numbers, 700);
        EXPECT_EQ(result.wrong, 0);
        EXPECT_LE(result.different, result.numbers / 100);
    }
}

TEST(RecipeOracle, TellsTheRecipesApart) {
    // tf32 as fp32, fp16 as bf16, fp8 with the scales of another seed's numbers: each must be noticed.
    for (const auto& oneCase : reference()["cases"]) {
        RunConfig config = configOf(oneCase);
        switch (config.precision) {
        case Precision::Fp32:
            config.precision = Precision::Tf32;
            break;
        case Precision::Tf32:
            config.precision = Precision::Fp32;
            break;
        case Precision::Bf16:
            config.precision = Precision::Fp16;
            break;
        case Precision::Fp16:
            config.precision = Precision::Bf16;
            break;
        case Precision::Fp8:
            config.seed += 1;
            break;
        }
        StepHarness harness(config, {});
        harness.runPasses();
        const Comparison result = compareAll(harness, oneCase);
        EXPECT_GT(result.wrong + result.different, result.numbers / 100) << oneCase["recipe"];
    }
}

}  // namespace
}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/planner/inputs.h"

#include "core/machine/hardware_database.h"
#include "core/planner/answer.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace plumb::planner {
namespace {

TEST(PlannerInputs, AreATableInTheOrderOfTheEnum) {
    ASSERT_EQ(allInputs().size(), kEnumCount<Input>);
    std::set<std::string_view> keys;
    for (std::size_t i = 0; i < kEnumCount<Input>; ++i) {
        const InputInfo& about = allInputs()[i];
        EXPECT_EQ(static_cast<std::size_t>(about.input), i) << about.key;
        EXPECT_EQ(inputFromKey(about.key), about.input);
        EXPECT_TRUE(keys.insert(about.key).second) << about.key;
        EXPECT_FALSE(about.label.empty() || about.help.empty() || about.symbol.empty()) << about.key;
        EXPECT_LT(about.least, about.most) << about.key;
        if (about.kind != InputKind::Assumption) continue;
        EXPECT_LE(about.standard.low, about.standard.expected) << about.key;
        EXPECT_LE(about.standard.expected, about.standard.high) << about.key;
        EXPECT_GE(about.standard.low, about.least) << about.key;
        EXPECT_LE(about.standard.high, about.most) << about.key;
        EXPECT_TRUE(about.source.starts_with("assumption: ")) << about.key;
    }
    for (const Output output : kEnumerators<Output>) EXPECT_EQ(outputFromKey(info(output).key), output);
}

TEST(PlannerInputs, ReadNumbersAsPeopleWriteThem) {
    Scenario s;
    s.model = modelOfCount(1);
    for (const auto& [input, text, value] :
         std::vector<std::tuple<Input, const char*, double>>{{Input::Parameters, "70e9", 70e9},
                                                             {Input::Parameters, "70B", 70e9},
                                                             {Input::Tokens, "15T", 15e12},
                                                             {Input::Memory, "80GB", 80e9},
                                                             {Input::Memory, "80 GiB", 80 * 0x1p30},
                                                             {Input::Mfu, "0.5", 0.5},
                                                             {Input::Mfu, "50%", 0.5},
                                                             {Input::Sequence, "4Ki", 4096},
                                                             {Input::Sequence, "8k", 8000},
                                                             {Input::Peak, "989.5 TFLOP/s", 989.5e12},
                                                             {Input::Latency, "5us", 5e-6},
                                                             {Input::DevicePrice, "2.5", 2.5}}) {
        const auto read = setInput(s, input, std::string_view(text));
        ASSERT_TRUE(read.has_value()) << text << ": " << read.error().text();
        EXPECT_DOUBLE_EQ(*numberOf(s, input), value) << text;
    }
    for (const char* text :
         {"", "x", "-1", "1e999", "nan", "inf", "7Q", "0x10", "--", "1,5", "70e9e9", "80GB"}) {
        const auto read = setInput(s, Input::Tokens, std::string_view(text));
        ASSERT_FALSE(read.has_value()) << text;
        EXPECT_NE(read.error().message.find("tokens"), std::string::npos) << read.error().text();
    }
}

TEST(PlannerInputs, RefuseAbsurdMagnitudesByName) {
    Scenario s;
    for (const auto& [input, value] : std::vector<std::pair<Input, double>>{{Input::Devices, 0},
                                                                            {Input::Devices, 1.5},
                                                                            {Input::Devices, 1e18},
                                                                            {Input::Pue, 0.5},
                                                                            {Input::Zero, 4},
                                                                            {Input::Tokens, 1e30},
                                                                            {Input::Goodput, 1.1},
                                                                            {Input::Sequence, 0}}) {
        const auto refused = setInput(s, input, value);
        ASSERT_FALSE(refused.has_value()) << info(input).key;
        EXPECT_NE(refused.error().message.find(info(input).key), std::string::npos) << refused.error().text();
        EXPECT_FALSE(refused.error().hint.empty());
    }
    const auto above = setInput(s, Input::Mfu, 1.2);
    ASSERT_FALSE(above.has_value());
    EXPECT_NE(above.error().message.find("above 100 %"), std::string::npos) << above.error().text();
    EXPECT_NE(above.error().hint.find("dense"), std::string::npos);
}

TEST(PlannerInputs, KeepTheEndsOfAnAssumptionInProportion) {
    Scenario s;
    ASSERT_TRUE(setInput(s, Input::Mfu, 0.5).has_value());
    const Range half = valueOf(s, Input::Mfu)->range;
    EXPECT_DOUBLE_EQ(half.low, 0.375);
    EXPECT_EQ(half.expected, 0.5);
    EXPECT_DOUBLE_EQ(half.high, 0.625);
    ASSERT_TRUE(setInput(s, Input::Mfu, 0.9).has_value());
    EXPECT_EQ(valueOf(s, Input::Mfu)->range.high, 1);  // no utilisation above the whole
    ASSERT_TRUE(setInput(s, Input::Mfu, "0.2:0.3:0.6").has_value());
    EXPECT_EQ(valueOf(s, Input::Mfu)->range, (Range{0.2, 0.3, 0.6}));
    EXPECT_TRUE(valueOf(s, Input::Mfu)->given);
    EXPECT_FALSE(setInput(s, Input::Mfu, "0.5:0.3:0.6").has_value());
    EXPECT_FALSE(setInput(s, Input::Mfu, "0.5:0.6").has_value());
    EXPECT_FALSE(setInput(s, Input::Devices, "1:2:3").has_value());
    resetInput(s, Input::Mfu);
    EXPECT_EQ(valueOf(s, Input::Mfu)->range, info(Input::Mfu).standard);
    EXPECT_FALSE(valueOf(s, Input::Mfu)->given);
}

TEST(PlannerInputs, TakeTheFactsOfTheDeviceAndSayTheirSource) {
    Scenario s;
    EXPECT_FALSE(valueOf(s, Input::Peak).has_value());
    s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
    EXPECT_EQ(valueOf(s, Input::Peak)->range.expected, 989.5e12);
    EXPECT_NE(valueOf(s, Input::Peak)->source.find("data sheet"), std::string::npos);
    EXPECT_EQ(valueOf(s, Input::LinkBandwidth)->range.expected, 450e9);
    EXPECT_EQ(valueOf(s, Input::DevicePower)->range.expected, 700);
    // What a public search measured on this very device bounds what its products reach.
    EXPECT_DOUBLE_EQ(valueOf(s, Input::MatmulEfficiency)->range.high, 794.5 / 989.5);
    s.recipe.compute = Dtype::Fp64;
    EXPECT_EQ(valueOf(s, Input::MatmulEfficiency)->range, info(Input::MatmulEfficiency).standard);
}

TEST(Recipes, AreTheBytesOfTheReference) {
    const std::vector<std::pair<const char*, double>> table{{"fp32-sgd", 8},
                                                            {"fp32-momentum", 12},
                                                            {"fp32-adagrad", 12},
                                                            {"fp32-rmsprop", 12},
                                                            {"fp32-lion", 12},
                                                            {"fp32-adamw", 16},
                                                            {"bf16-adamw", 12},
                                                            {"bf16-adagrad", 8},
                                                            {"mixed-adamw", 16},
                                                            {"mixed-adamw-fp32-gradients", 18},
                                                            {"mixed-adamw-accumulate", 20},
                                                            {"bf16-adamw-all", 8},
                                                            {"mixed-lion", 12}};
    for (const auto& [key, bytes] : table) {
        const auto recipe = findRecipe(key);
        ASSERT_TRUE(recipe.has_value()) << key;
        EXPECT_EQ(recipe->recipe.bytesPerParameter(), bytes) << key;
    }
    EXPECT_NEAR(findRecipe("mixed-adamw8bit")->recipe.bytesPerParameter(), 10, 0.03);
    EXPECT_NEAR(findRecipe("bf16-adamw8bit")->recipe.bytesPerParameter(), 6, 0.03);
    EXPECT_NEAR(findRecipe("fp32-adafactor")->recipe.bytesPerParameter(), 8, 0.05);
    EXPECT_EQ(Recipe{}.bytesPerParameter(), findRecipe("mixed-adamw")->recipe.bytesPerParameter());
    const auto unknown = findRecipe("mixed-adam");
    ASSERT_FALSE(unknown.has_value());
    EXPECT_NE(unknown.error().hint.find("mixed-adamw"), std::string::npos);
}

TEST(Recipes, LeaveAloneHowTheStepIsComputed) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.recipe.recompute = Recompute::PerOp;
    s.recipe.recomputeInterval = 2;
    s.recipe.recomputeShare = 0.5;
    s.recipe.again = partsOf({LayerPart::Gate});
    s.recipe.fusedAttention = false;
    s.recipe.dropout = true;
    s.recipe.lossChunks = 8;
    s.recipe.offload.activations = true;
    const Recipe before = s.recipe;
    ASSERT_TRUE(chooseRecipe(s, "bf16-adamw8bit").has_value());
    EXPECT_EQ(s.recipe.stateBytes, findRecipe("bf16-adamw8bit")->recipe.stateBytes);
    EXPECT_EQ(computationOf(s.recipe), computationOf(before));
}

}  // namespace
}  // namespace plumb::planner

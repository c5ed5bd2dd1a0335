// SPDX-License-Identifier: Apache-2.0
// Recomputation by parts: what a framework keeps of a layer and what it works out again.
#include "core/planner/layer_parts.h"
#include "core/planner/memory.h"
#include "core/planner/step_time.h"
#include "core/planner/work.h"
#include "tests/core/planner/random_scenarios.h"
#include "tests/core/planner/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace plumb::planner {
namespace {

using ::testing::HasSubstr;

LayerParts allParts() {
    LayerParts all{};
    std::ranges::fill(all, true);
    return all;
}

Scenario perOp(const LayerParts& again, std::string_view model = "llama-3-8b") {
    Scenario s = scenarioOf(model, 8);
    s.workload.sequence = 2048;
    s.recipe.recompute = Recompute::PerOp;
    s.recipe.again = again;
    return s;
}

double recomputedFlops(const Scenario& s) { return workPerToken(s)->recomputed; }

TEST(LayerParts, AreReadAsTheyAreWritten) {
    for (std::uint32_t mask = 0; mask < 256; ++mask) {
        LayerParts drawn{};
        for (const LayerPart part : kEnumerators<LayerPart>)
            drawn[part] = ((mask >> static_cast<std::uint32_t>(part)) & 1U) != 0;
        const Result<LayerParts> read = layerPartsOf(listOf(drawn));
        ASSERT_TRUE(read.has_value()) << listOf(drawn);
        EXPECT_EQ(*read, drawn);
    }
    const Result<LayerParts> wrong = layerPartsOf("queries,sideways");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_THAT(wrong.error().text(), HasSubstr("'sideways' is no part of a layer"));
    EXPECT_THAT(wrong.error().text(), HasSubstr("queries,keys,values,attention,output,gate,up,down"));
    EXPECT_FALSE(layerPartsOf("queries,,keys").has_value());
}

/// By hand, of Llama 3 8B: queries and output 4096 x 4096, keys and values 4096 x 1024, gate and up 4096 x
/// 14336.
TEST(LayerParts, HaveTheWeightsOfTheirProducts) {
    const auto weights = weightsOf(*scenarioOf("llama-3-8b", 1).model.transformer(), false);
    EXPECT_EQ(weights[LayerPart::Queries], 16777216);
    EXPECT_EQ(weights[LayerPart::Keys], 4194304);
    EXPECT_EQ(weights[LayerPart::Values], 4194304);
    EXPECT_EQ(weights[LayerPart::Attention], 0);
    EXPECT_EQ(weights[LayerPart::Output], 16777216);
    EXPECT_EQ(weights[LayerPart::Gate], 58720256);
    EXPECT_EQ(weights[LayerPart::Up], 58720256);
    // torchtitan works every second product out again: keys, output and up, of the seven of a layer.
    const LayerParts second = partsOf({LayerPart::Keys, LayerPart::Output, LayerPart::Up});
    EXPECT_DOUBLE_EQ(shareOf(second, weights,
                             partsOf({LayerPart::Queries, LayerPart::Keys, LayerPart::Values,
                                      LayerPart::Output, LayerPart::Gate, LayerPart::Up})),
                     (4194304.0 + 16777216 + 58720256) / (218103808 - 58720256));
}

/// Of every family: what a layer is multiplied with is its parts, the block's last product, and the router.
TEST(LayerParts, AddUpToTheModel) {
    for (const char* name : {"llama-3-70b", "gpt3-175b", "mixtral-8x7b", "deepseek-v3", "qwen3-235b-a22b"}) {
        const Scenario s = scenarioOf(name, 1);
        const Transformer& m = *s.model.transformer();
        double inside = 0;
        for (const bool expertLayer : {false, true}) {
            const auto layers =
                static_cast<double>(expertLayer ? m.expertLayers() : m.layers - m.expertLayers());
            const auto weights = weightsOf(m, expertLayer);
            double each = weights[LayerPart::Up];  // down is as large
            for (const LayerPart part : kEnumerators<LayerPart>) each += weights[part];
            if (expertLayer && m.experts)
                each += static_cast<double>(m.hidden * (m.experts->count + (m.experts->sharedGate ? 1 : 0)));
            inside += layers * each;
        }
        const auto head = static_cast<double>(m.vocabulary * m.hidden);
        EXPECT_NEAR(inside / (static_cast<double>(countParameters(m).multiplied) - head), 1, 1e-9) << name;
    }
}

TEST(RecomputeParts, RepeatTheirOwnFlopsAlone) {
    const Scenario llama = scenarioOf("llama-3-8b", 1);
    const auto weights = weightsOf(*llama.model.transformer(), false);
    const double none = recomputedFlops(perOp({}));
    for (const LayerPart part : kEnumerators<LayerPart>) {
        if (part == LayerPart::Attention) continue;
        EXPECT_NEAR(recomputedFlops(perOp(partsOf({part}))) - none, 2 * 32 * weights[part], 1) << name(part);
    }
    Scenario full = perOp({});
    full.recipe.recompute = Recompute::Full;
    // Full recomputation does the block's last product as well, 4096 x 14336.
    EXPECT_NEAR(recomputedFlops(full) - recomputedFlops(perOp(allParts())), 2.0 * 32 * 58720256, 1);
}

TEST(RecomputeParts, CostTimeAndGiveMemoryBack) {
    for (const char* model : {"llama-3-8b", "gpt3-175b", "mixtral-8x7b", "deepseek-v3"}) {
        const auto timeOf = [&](const Scenario& s) { return stepTime(s)->recomputed; };
        const auto bytesOf = [&](const Scenario& s) {
            return activationBytesPerLayer(*s.model.transformer(), s.recipe, s.parallel, 2048, false);
        };
        const Scenario kept = perOp({}, model);
        const bool gated = kept.model.transformer()->gated;
        for (const LayerPart part : kEnumerators<LayerPart>) {
            if (part == LayerPart::Gate && !gated) continue;
            const Scenario again = perOp(partsOf({part}), model);
            // Nothing reads the block's result: it is dropped for nothing.
            if (part == LayerPart::Down)
                EXPECT_EQ(timeOf(again), timeOf(kept)) << model;
            else
                EXPECT_GT(timeOf(again), timeOf(kept)) << model << ", " << name(part);
            EXPECT_LT(bytesOf(again), bytesOf(kept)) << model << ", " << name(part);
        }
        Scenario full = kept;
        full.recipe.recompute = Recompute::Full;
        EXPECT_LT(timeOf(perOp(allParts(), model)), timeOf(full)) << model;
    }
}

/// A set never costs less than one that it holds.
TEST(RecomputeParts, AreMonotone) {
    RandomScenarios random(37);
    int tried = 0;
    for (int i = 0; i < 200; ++i) {
        Scenario s = random.draw();
        s.adaptation = {};
        s.recipe.recompute = Recompute::PerOp;
        if (s.model.transformer() == nullptr || !workPerToken(s).has_value()) continue;
        ++tried;
        const double less = recomputedFlops(s);
        for (const LayerPart part : kEnumerators<LayerPart>) {
            Scenario more = s;
            more.recipe.again[part] = true;
            EXPECT_GE(recomputedFlops(more), less) << name(part);
        }
    }
    EXPECT_GT(tried, 50);
}

}  // namespace
}  // namespace plumb::planner

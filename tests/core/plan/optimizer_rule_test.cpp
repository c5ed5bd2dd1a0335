// SPDX-License-Identifier: Apache-2.0
#include "core/plan/optimizer_rule.h"

#include "core/io/file.h"
#include "core/plan/step_plan.h"

#include "test_paths.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace plumb {
namespace {

constexpr std::array kOptimizers{Optimizer::Sgd,     Optimizer::Momentum, Optimizer::Adagrad,
                                 Optimizer::RmsProp, Optimizer::Adam,     Optimizer::AdamW,
                                 Optimizer::Lion,    Optimizer::Adafactor};

RunConfig with(Optimizer optimizer, std::initializer_list<std::pair<const char*, const char*>> options = {}) {
    RunConfig config;
    config.optimizer = optimizer;
    for (const auto& [name, value] : options) EXPECT_TRUE(setOption(config, name, value).has_value()) << name;
    EXPECT_TRUE(validate(config).has_value());
    return config;
}

Bytes stateBytes(const RunConfig& config) {
    const auto plan = planStep(config, cpuTraits());
    EXPECT_TRUE(plan.has_value());
    Bytes bytes = 0;
    for (const Tensor& tensor : plan->tensors)
        if (tensor.category == Category::OptimizerState) bytes += tensor.bytes();
    return bytes;
}

TEST(OptimizerRule, StatesTakeTheBytesPerParameterOfTheTable) {
    const std::pair<RunConfig, Bytes> table[] = {
        {with(Optimizer::Sgd), 0},
        {with(Optimizer::Momentum), 4},
        {with(Optimizer::Momentum, {{"nesterov", "on"}}), 4},
        {with(Optimizer::Adagrad), 4},
        {with(Optimizer::RmsProp), 4},
        {with(Optimizer::RmsProp, {{"momentum", "0.9"}}), 8},
        {with(Optimizer::RmsProp, {{"centered", "on"}}), 8},
        {with(Optimizer::RmsProp, {{"momentum", "0.9"}, {"centered", "on"}}), 12},
        {with(Optimizer::Adam), 8},
        {with(Optimizer::Adam, {{"amsgrad", "on"}}), 12},
        {with(Optimizer::AdamW), 8},
        {with(Optimizer::AdamW, {{"amsgrad", "on"}}), 12},
        {with(Optimizer::Lion), 4},
    };
    for (const auto& [config, perParameter] : table)
        EXPECT_EQ(stateBytes(config), perParameter * config.parameters()) << name(config.optimizer);
}

TEST(OptimizerRule, AdafactorKeepsOneNumberPerRowAndOnePerColumnOfEachMatrix) {
    RunConfig config = with(Optimizer::Adafactor);
    config.dim = 48;
    config.layers = 3;
    config.outputs = 5;
    EXPECT_EQ(stateBytes(config), 4 * (3 * (48 + 48) + 48 + 5));
}

TEST(OptimizerRule, BytesPerParameterWithAdamWAreThoseOfTheRecipes) {
    const auto perParameter = [](const char* precision, const char* master, const char* gradients) {
        const RunConfig config =
            with(Optimizer::AdamW,
                 {{"precision", precision}, {"master-weights", master}, {"grad-dtype", gradients}});
        const auto plan = planStep(config, cpuTraits());
        EXPECT_TRUE(plan.has_value());
        Bytes bytes = 0;
        for (const Tensor& tensor : plan->tensors)
            if (tensor.category == Category::Parameters || tensor.category == Category::MasterParameters ||
                tensor.category == Category::OptimizerState || tensor.category == Category::Gradients)
                bytes += tensor.bytes();
        EXPECT_EQ(bytes % config.parameters(), 0);
        return bytes / config.parameters();
    };
    EXPECT_EQ(perParameter("fp32", "on", "same"), 16);
    EXPECT_EQ(perParameter("tf32", "on", "same"), 16);
    for (const char* half : {"bf16", "fp16"}) {
        EXPECT_EQ(perParameter(half, "on", "same"), 16);
        EXPECT_EQ(perParameter(half, "on", "fp32"), 18);
        EXPECT_EQ(perParameter(half, "off", "same"), 12);
        EXPECT_EQ(perParameter(half, "off", "fp32"), 14);
    }
    EXPECT_EQ(perParameter("fp8", "on", "same"), 15);  // 1 + 4 + 2 + 8
    EXPECT_EQ(perParameter("fp8", "on", "fp32"), 17);
    EXPECT_EQ(perParameter("fp8", "off", "same"), 11);
}

TEST(OptimizerRule, EveryRuleHasALabelAndStatesWithNamesOfTheirOwn) {
    std::set<std::string_view> labels;
    for (const Optimizer optimizer : kOptimizers) {
        EXPECT_TRUE(labels.insert(optimizerLabel(optimizer)).second);
        const RunConfig config = with(optimizer);
        const OptimizerStates states = optimizerStates(config);
        std::set<std::string_view> names;
        for (std::size_t i = 0; i < states.count; ++i) {
            EXPECT_FALSE(stateLabel(states.kind[i]).empty());
            EXPECT_TRUE(names.insert(stateName(states.kind[i], optimizer)).second);
            EXPECT_EQ(stateIndex(config, states.kind[i]), static_cast<int>(i));
        }
    }
    EXPECT_EQ(stateIndex(with(Optimizer::Sgd), OptimizerState::FirstMoment), -1);
}

TEST(OptimizerRule, AFactorOnTheGradientCostsOneFlopInEachPass) {
    for (const Optimizer optimizer : kOptimizers) {
        const Flops plain = optimizerFlopsPerParameter(with(optimizer));
        const Flops passes = optimizer == Optimizer::Adafactor ? 4 : 1;
        EXPECT_EQ(optimizerFlopsPerParameter(with(optimizer, {{"clip-norm", "1"}})), plain + passes);
        EXPECT_EQ(optimizerFlopsPerParameter(with(optimizer, {{"precision", "fp16"}})), plain + passes);
    }
}

std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t begin = 1;
    for (std::size_t end = line.find('|', begin); end != std::string::npos; end = line.find('|', begin)) {
        std::string cell = line.substr(begin, end - begin);
        std::erase(cell, '`');
        const std::size_t first = cell.find_first_not_of(' ');
        cells.push_back(first == std::string::npos
                            ? std::string()
                            : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
        begin = end + 1;
    }
    return cells;
}

// Rows: optimizer, options, states, bytes per parameter, FLOPs per parameter.
TEST(OptimizerRule, TheTableOfTheDocumentsIsThatOfTheCode) {
    const auto text = readFile(PLUMB_DOCS "/accounting.md", 1 << 20);
    ASSERT_TRUE(text.has_value());
    std::istringstream lines(*text);
    std::set<std::string> seen;
    int rows = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto cells = line.starts_with("| `") ? cellsOf(line) : std::vector<std::string>();
        RunConfig config;
        config.weightDecay = 0;
        if (cells.size() != 5 || !setOption(config, "optimizer", cells[0]).has_value()) continue;
        SCOPED_TRACE(line);
        std::istringstream words(cells[1]);
        for (std::string option, value; words >> option >> value;)
            ASSERT_TRUE(setOption(config, option.substr(2), value).has_value()) << option;
        ASSERT_TRUE(validate(config).has_value());
        std::string states;
        const OptimizerStates kept = optimizerStates(config);
        for (std::size_t i = 0; i < kept.count; ++i)
            states += (i == 0 ? "" : ", ") + std::string(stateLabel(kept.kind[i]));
        EXPECT_EQ(cells[2], kept.count == 0 ? "none" : states);
        if (config.optimizer == Optimizer::Adafactor)
            EXPECT_EQ(cells[3], "4/in + 4/out");
        else
            EXPECT_EQ(cells[3], std::to_string(stateBytes(config) / config.parameters()));
        EXPECT_EQ(cells[4], std::to_string(optimizerFlopsPerParameter(config)));
        seen.insert(cells[0]);
        ++rows;
    }
    EXPECT_EQ(seen.size(), kOptimizers.size());
    EXPECT_GE(rows, 16);
}

TEST(OptimizerRule, ClippingAddsAPassOverTheGradients) {
    const RunConfig config = with(Optimizer::Sgd, {{"clip-norm", "1"}});
    const auto plan = planStep(config, cpuTraits());
    ASSERT_TRUE(plan.has_value());
    const Op& norm = plan->ops[plan->ops.size() - 2];
    EXPECT_EQ(norm.kind, OpKind::GradientNorm);
    EXPECT_EQ(norm.bytes, 4 * config.parameters());
    EXPECT_EQ(norm.flops, 2 * config.parameters());
    EXPECT_EQ(opId(norm), "gradient_norm");
}

}  // namespace
}  // namespace plumb

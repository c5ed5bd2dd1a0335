// SPDX-License-Identifier: Apache-2.0
#include "core/measure/module_tree.h"

#include "core/machine/hardware_database.h"
#include "core/measure/known_sum.h"
#include "core/measure/spread.h"
#include "core/recorded/step_file.h"
#include "tests/support/random_config.h"
#include "tests/support/reference.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

namespace plumb {
namespace {

const Machine& anyMachine() {
    static const Machine kFound = HardwareDatabase::builtIn().find("H200 SXM").value();
    return kFound;
}

struct Decoder {
    StepFile file = parseStepFile(test::referenceFile("step/decoder.plumb").dump(), "it").value();
    PlannedStep planned = plannedOn(file, {anyMachine(), {}});
    MeasuredStep measured{planned, readingOf(file, anyMachine())};
    ModuleTree tree{planned, &measured};
};

const ModuleNode* find(const ModuleTree& tree, const std::string& path) {
    for (const ModuleNode& node : tree.nodes())
        if (node.path == path) return &node;
    return nullptr;
}

TEST(ModuleTree, ContainsModulesAsTheirPathsSay) {
    const Decoder decoder;
    ASSERT_TRUE(decoder.tree.hasModules());
    const ModuleNode* const query = find(decoder.tree, "blocks.0.attention.q");
    ASSERT_NE(query, nullptr);
    EXPECT_EQ(query->name, "q");
    std::string above;
    for (std::int32_t at = query->parent; at >= 0; at = decoder.tree.node(at).parent)
        above += decoder.tree.node(at).path + ' ';
    EXPECT_EQ(above, "blocks.0.attention blocks.0 blocks  ") << "and the root";
    std::map<std::string, int> seen;
    for (const ModuleNode& node : decoder.tree.nodes())
        EXPECT_EQ(++seen[node.path], node.path.empty() && node.parent == 0 ? 2 : 1) << node.path;
}

TEST(ModuleTree, SumsOfTheRootAreThoseOfTheStep) {
    const Decoder decoder;
    const ModuleFigures& all = decoder.tree.node(0).figures;
    EXPECT_EQ(all.ops, decoder.file.step.opCount());
    EXPECT_EQ(all.flops, decoder.file.step.flops);
    double seconds = 0;
    for (const RecordedOp& op : decoder.file.step.ops) seconds += *op.seconds;
    EXPECT_NEAR(*all.measured(), seconds, 1e-9);
    EXPECT_NEAR(*all.predicted, *decoder.planned.prediction->totals.seconds, 1e-9);
    Bytes parameters = 0;
    for (const RecordedTensor& tensor : decoder.file.step.tensors)
        if (tensor.category == Category::Parameters) parameters += tensor.bytes;
    EXPECT_EQ(all.parameters, parameters);
    EXPECT_GT(all.kept, 0);
}

TEST(ModuleTree, OfSomeOpsHasTheirModulesAndWhatTheyKeepAndSharesOfTheWholeStep) {
    const Decoder decoder;
    const Step& step = *decoder.planned.step;
    const auto isEven = [](std::int32_t op) { return op % 2 == 0; };
    const ModuleTree even(decoder.planned, &decoder.measured, isEven);
    const ModuleTree odd(decoder.planned, &decoder.measured, [&](std::int32_t op) { return !isEven(op); });
    const ModuleFigures& all = decoder.tree.node(0).figures;
    const ModuleFigures& one = even.node(0).figures;
    const ModuleFigures& other = odd.node(0).figures;
    EXPECT_EQ(one.ops, (step.opCount() + 1) / 2);
    EXPECT_EQ(one.ops + other.ops, all.ops);
    EXPECT_NEAR(*one.measured() + *other.measured(), *all.measured(), 1e-12);
    EXPECT_EQ(one.kept + other.kept, all.kept) << "each is made by one op";
    EXPECT_EQ(even.whole().ops, all.ops);
    EXPECT_EQ(even.whole().parameters, all.parameters);
    for (const ModuleNode& node : even.nodes()) {
        EXPECT_GT(node.figures.ops, 0) << node.path;
        EXPECT_LE(node.figures.parameters, find(decoder.tree, node.path)->figures.parameters) << node.path;
    }
}

TEST(ModuleTree, SpreadsAddUpAndAreAbsentWhereOneIsNotKnown) {
    Decoder decoder;
    Reading reading = *decoder.measured.reading;
    Spread all;
    for (OpReading& op : reading.ops) {
        op.spread = Spread{*op.seconds * 0.9, *op.seconds * 1.2};
        all += *op.spread;
    }
    const auto measured = [&] {
        return MeasuredStep(decoder.planned, std::make_shared<const Reading>(reading));
    };
    MeasuredStep known = measured();
    const ModuleTree tree(decoder.planned, &known);
    const ModuleFigures& root = tree.node(0).figures;
    ASSERT_TRUE(root.measuredSpread().has_value());
    EXPECT_NEAR(root.measuredSpread()->low, all.low, 1e-12);
    EXPECT_NEAR(root.measuredSpread()->high, all.high, 1e-12);
    EXPECT_NEAR(root.forwardSpread->high, *root.forward * 1.2, 1e-12);

    reading.ops.front().spread.reset();
    MeasuredStep unknown = measured();
    const ModuleTree without(decoder.planned, &unknown);
    EXPECT_FALSE(without.node(0).figures.measuredSpread().has_value());
    const ModuleTree nothing(decoder.planned, nullptr);
    EXPECT_FALSE(nothing.node(0).figures.measuredSpread().has_value());
}

TEST(SpreadOfQuotient, IsThatOfItsTimeTurnedRound) {
    const auto spread = spreadOfQuotient(100.0, 0.01, Spread{0.008, 0.0125});
    ASSERT_TRUE(spread.has_value());
    EXPECT_DOUBLE_EQ(spread->low, 80);
    EXPECT_DOUBLE_EQ(spread->high, 125);
    EXPECT_FALSE(spreadOfQuotient(100.0, 0.01, std::nullopt));
    EXPECT_FALSE(spreadOfQuotient(std::nullopt, 0.01, Spread{0.008, 0.0125}));
    EXPECT_FALSE(spreadOfQuotient(100.0, 0.01, Spread{0, 0.0125})) << "no upper end";
}

TEST(ModuleTree, AModuleIsItsChildrenAndWhatItRunsItself) {
    const Decoder decoder;
    std::map<std::string, std::int64_t> own;
    for (const RecordedOp& op : decoder.file.step.ops) ++own[op.module];
    for (const ModuleNode& node : decoder.tree.nodes()) {
        std::int64_t ops = node.parent < 0 ? 0 : own[node.path];
        KnownSum<Flops> parts;
        for (const std::int32_t child : node.children) {
            ops += decoder.tree.node(child).figures.ops;
            parts.add(decoder.tree.node(child).figures.flops);
        }
        EXPECT_EQ(node.figures.ops, ops) << node.path;
        EXPECT_LE(parts.value(), node.figures.flops) << node.path;
    }
}

TEST(ModuleTree, AnUnknownPartIsUnknownUpToTheRootAndNowhereElse) {
    Decoder decoder;
    RecordedStep step = decoder.file.step;
    std::size_t changed = 0;
    while (step.ops[changed].module != "blocks.0.attention.q") ++changed;
    step.ops[changed].hasFlops = false;
    step.ops[changed].flops = step.ops[changed].matmulFlops = 0;
    StepFile file = decoder.file;
    file.step = step;
    const ModuleTree tree(plannedOn(file, {anyMachine(), {}}), nullptr);
    for (const ModuleNode& node : tree.nodes()) {
        const bool isAbove = node.parent < 0 || (!node.path.empty() &&
                                                 std::string("blocks.0.attention.q").starts_with(node.path));
        EXPECT_EQ(node.figures.flops.has_value(), !isAbove) << node.path;
        EXPECT_FALSE(node.figures.measured().has_value()) << "nothing was measured";
    }
}

TEST(ModuleTree, HasTheLayersOfOurOwnModel) {
    RunConfig config;
    config.dim = 32;
    config.layers = 3;
    config.batch = 16;
    const PlannedStep planned = planOn(config, {anyMachine(), {}}).value();
    const ModuleTree tree(planned, nullptr);
    for (const char* path : {"layer 1", "layer 2", "layer 3", "head"})
        ASSERT_NE(find(tree, path), nullptr) << path;
    EXPECT_EQ(tree.nodes().size(), 6U) << "with the root, and what is in no layer";
    EXPECT_EQ(find(tree, "layer 2")->figures.parameters, 32 * 32 * 4);
    EXPECT_EQ(tree.node(0).figures.flops, planned.step->flops);
}

}  // namespace
}  // namespace plumb

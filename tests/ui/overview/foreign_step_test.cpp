// SPDX-License-Identifier: GPL-3.0-or-later
// The views of what a step is need not know whose it is.
#include "tests/support/foreign_step.h"

#include "core/machine/hardware_database.h"
#include "ui/memory/memory_state.h"
#include "ui/memory/tensor_table_model.h"
#include "ui/operations/operations_model.h"
#include "ui/operations/operations_text.h"
#include "ui/roofline/roofline_state.h"

#include <gtest/gtest.h>

#include <memory>

namespace plumb::ui::test {
namespace {

using plumb::test::ForeignStep;

/// Predicted on an H200 and measured there, each op in 2 microseconds.
ScenePtr foreignScene() {
    const auto step = std::make_shared<const ForeignStep>(ForeignStep::attention());
    Target target;
    for (const Machine& machine : HardwareDatabase::builtIn().machines)
        if (machine.name.find("H200") != std::string::npos) target.machine = machine;
    auto prediction = std::make_shared<const Prediction>(predictByCeilings(*step, target.machine));
    const PlannedStep planned(target, step, prediction);
    Reading measured = toReading(*step, *prediction);
    for (OpReading& op : measured.ops) op.seconds = 2e-6;
    auto scene = std::make_shared<Scene>(Scene{planned, {}});
    scene->measured.emplace(planned, std::make_shared<const Reading>(std::move(measured)));
    return scene;
}

TEST(ForeignStepInTheViews, HasItsMemory) {
    const MemoryState state = makeMemoryState(foreignScene());
    EXPECT_EQ(state.areas, MemoryState::Areas::Measured);
    EXPECT_EQ(state.peakBytes, 2 * 2 * 64 * 192 + 2 * 2 * 2 * 4 * 16 * 16);
    EXPECT_EQ(state.peakName, QStringLiteral("attn.qkv · aten::mm"));
    EXPECT_TRUE(state.plain.isEmpty());  // the napkin's sum is that of our model
    EXPECT_EQ(memoryCard(state, 2, 2).title, QStringLiteral("attn · aten::_softmax"));
}

TEST(ForeignStepInTheViews, HasItsTensors) {
    TensorTableModel model;
    model.setStep(foreignScene()->whatIf.step);
    ASSERT_EQ(model.rowCount(), 4);
    const auto cell = [&](int row, TensorColumn column) {
        return model.index(row, static_cast<int>(column)).data().toString();
    };
    model.sort(static_cast<int>(TensorColumn::Name), Qt::AscendingOrder);
    EXPECT_EQ(cell(0, TensorColumn::Name), QStringLiteral("attn.qkv.weight"));
    EXPECT_EQ(cell(1, TensorColumn::Shape), QStringLiteral("2 × 4 × 16 × 16"));
    EXPECT_EQ(cell(1, TensorColumn::LastOp), QStringLiteral("attn.qkv · aten::mm"));
}

TEST(ForeignStepInTheViews, HasItsOperations) {
    OperationsTree tree;
    tree.update(foreignScene());
    QStringList labels;
    for (const OperationsTree::Node& node : tree.nodes()) labels << operationLabel(tree, node);
    EXPECT_TRUE(labels.contains(QStringLiteral("aten::mm ×2"))) << labels.join(u'\n').toStdString();
    EXPECT_TRUE(labels.contains(QStringLiteral("attn.out")));
    EXPECT_TRUE(labels.contains(QStringLiteral("attn · aten::_softmax")));
}

TEST(ForeignStepInTheViews, HasItsRoofline) {
    const RooflineState state = makeRooflineState(foreignScene(), true, MemoryLevel::Dram);
    EXPECT_EQ(state.points.size(), 4U);  // the two products forward are one
    EXPECT_EQ(pointLabel(*state.scene->whatIf.step, state.points.front()), QStringLiteral("aten::mm ×2"));
    EXPECT_DOUBLE_EQ(state.points.front().measuredSeconds.value(), 4e-6);
    EXPECT_FALSE(rooflineCard(state, state.points.front()).rows.isEmpty());
}

}  // namespace
}  // namespace plumb::ui::test

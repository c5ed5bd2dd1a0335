// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/step_text.h"

#include "core/base/words.h"
#include "core/plan/step_plan.h"
#include "core/recorded/recorded_step.h"
#include "ui/timeline/timeline_names.h"

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

class StepText : public testing::Test {
protected:
    StepText() { setWordsLanguage("zh_CN"); }
    ~StepText() override { setWordsLanguage({}); }
};

TEST_F(StepText, TellsOurNamesAndLeavesThoseOfAProgram) {
    const StepPlan ours;
    EXPECT_EQ(stepText(ours, "head forward"), QStringLiteral("输出头前向"));
    const RecordedStep program;
    EXPECT_EQ(stepText(program, "head"), QStringLiteral("head"));
    EXPECT_EQ(stepText(program, "norm · backward · aten::native_layer_norm_backward"),
              QStringLiteral("norm · 反向 · aten::native_layer_norm_backward"));
}

TEST_F(StepText, TellsOurModulesAndLeavesThoseOfAProgramWhateverTheirNames) {
    EXPECT_EQ(modulePathText(StepPlan(), "layer 1"), QStringLiteral("第 1 层"));
    EXPECT_EQ(modulePathText(StepPlan(), "head"), QStringLiteral("输出头"));
    for (const char* name : {"head", "forward", "encoder.layer 1"})
        EXPECT_EQ(modulePathText(RecordedStep(), name), QString::fromLatin1(name));
}

TEST_F(StepText, BarsOfATimelineAreToldInTheirShortFormsToo) {
    const QStringList forms = operationForms(StepPlan(), QStringLiteral("layer 3 · weight gradient"));
    EXPECT_EQ(forms.value(1), QStringLiteral("权重梯度 · L3"));
    EXPECT_EQ(forms.back(), QStringLiteral("dW"));
    EXPECT_EQ(operationForms(RecordedStep(), QStringLiteral("head · aten::mm")).front(),
              QStringLiteral("head · aten::mm"));
}

}  // namespace
}  // namespace plumb::ui::test

// SPDX-License-Identifier: GPL-3.0-or-later
// How a step is computed: what the command line can say of it, the panel can too.
#include "core/planner/choice_help.h"
#include "core/planner/frameworks.h"
#include "core/planner/scenario_file.h"
#include "tests/ui/planner/planner_support.h"
#include "ui/theme/text.h"

#include <QCheckBox>

namespace plumb::ui::test {
namespace {

using planner::LayerPart;
using planner::Recompute;
using planner::Scenario;

class PlannerComputationTest : public PlannerViewTest {
protected:
    void makeLlama() {
        makeFresh();
        ask("memory");
        ASSERT_NE(scenario().model.transformer(), nullptr);
    }
    [[nodiscard]] const Scenario& scenario() { return model().inputs().scenario; }
    [[nodiscard]] std::string asText() { return planner::scenarioToText(scenario()); }
    [[nodiscard]] QCheckBox* box(const std::string& name) { return child<QCheckBox>(*view, name.c_str()); }
    [[nodiscard]] QComboBox* combo(const char* name) { return child<QComboBox>(*view, name); }
};

TEST_F(PlannerComputationTest, AFrameworkMakesItsChoicesAsTheCommandLineDoesInOneStep) {
    makeLlama();
    ASSERT_EQ(combo("plannerFramework")->count(), static_cast<int>(planner::frameworks().size()));
    for (int i = 0; i < combo("plannerFramework")->count(); ++i) {
        const planner::Framework& framework = planner::frameworks()[static_cast<std::size_t>(i)];
        Scenario wanted = scenario();
        ASSERT_TRUE(planner::chooseFramework(wanted, framework.key).has_value());
        const int steps = history.stack().index();
        const std::string was = asText();
        const bool isNew = combo("plannerFramework")->currentIndex() != i;
        choose("plannerFramework", i);
        EXPECT_EQ(asText(), planner::scenarioToText(wanted)) << framework.key;
        EXPECT_EQ(combo("plannerFramework")->currentIndex(), i);
        EXPECT_EQ(model().inputs().recipe, toText(framework.recipe));
        EXPECT_EQ(combo("plannerRecipe")->currentData().toString(), toText(framework.recipe));
        EXPECT_EQ(history.stack().index(), steps + (isNew ? 1 : 0)) << framework.key;
        const int now = history.stack().index();
        choose("plannerFramework", i);
        EXPECT_EQ(history.stack().index(), now) << "the same once more changes nothing";
        if (!isNew) continue;
        history.stack().undo();
        EXPECT_EQ(asText(), was) << framework.key;
        history.stack().redo();
        EXPECT_EQ(asText(), planner::scenarioToText(wanted)) << framework.key;
        EXPECT_EQ(combo("plannerFramework")->currentIndex(), i)
            << "of two that choose the same it is this one";
    }
    // Another choice, and it is nobody's any more.
    choose("plannerRecompute", static_cast<int>(Recompute::Full));
    EXPECT_EQ(combo("plannerFramework")->currentIndex(), -1);
    EXPECT_EQ(combo("plannerFramework")->placeholderText(), QStringLiteral("own choices"));
}

TEST_F(PlannerComputationTest, WhatLiesInTheHostsMemoryIsTicked) {
    makeLlama();
    const double all = answered();
    for (const planner::OffloadPart& part : planner::kOffloadParts) {
        QCheckBox* tick = box("plannerOffload" + capitalised(part.name).toStdString());
        ASSERT_TRUE(tick->isVisible());
        EXPECT_FALSE(tick->isChecked());
        EXPECT_EQ(tick->toolTip(), capitalised(part.help));
        planner::Offload wanted = scenario().recipe.offload;
        ASSERT_TRUE(planner::setOffload(wanted, part.name)) << "core has no such word";
        tick->click();
        EXPECT_EQ(scenario().recipe.offload, wanted);
    }
    EXPECT_LT(answered(), 0.7 * all) << "it is not on the device any more";
    EXPECT_EQ(history.stack().index(), static_cast<int>(planner::kOffloadParts.size()));
    history.stack().undo();
    EXPECT_FALSE(scenario().recipe.offload.activations);
    EXPECT_FALSE(box("plannerOffloadActivations")->isChecked());
    EXPECT_TRUE(box("plannerOffloadOptimizer")->isChecked());
}

TEST_F(PlannerComputationTest, PartsOfALayerAreWorkedOutAgainWherePerOpIsChosen) {
    makeLlama();
    EXPECT_FALSE(box("plannerAgainQueries")->isVisible()) << "every second product is chosen";
    choose("plannerRecompute", static_cast<int>(Recompute::PerOp));
    const double kept = answered();
    for (const char* name : {"plannerAgainGate", "plannerAgainUp"}) {
        ASSERT_TRUE(box(name)->isVisible());
        box(name)->click();
    }
    EXPECT_EQ(planner::listOf(scenario().recipe.again), "gate,up");
    EXPECT_LT(answered(), kept);
    history.stack().undo();
    EXPECT_EQ(planner::listOf(scenario().recipe.again), "gate");
    EXPECT_FALSE(box("plannerAgainUp")->isChecked());
    edits().setModel(QStringLiteral("gpt2"));
    EXPECT_EQ(edits().modelProblem(), QString());
    EXPECT_FALSE(box("plannerAgainGate")->isEnabled()) << "its block has none";
}

TEST_F(PlannerComputationTest, ItComesBackAndIsPartOfPlans) {
    makeLlama();
    choose("plannerRecompute", static_cast<int>(Recompute::PerOp));
    box("plannerAgainKeys")->click();
    box("plannerOffloadOptimizer")->click();
    const std::string before = asText(), plan = planner::scenarioToText(planOf(model().inputs()));
    ASSERT_TRUE(view->savePlan(QString::fromStdString(folder.file("a.plan.json"))).has_value());
    make(toBytes(model().inputs()));
    EXPECT_EQ(asText(), before);
    EXPECT_TRUE(box("plannerAgainKeys")->isChecked());
    EXPECT_TRUE(box("plannerOffloadOptimizer")->isChecked());
    makeFresh();
    ASSERT_TRUE(edits().openPlan(QString::fromStdString(folder.file("a.plan.json"))).has_value());
    EXPECT_EQ(asText(), plan);
    EXPECT_TRUE(box("plannerOffloadOptimizer")->isChecked());
}

TEST_F(PlannerComputationTest, WhatOnlyPlansSayComesBackToo) {
    makeLlama();
    Scenario plan = scenario();
    plan.recipe.recompute = Recompute::Full;
    plan.recipe.recomputeShare = 0.5;
    plan.recipe.dropout = true;
    const std::string path = folder.file("half.plan.json");
    ASSERT_TRUE(planner::writeScenario(path, plan).has_value());
    ASSERT_TRUE(edits().openPlan(QString::fromStdString(path)).has_value());
    const std::string before = asText();
    make(toBytes(model().inputs()));
    EXPECT_EQ(asText(), before);
    EXPECT_EQ(scenario().recipe.recomputeShare, 0.5);
    EXPECT_TRUE(scenario().recipe.dropout);
}

TEST_F(PlannerComputationTest, AMereCountAndTheDeepLinearModelHaveNoneOfIt) {
    makeLlama();
    choose("plannerRecompute", static_cast<int>(Recompute::PerOp));
    for (const char* none : {PlannerInputs::kCount, PlannerInputs::kLinear}) {
        edits().setModel(QString::fromLatin1(none));
        EXPECT_FALSE(combo("plannerFramework")->isVisible()) << none;
        EXPECT_FALSE(box("plannerOffloadOptimizer")->isVisible()) << none;
        EXPECT_FALSE(box("plannerAgainUp")->isVisible()) << none;
    }
}

TEST_F(PlannerComputationTest, TheKeyboardGoesThroughItInTheOrderOfTheColumn) {
    makeLlama();
    choose("plannerRecompute", static_cast<int>(Recompute::PerOp));
    QStringList wanted{QStringLiteral("plannerModel"), QStringLiteral("plannerFramework"),
                       QStringLiteral("plannerRecipe"), QStringLiteral("plannerRecompute")};
    for (const LayerPart part : kEnumerators<LayerPart>)
        wanted << QStringLiteral("plannerAgain") + capitalised(planner::name(part));
    wanted << QStringLiteral("plannerSoftware") << QStringLiteral("plannerOffloadOptimizer")
           << QStringLiteral("plannerOffloadParameters") << QStringLiteral("plannerOffloadActivations");
    QStringList order;
    const QWidget* first = combo("plannerModel");
    for (const QWidget* next = first; order.isEmpty() || next != first; next = next->nextInFocusChain())
        if (wanted.contains(next->objectName())) order << next->objectName();
    EXPECT_EQ(order, wanted) << order.join(u' ').toStdString();
}

}  // namespace
}  // namespace plumb::ui::test

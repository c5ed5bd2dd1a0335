// SPDX-License-Identifier: GPL-3.0-or-later
// Which devices train it cheaper: what plan devices --candidates answers, in the window.
#include "core/base/words.h"
#include "core/planner/device_choice.h"
#include "core/planner/scenario_file.h"
#include "tests/ui/pictures.h"
#include "tests/ui/planner/planner_support.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"

#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>

#include <algorithm>

namespace plumb::ui::test {
namespace {

using planner::Output;

class PlannerCandidatesTest : public PlannerViewTest {
protected:
    /// The page of devices without a candidate.
    void makeEmpty() {
        makeFresh();
        PlannerInputs inputs = model().inputs();
        inputs.candidates.clear();
        model().setInputs(inputs);
        ask("devices");
    }
    void add(const char* count, const char* device, const char* price) {
        child<QLineEdit>(*view, "plannerCandidateCount")->setText(QString::fromLatin1(count));
        auto* devices = child<QComboBox>(*view, "plannerCandidateDevice");
        const Machine* machine = library->find(device);
        ASSERT_NE(machine, nullptr) << device;
        devices->setCurrentText(toText(machine->name));
        ASSERT_EQ(devices->currentText(), toText(machine->name));
        child<QLineEdit>(*view, "plannerCandidatePrice")->setText(QString::fromLatin1(price));
        QTest::mouseClick(child<QPushButton>(*view, "plannerCandidateAdd"), Qt::LeftButton);
    }
    [[nodiscard]] const std::vector<PlannerCandidate>& candidates() { return model().inputs().candidates; }
    [[nodiscard]] QTableWidget& table() { return *child<QTableWidget>(*view, "plannerCandidates"); }
    [[nodiscard]] QString cell(int row, int column) { return table().item(row, column)->text(); }
};

TEST_F(PlannerCandidatesTest, SaysOnWhichTheTrainingIsCheaperAsTheCommandLineDoes) {
    makeEmpty();
    EXPECT_TRUE(text("plannerCandidatesNote").contains(QStringLiteral("Add devices")));
    add("2", "h200-sxm-141gb", "3.5");
    add("8", "a100-sxm4-80gb", "1.6");
    ASSERT_EQ(candidates().size(), 2U);
    ASSERT_TRUE(settled());
    std::vector<planner::DeviceCandidate> asked;
    for (const PlannerCandidate& each : candidates())
        asked.push_back({*library->find(each.device), each.devices, each.dollarsPerHour});
    const auto expected = planner::chooseDevices(model().inputs().scenario, asked);
    ASSERT_TRUE(expected.has_value());
    ASSERT_EQ(table().rowCount(), 2);
    for (int row = 0; row < 2; ++row) {
        const planner::CandidatePlan& plan = expected->plans[static_cast<std::size_t>(row)];
        ASSERT_TRUE(plan.problem.empty()) << plan.problem;
        EXPECT_TRUE(cell(row, 0).endsWith(toText(plan.candidate.device.name)));
        EXPECT_EQ(cell(row, 1).toLower(), toText(plan.place).toLower());
        EXPECT_EQ(cell(row, 2), plan.fits ? QStringLiteral("yes") : QStringLiteral("no"));
        EXPECT_EQ(cell(row, 3), toText(planner::formatOutput(Output::Days, plan.days.expected)));
        EXPECT_EQ(cell(row, 4), toText(planner::formatOutput(Output::Cost, plan.dollars->expected)));
        EXPECT_EQ(cell(row, 5), toText(planner::formatOutput(Output::Energy, plan.energyJoules->expected)));
        EXPECT_EQ(cell(row, 7), numberText(*plan.dollarsPerHour));
        EXPECT_EQ(cell(row, 8).trimmed().toLower(), toText(plan.why).toLower());
    }
    EXPECT_EQ(child<Card>(*view, "plannerCandidatesCard")->subtitle(),
              QStringLiteral("the cheapest that fit first"));
}

TEST_F(PlannerCandidatesTest, CountsTheCoresOfAProcessorInTheWordsOfTheWindow) {
    setWordsLanguage("zh_CN");
    makeEmpty();
    const QString candidate = child<QComboBox>(*view, "plannerCandidateDevice")->itemText(0);
    const QString planned = child<QComboBox>(*view, "plannerDevice")->itemText(0);
    setWordsLanguage("");
    ASSERT_TRUE(library->known().local.name.find(" core") != std::string::npos)
        << library->known().local.name;
    for (const QString& name : {candidate, planned})
        EXPECT_TRUE(name.contains(QStringLiteral("核")) && !name.contains(QStringLiteral("core")))
            << name.toStdString();
}

TEST_F(PlannerCandidatesTest, EnterTakesOneIntoThePlanAsOneStep) {
    makeEmpty();
    add("8", "a100-sxm4-80gb", "1.6");
    add("4", "h200-sxm-141gb", "3.5");
    ASSERT_TRUE(settled());
    const std::string before = planner::scenarioToText(model().inputs().scenario);
    const int steps = history.stack().index();
    int row = 0;
    while (!cell(row, 0).startsWith(QStringLiteral("4 "))) ++row;
    const planner::CandidatePlan plan = model().explorer().choice()->plans[static_cast<std::size_t>(row)];
    table().setFocus();
    table().setCurrentCell(row, 0);
    QTest::keyClick(&table(), Qt::Key_Return);
    const planner::Scenario& taken = model().inputs().scenario;
    EXPECT_EQ(taken.cluster.device->id, "h200-sxm-141gb");
    EXPECT_EQ(taken.cluster.devices, 4);
    EXPECT_EQ(taken.parallel, plan.layout->layout);
    EXPECT_EQ(taken.given[planner::Input::DevicePrice]->expected, 3.5);
    EXPECT_NEAR(*planner::evaluate(Output::MemoryPerDevice, taken), plan.neededBytes, 1);
    EXPECT_EQ(history.stack().index(), steps + 1);
    history.stack().undo();
    EXPECT_EQ(planner::scenarioToText(model().inputs().scenario), before);
}

TEST_F(PlannerCandidatesTest, PricesAreChangedAndRowsRemovedEachAsAStep) {
    makeEmpty();
    add("8", "a100-sxm4-80gb", "");
    ASSERT_EQ(candidates().size(), 1U);
    EXPECT_FALSE(candidates().front().dollarsPerHour.has_value());
    ASSERT_TRUE(settled());
    EXPECT_TRUE(text("plannerCandidatesNote").contains(QStringLiteral("Prices are not known")))
        << text("plannerCandidatesNote").toStdString();
    add("8", "a100-sxm4-80gb", "1.6 $/h");
    ASSERT_EQ(candidates().size(), 1U) << "the same devices stand there once";
    EXPECT_EQ(candidates().front().dollarsPerHour, 1.6);
    const int steps = history.stack().index();
    add("8", "a100-sxm4-80gb", "1.6");
    EXPECT_EQ(history.stack().index(), steps) << "nothing has changed";
    for (const char* wrong : {"0", "many", "-3", ""}) {
        add(wrong, "a100-sxm4-80gb", "1.6");
        EXPECT_EQ(candidates().size(), 1U) << wrong;
        EXPECT_GT(text("plannerCandidatesNote").size(), 10) << wrong;
    }
    add("8", "a100-sxm4-80gb", "cheap");
    EXPECT_EQ(candidates().front().dollarsPerHour, 1.6);
    ASSERT_TRUE(settled());
    table().setCurrentCell(0, 0);
    QTest::keyClick(&table(), Qt::Key_Delete);
    EXPECT_TRUE(candidates().empty());
    history.stack().undo();
    EXPECT_EQ(candidates().size(), 1U);
    const PlannerInputs kept = plannerInputsFrom(toBytes(model().inputs()), library->known(), RunConfig{});
    EXPECT_EQ(kept.candidates, candidates());
}

TEST_F(PlannerCandidatesTest, SaysWhichDoNotFitAndWhichCannotBePlanned) {
    makeEmpty();
    edits().setModel(QStringLiteral("llama-3-70b"));
    add("1", "a100-sxm4-80gb", "");
    add("8", "v100-sxm2-16gb", "");  // no bf16
    ASSERT_TRUE(settled());
    ASSERT_EQ(table().rowCount(), 2);
    EXPECT_EQ(cell(0, 2), QStringLiteral("no"));
    EXPECT_TRUE(cell(0, 1).contains(QStringLiteral("does not fit"), Qt::CaseInsensitive))
        << cell(0, 1).toStdString();
    EXPECT_TRUE(cell(1, 8).contains(QStringLiteral("bf16"))) << cell(1, 8).toStdString();
    const int steps = history.stack().index();
    emit table().cellActivated(1, 0);
    EXPECT_EQ(history.stack().index(), steps) << "there is nothing to take";
    EXPECT_EQ(child<Card>(*view, "plannerCandidatesCard")->subtitle(), QStringLiteral("none fits"));
    for (const char* other : {"count", "linear"}) {
        edits().setModel(QString::fromLatin1(other));
        ASSERT_TRUE(settled());
        EXPECT_EQ(table().rowCount(), 2) << other;
    }
}

TEST_F(PlannerCandidatesTest, TheSearchIsCancelled) {
    makeEmpty();
    edits().setModel(QStringLiteral("llama-3-70b"));
    add("1024", "h100-sxm5-80gb", "");
    add("512", "a100-sxm4-80gb", "");
    ASSERT_TRUE(model().explorer().choiceProgress().has_value());
    EXPECT_TRUE(child<QPushButton>(*view, "plannerCandidatesCancel")->isVisible());
    EXPECT_TRUE(view->property(kBusyView).toBool());
    QTest::mouseClick(child<QPushButton>(*view, "plannerCandidatesCancel"), Qt::LeftButton);
    EXPECT_FALSE(model().explorer().choiceProgress().has_value());
    EXPECT_FALSE(child<QPushButton>(*view, "plannerCandidatesCancel")->isVisible());
    EXPECT_FALSE(view->property(kBusyView).toBool());
    QTest::qWait(200);
    EXPECT_FALSE(model().explorer().choice().has_value());
    EXPECT_TRUE(text("plannerCandidatesNote").contains(QStringLiteral("Cancelled")));
    EXPECT_EQ(table().rowCount(), 2) << "what was listed stays";
}

TEST_F(PlannerCandidatesTest, NothingIsCutOffInBothThemesAndTwoSizes) {
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        theme.apply(*qApp);
        for (const QSize size : {QSize(1290, 860), QSize(960, 640)}) {
            makeFresh(size);
            ask("devices");
            ASSERT_TRUE(settled());
            QCoreApplication::processEvents();
            EXPECT_EQ(child<QScrollArea>(*view, "plannerScroll")->horizontalScrollBar()->maximum(), 0)
                << size.width();
            const auto* note = child<QLabel>(*view, "plannerCandidatesNote");
            EXPECT_GE(note->geometry().top(), table().geometry().bottom());
            EXPECT_GE(note->height(), note->heightForWidth(note->width()));
            const QImage shot =
                picture(*view, QStringLiteral("candidates-%1-%2").arg(size.width()).arg(themeName(theme)));
            EXPECT_FALSE(shot.isNull());
        }
    }
}

}  // namespace
}  // namespace plumb::ui::test

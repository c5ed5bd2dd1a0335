// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/findings/findings_view.h"

#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/support.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/finding_text.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace plumb::ui {
namespace {

using test::child;

/// Eight layers of which each h is made again from the input, though the machine has room for all.
class FindingsViewTest : public ::testing::Test {
protected:
    FindingsViewTest() {
        Machine machine = test::roundMachine();
        machine.memoryBytes = Bytes{64} << 30U;
        EXPECT_TRUE(workbench.show(Target{machine, cpuTraits()}).has_value());
        RunConfig config = test::deepConfig(8);
        config.batch = 4096;
        config.recompute.kind = RecomputePolicy::Kind::None;
        EXPECT_TRUE(workbench.show(config).has_value());
        view.resize(1100, 760);
        view.show();
    }

    int rowOf(std::string_view rule) const {
        const std::vector<Finding>& found = view.model().findings().found;
        const auto at = std::ranges::find(found, rule, &Finding::rule);
        return at == found.end() ? -1 : static_cast<int>(at - found.begin());
    }
    QTableView& table() { return *child<QTableView>(view, "findingsTable"); }

    test::FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    Workbench workbench;
    ConfigHistory history{workbench};
    FindingsView view{ViewContext{workbench, theme}, history};
};

TEST_F(FindingsViewTest, ShowsWhatTheRulesNoticedAndWhatTheyCouldNot) {
    const Findings expected = findingsOf(findableIn(*workbench.scene()));
    ASSERT_GE(rowOf("recomputation"), 0);
    EXPECT_EQ(table().model()->rowCount(), static_cast<int>(expected.found.size()));
    const int row = rowOf("recomputation");
    const QModelIndex cell = table().model()->index(row, static_cast<int>(FindingColumn::Sentence));
    EXPECT_EQ(cell.data().toString().toStdString(),
              text(expected.found[static_cast<std::size_t>(row)].sentence));
    const QWidget& silent = *child<QWidget>(view, "findingsSilent");
    EXPECT_TRUE(
        child<QLabel>(silent, "findingTrial")->text().contains(QStringLiteral("no hardware counters")));
    EXPECT_TRUE(child<QLabel>(silent, "findingEvidence")->text().contains(QStringLiteral("\n• ")));
    EXPECT_FALSE(table().accessibleName().isEmpty());
}

TEST_F(FindingsViewTest, AreOfTheWholeStepAndSayItWhileARangeNarrowsTheOthers) {
    const auto* card = child<Card>(view, "findingsCard");
    auto* clear = child<QPushButton>(view, "findingsClearRange");
    const QString before = card->subtitle();
    EXPECT_FALSE(clear->isVisible());
    workbench.selection().range().select(OpSpan{1, 4});
    EXPECT_TRUE(card->subtitle().contains(QStringLiteral("of the whole step")));
    EXPECT_TRUE(clear->text().contains(u'4')) << clear->text().toStdString();
    clear->click();
    EXPECT_FALSE(workbench.selection().range().isChosen());
    EXPECT_EQ(card->subtitle(), before);
    EXPECT_FALSE(clear->isVisible());
}

TEST_F(FindingsViewTest, TitlesOfColumnsAreWholeThoughWhatIsBelowIsShorter) {
    QHeaderView& header = *table().horizontalHeader();
    QFont large = header.font();
    large.setPointSizeF(large.pointSizeF() * 2);
    header.setFont(large);
    view.resize(1101, 760);
    QCoreApplication::processEvents();
    for (const FindingColumn column : {FindingColumn::Severity, FindingColumn::Place})
        EXPECT_GE(header.sectionSize(static_cast<int>(column)),
                  header.sectionSizeHint(static_cast<int>(column)));
    EXPECT_LE(header.length(), table().viewport()->width());
}

TEST_F(FindingsViewTest, EnterAndTheColumnWhereLeadToTheViewWithTheOperation) {
    QSignalSpy wanted(&view, &FindingsView::viewWanted);
    const int row = rowOf("recomputation");
    ASSERT_GE(row, 0);
    table().selectRow(row);
    QTest::keyClick(&table(), Qt::Key_Return);
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_EQ(wanted.at(0).at(0).toString(), QStringLiteral("checkpoint"));
    EXPECT_EQ(workbench.selection().op().toStdString(),
              view.model().findings().found[static_cast<std::size_t>(row)].opId);
    const auto clickOn = [&](FindingColumn column) {
        const QModelIndex at = table().model()->index(row, static_cast<int>(column));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(at).center());
    };
    clickOn(FindingColumn::Sentence);
    EXPECT_EQ(wanted.count(), 1) << "a click on the sentence shows its evidence";
    clickOn(FindingColumn::Place);
    EXPECT_EQ(wanted.count(), 2);
    child<QPushButton>(*child<QWidget>(view, "findingsDetail"), "findingShow")->click();
    EXPECT_EQ(wanted.count(), 3);
}

TEST_F(FindingsViewTest, ARemedyIsPutIntoForceAndTakenBack) {
    const RunConfig before = workbench.config();
    table().selectRow(rowOf("recomputation"));
    const QWidget& detail = *child<QWidget>(view, "findingsDetail");
    auto& apply = *child<QPushButton>(detail, "findingApply");
    ASSERT_FALSE(apply.isHidden());
    EXPECT_EQ(apply.text(), QStringLiteral("Set Keep activations = all"));
    apply.click();
    EXPECT_EQ(workbench.config().recompute.kind, RecomputePolicy::Kind::All);
    EXPECT_TRUE(test::waitFor([&] { return rowOf("recomputation") < 0; }));
    history.stack().undo();
    EXPECT_EQ(workbench.config(), before);
    EXPECT_TRUE(test::waitFor([&] { return rowOf("recomputation") >= 0; }));
}

TEST_F(FindingsViewTest, KeepsTheChosenFindingWhenTheStepChanges) {
    const int row = rowOf("recomputation");
    ASSERT_GE(row, 0);
    table().selectRow(row);
    RunConfig config = workbench.config();
    config.layers = 12;
    const std::string before = text(view.model().at(row)->sentence);
    ASSERT_TRUE(workbench.show(config).has_value());
    ASSERT_TRUE(test::waitFor([&] {
        const int now = rowOf("recomputation");
        return now >= 0 && text(view.model().at(now)->sentence) != before;
    }));
    EXPECT_EQ(table().currentIndex().row(), rowOf("recomputation"));
}

TEST_F(FindingsViewTest, SaysThatAllIsFineWhereNothingWasFound) {
    ASSERT_TRUE(workbench.show(Target{Machine{}, cpuTraits()}).has_value());
    ASSERT_TRUE(test::waitFor([&] { return view.model().findings().found.empty(); }));
    EXPECT_TRUE(table().isHidden());
    const QWidget& silent = *child<QWidget>(view, "findingsSilent");
    EXPECT_EQ(child<QLabel>(silent, "findingHeading")->text(), QStringLiteral("Nothing unusual was found"));
    EXPECT_TRUE(child<QLabel>(silent, "findingTrial")->text().contains(QStringLiteral("Profile")));
}

// In a low window the list is longer than the place; its button stands below it.
TEST_F(FindingsViewTest, BeginsAtTheTopOfWhatWasLookedAtWhichKeysScroll) {
    view.resize(700, 240);
    ASSERT_TRUE(workbench.show(Target{Machine{}, cpuTraits()}).has_value());
    ASSERT_TRUE(test::waitFor([&] { return view.model().findings().found.empty(); }));
    view.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&view));
    firstFocusOf(view)->setFocus(Qt::OtherFocusReason);
    QCoreApplication::processEvents();
    auto* const heading = child<QLabel>(*child<QWidget>(view, "findingsSilent"), "findingHeading");
    EXPECT_FALSE(heading->visibleRegion().isEmpty());
    for (int i = 0; i < 100; ++i) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    EXPECT_TRUE(heading->visibleRegion().isEmpty()) << "the end can be read";
}

TEST_F(FindingsViewTest, GivesUpColumnsWhenItIsNarrowAndCutsNoSentence) {
    for (const int width : {1300, 700, 520}) {
        view.resize(width, 700);
        QCoreApplication::processEvents();
        EXPECT_EQ(table().isColumnHidden(static_cast<int>(FindingColumn::Remedy)), width < 760) << width;
        EXPECT_LE(table().horizontalHeader()->length(), table().viewport()->width()) << width;
        const auto sentence = static_cast<int>(FindingColumn::Sentence);
        for (int row = 0; row < table().model()->rowCount(); ++row) {
            const QRect room(0, 0, table().columnWidth(sentence), 10'000);
            const QRect needed = table().fontMetrics().boundingRect(
                room, Qt::TextWordWrap, table().model()->index(row, sentence).data().toString());
            EXPECT_GE(table().rowHeight(row), needed.height()) << width << " row " << row;
        }
    }
}

TEST(FindingText, FillsTheTranslatedPattern) {
    EXPECT_EQ(sentenceText({"%2 of %1.", {Amount{0.25, "%"}, std::string("x")}}),
              QStringLiteral("x of 25 %."));
}

}  // namespace
}  // namespace plumb::ui

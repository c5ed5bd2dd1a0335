// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/lab/lab_support.h"
#include "ui/charts/chart_panel.h"
#include "ui/lab/collective_page.h"
#include "ui/lab/collective_picture.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/stop_slider.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <memory>

namespace plumb::ui::test {
namespace {

const CollectiveLinkChoice kLink{QStringLiteral("wire, 1 GB/s"), QStringLiteral("test"), 1e9};

QStringList wordsOf(const char* words) { return QString::fromLatin1(words).split(QLatin1Char(';')); }

TEST(CollectiveState, TakesAWayThatTheKindHasAndAStepThatThereIs) {
    CollectiveInput input;
    input.kind = CommKind::AllGather;
    input.way = lab::CollectiveWay::Tree;
    input.step = 99;
    const CollectiveState state = makeCollectiveState(input, kLink);
    EXPECT_EQ(state.input.way, lab::CollectiveWay::Ring);
    EXPECT_EQ(state.input.step, 3);
    EXPECT_EQ(state.rows.size(), 2U);
}

TEST(CollectiveState, TellsStepsBytesTimeAndBandwidthOfEachWay) {
    CollectiveInput input;
    input.bytes = 8'000'000;
    input.latency = 1e-6;
    const CollectiveState state = makeCollectiveState(input, kLink);
    ASSERT_EQ(state.rows.size(), 3U);
    EXPECT_EQ(state.rows[0].cells, wordsOf("Ring;6;12.0 MB;12.0 ms;1.00 GB/s"));
    EXPECT_EQ(state.rows[1].cells.mid(0, 3), wordsOf("Tree;4;16.0 MB"));
    EXPECT_EQ(state.rows[2].cells.mid(0, 3), wordsOf("Exchange;2;12.0 MB"));
    EXPECT_EQ(state.moves.first(), QLatin1String("rank 0 to rank 1: slice 3, 2.00 MB, added"));
    for (const CollectiveWayCost& row : state.rows)
        EXPECT_TRUE(std::ranges::is_sorted(row.timeBySize, {}, &QPointF::y));
}

class CollectivePageTest : public ::testing::Test {
protected:
    CollectivePageTest() {
        page = std::make_unique<CollectivePage>(bench.context());
        page->resize(1100, 760);
        page->QWidget::show();
        QApplication::processEvents();
    }
    template <class Widget>
    Widget& child(const char* name) {
        auto* found = page->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return *found;
    }
    LabBench bench;
    std::unique_ptr<CollectivePage> page;
};

TEST_F(CollectivePageTest, KeepsWhatWasAskedAndTakesItBack) {
    const auto enter = [this](const char* field, const char* text) {
        auto& box = child<SizeField>(field);
        box.setFocus();
        box.clear();
        QTest::keyClicks(&box, QLatin1String(text));
        QTest::keyClick(&box, Qt::Key_Return);
    };
    const CollectiveInput first = page->state().input;
    enter("collectiveRanksField", "3");
    enter("collectiveBytesField", "5000000");
    QTest::mouseClick(&child<QWidget>("collectiveWay1"), Qt::LeftButton);
    const CollectiveInput asked = page->state().input;
    EXPECT_EQ(asked.ranks, 3);
    EXPECT_EQ(asked.bytes, 5'000'000);
    EXPECT_EQ(asked.way, lab::CollectiveWay::Tree);
    enter("collectiveRanksField", "1");
    EXPECT_EQ(page->state().input, asked);
    EXPECT_TRUE(child<QLabel>("collectiveRanksError").text().contains(QStringLiteral("2 to 16")));
    {
        CollectivePage again(bench.context());
        CollectiveInput kept = again.state().input;
        kept.step = asked.step;
        EXPECT_EQ(kept, asked);
    }
    QUndoStack& undo = bench.context().undo;
    EXPECT_EQ(undo.count(), 3);
    while (undo.canUndo()) undo.undo();
    EXPECT_EQ(page->state().input, first);
    while (undo.canRedo()) undo.redo();
    EXPECT_EQ(page->state().input, asked);
}

TEST_F(CollectivePageTest, UndoesADragAtOnce) {
    auto& slider = child<StopSlider>("collectiveRanksSlider");
    const int before = page->state().input.ranks;
    slider.setSliderDown(true);
    for (int at = slider.value(); at < slider.maximum(); ++at) slider.setSliderPosition(at + 1);
    slider.setSliderDown(false);
    EXPECT_EQ(page->state().input.ranks, 16);
    EXPECT_EQ(bench.context().undo.count(), 1);
    bench.context().undo.undo();
    EXPECT_EQ(page->state().input.ranks, before);
}

TEST(CollectiveState, TakesNoQuestionThatItCannotAnswer) {
    const QVector<CollectiveLinkChoice> links{kLink};
    const CollectiveInput asked{.kind = CommKind::AllGather, .ranks = 5, .bytes = 123'456};
    EXPECT_EQ(keptCollective(keptText(asked, kLink), links), asked);
    EXPECT_EQ(keptCollective({}, links), std::nullopt);
    EXPECT_EQ(keptCollective(keptText(asked, {{}, {}, 2e9}), links), std::nullopt) << "no such link";
    for (const CollectiveInput& odd : {CollectiveInput{.ranks = 17}, CollectiveInput{.ranks = 1},
                                       CollectiveInput{.bytes = 0}, CollectiveInput{.latency = 0}})
        EXPECT_EQ(keptCollective(keptText(odd, kLink), links), std::nullopt);
}

TEST_F(CollectivePageTest, ShowsTheFirstStepOfARingAndGoesOnByKey) {
    EXPECT_EQ(page->state().input.step, 1);
    auto& picture = child<CollectivePicture>("collectivePicture");
    EXPECT_EQ(picture.cameFrom(1), QLatin1String("from 0"));
    auto& step = child<StopSlider>("collectiveStepSlider");
    step.setFocus();
    for (int i = 1; i < 6; ++i) QTest::keyClick(&step, Qt::Key_Right);
    EXPECT_EQ(page->state().input.step, 6);
    for (const auto& slices : page->state().has)
        for (const std::uint32_t addends : slices) EXPECT_EQ(addends, 0b1111U);
    EXPECT_TRUE(picture.accessibleDescription().contains(QLatin1String("rank 0 to rank 1")));
}

TEST_F(CollectivePageTest, HidesTheTreeWhereThereIsNone) {
    child<SegmentedControl>("collectiveKind");
    QTest::mouseClick(&child<QPushButton>("collectivePlay"), Qt::LeftButton);
    QTest::mouseClick(&child<QPushButton>("collectivePlay"), Qt::LeftButton);
    CollectiveInput input = page->state().input;
    input.kind = CommKind::ReduceScatter;
    page->show(input);
    EXPECT_TRUE(child<QWidget>("collectiveWay1").isHidden());
    EXPECT_EQ(child<QTableView>("collectiveTable").model()->rowCount(), 2);
    EXPECT_EQ(child<ChartPanel>("collectiveChart").lineIds().size(), 2);
}

TEST_F(CollectivePageTest, ARowOfTheTableShowsItsSteps) {
    auto& table = child<QTableView>("collectiveTable");
    table.setFocus();
    table.selectRow(2);
    emit table.activated(table.model()->index(2, 0));
    EXPECT_EQ(page->state().input.way, lab::CollectiveWay::Exchange);
    EXPECT_EQ(child<CollectivePicture>("collectivePicture").cameFrom(0), QLatin1String("from all"));
}

TEST_F(CollectivePageTest, PlaysToTheEndAndStops) {
    QTest::mouseClick(&child<QPushButton>("collectivePlay"), Qt::LeftButton);
    EXPECT_EQ(child<QPushButton>("collectivePlay").text(), QLatin1String("Pause"));
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return child<QPushButton>("collectivePlay").text() == QLatin1String("Play"); }, 60000));
    EXPECT_EQ(page->state().input.step, 6);
}

TEST_F(CollectivePageTest, TakesRanksAndSizesThatAreTyped) {
    auto& ranks = child<SizeField>("collectiveRanksField");
    ranks.setFocus();
    ranks.selectAll();
    QTest::keyClicks(&ranks, QStringLiteral("99"));
    QTest::keyClick(&ranks, Qt::Key_Return);
    EXPECT_EQ(page->state().input.ranks, 4) << "99 are not drawn";
    auto& bytes = child<SizeField>("collectiveBytesField");
    bytes.setFocus();
    bytes.selectAll();
    QTest::keyClicks(&bytes, QStringLiteral("2M"));
    QTest::keyClick(&bytes, Qt::Key_Return);
    EXPECT_EQ(page->state().input.bytes, 2'000'000);
}

TEST_F(CollectivePageTest, CopiesAllThatItSays) {
    page->copy();
    const QString text = QApplication::clipboard()->text();
    EXPECT_TRUE(text.startsWith(QLatin1String("All-reduce of 64.0 MB on 4 ranks over NVLink 4")))
        << qPrintable(text);
    EXPECT_TRUE(text.contains(QLatin1String("rank 0 to rank 1: slice 3")));
}

}  // namespace
}  // namespace plumb::ui::test

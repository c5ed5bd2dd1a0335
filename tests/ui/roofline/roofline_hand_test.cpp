// SPDX-License-Identifier: GPL-3.0-or-later
// What the user does to the chart of the roofline: its legend, its looks, its stacks.
#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/charts/move_to.h"
#include "tests/ui/support.h"
#include "tests/ui/view_fixture.h"
#include "ui/charts/hover_card.h"
#include "ui/charts/legend_row.h"
#include "ui/roofline/roofline_trail.h"
#include "ui/roofline/roofline_view.h"

#include <QAbstractButton>

#include <algorithm>

namespace plumb::ui::test {
namespace {

class RooflineHandTest : public ChartViewTest<RooflineView> {
protected:
    RooflineHandTest() : ChartViewTest("rooflineChart") {}
    QAbstractButton& entry(const char* id) {
        return *child<QAbstractButton>(*view, (std::string("legend.") + id).c_str());
    }
    [[nodiscard]] QStringList shown() {
        QStringList ids;
        for (const LegendEntry& each : child<LegendRow>(*view, "legend")->entries())
            if (each.checked) ids << each.id;
        return ids;
    }
};

TEST_F(RooflineHandTest, TheLegendHidesASeriesAndShowsOneAloneAmongItsKind) {
    pretendMeasured(workbench);
    make(ViewSize::Full);
    const QStringList all = shown();
    ASSERT_TRUE(all.contains(QStringLiteral("forward")) && all.contains(QStringLiteral("backward")));
    const QImage before = chart().toImage(1);
    entry("forward").click();
    EXPECT_FALSE(shown().contains(QStringLiteral("forward")));
    EXPECT_NE(chart().toImage(1), before);
    entry("forward").click();
    EXPECT_EQ(chart().toImage(1), before);

    QTest::mouseClick(&entry("backward"), Qt::LeftButton, Qt::ControlModifier);
    QTest::keyClick(&entry("backward"), Qt::Key_Shift);  // and no Ctrl that is held down for other tests
    EXPECT_TRUE(shown().contains(QStringLiteral("backward")) && !shown().contains(QStringLiteral("forward")));
    EXPECT_TRUE(shown().contains(QStringLiteral("filled"))) << "ways to tell a rate are of another kind";
    QTest::keyClick(&entry("backward"), Qt::Key_Return);
    EXPECT_EQ(shown(), all) << "once more: all of them";
    QTest::mouseDClick(&entry("forward"), Qt::LeftButton);
    EXPECT_TRUE(shown().contains(QStringLiteral("forward")) && !shown().contains(QStringLiteral("backward")));
}

TEST_F(RooflineHandTest, NamesEveryCeilingAndSlopeWithoutOverlap) {
    Machine machine = roundMachine();
    machine.peakFlopPerSecond = {{Dtype::Fp32, 60e12},
                                 {Dtype::Tf32, 490e12},
                                 {Dtype::Fp16, 990e12},
                                 {Dtype::Bf16, 980e12},
                                 {Dtype::Fp8E4M3, 1979e12}};
    ASSERT_TRUE(workbench.show({machine, cpuTraits()}).has_value());
    make(ViewSize::Full);
    QString texts;
    const auto labels = chart().placedLabels();
    for (qsizetype i = 0; i < labels.size(); ++i) {
        texts += labels[i].text + u'|';
        for (qsizetype j = 0; j < i; ++j)
            if (labels[i].angle == 0 && labels[j].angle == 0) {
                EXPECT_FALSE(labels[i].box.intersects(labels[j].box))
                    << labels[i].text.toStdString() << " | " << labels[j].text.toStdString();
            }
    }
    for (const RooflineCeiling& ceiling : view->state().ceilings)
        EXPECT_TRUE(texts.contains(QString::fromStdString(formatQuantity(ceiling.flopPerSecond, "FLOP/s"))))
            << ceiling.flopPerSecond << " is not in " << texts.toStdString();
}

TEST_F(RooflineHandTest, SizesDotsByTimeWhereThatIsAskedFor) {
    pretendMeasured(workbench);
    make(ViewSize::Full);
    const QImage before = chart().toImage(1);
    child<QAbstractButton>(*view, "rooflineLooks0")->click();
    EXPECT_NE(chart().toImage(1), before);
    child<QAbstractButton>(*view, "rooflineLooks0")->click();
    EXPECT_EQ(chart().toImage(1), before);
}

TEST_F(RooflineHandTest, ListsWhatIsStackedUnderThePointerTheLongestFirst) {
    make(ViewSize::Full);
    // Ops of a kind cost the same in each of the eight layers: they stand at one place.
    const RooflinePoint* stacked = nullptr;
    int same = 0;
    for (const RooflinePoint& point : view->state().points) {
        same = static_cast<int>(std::ranges::count_if(view->state().points, [&](const RooflinePoint& other) {
            return other.intensity == point.intensity && other.predicted == point.predicted;
        }));
        stacked = &point;
        if (same >= 3) break;
    }
    ASSERT_GE(same, 3);
    const QPoint place = chart().toPixel({stacked->intensity, *stacked->predicted}).toPoint();
    moveTo(canvas(), place);
    const auto* card = child<HoverCard>(*view, "hoverCard");
    ASSERT_NE(card, nullptr);
    ASSERT_TRUE(card->isVisible());
    EXPECT_GE(card->content().rows.size(), 3);
    EXPECT_LE(card->content().rows.size(), 10);
    EXPECT_TRUE(card->content().title.contains(QStringLiteral("points here")))
        << card->content().title.toStdString();
    EXPECT_EQ(card->content().rows.first().values.size(), 2);
}

TEST_F(RooflineHandTest, ABoxThatIsDrawnNarrowsAllViewsToTheOperationsOfItsDots) {
    make(ViewSize::Full);
    OpRange& range = workbench.selection().range();
    const auto placeOf = [&](const RooflinePoint& point) {
        return chart().toPixel({point.intensity, *point.predicted});
    };
    // A box around the first dot has those that are stacked there, and no other.
    const QRectF box(placeOf(view->state().points.front()) - QPointF(4, 4), QSizeF(8, 8));
    std::vector<int> inside;
    for (const RooflinePoint& point : view->state().points)
        if (box.contains(placeOf(point))) inside.push_back(static_cast<int>(point.ops.front()));
    ASSERT_LT(inside.size(), view->state().points.size());
    drag(box.topLeft(), box.bottomRight(), Qt::ShiftModifier);
    EXPECT_EQ(range.ops(), OpSet(inside));
    EXPECT_FALSE(child<QAbstractButton>(*view, "rooflineShowAll")->isVisible()) << "it does not zoom";

    auto* clear = child<QAbstractButton>(*view, "rooflineClearRange");
    EXPECT_TRUE(clear->isVisible());
    EXPECT_TRUE(clear->text().contains(QString::number(inside.size()))) << clear->text().toStdString();
    clear->click();
    EXPECT_FALSE(range.isChosen());
    EXPECT_FALSE(clear->isVisible());

    range.select(OpSpan{0, 3});
    drag(box.topLeft(), box.topLeft(), Qt::ShiftModifier);
    EXPECT_FALSE(range.isChosen()) << "a drawing that goes nowhere lets go";
}

TEST_F(RooflineHandTest, KeysMakeTheRangeOfTheSelectedPointAndTakeOthersIntoIt) {
    make(ViewSize::Full);
    OpRange& range = workbench.selection().range();
    QTest::keyClick(&chart(), Qt::Key_M);
    EXPECT_FALSE(range.isChosen()) << "nothing is selected";
    QTest::keyClick(&chart(), Qt::Key_Home);
    QTest::keyClick(&chart(), Qt::Key_M);
    const auto opsOf = [&](std::size_t at) {
        return view->state().shownOps(view->state().points[at], false);
    };
    EXPECT_EQ(range.ops(), OpSet(opsOf(0)));
    QTest::keyClick(&chart(), Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(range.ops(), OpSet(opsOf(0)).with(opsOf(1)));
    QTest::keyClick(&chart(), Qt::Key_Escape);  // and no Shift that is held down for the tests after this
    EXPECT_FALSE(range.isChosen());
    EXPECT_FALSE(workbench.selection().op().isEmpty()) << "the operation is let go by another one";
}

TEST_F(RooflineHandTest, TheRangeLeavesTheOtherDotsFaintAndWithoutAName) {
    make(ViewSize::Full);
    const auto names = chart().placedLabels().size();
    workbench.selection().range().select(OpSpan{1, 2});
    EXPECT_LT(chart().placedLabels().size(), names);
    const RooflinePoint& other = view->state().points.back();
    EXPECT_TRUE(chart().markAt(chart().toPixel({other.intensity, *other.predicted}), 2).has_value())
        << "it is there to be chosen";
}

TEST_F(RooflineHandTest, ADotOfTheRunSelectsTheSameOperationOfTheSlidersOrSaysThatThereIsNone) {
    pretendMeasured(workbench);
    ASSERT_TRUE(workbench.show(deepConfig(4)).has_value());
    make(ViewSize::Full);
    const RooflineState& state = view->state();
    ASSERT_FALSE(state.measuredPoints.empty());
    const Step& ran = *state.scene->measured->step;
    const Step& asked = *state.scene->whatIf.step;
    int found = 0, missing = 0;
    for (const RooflinePoint& point : state.measuredPoints) {
        const std::string id = ran.opId(point.ops.front());
        const QStringList footer = rooflineCard(state, point).footer.split(u'\n');
        const bool isThere = asked.findOp(id) >= 0;
        (isThere ? found : missing) += 1;
        EXPECT_EQ(footer.size(), isThere ? 1 : 2) << id;
        EXPECT_EQ(state.shownOps(point, true).empty(), !isThere);
        // Where one dot lies on another the upper one is clicked.
        const QPoint at = chart().toPixel({point.measuredIntensity(), *point.measured}).toPoint();
        workbench.selection().select({});
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, at);
        const QString chosen = workbench.selection().op();
        EXPECT_TRUE(chosen.isEmpty() || asked.findOp(chosen.toStdString()) >= 0) << chosen.toStdString();
    }
    EXPECT_GT(found, 0);
    EXPECT_GT(missing, 0) << "four of eight layers are gone";

    // Its own dot is lit with that of the sliders.
    workbench.selection().select({});
    const QImage before = chart().toImage(1);
    workbench.selection().select(QString::fromStdString(ran.opId(state.measuredPoints.back().ops.front())));
    EXPECT_NE(chart().toImage(1), before);
}

TEST_F(RooflineHandTest, ASliderLeavesTheDotsOfTheRunAndAnotherReadingMovesThem) {
    pretendMeasured(workbench);
    const auto plan = workbench.scene()->measured->plan;
    ASSERT_TRUE(workbench.show(deepConfig(4)).has_value());
    make(ViewSize::Full);
    const auto expectAsMadeAnew = [&] {
        const RooflineState fresh = makeRooflineState(workbench.scene(), false);
        const RooflineState& shown = view->state();
        ASSERT_EQ(shown.measuredPoints.size(), fresh.measuredPoints.size());
        ASSERT_EQ(shown.named.size(), fresh.named.size());
        for (std::size_t i = 0; i < fresh.measuredPoints.size(); ++i)
            EXPECT_EQ(shown.measuredPoints[i].measured, fresh.measuredPoints[i].measured);
        for (std::size_t i = 0; i < fresh.named.size(); ++i)
            EXPECT_EQ(shown.named[i].measured, fresh.named[i].measured);
    };
    for (const std::int64_t layers : {5, 8, 6}) {  // 8 is the run itself
        ASSERT_TRUE(workbench.show(deepConfig(layers)).has_value());
        view->refresh();
        expectAsMadeAnew();
    }
    Reading slower = *workbench.scene()->measured->reading;
    for (OpReading& op : slower.ops) *op.seconds *= 2;
    workbench.setMeasured(std::make_shared<const Reading>(slower), plan);
    view->refresh();
    expectAsMadeAnew();
}

TEST_F(RooflineHandTest, TheWheelDragsKeysAndADoubleClickZoomAndPan) {
    make(ViewSize::Full);
    expectZoomByHand(*child<QAbstractButton>(*view, "rooflineShowAll"), true);
    make(ViewSize::Compact);
    EXPECT_FALSE(wheelOn(canvas(), chart().plotRect().center(), 4)) << "a card is not zoomed";
}

TEST_F(RooflineHandTest, ATrailHasThePlacesOfTheSlidersPathAndEndsWhereTheDotIs) {
    RooflineTrail trail;
    QVector<ChartMark> marks;
    QVector<ChartJoin> joins;
    const auto all = [](Phase /*phase*/) { return true; };
    trail.add(makeRooflineState(workbench.scene(), false));
    trail.add(makeRooflineState(workbench.scene(), false));
    EXPECT_TRUE(trail.isEmpty()) << "nothing moved";
    for (const std::int64_t batch : {256, 128, 64, 32}) {
        ASSERT_TRUE(workbench.show(deepConfig(8, 4096, batch)).has_value());
        trail.add(makeRooflineState(workbench.scene(), false));
    }
    EXPECT_FALSE(trail.isEmpty());
    trail.addTo(marks, joins, all);
    EXPECT_EQ(marks.size(), joins.size());
    ASSERT_FALSE(marks.isEmpty());
    for (const ChartMark& mark : marks) EXPECT_LT(mark.tag, 0);
    for (std::size_t i = 0; i < 3 * RooflineTrail::kMost; ++i) {
        ASSERT_TRUE(
            workbench.show(deepConfig(8, 4096, 1024 + 64 * static_cast<std::int64_t>(i))).has_value());
        trail.add(makeRooflineState(workbench.scene(), false));
    }
    marks.clear();
    joins.clear();
    trail.addTo(marks, joins, [](Phase phase) { return phase == Phase::Loss; });
    EXPECT_LE(marks.size(), static_cast<qsizetype>(RooflineTrail::kMost) - 1) << "the oldest places go";
    trail.clear();
    EXPECT_TRUE(trail.isEmpty());
}

TEST_F(RooflineHandTest, NamesItsControls) {
    make(ViewSize::Full);
    for (const char* name : {"rooflineLooks", "rooflineLevel"})
        EXPECT_FALSE(child<QWidget>(*view, name)->accessibleName().isEmpty());
    EXPECT_FALSE(chart().accessibleDescription().isEmpty());
}

}  // namespace
}  // namespace plumb::ui::test

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

TEST_F(RooflineHandTest, HasOnlyTheRangeOfOperationsThatWasChosen) {
    make(ViewSize::Full);
    const QImage before = chart().toImage(1);
    workbench.selection().range().select(OpSpan{1, 2});
    EXPECT_NE(chart().toImage(1), before);
    workbench.selection().range().clear();
    EXPECT_EQ(chart().toImage(1), before);
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

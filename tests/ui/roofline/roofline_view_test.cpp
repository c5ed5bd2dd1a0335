// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/roofline/roofline_view.h"

#include "tests/support/random_config.h"
#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/support.h"
#include "tests/ui/view_fixture.h"
#include "ui/charts/legend_row.h"
#include "ui/charts/turned_box.h"
#include "ui/widgets/card.h"
#include "ui/workbench/step_text.h"

#include <QPushButton>

#include <algorithm>
#include <cmath>
#include <set>

namespace plumb::ui::test {
namespace {

TurnedBox boxOf(const ChartPanel::PlacedText& text) { return {text.box, text.angle}; }

class RooflineViewTest : public ChartViewTest<RooflineView> {
protected:
    RooflineViewTest() : ChartViewTest("rooflineChart") {}
};

TEST(RooflineState, ShowsEveryOpWithFlopsOnceGroupedOrNot) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Workbench workbench;
        Machine machine = roundMachine();  // with a peak for every recipe
        for (const Dtype dtype : kAllDtypes)
            if (!machine.peak(dtype)) machine.peakFlopPerSecond.emplace_back(dtype, 4e12);
        EXPECT_TRUE(workbench.show({machine, cpuTraits()}).has_value());
        EXPECT_TRUE(workbench.show(plumb::test::randomConfig(seed)).has_value());
        if (seed % 2 == 0) pretendMeasured(workbench);
        const StepPlan& plan = *workbench.scene()->whatIf.plan;
        for (const bool grouped : {true, false}) {
            const RooflineState state = makeRooflineState(workbench.scene(), grouped);
            std::set<std::int64_t> seen;
            Flops flops = 0;
            for (const RooflinePoint& point : state.points) {
                for (const std::int64_t op : point.ops) {
                    EXPECT_TRUE(seen.insert(op).second);
                    EXPECT_EQ(&state.points[static_cast<std::size_t>(pointOf(state.points, op))], &point);
                }
                flops += point.flops;
                EXPECT_EQ(point.measured.has_value(), seed % 2 == 0);
                // No prediction lies above its own roof, and the axes hold every point.
                ASSERT_TRUE(point.predicted && point.roof);
                EXPECT_LE(*point.predicted, *point.roof * (1 + 1e-9));
                EXPECT_GE(point.intensity, state.minIntensity);
                EXPECT_LE(point.intensity, state.maxIntensity);
                EXPECT_GE(*point.predicted, state.minRate);
                EXPECT_LE(*point.predicted, state.maxRate);
            }
            EXPECT_EQ(seen.size() + static_cast<std::size_t>(state.withoutFlops), plan.ops.size());
            EXPECT_EQ(flops, plan.flops);
        }
    }
}

TEST_F(RooflineViewTest, PutsTheRidgeWhereCeilingAndSlopeMeet) {
    make(ViewSize::Compact);
    ASSERT_TRUE(view->state().balance);
    EXPECT_DOUBLE_EQ(*view->state().balance, 1e15 / 5e12);  // bf16, the configuration's own
}

TEST_F(RooflineViewTest, SaysWhichOpsHaveNoPlace) {
    make(ViewSize::Compact);
    EXPECT_EQ(view->state().withoutFlops, 1);
    EXPECT_TRUE(view->state().subtitle.contains(QStringLiteral("not shown: 1 op without FLOPs")));
}

TEST_F(RooflineViewTest, OffersToCalibrateAMachineWithoutCeilings) {
    EXPECT_TRUE(workbench.show({bareMachine(), cpuTraits()}).has_value());
    RooflineView& shown = make(ViewSize::Compact);
    EXPECT_EQ(chart().emptyText().toStdString(),
              "No ceilings for this machine yet. Calibrate (takes about three minutes)");
    auto* button = child<QPushButton>(shown, "rooflineCalibrate");
    EXPECT_TRUE(button->isVisible());
    EXPECT_TRUE(workbench.show({roundMachine(), cpuTraits()}).has_value());
    EXPECT_TRUE(chart().emptyText().isEmpty());
    EXPECT_FALSE(button->isVisible());
}

TEST_F(RooflineViewTest, SaysThatAFileHasNoCeilingsWhateverTheMachineHasNow) {
    EXPECT_TRUE(workbench.show({bareMachine(), cpuTraits()}).has_value());
    auto filed = std::make_shared<Scene>(*workbench.scene());
    filed->whatIf.isFiled = true;
    EXPECT_TRUE(makeRooflineState(filed, true).emptyText.startsWith(QStringLiteral("The file has no")));
    pretendMeasured(workbench);
    *filed = *workbench.scene();
    EXPECT_TRUE(makeRooflineState(filed, true).subtitle.contains(QStringLiteral("for this machine yet")));
    filed->whatIf.isFiled = true;
    EXPECT_TRUE(makeRooflineState(filed, true).subtitle.contains(QStringLiteral("the file has no ceilings")));
}

TEST_F(RooflineViewTest, InventsNoPredictionWithoutCeilings) {
    EXPECT_TRUE(workbench.show({bareMachine(), cpuTraits()}).has_value());
    pretendMeasured(workbench);
    make(ViewSize::Compact);
    ASSERT_FALSE(view->state().points.empty());
    for (const RooflinePoint& point : view->state().points) {
        EXPECT_FALSE(point.predicted);
        EXPECT_FALSE(point.roof);
        EXPECT_TRUE(point.measured);
    }
    EXPECT_TRUE(chart().emptyText().isEmpty());
}

TEST_F(RooflineViewTest, SelectsByClickAndByKeyAndShowsSelectionsFromElsewhere) {
    make(ViewSize::Full);
    const StepPlan& plan = *workbench.scene()->whatIf.plan;
    const RooflinePoint& first = view->state().points.front();
    QTest::mouseClick(&canvas(), Qt::LeftButton, {},
                      chart().toPixel({first.intensity, *first.predicted}).toPoint());
    ASSERT_FALSE(workbench.selection().op().isEmpty());
    QTest::keyClick(&chart(), Qt::Key_Home);
    EXPECT_EQ(workbench.selection().op(), idOf(plan, first.ops.front()));
    QTest::keyClick(&chart(), Qt::Key_Right);
    EXPECT_EQ(workbench.selection().op(), idOf(plan, view->state().points[1].ops.front()));
    QTest::keyClick(&chart(), Qt::Key_Left);
    QTest::keyClick(&chart(), Qt::Key_Left);
    EXPECT_EQ(workbench.selection().op(), idOf(plan, view->state().points.back().ops.front()));
    const QImage before = chart().toImage(1);
    workbench.selection().select(idOf(plan, 1));
    EXPECT_NE(chart().toImage(1), before);
}

TEST_F(RooflineViewTest, KeepsTheRunsPointsApartFromTheWhatIf) {
    pretendMeasured(workbench);
    make(ViewSize::Compact);
    EXPECT_TRUE(view->state().measuredPoints.empty());
    EXPECT_TRUE(workbench.show(deepConfig(8, 1024)).has_value());
    ASSERT_FALSE(view->state().measuredPoints.empty());
    for (const RooflinePoint& point : view->state().points) EXPECT_FALSE(point.measured);
    EXPECT_TRUE(view->state().subtitle.contains(QStringLiteral("what-if")));
}

TEST_F(RooflineViewTest, NeverOverlapsOrClipsItsLabels) {
    for (const ViewSize size : {ViewSize::Compact, ViewSize::Full}) {
        make(size);
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            EXPECT_TRUE(workbench
                            .show(seed % 2 == 0 ? plumb::test::randomConfig(seed)
                                                : deepConfig(2 + static_cast<std::int64_t>(seed), 4096))
                            .has_value());
            if (seed % 3 == 0) pretendMeasured(workbench);
            view->resize(300 + static_cast<int>(seed * 29 % 900), 220 + static_cast<int>(seed * 17 % 500));
            auto texts = chart().placedLabels();
            for (const auto& text : texts)
                EXPECT_TRUE(boxOf(text).isInside(chart().plotRect())) << text.text.toStdString();
            texts += chart().tickLabels(ChartAxis::X);
            texts += chart().tickLabels(ChartAxis::Y);
            for (qsizetype i = 0; i < texts.size(); ++i) {
                EXPECT_TRUE(boxOf(texts[i]).isInside(chart().rect())) << texts[i].text.toStdString();
                for (qsizetype j = 0; j < i; ++j)
                    EXPECT_FALSE(boxOf(texts[i]).overlaps(boxOf(texts[j])))
                        << texts[i].text.toStdString() << " | " << texts[j].text.toStdString();
            }
        }
    }
}

TEST_F(RooflineViewTest, NamesTheActiveCeilingEvenWhenItIsSmall) {
    make(ViewSize::Compact);
    const auto texts = chart().placedLabels();
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(),
                            [](const auto& text) { return text.text.startsWith(QStringLiteral("bf16")); }));
}

TEST_F(RooflineViewTest, NamesATypeOnTheLineOfTheActiveOneWithThat) {
    Machine machine = roundMachine();
    machine.peakFlopPerSecond = {
        {Dtype::Fp32, 60e12}, {Dtype::Fp16, 1.01e15}, {Dtype::Bf16, 1e15}, {Dtype::Tf32, 60e12}};
    EXPECT_TRUE(workbench.show({machine, cpuTraits()}).has_value());
    make(ViewSize::Full);
    QStringList texts;
    for (const auto& placed : chart().placedLabels()) texts << placed.text;
    const QString all = texts.join(QLatin1Char(';'));
    EXPECT_TRUE(all.contains(QStringLiteral("bf16 1.00 PFLOP/s calibrated · fp16 1.01 PFLOP/s")))
        << all.toStdString();
    EXPECT_EQ(all.count(QStringLiteral("fp16")), 1) << all.toStdString();
    EXPECT_TRUE(all.contains(QStringLiteral("fp32, tf32 60.0 TFLOP/s"))) << "two at one rate share a name";
}

TEST_F(RooflineViewTest, NamesNoCeilingAtTheHeightOfAnotherRate) {
    Machine machine = roundMachine();
    machine.peakFlopPerSecond = {{Dtype::Bf16, 272e9}, {Dtype::Fp16, 256e9},    {Dtype::Tf32, 254e9},
                                 {Dtype::Fp32, 281e9}, {Dtype::Fp8E4M3, 245e9}, {Dtype::Fp64, 20e9}};
    EXPECT_TRUE(workbench.show({machine, cpuTraits()}).has_value());
    make(ViewSize::Full);
    const AxisOptions y = chart().axis(ChartAxis::Y);
    const QRectF plot = chart().plotRect();
    int named = 0;
    for (const auto& placed : chart().placedLabels()) {
        for (const auto& [dtype, peak] : machine.peakFlopPerSecond) {
            const QString type = dtypeText(dtype);
            if (!placed.text.contains(type + QStringLiteral(" 2"))) continue;
            ++named;
            const double at =
                plot.bottom() - std::log(peak / y.min) / std::log(y.max / y.min) * plot.height();
            EXPECT_LT(std::abs(placed.box.center().y() - at), 3 * placed.box.height())
                << placed.text.toStdString();
        }
    }
    EXPECT_EQ(named, 6);
}

TEST_F(RooflineViewTest, TheLegendHasNoPredictionWhereNothingIsPredicted) {
    const auto entries = [&] {
        QStringList ids;
        for (const LegendEntry& entry : chart().findChild<LegendRow*>()->entries()) ids << entry.id;
        return ids;
    };
    make(ViewSize::Full);
    EXPECT_TRUE(entries().contains(QStringLiteral("hollow")));
    EXPECT_TRUE(workbench.show({bareMachine(), cpuTraits()}).has_value());
    pretendMeasured(workbench);
    EXPECT_FALSE(entries().contains(QStringLiteral("hollow")));
    EXPECT_TRUE(entries().contains(QStringLiteral("filled")));
}

TEST_F(RooflineViewTest, SaysUnknownForWhatIsNotKnown) {
    EXPECT_TRUE(workbench.show({bareMachine(), cpuTraits()}).has_value());
    pretendMeasured(workbench);
    make(ViewSize::Compact);
    const HoverCardContent card = rooflineCard(view->state(), view->state().points.front());
    EXPECT_EQ(card.rows[0].values.first(), QStringLiteral("–"));
    EXPECT_NE(card.rows[0].values.last(), QStringLiteral("–"));
}

TEST_F(RooflineViewTest, OnlySecondsAndWhatFollowsFromThemStandUnderMeasured) {
    pretendMeasured(workbench);
    make(ViewSize::Compact);
    const HoverCardContent card = rooflineCard(view->state(), view->state().points.front());
    ASSERT_EQ(card.header, QStringList({QStringLiteral("predicted"), QStringLiteral("measured")}));
    int measured = 0;
    for (const auto& row : card.rows) {
        ASSERT_EQ(row.values.size(), 2);
        EXPECT_FALSE(row.values.first().isEmpty()) << row.name.toStdString();
        measured += row.values.last().isEmpty() ? 0 : 1;
    }
    EXPECT_EQ(measured, 4) << "rate, time, share of the roof and what the time is";
    EXPECT_EQ(card.rows.size(), 9);
    const auto tier =
        std::ranges::find(card.rows, QStringLiteral("source of the time"), &HoverCardContent::Row::name);
    ASSERT_NE(tier, card.rows.end());
    EXPECT_EQ(tier->values.first().toStdString(),
              tierName(*workbench.scene()->whatIf.prediction->totals.tier));
    EXPECT_EQ(tier->values.last(), QStringLiteral("measured"));
}

TEST_F(RooflineViewTest, NoShareOfARoofIsAboveTheWhole) {
    Machine slow = workbench.scene()->whatIf.machine();
    for (auto& [dtype, rate] : slow.peakFlopPerSecond) rate = 1e6;
    pretendMeasured(workbench);
    EXPECT_TRUE(workbench.show({slow, cpuTraits()}).has_value());
    make(ViewSize::Compact);
    for (const RooflinePoint& point : view->state().points) {
        const HoverCardContent card = rooflineCard(view->state(), point);
        const auto row =
            std::ranges::find(card.rows, QStringLiteral("share of roof"), &HoverCardContent::Row::name);
        ASSERT_NE(row, card.rows.end());
        const QString share = row->values.last();
        EXPECT_TRUE(share.contains(QStringLiteral("ceiling too low")) ||
                    share.section(u' ', 0, 0).toDouble() <= 100)
            << share.toStdString();
    }
}

TEST_F(RooflineViewTest, ARecordOfTheUsersOwnIsTheDataSheetOfACalibratedMachine) {
    Machine calibrated = workbench.scene()->whatIf.machine();
    calibrated.source = "calibrated 2026-01-01";
    EXPECT_TRUE(workbench.show({calibrated, cpuTraits()}).has_value());
    const auto sheets = [&] {
        const RooflineState state = makeRooflineState(workbench.scene(), true);
        return std::ranges::count_if(state.ceilings, [](const auto& ceiling) { return !ceiling.calibrated; });
    };
    ASSERT_EQ(sheets(), 0);
    Machine own = calibrated;
    own.source = "data sheet: my own";
    own.peakFlopPerSecond = {{Dtype::Fp32, 9e12}};
    EXPECT_TRUE(workbench.show({calibrated, cpuTraits()}, {{own}}).has_value());
    EXPECT_EQ(sheets(), 1);
}

}  // namespace
}  // namespace plumb::ui::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline with counters: roofs of the cache levels, measured points by the bytes of a level.
#include "core/measure/counter_comparison.h"
#include "tests/support/counters.h"
#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/turned_box.h"
#include "ui/roofline/roofline_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/segmented_control.h"

#include <QPushButton>

namespace plumb::ui::test {
namespace {

/// A GPU of which calibration measured three levels.
Machine calibratedGpu() {
    Machine machine = roundMachine();
    machine.source = "calibrated 2026-11-20";
    machine.costs.emplace();
    machine.costs->bandwidth = {
        {1 << 16, 20e12, 20e12, 20e12}, {1 << 24, 10e12, 10e12, 10e12}, {1 << 30, 5e12, 5e12, 5e12}};
    return machine;
}

void measureWithCounters(Workbench& workbench) {
    const auto plan = workbench.scene()->whatIf.plan;
    Reading reading = *perturbedReading(*plan, workbench.scene()->whatIf.machine());
    applyCounters(reading, plumb::test::countersOf(*plan),
                  {"GH100",
                   "580",
                   "130001",
                   {"sm__ops_path_tensor_src_fp8_sparsity_off.sum", "dram__bytes_read.sum",
                    "dram__bytes_write.sum", "lts__t_sectors_srcunit_tex.sum"},
                   1,
                   {},
                   {}});
    workbench.setMeasured(std::make_shared<const Reading>(std::move(reading)), plan);
}

TEST(RooflineLevels, PlaceMeasuredPointsByTheBytesOfTheLevel) {
    Workbench workbench;
    EXPECT_TRUE(workbench.show({calibratedGpu(), cpuTraits()}).has_value());
    EXPECT_TRUE(workbench.show(deepConfig(4)).has_value());
    measureWithCounters(workbench);
    for (const auto& [level, factor] : {std::pair{MemoryLevel::Dram, 2.0}, {MemoryLevel::L2, 0.5}}) {
        const RooflineState state = makeRooflineState(workbench.scene(), false, level);
        EXPECT_TRUE(state.levelsAbsent.isEmpty());
        for (const RooflinePoint& point : state.points) {
            ASSERT_TRUE(point.countedIntensity.has_value());
            EXPECT_NEAR(*point.countedIntensity / point.intensity, factor, 1e-9);
            // Executed FLOPs make the rate, as they make the intensity: both sides are measured.
            EXPECT_NEAR(*point.measured, 2.0 * static_cast<double>(point.flops) / *point.measuredSeconds,
                        1.0);
        }
    }
    // A level that was not counted leaves the point where the model puts it.
    for (const RooflinePoint& point : makeRooflineState(workbench.scene(), false, MemoryLevel::L1).points) {
        EXPECT_FALSE(point.countedIntensity.has_value());
        EXPECT_EQ(point.measuredIntensity(), point.intensity);
    }
}

TEST(RooflineLevels, AGroupIsPlacedByTheSumsOfItsOps) {
    Workbench workbench;
    EXPECT_TRUE(workbench.show({calibratedGpu(), cpuTraits()}).has_value());
    EXPECT_TRUE(workbench.show(deepConfig(8)).has_value());
    measureWithCounters(workbench);
    for (const RooflinePoint& point : makeRooflineState(workbench.scene(), true, MemoryLevel::L2).points) {
        Bytes bytes = 0;
        for (const std::int64_t op : point.ops) bytes += workbench.scene()->whatIf.plan->op(op).bytes * 4;
        EXPECT_EQ(point.countedBytes, bytes);
    }
}

TEST(RooflineLevels, EachLevelHasItsRoofAndTheChosenOneIsActive) {
    Workbench workbench;
    EXPECT_TRUE(workbench.show({calibratedGpu(), cpuTraits()}).has_value());
    EXPECT_TRUE(workbench.show(deepConfig(4)).has_value());
    measureWithCounters(workbench);
    const RooflineState state = makeRooflineState(workbench.scene(), false, MemoryLevel::L2);
    ASSERT_EQ(state.slopes.size(), 3);
    EXPECT_EQ(state.slopes[0].bytesPerSecond, 5e12);
    EXPECT_EQ(state.slopes[1].bytesPerSecond, 10e12);
    EXPECT_TRUE(state.slopes[1].label.startsWith(QStringLiteral("L2")));
    for (const RooflineSlope& slope : state.slopes) EXPECT_EQ(slope.active, slope.level == MemoryLevel::L2);
    EXPECT_NEAR(*state.balance, 1e15 / 10e12, 1e-6);  // bf16 peak over the L2's bandwidth
}

/// The view of a step on a GPU that is calibrated, of which nothing was measured.
struct ViewOfGpu {
    ViewOfGpu() {
        EXPECT_TRUE(workbench.show({calibratedGpu(), cpuTraits()}).has_value());
        EXPECT_TRUE(workbench.show(deepConfig(4)).has_value());
    }
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    Workbench workbench;
    RooflineView view{{workbench, theme}, ViewSize::Full};
};

TEST(RooflineLevels, WithoutCountersTheSwitchIsOffAndSaysWhy) {
    ViewOfGpu shown;
    Workbench& workbench = shown.workbench;
    RooflineView& view = shown.view;
    view.resize(1200, 700);
    view.show();
    auto* levels = child<SegmentedControl>(view, "rooflineLevel");
    EXPECT_FALSE(levels->isEnabled());
    EXPECT_FALSE(levels->toolTip().isEmpty());
    auto reading = std::make_shared<Reading>(
        *perturbedReading(*workbench.scene()->whatIf.plan, workbench.scene()->whatIf.machine()));
    reading->countersAbsent = "the driver lets only administrators read counters";
    workbench.setMeasured(reading, workbench.scene()->whatIf.plan);
    EXPECT_FALSE(levels->isEnabled());
    EXPECT_EQ(levels->toolTip(), QStringLiteral("the driver lets only administrators read counters"));
    measureWithCounters(workbench);
    EXPECT_TRUE(levels->isEnabled());
    QTest::mouseClick(child<QPushButton>(view, "rooflineLevel1"), Qt::LeftButton);
    EXPECT_EQ(view.state().level, MemoryLevel::L2);
    EXPECT_EQ(levels->current(), 1);
}

TEST(RooflineLevels, CardsAndTheSwitchNameTheMetricsOfWhatWasCounted) {
    ViewOfGpu shown;
    Workbench& workbench = shown.workbench;
    RooflineView& view = shown.view;
    auto* dram = child<QPushButton>(view, "rooflineLevel0");
    const QString metric = QStringLiteral("bytes, DRAM: dram__bytes_{read,write}.sum");
    EXPECT_FALSE(dram->toolTip().isEmpty());
    EXPECT_FALSE(dram->toolTip().contains(metric)) << "nothing was counted yet";
    measureWithCounters(workbench);
    view.resize(1200, 700);
    view.show();
    EXPECT_TRUE(dram->toolTip().contains(metric)) << dram->toolTip().toStdString();
    EXPECT_TRUE(child<QPushButton>(view, "rooflineLevel1")
                    ->toolTip()
                    .contains(QStringLiteral("bytes, L2: lts__t_sectors_srcunit_tex.sum")));
    EXPECT_FALSE(child<QPushButton>(view, "rooflineLevel2")->toolTip().contains(QStringLiteral("bytes, L1:")))
        << "its bytes were not counted";
    for (const MemoryLevel level : {MemoryLevel::Dram, MemoryLevel::L2}) {
        const RooflineState state = makeRooflineState(workbench.scene(), false, level);
        const QStringList footer = rooflineCard(state, state.points.front()).footer.split(QLatin1Char('\n'));
        ASSERT_EQ(footer.size(), 2) << footer.join(u'|').toStdString();
        EXPECT_EQ(footer[0], QStringLiteral("FLOPs: sm__ops_path_tensor_src_fp8_sparsity_off.sum"));
        EXPECT_EQ(footer[1], level == MemoryLevel::Dram
                                 ? metric
                                 : QStringLiteral("bytes, L2: lts__t_sectors_srcunit_tex.sum"));
    }
}

TEST(RooflineLevels, NoRoofGoesThroughTheNameOfAnotherAndEachStandsAtItsOwn) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    Workbench workbench;
    Machine machine = calibratedGpu();
    // Caches not far from memory and from each other.
    machine.costs->bandwidth = {
        {1 << 16, 14e12, 14e12, 14e12}, {1 << 24, 8e12, 8e12, 8e12}, {1 << 30, 5e12, 5e12, 5e12}};
    EXPECT_TRUE(workbench.show({machine, cpuTraits()}).has_value());
    EXPECT_TRUE(workbench.show(deepConfig(4)).has_value());
    measureWithCounters(workbench);
    for (const auto& [size, pixels] :
         {std::pair{ViewSize::Full, QSize(1200, 760)}, std::pair{ViewSize::Compact, QSize(560, 360)}}) {
        RooflineView view({workbench, theme}, size);
        view.resize(pixels);
        view.show();
        auto* chart = child<ChartPanel>(view, "rooflineChart");
        int named = 0;
        for (const auto& text : chart->placedLabels()) {
            // As high as the letters are.
            const TurnedBox ink = TurnedBox{text.box, text.angle}.grown(0, -text.box.height() * 0.2);
            for (const RooflineSlope& slope : view.state().slopes) {
                const QLineF line(chart->toPixel({view.state().minIntensity,
                                                  slope.bytesPerSecond * view.state().minIntensity}),
                                  chart->toPixel({view.state().balance.value(),
                                                  slope.bytesPerSecond * view.state().balance.value()}));
                // The Overview names memory by its bandwidth alone.
                const bool isNamed = text.text == slope.label ||
                                     (size == ViewSize::Compact && slope.level == MemoryLevel::Dram &&
                                      slope.label.endsWith(QLatin1Char(' ') + text.text));
                if (!isNamed) {
                    EXPECT_FALSE(ink.isCrossedBy(line) && text.angle != 0)
                        << slope.label.toStdString() << " through " << text.text.toStdString();
                    continue;
                }
                ++named;
                EXPECT_NEAR(text.angle, -line.angle(), 0.5);
                EXPECT_TRUE(TurnedBox({text.box, text.angle}).grown(0, 3).isCrossedBy(line))
                    << text.text.toStdString() << " is away from its line";
            }
        }
        picture(view, QStringLiteral("roofs-%1").arg(pixels.width()));
        EXPECT_EQ(named, 3) << "memory, L2 and L1, " << pixels.width() << " pixels wide";
    }
}

}  // namespace
}  // namespace plumb::ui::test

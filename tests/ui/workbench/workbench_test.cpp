// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/workbench.h"

#include "core/machine/local_cpu.h"
#include "tests/ui/support.h"
#include "ui/workbench/late_view.h"

#include <QSignalSpy>

namespace plumb::ui {
namespace {

RunConfig small() { return RunConfig{.dim = 32, .layers = 3, .batch = 16}; }

std::shared_ptr<const Reading> readingOf(const StepPlan& plan) {
    auto reading = std::make_shared<Reading>(predictedReading(plan, localCpu()));
    reading->source = Source::Clock;
    double seconds = 1e-6;
    for (OpReading& op : reading->ops) op.seconds = seconds += 1e-6;
    return reading;
}

TEST(Workbench, HasASceneFromTheStart) {
    Workbench bench;
    ASSERT_NE(bench.scene(), nullptr);
    EXPECT_EQ(bench.config(), RunConfig{});
    EXPECT_EQ(bench.scene()->whatIf.prediction->opSeconds.size(), bench.scene()->whatIf.plan->ops.size());
}

TEST(Workbench, EveryValidConfigurationGivesOneNewScene) {
    Workbench bench;
    QSignalSpy changed(&bench, &Workbench::sceneChanged);
    const ScenePtr before = bench.scene();
    EXPECT_TRUE(bench.show(small()).has_value());
    EXPECT_EQ(changed.size(), 1);
    EXPECT_NE(bench.scene(), before);
    EXPECT_EQ(bench.config(), small());
    EXPECT_TRUE(bench.show(small()).has_value());
    EXPECT_EQ(changed.size(), 1) << "the same configuration again is no change";
}

TEST(Workbench, RejectsAnImpossibleConfigurationAndKeepsTheScene) {
    Workbench bench;
    EXPECT_TRUE(bench.show(small()).has_value());
    const ScenePtr before = bench.scene();
    QSignalSpy changed(&bench, &Workbench::sceneChanged);
    RunConfig bad = small();
    bad.microBatch = 5;  // does not divide 16
    const Result<void> refused = bench.show(bad);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find('5'), std::string::npos) << "the value is named";
    EXPECT_TRUE(changed.isEmpty());
    EXPECT_EQ(bench.scene(), before);
}

TEST(Workbench, ATargetAndItsDataSheetsAreOneChangeAndTheSheetsStayWhereItIsRefused) {
    Workbench bench;
    RunConfig fp8 = small();
    fp8.precision = Precision::Fp8;
    const Target capable{localCpu(), traitsFor("cuda", 90)};
    ASSERT_TRUE(bench.show(capable).has_value());
    ASSERT_TRUE(bench.show(fp8).has_value());
    QSignalSpy changed(&bench, &Workbench::sceneChanged);
    EXPECT_TRUE(bench.show(capable, {{localCpu()}}).has_value());
    EXPECT_EQ(changed.size(), 1);
    EXPECT_EQ(bench.scene()->dataSheets->size(), 1U);

    const Target incapable{localCpu(), traitsFor("cuda", 80)};
    EXPECT_FALSE(bench.show(incapable, {{localCpu(), localCpu()}}).has_value());
    EXPECT_EQ(changed.size(), 2);
    EXPECT_EQ(bench.scene()->dataSheets->size(), 2U);
    EXPECT_EQ(bench.traits(), capable.traits);
    EXPECT_FALSE(bench.show(incapable).has_value());
    EXPECT_EQ(changed.size(), 2) << "nothing changed";
}

TEST(Workbench, WhatIfKeepsTheMeasurementOfWhatRan) {
    Workbench bench;
    EXPECT_TRUE(bench.show(small()).has_value());
    const auto plan = bench.scene()->whatIf.plan;
    bench.setMeasured(readingOf(*plan), plan);
    EXPECT_TRUE(bench.scene()->sameConfig());

    RunConfig other = small();
    other.layers = 9;
    EXPECT_TRUE(bench.show(other).has_value());
    EXPECT_FALSE(bench.scene()->sameConfig());
    EXPECT_EQ(bench.scene()->measured->plan, plan);
    EXPECT_EQ(bench.scene()->measured->prediction->memory.peakBytes,
              predict(*plan, localCpu()).memory.peakBytes);
    EXPECT_EQ(bench.scene()->config().layers, 9);

    Machine elsewhere = bench.scene()->whatIf.machine();
    elsewhere.id = "another";
    EXPECT_TRUE(bench.show(small()).has_value());
    EXPECT_TRUE(bench.show({elsewhere, bench.traits()}).has_value());
    EXPECT_FALSE(bench.scene()->sameConfig()) << "the same step on another machine is a what-if too";
}

TEST(Workbench, FindsEveryMeasuredOpById) {
    Workbench bench;
    EXPECT_TRUE(bench.show(small()).has_value());
    const auto plan = bench.scene()->whatIf.plan;
    const auto reading = readingOf(*plan);
    bench.setMeasured(reading, plan);
    ASSERT_FALSE(reading->ops.empty());
    for (const OpReading& op : reading->ops) EXPECT_EQ(bench.scene()->measuredOp(op.id), &op);
    EXPECT_EQ(bench.scene()->measuredOp("no.such.op"), nullptr);
    bench.clearMeasured();
    EXPECT_EQ(bench.scene()->measuredOp(reading->ops.front().id), nullptr);
}

TEST(Workbench, AMeasuredOpIsFoundByItsPlaceInWhatRanAndInAnyOtherStep) {
    Workbench bench;
    EXPECT_TRUE(bench.show(small()).has_value());
    const auto plan = bench.scene()->whatIf.plan;
    auto reading = std::make_shared<Reading>(*readingOf(*plan));
    std::swap(reading->ops[1], reading->ops[3]);  // of another program: in an order of its own
    reading->ops.erase(reading->ops.begin() + 2);
    const auto missing = plan->opId(2);
    bench.setMeasured(reading, plan);
    RunConfig other = small();
    other.layers = 5;
    EXPECT_TRUE(bench.show(other).has_value());
    const Scene& scene = *bench.scene();
    for (const Step* step : {static_cast<const Step*>(plan.get()), scene.whatIf.step.get()}) {
        int found = 0;
        for (std::int32_t op = 0; op < step->opCount(); ++op) {
            const OpReading* const entry = scene.measuredOp(*step, op);
            EXPECT_EQ(entry, scene.measuredOp(step->opId(op))) << op;
            if (entry == nullptr) continue;
            EXPECT_EQ(entry->id, step->opId(op));
            ++found;
        }
        EXPECT_EQ(found, std::ssize(reading->ops)) << step->title();
    }
    EXPECT_EQ(scene.measuredOp(missing), nullptr);
    EXPECT_EQ(scene.measuredOp(*plan, 2), nullptr);
}

TEST(Workbench, NewCeilingsOfTheMeasuringMachineReachWhatRan) {
    Workbench bench;
    Machine machine = bench.scene()->whatIf.machine();
    bench.setMeasured(readingOf(*bench.scene()->whatIf.plan), bench.scene()->whatIf.plan);
    EXPECT_FALSE(bench.scene()->measured->prediction->totals.seconds.has_value());
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e11}};
    machine.bandwidthBytesPerSecond = 1e10;
    EXPECT_TRUE(bench.show({machine, bench.traits()}).has_value());
    EXPECT_TRUE(bench.scene()->measured->prediction->totals.seconds.has_value());
}

TEST(Workbench, ACalibrationTellsWhichShareOfThePeakWasMeasured) {
    Workbench bench;
    Machine machine = bench.scene()->whatIf.machine();
    ASSERT_FALSE(machine.peak(Dtype::Fp32).has_value());
    const auto plan = bench.scene()->whatIf.plan;
    auto reading = std::make_shared<Reading>(*readingOf(*plan));
    reading->totals = makeTotals(*plan, machine, 0.01);
    bench.setMeasured(reading, plan);
    EXPECT_FALSE(bench.scene()->measured->reading->totals.mfu.has_value());
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e11}};
    EXPECT_TRUE(bench.show({machine, bench.traits()}).has_value());
    const std::optional<double> known = makeTotals(*plan, machine, 0.01).mfu;
    ASSERT_TRUE(known.has_value());
    EXPECT_EQ(bench.scene()->measured->reading->totals.mfu, known);
    EXPECT_EQ(bench.measurements().back().reading->totals.mfu, known) << "a saved file has it too";
    EXPECT_EQ(bench.scene()->measured->reading->ops.size(), reading->ops.size());
    // Another machine's peak says nothing of it.
    machine.id = "elsewhere";
    machine.peakFlopPerSecond = {{Dtype::Fp32, 2e11}};
    EXPECT_TRUE(bench.show({machine, bench.traits()}).has_value());
    EXPECT_EQ(bench.scene()->measured->reading->totals.mfu, known);
}

TEST(Workbench, OneSelectionIsAnnouncedOnce) {
    Workbench bench;
    QSignalSpy selected(&bench.selection(), &OpSelection::changed);
    bench.selection().select(QStringLiteral("optimizer"));
    bench.selection().select(QStringLiteral("optimizer"));
    EXPECT_EQ(selected.size(), 1);
    EXPECT_EQ(bench.selection().op(), QStringLiteral("optimizer"));
}

TEST(Workbench, LossesGoToTheRunThatGoesOnAndStayWhenItEnds) {
    Workbench bench;
    bench.runs().addLosses({{1, 0.5, 0.1}}, 1, 10);  // nothing runs: dropped
    EXPECT_TRUE(bench.runs().all().empty());
    bench.runs().beginRun(small(), 100);
    bench.runs().addLosses({{1, 0.5, 0.1}, {2, 0.4, 0.2}}, 2, 10);
    ASSERT_EQ(bench.runs().all().size(), 1U);
    EXPECT_NE(bench.runs().active(), nullptr);

    auto opened = std::make_shared<TrainingRun>();
    opened->title = QStringLiteral("from a file");
    bench.runs().addRun(opened);
    bench.runs().addLosses({{3, 0.3, 0.3}}, 3, 10);
    EXPECT_EQ(bench.runs().all().back()->history.count(), 3)
        << "an opened run does not take the losses of the live one";
    EXPECT_EQ(opened->history.count(), 0);

    bench.runs().endRun(TrainingEnd::Failed, QStringLiteral("the engine ended"));
    bench.runs().addLosses({{4, 0.2, 0.4}}, 4, 10);
    EXPECT_EQ(bench.runs().active(), nullptr);
    EXPECT_EQ(bench.runs().all().back()->history.count(), 3);
    EXPECT_EQ(bench.runs().all().back()->outcome, QStringLiteral("the engine ended"));
}

TEST(Workbench, SkippedStepsAndTheFirstAndNewestScalesBelongToTheRunThatGoesOn) {
    Workbench bench;
    bench.runs().addStatistics({0, {}});  // nothing runs: dropped
    bench.runs().beginRun(bench.config(), 100);
    const TrainingRun& run = *bench.runs().all().back();
    EXPECT_EQ(run.step, bench.scene()->whatIf.step) << "planned once";
    EXPECT_FALSE(run.firstScales.has_value());
    bench.runs().addLosses({{0, 0.5, 0.1}}, 9, 10, 4);
    for (const std::int64_t step : {0, 40, 80}) bench.runs().addStatistics({step, {}});
    EXPECT_EQ(run.skippedSteps, 4);
    EXPECT_EQ(run.firstScales->step, 0);
    EXPECT_EQ(run.lastScales->step, 80);
    bench.runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    bench.runs().addStatistics({90, {}});
    EXPECT_EQ(run.lastScales->step, 80);

    bench.runs().beginRun(small(), 0);
    const auto* const plan = dynamic_cast<const StepPlan*>(bench.runs().all().back()->step.get());
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(plan->config, small()) << "that of what runs, not of the sliders";
}

struct CountedView final : LateView {
    using LateView::invalidate;
    void catchUp() override { ++times; }
    int times = 0;
};

TEST(LateView, DoesNothingWhileHiddenAndCatchesUpWhenItIsShownOrPainted) {
    CountedView view;
    view.invalidate();
    EXPECT_EQ(view.times, 0);
    view.grab();
    view.grab();
    EXPECT_EQ(view.times, 1) << "a picture of a view that was never shown";
    view.show();
    EXPECT_EQ(view.times, 1) << "it is up to date";
    view.invalidate();
    EXPECT_EQ(view.times, 2);
    view.hide();
    view.invalidate();
    EXPECT_EQ(view.times, 2);
    view.show();
    EXPECT_EQ(view.times, 3);
}

}  // namespace
}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// From the control beside Profile to the views: counters and kernels of a device, asked for in the window.
#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/support.h"
#include "ui/operations/operations_model.h"
#include "ui/operations/operations_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/segmented_control.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace plumb::ui::test {
namespace {

/// The whole window with an engine that has a GPU.
struct GpuWindow {
    explicit GpuWindow(const QString& mode) {
        window.engine().setCommand(fakeEngine(mode));
        window.resize(1440, 900);
        window.show();
        window.engine().start();
    }
    [[nodiscard]] bool ready() {
        return waitFor([this] {
            return window.controller().chosen().whyNotRun().isEmpty() &&
                   window.workbench().scene()->whatIf.machine().id == "fake-gpu";
        });
    }
    [[nodiscard]] bool profiled() {
        return waitFor([this] { return !window.controller().work().busy(); }) &&
               waitFor([this] { return window.workbench().scene()->measured.has_value(); });
    }
    void click(const char* button) { QTest::mouseClick(child<QPushButton>(window, button), Qt::LeftButton); }
    [[nodiscard]] QString note() { return child<QLabel>(window, "countersNote")->text(); }
    [[nodiscard]] const Reading& measured() { return *window.workbench().scene()->measured->reading; }

    FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
    MainWindow window{settings, theme};
};

TEST(ProfileCounters, AreAskedForBesideProfileWithTheStepsThatTheyCost) {
    GpuWindow gpu(QStringLiteral("gpu"));
    ASSERT_TRUE(gpu.ready());
    ASSERT_TRUE(child<SegmentedControl>(gpu.window, "counters")->isEnabled());
    EXPECT_EQ(gpu.note(), QStringLiteral("Profile without hardware counters"));
    gpu.click("counters1");
    EXPECT_EQ(gpu.note(), QStringLiteral("Profile takes 1 step more"));
    gpu.click("counters2");
    EXPECT_EQ(gpu.note(), QStringLiteral("Profile takes 3 steps more"));
    EXPECT_EQ(gpu.window.controller().next().counters(), CounterDetail::Full);

    // 256 executions at once: a step with more of them is counted in two parts.
    RunConfig deep = gpu.window.workbench().config();
    deep.layers = 100;
    deep.dim = 64;
    EXPECT_TRUE(gpu.window.workbench().show(deep).has_value());
    const std::int64_t executions = executionsOf(*gpu.window.workbench().scene()->whatIf.plan);
    EXPECT_GT(executions, 256);
    EXPECT_TRUE(gpu.note().contains(QString::number((executions + 255) / 256 * 3)))
        << gpu.note().toStdString();
}

TEST(ProfileCounters, ReachRooflineOperationsAndTimeline) {
    GpuWindow gpu(QStringLiteral("gpu"));
    ASSERT_TRUE(gpu.ready());
    gpu.click("counters2");
    gpu.click("profileButton");
    ASSERT_TRUE(gpu.profiled());
    ASSERT_TRUE(gpu.measured().counterRun.has_value());
    EXPECT_EQ(gpu.measured().counterRun->passes, 3);

    const auto* roofline =
        dynamic_cast<RooflineView*>(gpu.window.views().showView(QStringLiteral("roofline")));
    ASSERT_NE(roofline, nullptr);
    EXPECT_TRUE(roofline->state().levelsAbsent.isEmpty());
    EXPECT_TRUE(std::ranges::all_of(roofline->state().points, [](const RooflinePoint& point) {
        return point.countedIntensity.has_value();
    }));
    QWidget* operations = gpu.window.views().showView(QStringLiteral("operations"));
    auto* model = operations->findChild<OperationsModel*>();
    ASSERT_NE(model, nullptr);
    const Op& op = gpu.window.workbench().scene()->whatIf.plan->ops[1];
    const QModelIndex executed = model->indexOfOp(QString::fromStdString(opId(op)))
                                     .siblingAtColumn(static_cast<int>(OperationColumn::Executed));
    EXPECT_EQ(executed.data(OperationsModel::RawValueRole).toDouble(), 2.0 * static_cast<double>(op.flops));

    auto* timeline = dynamic_cast<TimelineView*>(gpu.window.views().showView(QStringLiteral("timeline")));
    ASSERT_NE(timeline, nullptr);
    EXPECT_TRUE(timeline->state().emptyText.isEmpty());
    EXPECT_TRUE(std::ranges::any_of(timeline->state().rows, [](const TimelineRow& row) {
        return row.label.contains(QStringLiteral("stream 7"));
    }));
}

TEST(ProfileCounters, TheKeysOfTheTimelineWorkAsSoonAsItsTabIsChosen) {
    GpuWindow gpu(QStringLiteral("gpu"));
    ASSERT_TRUE(gpu.ready());
    gpu.click("profileButton");
    ASSERT_TRUE(waitFor([&] {
        return !gpu.window.controller().work().busy() && gpu.window.workbench().scene()->measured.has_value();
    }));
    gpu.window.activateWindow();
    for (const bool byShortcut : {false, true}) {
        gpu.click("overviewTab");
        if (byShortcut)
            gpu.window.actions().action(QStringLiteral("view.timeline"))->trigger();
        else
            gpu.click("timelineTab");
        auto* canvas = child<TimelineCanvas>(gpu.window, "timelineCanvas");
        ASSERT_TRUE(waitFor([&] { return QApplication::focusWidget() == canvas; }));
        const Seconds whole = canvas->timeWindow().span();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
        EXPECT_LT(canvas->timeWindow().span(), whole);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_0);
    }
    gpu.click("operationsTab");
    EXPECT_EQ(QApplication::focusWidget()->objectName(), QStringLiteral("operationsTable"));
}

TEST(ProfileCounters, AreNotReadUnlessAskedFor) {
    GpuWindow gpu(QStringLiteral("gpu"));
    ASSERT_TRUE(gpu.ready());
    gpu.click("profileButton");
    ASSERT_TRUE(gpu.profiled());
    EXPECT_FALSE(gpu.measured().counterRun.has_value());
    EXPECT_NE(gpu.measured().timeline, nullptr);
    EXPECT_TRUE(gpu.window.bannerText().isEmpty()) << "nothing was refused";
}

TEST(ProfileCounters, ThatTheDriverRefusesLeaveProfileWithTimeAndSayWhy) {
    GpuWindow gpu(QStringLiteral("locked"));
    ASSERT_TRUE(gpu.ready());
    auto* control = child<SegmentedControl>(gpu.window, "counters");
    EXPECT_FALSE(control->isEnabled());
    EXPECT_EQ(gpu.note(),
              QStringLiteral("The driver lets only administrators read GPU counters: run as root"));
    gpu.click("counters2");
    EXPECT_EQ(gpu.window.controller().next().counters(), std::nullopt);
    gpu.window.controller().next().setCounters(CounterDetail::Full);  // of a device before
    EXPECT_EQ(control->current(), 0) << "what is shown is what happens";
    gpu.click("profileButton");
    ASSERT_TRUE(gpu.profiled());
    EXPECT_EQ(gpu.measured().countersAbsent, "none were asked for");
}

TEST(ProfileCounters, TheProcessorHasNoneAndSaysSo) {
    GpuWindow cpu(QStringLiteral("normal"));
    ASSERT_TRUE(waitFor([&] { return cpu.window.workbench().scene()->whatIf.machine().id == "fake-cpu"; }));
    EXPECT_FALSE(child<SegmentedControl>(cpu.window, "counters")->isEnabled());
    EXPECT_TRUE(cpu.note().contains(QStringLiteral("NVIDIA")));
}

TEST(ProfileCounters, ShowTheirProgressAndStopKeepsWhatWasTimed) {
    GpuWindow gpu(QStringLiteral("counting"));
    ASSERT_TRUE(gpu.ready());
    gpu.click("counters1");
    gpu.click("profileButton");
    ASSERT_TRUE(waitFor(
        [&] { return gpu.window.controller().work().progressText().contains(QStringLiteral("1 of 3")); }));
    EXPECT_TRUE(gpu.window.controller().work().progressText().contains(QStringLiteral("counters")));
    EXPECT_FALSE(child<SegmentedControl>(gpu.window, "counters")->isEnabled());
    gpu.click("stopButton");
    ASSERT_TRUE(gpu.profiled());
    EXPECT_TRUE(gpu.measured().totals.seconds.has_value());
    EXPECT_FALSE(gpu.measured().counterRun.has_value());
    EXPECT_TRUE(gpu.window.bannerText().contains(QStringLiteral("counting was stopped")))
        << gpu.window.bannerText().toStdString();
}

}  // namespace
}  // namespace plumb::ui::test

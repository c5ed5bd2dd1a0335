// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/device_strip.h"

#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/theme/theme.h"
#include "ui/training/training_view.h"

#include <QLabel>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace plumb::ui::test {
namespace {

DeviceMoment momentAt(std::int64_t step) {
    DeviceMoment moment;
    moment.step = step;
    moment.seconds = static_cast<double>(step) / 100;
    moment.sample.smClockHz = 1.98e9 - 1e7 * static_cast<double>(step % 3);
    moment.sample.memoryClockHz = 2.6e9;
    moment.sample.powerWatts = 412;
    moment.sample.powerLimitWatts = 700;
    moment.sample.energyJoules = 1000 + static_cast<double>(step);
    moment.sample.temperatureCelsius = 62;
    moment.sample.utilisation = 0.97;
    moment.sample.throttles = std::vector<Throttle>{};
    moment.sample.processes = std::vector<DeviceProcess>{};
    return moment;
}

struct DeviceStripTest : ::testing::Test {
    DeviceStripTest() : workbench(testWorkbench(testConfig())), view({*workbench, theme}, ViewSize::Full) {
        workbench->runs().beginRun(testConfig(), 0);
        view.resize(1100, 700);
        view.show();
    }
    void tell(const DeviceMoment& moment) {
        workbench->runs().addDevice(moment);
        view.refresh();
    }
    QString label(const char* name) { return child<QLabel>(view, name)->text(); }
    bool isShown(const char* name) {
        const auto* found = view.findChild<QWidget*>(QString::fromLatin1(name));
        return found && found->isVisibleTo(&view);
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    std::unique_ptr<Workbench> workbench;
    TrainingView view;
};

TEST_F(DeviceStripTest, ShowsNumbersWithUnitAndSource) {
    EXPECT_FALSE(isShown("deviceStrip")) << "nothing is known yet, nor why";
    tell(momentAt(0));
    tell(momentAt(1));
    EXPECT_EQ(label("deviceSmClock"), QStringLiteral("1.97 GHz"));
    EXPECT_EQ(label("devicePower"), QStringLiteral("412 W"));
    EXPECT_EQ(label("deviceTemperature"), QStringLiteral("62 °C"));
    EXPECT_EQ(label("deviceUtilisation"), QStringLiteral("97 %"));
    EXPECT_EQ(label("deviceEnergyPerStep"), QStringLiteral("–")) << "the counter needs more steps";
    const QString tip = child<QLabel>(view, "deviceSmClock")->toolTip();
    EXPECT_TRUE(tip.contains(QStringLiteral("1.97 GHz to 1.98 GHz"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("NVML"))) << tip.toStdString();
    EXPECT_TRUE(child<QLabel>(view, "devicePower")->toolTip().contains(QStringLiteral("700 W")));
    EXPECT_FALSE(isShown("deviceDisturbances"));
    EXPECT_FALSE(isShown("deviceAbsent"));
    DeviceMoment later = momentAt(2);
    later.joulesPerStep = 4.2;
    later.joulesPerSample = 0.0164;
    tell(later);
    EXPECT_EQ(label("deviceEnergyPerStep"), QStringLiteral("4.20 J"));
    EXPECT_EQ(label("deviceEnergyPerSample"), QStringLiteral("0.0164 J"));
}

TEST_F(DeviceStripTest, NotesWhatHeldTheDeviceBackOrSharedIt) {
    tell(momentAt(0));
    DeviceMoment held = momentAt(1);
    held.sample.throttles = {Throttle::PowerLimit};
    held.sample.processes = {{4242, Bytes{3'000'000'000}}};
    tell(held);
    const QString text = label("deviceDisturbances");
    EXPECT_TRUE(isShown("deviceDisturbances"));
    EXPECT_TRUE(text.contains(QStringLiteral("held down by its power limit (step 1)"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("process 4242 with 3.00 GB"))) << text.toStdString();
    EXPECT_EQ(child<Sparkline>(view, "deviceSmClockCourse")->content().marked.size(), 1);
    EXPECT_TRUE(child<Sparkline>(view, "devicePowerCourse")->content().limit.has_value());
}

TEST_F(DeviceStripTest, SaysOnceWhyADeviceTellsNothing) {
    workbench->runs().setNoDevice("this backend (cpu) tells nothing");
    view.refresh();
    EXPECT_EQ(label("deviceAbsent"),
              QStringLiteral("Not known of the device: this backend (cpu) tells nothing"));
    EXPECT_FALSE(view.findChild<QLabel*>(QStringLiteral("deviceSmClock")));
    workbench->runs().beginRun(testConfig(), 0);
    DeviceMoment moment;
    moment.sample.absent = {{"clocks, power", "no permission"}, {"other programs", "no permission"}};
    tell(moment);
    tell(moment);
    EXPECT_EQ(label("deviceAbsent"),
              QStringLiteral("Not known of the device: clocks, power, other programs: no permission"));
}

TEST_F(DeviceStripTest, HidesTheLeastOfThemWhereThereIsNoRoom) {
    tell(momentAt(0));
    view.resize(480, 600);
    view.refresh();
    QApplication::processEvents();
    EXPECT_TRUE(isShown("deviceSmClock"));
    EXPECT_TRUE(isShown("devicePower"));
    EXPECT_FALSE(isShown("deviceMemoryClock"));
    view.resize(1300, 700);
    QApplication::processEvents();
    EXPECT_TRUE(isShown("deviceMemoryClock"));
}

TEST(DeviceCells, LeavesOutWhatIsNotTold) {
    TrainingRun run;
    EXPECT_TRUE(makeDeviceCells(&run).cells.isEmpty());
    EXPECT_TRUE(makeDeviceCells(nullptr).absent.isEmpty());
    DeviceMoment moment = momentAt(0);
    moment.sample.energyJoules.reset();
    moment.sample.temperatureCelsius.reset();
    moment.sample.absent = {{"energy", "an instance"}, {"temperature", "not told"}};
    run.device.add(moment);
    const DeviceCells shown = makeDeviceCells(&run);
    EXPECT_EQ(shown.cells.size(), 4);
    EXPECT_EQ(shown.absent.size(), 2);
    for (const DeviceCell& cell : shown.cells) EXPECT_GT(cell.course.high, cell.course.low);
}

}  // namespace
}  // namespace plumb::ui::test

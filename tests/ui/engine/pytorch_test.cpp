// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch as a device beside the built-in trainer, played by a fake engine.
#include "tests/ui/shell/shell_fixture.h"

#include "test_paths.h"

#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

/// Number of the entry in the list of devices that begins so; -1: none.
int entry(Shell& shell, const char* begin) {
    auto* box = child<QComboBox>(shell.window, "device");
    for (int i = 0; i < box->count(); ++i)
        if (box->itemText(i).startsWith(QLatin1String(begin))) return i;
    return -1;
}

struct PyTorch : testing::Test {
    Shell shell{QStringLiteral("pytorch")};
    void SetUp() override {
        ASSERT_TRUE(shell.ready());
        ASSERT_TRUE(waitFor([&] { return entry(shell, "PyTorch 9.9 eager") >= 0; }));
    }
    void profile() {
        shell.trigger("run.profile");
        ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    }
    void choose(const char* begin) {
        emit child<QComboBox>(shell.window, "device")->activated(entry(shell, begin));
    }
};

TEST_F(PyTorch, IsOfferedBesideTheBuiltInTrainerAndWhatIsNotThereSaysWhy) {
    auto* box = child<QComboBox>(shell.window, "device");
    EXPECT_EQ(box->itemText(0), QStringLiteral("Fake CPU · built-in"));
    EXPECT_EQ(box->currentIndex(), 0) << "nobody chose it";
    const int compiled = entry(shell, "PyTorch 9.9 compile");
    ASSERT_GE(compiled, 0);
    EXPECT_TRUE(box->itemText(compiled).endsWith(QStringLiteral("not available")));
    const auto* item = qobject_cast<QStandardItemModel*>(box->model())->item(compiled);
    EXPECT_FALSE(item->isEnabled());
    EXPECT_TRUE(item->toolTip().contains(QStringLiteral("C++ compiler"))) << item->toolTip().toStdString();
    EXPECT_FALSE(child<QLabel>(shell.window, "deviceNote")->text().contains(QStringLiteral("PyTorch")));
}

TEST_F(PyTorch, OneConfigurationIsMeasuredByBothAndKeptSideBySide) {
    profile();
    const Workbench& workbench = shell.window.workbench();
    const double builtIn = *workbench.scene()->measured->reading->totals.seconds;
    choose("PyTorch 9.9 eager");
    EXPECT_FALSE(workbench.scene()->sameConfig()) << "that was another engine";
    profile();
    ASSERT_EQ(workbench.measurements().size(), 2U);
    const MeasuredStep& measured = *workbench.scene()->measured;
    EXPECT_TRUE(workbench.scene()->sameConfig());
    EXPECT_EQ(measured.reading->engine, "PyTorch 9.9 eager, CPU, 2 threads");
    EXPECT_DOUBLE_EQ(*measured.reading->totals.seconds, 2 * builtIn);
    EXPECT_TRUE(measured.reading->totals.flopPerSecond.has_value())
        << "the plan's FLOPs over PyTorch's seconds";
    EXPECT_EQ(measured.machine().id, "fake-cpu-pytorch-eager");
    EXPECT_EQ(workbench.measurements()[0].target.machine.id, "fake-cpu");
    EXPECT_NE(measured.op("m1.layer1.forward"), nullptr);

    const auto* state = child<QLabel>(shell.window, "measurementState");
    EXPECT_TRUE(state->text().contains(QStringLiteral("PyTorch 9.9 eager"))) << state->text().toStdString();
    EXPECT_TRUE(state->toolTip().contains(QStringLiteral("Memory is that of tracked storages.")));

    shell.trigger("run.earlierMeasurement");
    EXPECT_EQ(workbench.scene()->measured->reading->engine, "");
    EXPECT_FALSE(state->text().contains(QStringLiteral("PyTorch")));
}

TEST_F(PyTorch, ATrainingRunsThereAndAFileKeepsWhichEngineMeasured) {
    choose("PyTorch 9.9 eager");
    shell.window.controller().next().setSteps(5);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    EXPECT_EQ(shell.window.workbench().runs().all().back()->stepsDone, 5);
    const QString path = shell.file("pytorch.plumb");
    ASSERT_TRUE(shell.save(path));
    Shell other;
    ASSERT_TRUE(other.ready());
    ASSERT_TRUE(other.open(path));
    ASSERT_TRUE(other.window.workbench().scene()->measured.has_value())
        << other.window.bannerText().toStdString();
    const MeasuredStep& measured = *other.window.workbench().scene()->measured;
    EXPECT_EQ(measured.reading->engine, "PyTorch 9.9 eager, CPU, 2 threads");
    EXPECT_EQ(measured.reading->remarks, std::vector<std::string>{"memory is that of tracked storages"});
    EXPECT_EQ(other.window.workbench().traits().backend, "pytorch-eager");
}

TEST(PyTorchModules, AStepThatAnEngineRecordedOpensInFrontOfTheSession) {
    qputenv("FAKE_RECORDING", PLUMB_TEST_DATA "/step/decoder.plumb");
    Shell shell(QStringLiteral("recorded"));
    ASSERT_TRUE(shell.ready());
    shell.trigger("run.profile");
    ASSERT_TRUE(waitFor([&] { return shell.window.workbench().recording() != nullptr; }));
    EXPECT_TRUE(shell.window.windowTitle().contains(QStringLiteral("decoder.plumb")));
    EXPECT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
}

}  // namespace
}  // namespace plumb::ui::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_actions.h"

#include "tests/ui/shell/shell_fixture.h"

#include "test_paths.h"

#include <QMessageBox>
#include <QPushButton>
#include <QTest>

#include <algorithm>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;
using test::waitFor;

RunConfig wider(RunConfig config) {
    config.dim *= 2;
    return config;
}

TEST(New, CanBeTakenBackWhileNothingWasMeasured) {
    Shell shell;
    Workbench& workbench = shell.window.workbench();
    const RunConfig wide = wider(workbench.config());
    ASSERT_TRUE(workbench.show(wide).has_value());
    shell.trigger("file.new");
    EXPECT_EQ(workbench.config(), RunConfig{});
    shell.trigger("edit.undo");
    EXPECT_EQ(workbench.config(), wide);
}

TEST(New, IsOfADeviceThatRunsAndNotOfOneThatWasPlannedFor) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    DeviceChoices& devices = shell.window.controller().devices();
    const auto choosePlanned = [&] {
        for (int index = 0; devices.runnable() != nullptr && index < std::ssize(devices.all()); ++index)
            devices.choose(index);
        ASSERT_EQ(devices.runnable(), nullptr);
    };
    choosePlanned();
    shell.trigger("file.new");
    EXPECT_NE(devices.runnable(), nullptr);
    EXPECT_TRUE(shell.window.controller().chosen().whyNotRun().isEmpty());
    ASSERT_TRUE(shell.open(QString::fromUtf8(PLUMB_TEST_DATA "/step/decoder.plumb")));
    choosePlanned();
    shell.trigger("file.new");
    EXPECT_EQ(shell.window.workbench().recording(), nullptr);
    EXPECT_TRUE(shell.window.controller().chosen().whyNotRun().isEmpty());
}

TEST(RunKeys, SayWhyADeviceThatIsPlannedForDoesNotRun) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    DeviceChoices& devices = shell.window.controller().devices();
    for (int index = 0; devices.runnable() != nullptr && index < std::ssize(devices.all()); ++index)
        devices.choose(index);
    ASSERT_FALSE(shell.enabled("run.run"));
    for (const Qt::Key key : {Qt::Key_F5, Qt::Key_F6}) {
        QTest::keyClick(&shell.window, key);
        EXPECT_TRUE(
            shell.window.bannerText().contains(QStringLiteral("choose a device of the engine to run")))
            << shell.window.bannerText().toStdString();
        child<QPushButton>(shell.window, "bannerClose")->click();
    }
}

TEST(New, AsksBeforeResultsGoThatNoFileHolds) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(12);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor(
        [&] { return !shell.window.controller().work().busy() && shell.window.document().isModified(); }));
    shell.trigger("file.new");
    auto* question = child<QMessageBox>(shell.window, "unsavedQuestion");
    EXPECT_TRUE(question->testAttribute(Qt::WA_KeyboardFocusChange)) << "its default shows itself";
    QTest::mouseClick(question->button(QMessageBox::Cancel), Qt::LeftButton);
    EXPECT_FALSE(shell.window.workbench().runs().all().empty());
    ASSERT_TRUE(shell.save(shell.file("run.plumb")));
    shell.trigger("file.new");
    EXPECT_TRUE(shell.window.workbench().runs().all().empty());
    EXPECT_TRUE(shell.window.document().path().isEmpty());
    EXPECT_FALSE(shell.enabled("file.reload"));
}

TEST(Reload, ReadsTheFileAgain) {
    Shell shell;
    EXPECT_FALSE(shell.enabled("file.reload"));
    ASSERT_TRUE(shell.save(shell.file("a.plumb")));
    const RunConfig saved = shell.window.workbench().config();
    ASSERT_TRUE(shell.window.workbench().show(wider(saved)).has_value());
    shell.trigger("file.reload");
    EXPECT_TRUE(waitFor([&] { return shell.window.workbench().config() == saved; }));
}

TEST(ReturnToRun, GivesThePanelTheSettingsThatRanAndCanBeUndone) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    EXPECT_FALSE(shell.enabled("run.returnToRun"));
    shell.window.controller().next().setSteps(12);
    const RunConfig ran = shell.window.workbench().config();
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    EXPECT_FALSE(shell.enabled("run.returnToRun")) << "they are those of the panel";
    ASSERT_TRUE(shell.window.workbench().show(wider(ran)).has_value());
    ASSERT_TRUE(shell.enabled("run.returnToRun"));
    shell.trigger("run.returnToRun");
    EXPECT_EQ(shell.window.workbench().config(), ran);
    shell.trigger("edit.undo");
    EXPECT_EQ(shell.window.workbench().config(), wider(ran));
}

TEST(FullScreen, IsTakenAndGivenBack) {
    Shell shell;
    shell.trigger("view.fullScreen");
    EXPECT_TRUE(shell.window.isFullScreen());
    shell.trigger("view.fullScreen");
    EXPECT_FALSE(shell.window.isFullScreen());
}

TEST(NewWindow, IsAnotherProcessOfTheSameProgramAndSaysWhenItCannotStart) {
    Shell shell;
    auto* actions = child<WindowActions>(shell.window, "windowActions");
    QString started;
    actions->setStarter([&](const QString& program, const QStringList&) {
        started = program;
        return true;
    });
    shell.trigger("file.newWindow");
    EXPECT_EQ(started, QCoreApplication::applicationFilePath());
    EXPECT_EQ(shell.window.bannerText(), QString());
    actions->setStarter([](const QString&, const QStringList&) { return false; });
    shell.trigger("file.newWindow");
    EXPECT_TRUE(shell.window.bannerText().contains(started));
}

TEST(TwoWindows, DoNotDestroyEachOthersSettings) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("window.ini"));
    Settings one(path), two(path);
    Preferences dark;
    dark.look.mode = Theme::Mode::Dark;
    one.setPreferences(dark);
    one.addRecentFiles({folder.filePath(QStringLiteral("one.plumb"))});
    one.save();
    two.setLastFolder(folder.path());
    two.addRecentFiles({folder.filePath(QStringLiteral("two.plumb"))});
    two.save();
    one.setCurrentView(QStringLiteral("memory"));
    one.save();
    const Settings later(path);
    EXPECT_EQ(later.preferences().look.mode, Theme::Mode::Dark);
    EXPECT_EQ(later.lastFolder(), folder.path());
    EXPECT_EQ(later.currentView(), QStringLiteral("memory"));
    EXPECT_EQ(later.recentFiles().size(), 2);
}

}  // namespace
}  // namespace plumb::ui

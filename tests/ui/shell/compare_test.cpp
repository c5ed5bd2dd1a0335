// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/shell/shell_fixture.h"
#include "ui/compare/compare_view.h"
#include "ui/run/run_panel.h"

#include <QFile>
#include <QFileDialog>
#include <QPushButton>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

/// Writes the session's prediction with this many layers.
QString writeStep(Shell& shell, const char* name, std::int32_t layers) {
    RunConfig config = shell.window.workbench().config();
    config.layers = layers;
    EXPECT_TRUE(shell.window.workbench().show(config).has_value());
    const QString path = shell.file(name);
    EXPECT_TRUE(shell.save(path));
    return path;
}

bool isTabVisible(Shell& shell) { return child<QPushButton>(shell.window, "compareTab")->isVisible(); }

TEST(CompareInTheWindow, ItsTabIsThereWhileStepsAreCompared) {
    Shell shell;
    EXPECT_FALSE(isTabVisible(shell));
    EXPECT_FALSE(shell.enabled("file.compareClear"));
    EXPECT_FALSE(shell.enabled("run.compareMeasurements"));
    shell.window.compared().open({writeStep(shell, "a.plumb", 2), writeStep(shell, "b.plumb", 3)});
    ASSERT_TRUE(waitFor([&] { return shell.window.compared().comparison() != nullptr; }));
    EXPECT_TRUE(isTabVisible(shell));
    auto* panel = shell.window.findChild<RunPanel*>();
    ASSERT_NE(panel, nullptr);
    EXPECT_TRUE(panel->isVisible());
    child<QPushButton>(shell.window, "compareTab")->click();
    EXPECT_FALSE(panel->isVisible()) << "it says nothing of what is compared";
    EXPECT_NE(shell.settings.currentView(), QStringLiteral("compare"));
    shell.trigger("file.compareClear");
    EXPECT_FALSE(isTabVisible(shell)) << "nothing is compared any more";
    EXPECT_EQ(shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("overview")));
    EXPECT_TRUE(panel->isVisible());
}

TEST(CompareInTheWindow, FilesThatAreOpenedTogetherMayBeCompared) {
    Shell shell;
    const QStringList paths{writeStep(shell, "a.plumb", 2), writeStep(shell, "b.plumb", 3)};
    shell.window.openFiles(paths);
    ASSERT_TRUE(waitFor([&] { return !shell.window.document().opening(); }));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("2 files")));
    child<QPushButton>(shell.window, "bannerButton")->click();
    ASSERT_TRUE(waitFor([&] { return shell.window.compared().comparison() != nullptr; }));
    EXPECT_EQ(shell.window.compared().steps().front().label, "a.plumb");
    EXPECT_TRUE(child<CompareView>(shell.window, "compareView")->isVisible());
}

TEST(CompareInTheWindow, OneFileIsComparedWithWhatIsShown) {
    Shell shell;
    const QString path = writeStep(shell, "a.plumb", 2);
    shell.trigger("file.compare");
    auto* dialog = shell.window.findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    emit dialog->filesSelected({path});
    dialog->close();
    ASSERT_TRUE(waitFor([&] { return shell.window.compared().comparison() != nullptr; }));
    EXPECT_FALSE(shell.window.compared().steps().front().isMeasured());
    EXPECT_EQ(shell.window.compared().steps()[1].label, "a.plumb");
}

TEST(CompareInTheWindow, WhatCannotBeReadIsSaidInTheBanner) {
    Shell shell;
    const QString sound = writeStep(shell, "a.plumb", 2);
    shell.window.compared().open({shell.file("nowhere.plumb")});
    ASSERT_TRUE(waitFor([&] { return shell.window.bannerText().contains(QStringLiteral("nowhere.plumb")); }));
    EXPECT_TRUE(shell.window.compared().steps().empty());
    shell.window.compared().open({sound});
    ASSERT_TRUE(waitFor([&] { return shell.window.compared().steps().size() == 1; }));
    EXPECT_EQ(shell.window.bannerText(), QString()) << "that file is not what is compared";
}

}  // namespace
}  // namespace plumb::ui::test

// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says by itself after a profile, and when a file was opened.
#include "core/findings/findings.h"
#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/scaled.h"

#include <QPushButton>

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;
using test::waitFor;

/// A file of a step whose recomputation nobody needs, on a machine that is known.
QString savedStep(Shell& shell, RecomputePolicy::Kind kind) {
    RunConfig config = test::deepConfig(8);
    config.batch = 4096;
    config.recompute.kind = kind;
    Machine machine = test::roundMachine();
    machine.memoryBytes = Bytes{64} << 30U;
    const Result<Snapshot> snapshot = makeSnapshot(config, {machine, cpuTraits()});
    EXPECT_TRUE(snapshot.has_value());
    const QString path = shell.file("step.plumb");
    EXPECT_TRUE(writeSnapshot(path.toStdString(), *snapshot).has_value());
    return path;
}

TEST(FindingNotice, LeadsFromAnOpenedFileToItsFindings) {
    Shell shell;
    ASSERT_TRUE(shell.open(savedStep(shell, RecomputePolicy::Kind::None)));
    ASSERT_TRUE(waitFor([&] { return shell.window.bannerText().contains(QStringLiteral("finding")); }))
        << shell.window.bannerText().toStdString();
    child<QPushButton>(shell.window, "bannerButton")->click();
    EXPECT_EQ(shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("findings")));
}

TEST(FindingNotice, EndsWhereTheFindingsAreShown) {
    Shell shell;
    ASSERT_TRUE(shell.open(savedStep(shell, RecomputePolicy::Kind::None)));
    ASSERT_TRUE(waitFor([&] { return shell.window.bannerText().contains(QStringLiteral("finding")); }));
    shell.trigger("view.memory");
    EXPECT_NE(shell.window.bannerText(), QString());
    shell.trigger("view.findings");
    EXPECT_EQ(shell.window.bannerText(), QString());
}

// Beside the views the panel of a recorded step lists them; a narrow window folds it.
TEST(FindingNotice, SpeaksOfARecordedStepWhereItsPanelIsFolded) {
    Shell shell;
    const auto said = [&] {
        EXPECT_TRUE(shell.open(QStringLiteral(PLUMB_TEST_DATA "/step/decoder.plumb")));
        for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
        return shell.window.bannerText();
    };
    shell.window.resize(scaled(1700), scaled(700));
    EXPECT_EQ(said(), QString());
    shell.window.resize(scaled(1000), scaled(700));
    EXPECT_TRUE(waitFor([&] { return said().contains(QStringLiteral("finding")); })) << said().toStdString();
}

TEST(FindingNotice, IsSilentWhereTheFindingsAreShown) {
    Shell shell;
    shell.trigger("view.findings");
    ASSERT_TRUE(shell.open(savedStep(shell, RecomputePolicy::Kind::None)));
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    EXPECT_EQ(shell.window.bannerText(), QString());
}

}  // namespace
}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Plan files in the window: dropped, opened, recent, set side by side.
#include "core/io/file.h"
#include "core/machine/hardware_database.h"
#include "core/planner/scenario_file.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/planner/plan_comparison_dialog.h"
#include "ui/planner/planner_view.h"
#include "ui/shell/file_pictures.h"
#include "ui/shell/shown_views.h"
#include "ui/widgets/card.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>

namespace plumb::ui {
namespace {

using test::Shell;
using test::waitFor;

QString writePlan(const Shell& shell, const char* name, std::int64_t devices) {
    planner::Scenario s;
    s.model = planner::findModel("llama-3-8b").value();
    s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
    s.cluster.devices = devices;
    QString path = shell.file(name);
    EXPECT_TRUE(writeFileAtomically(path.toStdString(), planner::scenarioToText(s)).has_value());
    return path;
}

void drop(Shell& shell, const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent over(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shell.window, &over);
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shell.window, &event);
}

const planner::Scenario& planned(Shell& shell) {
    return showPlanner(shell.window.views()).model().inputs().scenario;
}

TEST(Plans, ADroppedPlanOpensInThePlannerAndIsAmongTheRecentFiles) {
    Shell shell;
    const QString path = writePlan(shell, "a.plan.json", 64);
    drop(shell, {path});
    EXPECT_EQ(shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("planner")));
    EXPECT_EQ(planned(shell).cluster.devices, 64);
    EXPECT_EQ(shell.settings.recentFiles().value(0), QStringList{path});
    shell.trigger("edit.undo");
    EXPECT_NE(planned(shell).cluster.devices, 64);
}

TEST(Plans, AreOpenedAndSavedByButtonsOfThePlanner) {
    Shell shell;
    PlannerView& planner = showPlanner(shell.window.views());
    for (const char* name : {"plannerOpen", "plannerSave"}) {
        QTest::mouseClick(test::child<QPushButton>(planner, name), Qt::LeftButton);
        ASSERT_TRUE(waitFor([&] { return shell.window.findChild<QFileDialog*>() != nullptr; })) << name;
        auto* dialog = shell.window.findChild<QFileDialog*>();
        EXPECT_TRUE(dialog->nameFilters().front().contains(QStringLiteral("*.plan.json")));
        EXPECT_EQ(dialog->acceptMode() == QFileDialog::AcceptSave,
                  QLatin1String(name) == QLatin1String("plannerSave"));
        dialog->reject();
        ASSERT_TRUE(waitFor([&] { return shell.window.findChild<QFileDialog*>() == nullptr; }));
    }
}

TEST(Plans, AreKnownByTheirContentToo) {
    Shell shell;
    const QString path = writePlan(shell, "shared.json", 32);
    shell.window.openFile(path);
    EXPECT_EQ(planned(shell).cluster.devices, 32);
}

TEST(Plans, TwoOrThreeTogetherAreSetSideBySide) {
    Shell shell;
    drop(shell, {writePlan(shell, "a.plan.json", 64), writePlan(shell, "b.plan.json", 128)});
    ASSERT_TRUE(waitFor([&] { return shell.window.findChild<PlanComparisonDialog*>() != nullptr; }));
    const auto* dialog = shell.window.findChild<PlanComparisonDialog*>();
    EXPECT_TRUE(dialog->windowTitle().contains(QStringLiteral("a, b")))
        << dialog->windowTitle().toStdString();
    EXPECT_NE(planned(shell).cluster.devices, 64) << "what was planned stays";
}

TEST(Plans, HaveTheNameOfTheirFile) {
    Shell shell;
    PlannerView& planner = showPlanner(shell.window.views());
    const auto subtitle = [&] { return test::child<Card>(planner, "plannerInputs")->subtitle(); };
    EXPECT_TRUE(subtitle().isEmpty());
    shell.window.openFile(shell.write("broken.plan.json", "{}"));
    ASSERT_FALSE(shell.window.bannerText().isEmpty());
    const QString path = writePlan(shell, "mine.plan.json", 64);
    shell.window.openFile(path);
    EXPECT_TRUE(shell.window.bannerText().isEmpty()) << "that was of the plan before";
    EXPECT_EQ(subtitle(), QStringLiteral("mine.plan.json"));
    planner.edits().enter(planner::Input::Devices, QStringLiteral("32"));
    EXPECT_EQ(subtitle(), QStringLiteral("mine.plan.json, changed"));

    shell.trigger("planner.savePlan");
    ASSERT_TRUE(waitFor([&] { return shell.window.findChild<QFileDialog*>() != nullptr; }));
    auto* dialog = shell.window.findChild<QFileDialog*>();
    EXPECT_EQ(dialog->selectedFiles(), QStringList{path});
    dialog->selectFile(shell.file("other.plan.json"));
    QMetaObject::invokeMethod(dialog, "accept");
    ASSERT_TRUE(waitFor([&] { return subtitle() == QStringLiteral("other.plan.json"); }));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("other.plan.json")))
        << shell.window.bannerText().toStdString();
    EXPECT_EQ(planner::readScenario(shell.file("other.plan.json").toStdString())->cluster.devices, 32);
}

TEST(Plans, WhatIsNoneIsSaid) {
    Shell shell;
    shell.window.openFile(shell.write("a.plan.json", "{}"));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("is not a plan")))
        << shell.window.bannerText().toStdString();
    EXPECT_TRUE(shell.settings.recentFiles().isEmpty());
}

/// What comes of the pictures of these files: an error, or nothing and the pictures in `folder`.
QString drawn(Shell& shell, const QStringList& files) {
    FilePictures pictures(shell.window, shell.file("pictures"));
    QSignalSpy finished(&pictures, &FilePictures::finished);
    pictures.open(files);
    if (!waitFor([&] { return !finished.isEmpty(); }, 120000))
        return QStringLiteral("nothing in two minutes");
    EXPECT_EQ(finished.size(), 1);
    return finished.front().front().toString();
}

TEST(Plans, PicturesOfAPlanHaveEveryQuestionOfThePlanner) {
    Shell shell;
    EXPECT_EQ(drawn(shell, {writePlan(shell, "a.plan.json", 64)}).toStdString(), "");
    QStringList wanted{QStringLiteral("window.png"), QStringLiteral("overview.png"),
                       QStringLiteral("planner.png"), QStringLiteral("planner-evidence.png")};
    for (const PlannerQuestion& question : plannerQuestions())
        if (question.key != plannerQuestions().front().key)  // the one that the planner shows
            wanted << QStringLiteral("planner-%1.png").arg(question.key);
    for (const QString& name : wanted)
        EXPECT_GT(QFileInfo(shell.file("pictures/") + name).size(), 1000) << name.toStdString();
    EXPECT_EQ(planned(shell).cluster.devices, 64);
    EXPECT_EQ(showPlanner(shell.window.views()).page(), 0) << "the question that was shown is shown again";
}

TEST(Plans, PicturesOfWhatCannotBeOpenedEndWithASentence) {
    for (const char* name : {"missing.plan.json", "missing.plumb", "missing.json", "missing", "."}) {
        Shell shell;
        const QString error = drawn(shell, {shell.file(name)});
        EXPECT_GT(error.size(), 20) << name;
        EXPECT_FALSE(error.contains(QStringLiteral("two minutes"))) << name;
        EXPECT_FALSE(QFileInfo::exists(shell.file("pictures"))) << name;
    }
    Shell shell;
    const QString error = drawn(shell, {shell.write("a.plan.json", "{}")});
    EXPECT_TRUE(error.contains(QStringLiteral("is not a plan"))) << error.toStdString();
}

}  // namespace
}  // namespace plumb::ui

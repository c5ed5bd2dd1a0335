// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/entry_at.h"
#include "core/machine/calibration_file.h"
#include "core/machine/local_cpu.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/lab/lab_view.h"
#include "ui/shell/main_window.h"
#include "ui/shell/picture_exporter.h"
#include "ui/widgets/stop_slider.h"

#include "test_paths.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <sys/stat.h>

#include <fcntl.h>
#include <set>
#include <unistd.h>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;
using test::waitFor;

TEST(Actions, HaveUniqueIdsUnambiguousShortcutsAndTexts) {
    Shell shell;
    std::set<QString> ids;
    std::set<QString> shortcuts;
    for (const QAction* action : shell.window.actions().all()) {
        EXPECT_TRUE(ids.insert(action->objectName()).second) << action->objectName().toStdString();
        EXPECT_FALSE(action->text().isEmpty());
        EXPECT_FALSE(action->statusTip().isEmpty()) << action->objectName().toStdString();
        const QString keys = action->shortcut().toString();
        if (keys.isEmpty()) continue;
        EXPECT_TRUE(shortcuts.insert(keys).second) << keys.toStdString();
    }
    EXPECT_GE(ids.size(), 20U);
}

TEST(Window, EveryTabShowsItsViewByButtonAndShortcut) {
    Shell shell;
    for (int i = ViewStack::tabCount() - 1; i >= 0; --i) {
        const QByteArray id(ViewStack::views()[static_cast<std::size_t>(i)].id);
        auto* tab = child<QPushButton>(shell.window, id + "Tab");
        EXPECT_EQ(tab->isVisible(), shell.window.views().isThere(i)) << id.constData();
        if (!shell.window.views().isThere(i)) continue;
        QTest::mouseClick(tab, Qt::LeftButton);
        EXPECT_EQ(shell.window.views().currentTab(), i);
        shell.trigger("view.overview");
        shell.trigger(("view." + id).constData());
        EXPECT_EQ(shell.window.views().currentTab(), i);
    }
}

TEST(Window, EnterOnATabOfTheTopBarShowsItAsSpaceDoes) {
    Shell shell;
    shell.window.activateWindow();
    for (const auto& [id, key] :
         {std::pair("operationsTab", Qt::Key_Space), std::pair("memoryTab", Qt::Key_Return),
          std::pair("operationsTab", Qt::Key_Enter)}) {
        auto* tab = child<QPushButton>(shell.window, id);
        tab->setFocus();
        QTest::keyClick(tab, key);
        EXPECT_TRUE(tab->isChecked()) << id << ", " << key;
    }
}

TEST(Window, RunSaveOpenIsOneJourney) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(12);
    QTest::mouseClick(child<QPushButton>(shell.window, "runButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    const RunConfig ran = shell.window.workbench().config();
    ASSERT_TRUE(shell.save(shell.file("run.plumb")));
    EXPECT_FALSE(shell.window.controller().work().results().areUnsaved());
    EXPECT_TRUE(shell.window.document().exportAs(*findExportFormat("csv"), shell.file("ops.csv")));
    ASSERT_TRUE(
        shell.window.document().exportAs(*findExportFormat("training-csv"), shell.file("training.csv")));
    QFile training(shell.file("training.csv"));
    ASSERT_TRUE(training.open(QIODevice::ReadOnly));
    EXPECT_EQ(training.readLine().trimmed(),
              "step,loss,seconds,step_seconds,gradient_norm,update_ratio,learning_rate,loss_scale");
    EXPECT_EQ(training.readAll().count('\n'),
              static_cast<qsizetype>(shell.window.workbench().runs().all().back()->history.points().size()));

    Shell other;
    ASSERT_TRUE(other.open(shell.file("run.plumb")));
    EXPECT_EQ(other.window.bannerText(), QString());
    EXPECT_EQ(other.window.workbench().config(), ran);
    EXPECT_EQ(other.window.workbench().scene()->whatIf.machine().id, "fake-cpu");
    ASSERT_TRUE(other.window.workbench().scene()->measured.has_value());
    EXPECT_TRUE(other.window.workbench().scene()->sameConfig());
    ASSERT_EQ(other.window.workbench().runs().all().size(), 1U);
    EXPECT_EQ(other.window.workbench().runs().all()[0]->history.count(), 12);
    EXPECT_TRUE(other.window.workbench().runs().all()[0]->title.contains(QStringLiteral("run.plumb")));
    EXPECT_EQ(other.settings.recentFiles().value(0), QStringList{shell.file("run.plumb")});
    EXPECT_FALSE(other.window.controller().work().results().areUnsaved());
}

TEST(Window, OffersToForgetARecentFileThatIsNotThereAnyMore) {
    Shell shell;
    const QString path = shell.file("gone.plumb");
    ASSERT_TRUE(shell.save(path));
    ASSERT_EQ(shell.settings.recentFiles().value(0), QStringList{path});
    ASSERT_TRUE(QFile::remove(path));
    ASSERT_TRUE(shell.open(path));
    auto* button = child<QPushButton>(shell.window, "bannerButton");
    ASSERT_TRUE(button->isVisible()) << shell.window.bannerText().toStdString();
    EXPECT_EQ(button->text(), QStringLiteral("Take it off the list"));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(shell.settings.recentFiles().isEmpty());
    EXPECT_EQ(shell.window.bannerText(), QString());
    // One that is in no list can be taken off none.
    ASSERT_TRUE(shell.open(shell.file("never.plumb")));
    EXPECT_FALSE(shell.window.bannerText().isEmpty());
    EXPECT_FALSE(button->isVisible());
}

TEST(Window, BadFilesGiveOneSentenceAndChangeNothing) {
    Shell shell;
    const ScenePtr before = shell.window.workbench().scene();
    const auto write = [&](const char* name, const QByteArray& content) {
        QFile file(shell.file(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(content);
    };
    write("garbage.plumb", QByteArray(5'000'000, '\x7f'));
    write("empty.plumb", {});
    write("newer.plumb", R"({"format": "plumbline.snapshot", "version": 999})");
    write("other.plumb", R"({"hello": "world"})");
    ASSERT_TRUE(shell.save(shell.file("good.plumb")));
    QFile good(shell.file("good.plumb"));
    ASSERT_TRUE(good.open(QIODevice::ReadOnly));
    write("truncated.plumb", good.readAll().chopped(40));
    for (const char* name :
         {"garbage.plumb", "empty.plumb", "newer.plumb", "other.plumb", "truncated.plumb", "missing.plumb"}) {
        ASSERT_TRUE(shell.open(shell.file(name)));
        EXPECT_FALSE(shell.window.bannerText().isEmpty()) << name;
        EXPECT_EQ(shell.window.workbench().scene(), before) << name;
    }
    EXPECT_FALSE(shell.save(QStringLiteral("/no/such/folder/x.plumb")));
}

TEST(Window, DefaultsOfAnOpenedSnapshotGoOnFollowingTheSliders) {
    Shell shell;
    const auto config = [&]() -> const RunConfig& { return shell.window.workbench().config(); };
    RunConfig wanted;
    wanted.batch = 64;
    wanted.optimizer = Optimizer::Sgd;
    const auto openWith = [&](const RunConfig& saved) {
        const auto snapshot = makeSnapshot(saved, {Machine{}, cpuTraits()});
        ASSERT_TRUE(snapshot.has_value());
        ASSERT_TRUE(writeSnapshot(shell.file("saved.plumb").toStdString(), *snapshot).has_value());
        ASSERT_TRUE(shell.open(shell.file("saved.plumb")));
        ASSERT_EQ(shell.window.bannerText(), QString());
        ASSERT_EQ(config(), saved);
    };
    openWith(wanted);
    EXPECT_EQ(config().microBatch, 0);
    EXPECT_FALSE(config().learningRate.has_value());
    EXPECT_FALSE(config().weightDecay.has_value());

    wanted.microBatch = 32;
    wanted.learningRate = 0.25;
    wanted.weightDecay = 0.125;
    openWith(wanted);
    EXPECT_EQ(config().microBatch, 32);
    EXPECT_EQ(config().learningRate, 0.25);
    EXPECT_EQ(config().weightDecay, 0.125);
}

TEST(Window, DeniesPredictedTimesOnlyWhereThereAreNone) {
    Shell shell;
    if (shell.window.controller().devices().calibrated())
        GTEST_SKIP() << "no engine has told of a calibration yet";
    auto* text = child<QLabel>(shell.window, "calibrationState");
    const auto denies = [&] { return text->text().contains(QStringLiteral("no predicted times")); };
    Machine bare = localCpu();
    EXPECT_TRUE(shell.window.workbench().show({bare, cpuTraits()}).has_value());
    EXPECT_TRUE(denies());
    bare.peakFlopPerSecond = {{Dtype::Fp32, 1e12}, {Dtype::Bf16, 1e12}};  // as an opened file has them
    bare.bandwidthBytesPerSecond = 1e11;
    EXPECT_TRUE(shell.window.workbench().show({bare, cpuTraits()}).has_value());
    EXPECT_FALSE(denies()) << text->text().toStdString();
    EXPECT_TRUE(text->text().contains(QStringLiteral("not calibrated")));
}

TEST(Window, NamesTheHostWhoseMachineIsCalibratedOrNot) {
    Shell shell;
    DeviceChoices& devices = shell.window.controller().devices();
    const auto* text = child<QLabel>(shell.window, "calibrationState");
    const auto* calibrate = child<QPushButton>(shell.window, "calibrateButton");
    Machine there = localCpu();
    there.peakFlopPerSecond.clear();
    there.bandwidthBytesPerSecond.reset();
    devices.offer({{{there, cpuTraits()}, true, "", {}}}, QStringLiteral("box"));
    EXPECT_TRUE(text->text().startsWith(QStringLiteral("box is not calibrated")))
        << text->text().toStdString();
    EXPECT_TRUE(calibrate->toolTip().contains(QStringLiteral("how long box takes")));
    there.peakFlopPerSecond = {{Dtype::Fp32, 1e12}};
    there.bandwidthBytesPerSecond = 1e11;
    devices.offer({{{there, cpuTraits()}, true, "", {}}}, QStringLiteral("box"));
    EXPECT_EQ(text->text(), QStringLiteral("box is calibrated"));
    devices.offer({{{there, cpuTraits()}, true, "", {}}});
    EXPECT_EQ(text->text(), QStringLiteral("This machine is calibrated"));
    EXPECT_TRUE(calibrate->toolTip().contains(QStringLiteral("this machine")));
}

TEST(Window, TakesADroppedSnapshot) {
    Shell shell;
    ASSERT_TRUE(shell.save(shell.file("drop.plumb")));
    RunConfig other = shell.window.workbench().config();
    other.layers = 9;
    EXPECT_TRUE(shell.window.workbench().show(other).has_value());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(shell.file("drop.plumb"))});
    QDragEnterEvent over(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shell.window, &over);
    EXPECT_TRUE(over.isAccepted());
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shell.window, &drop);
    ASSERT_TRUE(waitFor([&] { return shell.window.workbench().config().layers != 9; }));

    QMimeData text;
    text.setText(QStringLiteral("no file"));
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QCoreApplication::sendEvent(&shell.window, &enter);
    EXPECT_FALSE(enter.isAccepted());
}

TEST(Window, TheBannerOffersToRestartADeadEngine) {
    Shell shell(QStringLiteral("cut 3000"));
    ASSERT_TRUE(shell.ready());
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return shell.window.bannerText().contains(QStringLiteral("signal 9")); }));
    EXPECT_FALSE(shell.enabled("run.profile"));
    shell.window.engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
    QTest::mouseClick(child<QPushButton>(shell.window, "bannerButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return shell.enabled("run.profile"); }));
    EXPECT_EQ(shell.window.bannerText(), QString());
    EXPECT_FALSE(shell.window.controller().work().busy()) << "nothing is run unasked";
}

TEST(Window, RunStartsAnotherEngineWhereThereIsNone) {
    Shell shell(QStringLiteral("cut 3000"));
    ASSERT_TRUE(shell.ready());
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return shell.window.bannerText().contains(QStringLiteral("Run (F5)")); }))
        << shell.window.bannerText().toStdString();
    shell.window.engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
    auto* run = child<QPushButton>(shell.window, "runButton");
    EXPECT_TRUE(run->isEnabled());
    EXPECT_TRUE(run->toolTip().contains(QStringLiteral("started first"))) << run->toolTip().toStdString();
    shell.window.activateWindow();
    QTest::keyClick(&shell.window, Qt::Key_F5);
    EXPECT_FALSE(shell.enabled("run.run")) << "one press is enough";
    EXPECT_TRUE(waitFor([&] { return shell.window.controller().work().training(); }));
    EXPECT_EQ(shell.window.bannerText(), QString());
}

TEST(Window, TheBannerOfALateEngineGoesWhenItAnswersOrIsReplaced) {
    Shell shell;
    const QByteArray gate = QFile::encodeName(shell.file("gate"));
    ASSERT_EQ(::mkfifo(gate.constData(), 0600), 0);
    EngineClient& engine = shell.window.engine();
    engine.setCommand(test::fakeEngine(QStringLiteral("gate ") + shell.file("gate")));
    engine.setHelloTimeouts(1, 600000);
    engine.start();
    const auto isLate = [&] {
        return shell.window.bannerText().contains(QStringLiteral("said nothing for"));
    };
    ASSERT_TRUE(waitFor(isLate));
    int pipe = -1;
    ASSERT_TRUE(waitFor([&] { return (pipe = ::open(gate.constData(), O_WRONLY | O_NONBLOCK)) >= 0; }));
    ::close(pipe);
    ASSERT_TRUE(waitFor([&] { return engine.state() == EngineClient::State::Ready; }));
    EXPECT_EQ(shell.window.bannerText(), QString());

    engine.restart();
    ASSERT_TRUE(waitFor(isLate));
    engine.setCommand(test::fakeEngine(QStringLiteral("normal")));
    engine.setHelloTimeouts(600000, 600000);
    engine.restart();
    EXPECT_EQ(shell.window.bannerText(), QString());
    EXPECT_TRUE(waitFor([&] { return engine.state() == EngineClient::State::Ready; }));
}

TEST(Window, ALostGpuKeepsItsRunAndTheBannerOffersAnEngineThatHasItAgain) {
    Shell shell(QStringLiteral("lost"));
    shell.window.engine().start();
    ASSERT_TRUE(waitFor([&] {
        return shell.enabled("run.run") &&
               shell.window.workbench().scene()->whatIf.machine().name == "Fake GPU";
    }));
    RunController& controller = shell.window.controller();
    const auto trains = [&] {
        shell.trigger("run.run");
        return waitFor([&] { return !controller.work().busy(); });
    };
    ASSERT_TRUE(trains());
    EXPECT_TRUE(
        shell.window.bannerText().contains(QStringLiteral("The GPU is lost to this program (fake): ")));
    const auto& runs = shell.window.workbench().runs();
    ASSERT_EQ(runs.all().size(), 1U);
    EXPECT_EQ(runs.all().front()->stepsDone, 20);
    EXPECT_EQ(runs.all().front()->end, TrainingEnd::Failed);
    EXPECT_EQ(shell.window.workbench().scene()->whatIf.machine().name, "Fake GPU")
        << "nothing else is chosen";
    // Whoever goes on without a restart is told the same.
    const QString told = shell.window.bannerText();
    ASSERT_TRUE(trains());
    EXPECT_EQ(shell.window.bannerText(), told);

    shell.window.engine().setCommand(test::fakeEngine(QStringLiteral("gpu")));
    QTest::mouseClick(child<QPushButton>(shell.window, "bannerButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return shell.enabled("run.run"); }));
    EXPECT_EQ(shell.window.bannerText(), QString());
    EXPECT_EQ(shell.window.workbench().scene()->whatIf.machine().name, "Fake GPU");
    controller.next().setSteps(3);
    ASSERT_TRUE(trains());
    EXPECT_EQ(runs.all().back()->end, TrainingEnd::Finished);
    EXPECT_EQ(runs.all().front()->stepsDone, 20);
}

TEST(Window, AsksBeforeItClosesOnUnsavedResultsOnly) {
    Shell shell;
    EXPECT_TRUE(shell.window.close());
    shell.window.show();
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(3);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    EXPECT_FALSE(shell.window.close());
    auto* question = child<QMessageBox>(shell.window, "unsavedQuestion");
    ASSERT_NE(question, nullptr);
    for (const QAbstractButton* button : question->buttons())
        EXPECT_FALSE(button->shortcut().isEmpty()) << button->text().toStdString();
    QTest::mouseClick(question->button(QMessageBox::Discard), Qt::LeftButton);
    EXPECT_FALSE(shell.window.isVisible());
}

TEST(Window, SaysThatTheLastStateIsSavedAndClosesAfterwards) {
    Shell shell(QStringLiteral("saving"));
    ASSERT_TRUE(shell.ready());
    const QByteArray go = QFile::encodeName(shell.file("go"));
    ASSERT_EQ(::mkfifo(go.constData(), 0600), 0);
    CheckpointOptions options;
    options.folder = shell.folder.path().toStdString();
    shell.window.controller().next().setCheckpoints(options);
    shell.window.controller().next().setSteps(0);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return shell.window.workbench().scene()->measured.has_value(); }));
    EXPECT_FALSE(shell.window.close());
    auto* question = child<QMessageBox>(shell.window, "unsavedQuestion");
    ASSERT_NE(question, nullptr);
    QTest::mouseClick(question->button(QMessageBox::Discard), Qt::LeftButton);
    EXPECT_TRUE(shell.window.isVisible());
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("last state")));
    EXPECT_FALSE(shell.window.close()) << "asked again, it still waits";
    EXPECT_FALSE(shell.enabled("file.open"));
    int pipe = -1;
    ASSERT_TRUE(waitFor([&] { return (pipe = ::open(go.constData(), O_WRONLY | O_NONBLOCK)) >= 0; }));
    EXPECT_TRUE(shell.window.isVisible());
    ::close(pipe);
    EXPECT_TRUE(waitFor([&] { return !shell.window.isVisible(); }));
    EXPECT_TRUE(QFile::exists(shell.file("saved")));
}

TEST(Window, AsksBeforeAnOpenedFileTakesThePlaceOfUnsavedResults) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.save(shell.file("before.plumb")));
    shell.window.controller().next().setSteps(3);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    const auto scene = shell.window.workbench().scene();
    ASSERT_TRUE(scene->measured.has_value());
    ASSERT_TRUE(shell.open(shell.file("before.plumb")));
    EXPECT_EQ(shell.window.workbench().scene(), scene);  // still there: it asks
    auto* question = child<QMessageBox>(shell.window, "unsavedQuestion");
    ASSERT_NE(question, nullptr);
    QTest::mouseClick(question->button(QMessageBox::Discard), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !shell.window.document().opening(); }));
    EXPECT_FALSE(shell.window.workbench().scene()->measured.has_value());
    EXPECT_FALSE(shell.window.controller().work().results().areUnsaved());
}

TEST(Window, WhatIsOpenedTogetherIsAskedForOnceAndCancelLeavesAllOfIt) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.save(shell.file("a.plumb")));
    ASSERT_TRUE(shell.save(shell.file("b.plumb")));
    shell.window.controller().next().setSteps(3);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    const auto open = [&] {
        shell.window.openFiles({shell.file("missing.plumb"), shell.file("a.plumb"), shell.file("b.plumb")});
        ASSERT_TRUE(waitFor([&] { return !shell.window.document().opening(); }));
    };
    const auto questions = [&] {
        return shell.window.findChildren<QMessageBox*>(QStringLiteral("unsavedQuestion"));
    };
    open();
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("missing.plumb")));
    ASSERT_EQ(questions().size(), 1);
    QTest::mouseClick(questions().back()->button(QMessageBox::Cancel), Qt::LeftButton);
    EXPECT_EQ(shell.window.workbench().runs().all().size(), 1U);
    EXPECT_FALSE(shell.window.document().opening());
    ASSERT_TRUE(waitFor([&] { return questions().isEmpty(); }));
    open();
    ASSERT_EQ(questions().size(), 1);
    QTest::mouseClick(questions().back()->button(QMessageBox::Discard), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return shell.window.document().path().endsWith(QStringLiteral("b.plumb")); }));
    EXPECT_TRUE(shell.window.workbench().runs().all().empty());
}

TEST(Window, OpensSeveralFilesInOrderAndTellsOfTheBadOnesAtTheEnd) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.save(shell.file("good.plumb")));
    QFile bad(shell.file("bad.plumb"));
    ASSERT_TRUE(bad.open(QIODevice::WriteOnly));
    bad.write(R"({"format": "plumbline.snap)");
    bad.close();
    QSignalSpy opened(&shell.window.document(), &Document::opened);
    shell.window.openFiles({shell.file("bad.plumb"), shell.file("missing.plumb"), shell.file("good.plumb")});
    ASSERT_TRUE(waitFor([&] { return !shell.window.document().opening(); }));
    EXPECT_EQ(opened.size(), 1);
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("bad.plumb")));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("missing.plumb")));
}

TEST(Window, FindsTheDataOfASnapshotBesideIt) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    for (const char* name : {"features.npy", "targets.npy"})
        ASSERT_TRUE(QFile::copy(QStringLiteral(PLUMB_RESOURCES "/samples") + QStringLiteral("/digits/") +
                                    QLatin1String(name),
                                shell.file(name)));
    const RunConfig config{.dim = 64, .data = "features.npy", .targets = "targets.npy"};
    auto snapshot = makeSnapshot(config, {shell.window.workbench().scene()->whatIf.machine(), cpuTraits()});
    ASSERT_TRUE(snapshot.has_value());
    ASSERT_TRUE(writeSnapshot(shell.file("digits.plumb").toStdString(), *snapshot).has_value());
    ASSERT_TRUE(shell.open(shell.file("digits.plumb")));
    EXPECT_EQ(QString::fromStdString(shell.window.workbench().config().data), shell.file("features.npy"));
    EXPECT_EQ(QString::fromStdString(shell.window.workbench().config().targets), shell.file("targets.npy"));
}

TEST(Window, SavesTheNewestRunThatEndedBeforeItsFirstReading) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(3);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    ASSERT_TRUE(shell.window.workbench().scene()->measured.has_value());

    RunConfig second = shell.window.workbench().config();
    second.layers = 7;
    EXPECT_TRUE(shell.window.workbench().show(second).has_value());
    shell.window.engine().setCommand(test::fakeEngine(QStringLiteral("cut 3000")));
    shell.window.engine().restart();
    ASSERT_TRUE(waitFor([&] { return shell.enabled("run.run"); }));
    shell.window.controller().next().setSteps(0);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return shell.window.bannerText().contains(QStringLiteral("signal 9")); }));
    ASSERT_FALSE(shell.window.workbench().scene()->measured.has_value());
    ASSERT_TRUE(shell.save(shell.file("killed.plumb")));
    const auto saved = readSnapshot(shell.file("killed.plumb").toStdString());
    ASSERT_TRUE(saved.has_value());
    EXPECT_EQ(saved->config.layers, 7);
    EXPECT_FALSE(saved->measured.has_value());
    ASSERT_TRUE(saved->training.has_value());
    EXPECT_FALSE(saved->training->steps.empty());
}

TEST(Window, RunTakesTheTypedNumberAndUndoTakesItBackFromInsideTheField) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.activateWindow();
    const std::int64_t before = shell.window.workbench().config().layers;
    auto* field = child<QLineEdit>(shell.window, "layersField");
    const auto type = [&](const char* text) {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QString::fromLatin1(text));
    };
    type("banana");
    QTest::keyClick(field, Qt::Key_F5);
    EXPECT_FALSE(shell.window.controller().work().busy());
    type("7");
    QTest::keyClick(field, Qt::Key_F5);
    ASSERT_TRUE(shell.window.controller().work().runningConfig().has_value());
    EXPECT_EQ(shell.window.controller().work().runningConfig()->layers, 7);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(shell.window.workbench().config().layers, before);
}

TEST(Window, UndoAndRedoFollowTheHistory) {
    Shell shell;
    EXPECT_FALSE(shell.enabled("edit.undo"));
    const RunConfig before = shell.window.workbench().config();
    auto* slider = child<StopSlider>(shell.window, "dimSlider");
    slider->setValue(slider->value() + 1);
    ASSERT_TRUE(shell.enabled("edit.undo"));
    shell.trigger("edit.undo");
    EXPECT_EQ(shell.window.workbench().config(), before);
    shell.trigger("edit.redo");
    EXPECT_NE(shell.window.workbench().config(), before);
}

TEST(Window, TheLabIsReachedByActionsAndComesIntoSightWhenItsEditIsTakenBack) {
    Shell shell;
    auto* figures = child<QWidget>(shell.window, "keyFigures");
    shell.trigger("lab.dtypes");
    EXPECT_EQ(shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("lab")));
    EXPECT_TRUE(figures->isHidden()) << "the Lab says nothing of the step";
    QTest::mouseClick(child<QPushButton>(shell.window, "dtypePreset 70000"), Qt::LeftButton);
    auto* value = child<QLineEdit>(shell.window, "dtypeValue");
    EXPECT_EQ(value->text(), QStringLiteral("70000"));
    shell.trigger("view.memory");
    EXPECT_FALSE(figures->isHidden());
    shell.trigger("edit.undo");
    EXPECT_EQ(shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("lab")));
    EXPECT_EQ(value->text(), QStringLiteral("0.1"));
}

TEST(Pictures, EveryViewIsDrawnAndNoneIsBlank) {
    for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
        Shell shell;
        shell.theme.setMode(mode);
        shell.window.resize(1200, 760);
        PictureExporter exporter(shell.window.views(), shell.window.viewArea(), nullptr);
        QSignalSpy finished(&exporter, &PictureExporter::finished);
        exporter.exportTo(shell.file("pictures"));
        ASSERT_TRUE(waitFor([&] { return !finished.isEmpty(); }, 60000));
        EXPECT_EQ(finished[0][0].toString(), QString());
        // A page of the Lab is laid out before it is drawn: it looks as it does when somebody opens it.
        const int first = shell.window.views().currentTab();
        shell.window.views().setCurrentTab(ViewStack::tabOf(QStringLiteral("lab")));
        auto* lab = child<LabView>(shell.window, "labView");
        for (const int page : {1, 2}) {
            lab->setPage(page);
            QTest::qWait(100);
            const QImage shown = shell.window.viewArea().grab().toImage();
            const QImage written(shell.file("pictures") + QStringLiteral("/lab-") +
                                 LabView::pageIds().at(page) + QStringLiteral(".png"));
            EXPECT_EQ(written.convertToFormat(QImage::Format_RGB32),
                      shown.convertToFormat(QImage::Format_RGB32))
                << page;
        }
        lab->setPage(0);
        shell.window.views().setCurrentTab(first);
        // Instead of the tab: the window, both pages of Training and of the planner, those of the Lab.
        std::vector<std::string> names{"window", "training-layers", "planner-evidence"};
        // The history is of other runs, and a note is its reader's: neither is in a picture of the step.
        for (int tab = 0; tab < ViewStack::tabCount(); ++tab)
            if (const QString id = QString::fromLatin1(entryAt(ViewStack::views(), tab).id);
                shell.window.views().isThere(tab) && id != QStringLiteral("history") &&
                id != QStringLiteral("notes"))
                names.push_back(id.toStdString());
        EXPECT_EQ(finished[0][1].toInt(), static_cast<int>(names.size()) - 1 + LabView::pageIds().size());
        for (const std::string& id : names) {
            const QImage image(shell.file("pictures") + QLatin1Char('/') + QString::fromStdString(id) +
                               QStringLiteral(".png"));
            ASSERT_FALSE(image.isNull()) << id;
            std::set<QRgb> colors;
            for (int y = 0; y < image.height(); y += 3)
                for (int x = 0; x < image.width(); x += 3) colors.insert(image.pixel(x, y));
            EXPECT_GT(colors.size(), 16U) << id;
        }
    }
}

}  // namespace
}  // namespace plumb::ui

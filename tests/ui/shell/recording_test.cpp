// SPDX-License-Identifier: GPL-3.0-or-later
// A step that another program recorded, opened in the window in front of the session.
#include "tests/ui/shell/shell_fixture.h"
#include "ui/charts/chart_panel.h"
#include "ui/memory/memory_state.h"
#include "ui/run/key_figures.h"
#include "ui/run/recording_panel.h"
#include "ui/run/run_panel.h"
#include "ui/theme/text.h"
#include "ui/widgets/meter.h"

#include "test_paths.h"

#include <QAbstractItemModel>
#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace plumb::ui::test {
namespace {

QString decoder() { return QString::fromUtf8(PLUMB_TEST_DATA "/step/decoder.plumb"); }
QString predictedDecoder() { return QString::fromUtf8(PLUMB_TEST_DATA "/step/decoder_predicted.plumb"); }
QString perceptron() { return QString::fromUtf8(PLUMB_TEST_DATA "/step/perceptron.plumb"); }

/// A copy of a recorded step in which something was changed.
template <class Change>
QString changed(Shell& shell, const QString& path, const Change& change) {
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    QJsonObject document = QJsonDocument::fromJson(file.readAll()).object();
    change(document);
    return shell.write("changed.plumb", QJsonDocument(document).toJson());
}

template <class Change>
void changeField(QJsonObject& document, const char* name, const Change& change) {
    QJsonObject field = document[QLatin1String(name)].toObject();
    change(field);
    document[QLatin1String(name)] = field;
}

/// Asks for all that a table can be asked for.
void readEveryCell(const QAbstractItemModel& model) {
    for (int row = 0; row < model.rowCount(); ++row)
        for (int column = 0; column < model.columnCount(); ++column)
            for (int role = Qt::DisplayRole; role <= Qt::UserRole + 4; ++role)
                (void)model.data(model.index(row, column), role);
}

const KeyFigure& figure(Shell& shell, const char* id) {
    return child<KeyFigureTile>(shell.window, id)->figure();
}

TEST(Recording, StandsInFrontOfTheSession) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    const RunConfig config = shell.window.workbench().config();
    shell.trigger("view.training");
    ASSERT_TRUE(shell.open(decoder()));
    EXPECT_EQ(shell.window.bannerText(), QString());
    const Workbench& workbench = shell.window.workbench();
    ASSERT_NE(workbench.recording(), nullptr);
    EXPECT_EQ(workbench.scene()->whatIf.plan, nullptr);
    EXPECT_EQ(workbench.scene()->whatIf.step->opCount(), 763);
    ASSERT_TRUE(workbench.scene()->measured.has_value());
    EXPECT_NE(workbench.session()->whatIf.plan, nullptr);
    EXPECT_EQ(workbench.config(), config);
    EXPECT_TRUE(child<RecordingPanel>(shell.window, "recordingPanel")->isVisible());
    EXPECT_FALSE(child<RunPanel>(shell.window, "runPanel")->isVisible());
    EXPECT_TRUE(shell.window.windowTitle().contains(QStringLiteral("decoder.plumb")));
    EXPECT_EQ(shell.settings.recentFiles().value(0), QStringList{decoder()});
    for (const char* id : {"run.run", "run.profile", "run.apply", "run.measureCurve", "run.prove"})
        EXPECT_FALSE(shell.enabled(id)) << id;
    EXPECT_EQ(figure(shell, "peakMemory").measured, QStringLiteral("172 kB"));
    EXPECT_EQ(figure(shell, "peakMemory").predictedCaption, QStringLiteral("tensors"));
    EXPECT_EQ(figure(shell, "peakMemory").measuredCaption, QStringLiteral("allocator"));
    EXPECT_NE(figure(shell, "stepTime").measured, QStringLiteral("–"));
    EXPECT_FALSE(figure(shell, "flops").toolTip.contains(QStringLiteral("6·B·N")))
        << "a rule of another model";
    EXPECT_TRUE(figure(shell, "loss").toolTip.contains(QStringLiteral("noted none")));
    const auto* const loss = child<ChartPanel>(*child<QWidget>(shell.window, "trainingView"), "lossChart");
    EXPECT_TRUE(waitFor([&] { return loss->emptyText().contains(QStringLiteral("noted none")); }))
        << "nobody can press Run";

    QTest::mouseClick(child<QPushButton>(shell.window, "closeRecording"), Qt::LeftButton);
    EXPECT_EQ(workbench.recording(), nullptr);
    EXPECT_EQ(workbench.scene(), workbench.session());
    EXPECT_TRUE(child<RunPanel>(shell.window, "runPanel")->isVisible());
    EXPECT_TRUE(shell.enabled("run.run"));

    EXPECT_FALSE(shell.enabled("file.close")) << "nothing is open that could be closed";
    ASSERT_TRUE(shell.open(decoder()));
    shell.trigger("file.close");
    EXPECT_EQ(workbench.recording(), nullptr);
}

TEST(Recording, SaysNothingOfWhatWasMeasuredBehindIt) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    for (std::size_t time = 1; time <= 2; ++time) {
        shell.trigger("run.profile");
        ASSERT_TRUE(waitFor([&] {
            return !shell.window.controller().work().busy() &&
                   shell.window.workbench().measurements().size() == time;
        }));
    }
    auto* const status = child<QLabel>(shell.window, "measurementState");
    auto* const menu = child<QMenu>(shell.window, "measurementsMenu");
    const auto ticked = [&] {
        emit menu->aboutToShow();
        return std::ranges::count_if(menu->actions(),
                                     [](const QAction* entry) { return entry->isChecked(); });
    };
    EXPECT_EQ(status->text(), QStringLiteral("Measurement 2 of 2"));
    EXPECT_EQ(ticked(), 1);
    ASSERT_TRUE(shell.open(decoder()));
    EXPECT_EQ(status->text(), QString());
    EXPECT_EQ(ticked(), 0);
    EXPECT_FALSE(shell.enabled("run.earlierMeasurement"));
    shell.window.workbench().open(std::optional<Recording>());
    EXPECT_EQ(status->text(), QStringLiteral("Measurement 2 of 2"));
    EXPECT_EQ(ticked(), 1);
    EXPECT_TRUE(shell.enabled("run.earlierMeasurement"));
}

TEST(Recording, DrawsItsLossesInPlaceOfThoseOfTheSession) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(12);
    QTest::mouseClick(child<QPushButton>(shell.window, "runButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    shell.trigger("view.training");
    ASSERT_TRUE(shell.open(perceptron()));
    auto& view = *child<QWidget>(shell.window, "trainingView");
    auto* const chart = child<ChartPanel>(view, "lossChart");
    auto* const steps = child<QLabel>(view, "figureStep");
    ASSERT_TRUE(waitFor([&] { return steps->text() == QStringLiteral("30"); }));
    EXPECT_TRUE(chart->lineIds().contains(QStringLiteral("run0")));
    EXPECT_GE(chart->axis(ChartAxis::X).max, 29);
    EXPECT_LT(chart->axis(ChartAxis::Y).min, 1.3464032411575317);
    EXPECT_GT(chart->axis(ChartAxis::Y).max, 1.4607093334197998);
    EXPECT_EQ(chart->emptyText(), QString());
    EXPECT_EQ(child<QLabel>(view, "figureLoss")->text(), QStringLiteral("1.35"));
    EXPECT_TRUE(child<QLabel>(view, "trainingNote")->text().contains(QStringLiteral("given to step()")));
    EXPECT_FALSE(child<QLabel>(view, "trainingOutcome")->isVisible());
    EXPECT_EQ(figure(shell, "loss").measured, QStringLiteral("1.35"));
    EXPECT_TRUE(figure(shell, "loss").toolTip.contains(QStringLiteral("pass T")));
    QTest::mouseClick(child<QPushButton>(shell.window, "closeRecording"), Qt::LeftButton);
    EXPECT_TRUE(waitFor([&] { return steps->text() == QStringLiteral("12 of 12"); })) << "the session's";
}

TEST(Recording, SaysOfATensorThatGoesBeforeTheFirstOperationWhenItGoes) {
    Shell shell;
    const QString path = changed(shell, perceptron(), [](QJsonObject& document) {
        changeField(document, "tensors", [](QJsonObject& tensors) {
            for (const char* name : {"first_op", "last_op"}) {
                QJsonArray column = tensors[QLatin1String(name)].toArray();
                column[1] = -1;
                tensors[QLatin1String(name)] = column;
            }
        });
    });
    ASSERT_TRUE(shell.open(path));
    ASSERT_NE(shell.window.workbench().recording(), nullptr) << shell.window.bannerText().toStdString();
    shell.trigger("view.memory");
    child<QPushButton>(shell.window, "tensorScope1")->click();
    auto* const table = child<QTableView>(shell.window, "tensorTable");
    QAbstractItemModel& model = *table->model();
    ASSERT_EQ(model.rowCount(), shell.window.workbench().scene()->whatIf.step->tensorCount());
    readEveryCell(model);
    int found = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        table->selectRow(row);
        if (model.index(row, 0).data().toString() != QStringLiteral("0.weight.grad")) continue;
        ++found;
        EXPECT_EQ(model.index(row, 6).data().toString(), QStringLiteral("before the step"));
        EXPECT_EQ(model.index(row, 7).data().toString(), QStringLiteral("before the first operation"));
        EXPECT_FALSE(shell.window.grab().isNull());
    }
    EXPECT_EQ(found, 1);
    for (const char* view : {"operations", "modules", "timeline"}) {
        shell.trigger((std::string("view.") + view).c_str());
        for (const QAbstractItemView* each : shell.window.findChildren<QAbstractItemView*>())
            if (each->isVisible() && each->model()) readEveryCell(*each->model());
    }
}

TEST(Recording, SaysWhatADeviceHasToHold) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.open(predictedDecoder()));
    const auto* const fits = child<QLabel>(shell.window, "recordingFits");
    EXPECT_EQ(fits->text(),
              QStringLiteral("1.07 GB of 141 GB\n69.2 MB reserved by the allocator for 171 kB of "
                             "tensors, about 1.00 GB for the GPU's context"));
    ASSERT_TRUE(shell.open(decoder()));
    auto* const devices = child<QComboBox>(shell.window, "recordingDevice");
    const auto choose = [&](const QString& name) {
        const int index = devices->findText(name, Qt::MatchContains);
        ASSERT_GE(index, 0) << name.toStdString();
        devices->setCurrentIndex(index);
        emit devices->activated(index);
    };
    choose(QStringLiteral("A100"));
    EXPECT_TRUE(fits->text().contains(QStringLiteral("what its allocator would reserve is not known")))
        << fits->text().toStdString();
    const QString tensors = bytesText(shell.window.workbench().scene()->whatIf.prediction->memory.peakBytes);
    EXPECT_TRUE(fits->text().contains(tensors + QStringLiteral(" of tensors alone")));
    choose(QStringLiteral("Fake CPU"));
    EXPECT_FALSE(fits->text().contains(QStringLiteral("context"))) << fits->text().toStdString();
    EXPECT_FALSE(fits->text().contains(QLatin1Char('\n')));
    EXPECT_TRUE(fits->text().startsWith(tensors));
}

TEST(Recording, SaysThatTheStepHadAnotherNumberOfThreads) {
    const auto onFakeCpu = [](QJsonObject& document) {
        changeField(document, "environment", [](QJsonObject& environment) {
            environment[QStringLiteral("device_name")] = QStringLiteral("Fake CPU");
            environment[QStringLiteral("threads")] = 1;
        });
    };
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.open(changed(shell, perceptron(), onFakeCpu)));
    const auto* const notes = child<QLabel>(shell.window, "recordingNotes");
    EXPECT_TRUE(notes->isVisible());
    EXPECT_TRUE(
        notes->text().startsWith(QStringLiteral("The step had 1 thread, and is predicted for Fake CPU")))
        << notes->text().toStdString();
    EXPECT_EQ(figure(shell, "mfu").measured, QStringLiteral("–")) << "a share of the peak of more threads";
}

TEST(Recording, SaysWhyItsOperationsAddUpToMoreThanTheStep) {
    Shell shell;
    ASSERT_TRUE(shell.open(perceptron()));
    const StepFile& file = *shell.window.workbench().recording()->file;
    ASSERT_GT(file.overhead().value_or(0), 2);
    shell.trigger("view.operations");
    QStringList said;
    for (const QLabel* label : shell.window.findChildren<QLabel*>())
        if (label->isVisible()) said << label->text();
    const QString words =
        QStringLiteral("timed in a step of %1 × a clean one").arg(*file.overhead(), 0, 'f', 1);
    EXPECT_EQ(said.filter(words).size(), 1) << said.join(QLatin1Char('|')).toStdString();
}

// One that is in no module has no place to be told by among its likes.
TEST(Recording, NamesEveryOperationOfAGroup) {
    Shell shell;
    ASSERT_TRUE(shell.open(decoder()));
    shell.trigger("view.operations");
    const QAbstractItemModel& model = *child<QTreeView>(shell.window, "operationsTable")->model();
    int rows = 0;
    const std::function<void(const QModelIndex&)> look = [&](const QModelIndex& parent) {
        for (int row = 0; row < model.rowCount(parent); ++row, ++rows) {
            const QModelIndex index = model.index(row, 0, parent);
            EXPECT_FALSE(index.data().toString().isEmpty())
                << "below " << parent.data().toString().toStdString();
            look(index);
        }
    };
    look({});
    EXPECT_GT(rows, 700);
}

TEST(Recording, WithoutTensorsSaysThatItKnowsNothingOfMemory) {
    Shell shell;
    const QString path = changed(shell, perceptron(), [](QJsonObject& document) {
        changeField(document, "tensors", [](QJsonObject& tensors) {
            for (const QString& name : tensors.keys()) tensors[name] = QJsonArray();
        });
        changeField(document, "ops", [](QJsonObject& ops) {
            for (const char* name : {"reads", "writes"}) {
                QJsonArray column;
                for (qsizetype i = ops[QStringLiteral("id")].toArray().size(); i > 0; --i)
                    column.append(QJsonArray());
                ops[QLatin1String(name)] = column;
            }
        });
        document[QStringLiteral("memory")] =
            QJsonObject{{QStringLiteral("start_bytes"), QJsonValue::Null},
                        {QStringLiteral("allocator_peak_bytes"), QJsonValue::Null},
                        {QStringLiteral("inside_libraries_bytes"), QJsonValue::Null}};
    });
    ASSERT_TRUE(shell.open(path));
    ASSERT_NE(shell.window.workbench().recording(), nullptr) << shell.window.bannerText().toStdString();
    EXPECT_EQ(figure(shell, "peakMemory").predicted, QStringLiteral("–"));
    EXPECT_EQ(figure(shell, "peakMemory").measured, QStringLiteral("–"));
    shell.trigger("view.memory");
    const auto* const chart = child<ChartPanel>(*child<QWidget>(shell.window, "memoryView"), "memoryChart");
    EXPECT_TRUE(chart->emptyText().contains(QStringLiteral("says nothing of memory")))
        << chart->emptyText().toStdString();
    EXPECT_EQ(child<QLabel>(shell.window, "recordingFits")->text(),
              QStringLiteral("The step says nothing of memory."));
    EXPECT_FALSE(shell.window.grab().isNull());
}

TEST(Recording, HasRatesOfItsCleanStepsWhereItSaysHowManySamplesTheyTrainOn) {
    Shell shell;
    shell.trigger("view.training");
    ASSERT_TRUE(shell.open(perceptron()));
    auto& view = *child<QWidget>(shell.window, "trainingView");
    const auto* const steps = child<QLabel>(view, "figureSteps");
    const auto* const samples = child<QLabel>(view, "figureSamples");
    ASSERT_TRUE(waitFor([&] { return steps->text() == QStringLiteral("1.70 k"); }))
        << steps->text().toStdString();
    EXPECT_EQ(samples->text(), QStringLiteral("54.5 k"));
    const auto* const chart = child<ChartPanel>(view, "samplesPerSecondChart");
    EXPECT_EQ(chart->emptyText(), QString());
    EXPECT_FALSE(child<ChartPanel>(view, "gradientNormChart")->isVisible()) << "no step of it has one";

    ASSERT_TRUE(shell.open(changed(shell, perceptron(), [](QJsonObject& document) {
        document[QStringLiteral("samples")] = QJsonValue::Null;
    })));
    ASSERT_TRUE(waitFor([&] { return samples->text() == QStringLiteral("–"); }));
    EXPECT_EQ(steps->text(), QStringLiteral("1.70 k"));
    EXPECT_EQ(figure(shell, "throughput").measured, QStringLiteral("–"));
    EXPECT_EQ(figure(shell, "throughput").predicted, QStringLiteral("–"));
    EXPECT_TRUE(chart->emptyText().contains(QStringLiteral("does not say how many samples")))
        << chart->emptyText().toStdString();
}

TEST(Recording, LeavesTheWindowAsNarrowAsItWas) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.open(perceptron()));
    for (const char* view :
         {"overview", "memory", "operations", "modules", "roofline", "timeline", "training"}) {
        shell.trigger((std::string("view.") + view).c_str());
        shell.window.resize(1024, 700);
        EXPECT_TRUE(waitFor([&] { return shell.window.width() <= 1024; }))
            << view << ": " << shell.window.width();
    }
}

TEST(Recording, LeadsFromAFindingToWhatShowsIt) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.open(decoder()));
    auto& panel = *child<RecordingPanel>(shell.window, "recordingPanel");
    const auto buttons = panel.findChildren<QPushButton*>(QStringLiteral("findingShow"));
    ASSERT_FALSE(buttons.isEmpty());
    EXPECT_LE(buttons.size(), 3);
    for (QPushButton* each : buttons) {
        shell.window.workbench().selection().select({});
        each->click();
        const bool isMemory = each->text().contains(QStringLiteral("Memory"));
        EXPECT_EQ(shell.window.views().currentTab(),
                  ViewStack::tabOf(isMemory ? QStringLiteral("memory") : QStringLiteral("operations")));
        EXPECT_GE(shell.window.workbench().scene()->whatIf.step->findOp(
                      shell.window.workbench().selection().op().toStdString()),
                  0);
    }
}

TEST(Recording, BracketsItsModulesBelowTheMemory) {
    Shell shell;
    ASSERT_TRUE(shell.open(decoder()));
    const MemoryState state = makeMemoryState(shell.window.workbench().scene());
    const auto bracketed = std::ranges::count(state.axis.bands, true, &ChartBand::bracketed);
    EXPECT_GT(bracketed, 4) << "two layers, forward and backward, and what is around them";
    for (const ChartBand& band : state.axis.bands) {
        EXPECT_EQ(band.level, band.bracketed ? 0 : 1);
        EXPECT_LE(band.from, band.to);
    }
    EXPECT_EQ(std::ranges::count(makeMemoryState(shell.window.workbench().session()).axis.bands, true,
                                 &ChartBand::bracketed),
              0);
}

TEST(Recording, TakesTheLabOfAnotherModelAway) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    const int lab = ViewStack::tabOf(QStringLiteral("checkpoint"));
    shell.trigger("view.checkpoint");
    ASSERT_EQ(shell.window.views().currentTab(), lab);
    ASSERT_TRUE(shell.open(perceptron()));
    EXPECT_FALSE(shell.window.views().isThere(lab));
    EXPECT_NE(shell.window.views().currentTab(), lab);
    EXPECT_FALSE(child<QWidget>(shell.window, "checkpointTab")->isVisible());
    QTest::mouseClick(child<QPushButton>(shell.window, "closeRecording"), Qt::LeftButton);
    EXPECT_TRUE(shell.window.views().isThere(lab));
    EXPECT_TRUE(child<QWidget>(shell.window, "checkpointTab")->isVisible());
}

TEST(Recording, IsPredictedForAnotherDeviceInTheTimelineToo) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.open(perceptron()));
    auto* const devices = child<QComboBox>(shell.window, "recordingDevice");
    const int other = devices->findText(QStringLiteral("A100"), Qt::MatchContains);
    ASSERT_GE(other, 0);
    emit devices->activated(other);
    shell.trigger("view.timeline");
    const QAbstractItemModel* const sums = child<QTableView>(shell.window, "timelineSums")->model();
    ASSERT_TRUE(waitFor([&] { return sums->rowCount() > 0; }));
    EXPECT_EQ(sums->headerData(4, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("what-if"));
    EXPECT_TRUE(
        sums->headerData(4, Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("A100")));
    EXPECT_NE(sums->index(0, 4).data().toString(), QStringLiteral("–"));
}

TEST(Recording, FillsEveryView) {
    Shell shell;
    ASSERT_TRUE(shell.open(decoder()));
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab) {
        shell.window.views().setCurrentTab(tab);
        EXPECT_FALSE(shell.window.grab().isNull()) << ViewStack::views()[static_cast<std::size_t>(tab)].id;
    }
    EXPECT_EQ(shell.window.workbench().scene()->measured->reading->timeline->steps.size(), 1U);
}

TEST(Recording, IsPredictedForTheDeviceThatIsChosen) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.open(predictedDecoder()));
    const Workbench& workbench = shell.window.workbench();
    EXPECT_EQ(workbench.scene()->whatIf.machine().name, "NVIDIA H200 SXM 141GB") << "that of the file";
    EXPECT_FALSE(workbench.scene()->measured.has_value());
    const Seconds there = workbench.scene()->whatIf.prediction->totals.seconds.value();
    auto* const devices = child<QComboBox>(shell.window, "recordingDevice");
    const int other = devices->findText(QStringLiteral("A100"), Qt::MatchContains);
    ASSERT_GE(other, 0);
    devices->setCurrentIndex(other);
    emit devices->activated(other);
    EXPECT_TRUE(workbench.scene()->whatIf.machine().name.find("A100") != std::string::npos);
    EXPECT_NE(workbench.scene()->whatIf.prediction->totals.seconds, there);
    EXPECT_EQ(workbench.session()->whatIf.machine().id, workbench.scene()->whatIf.machine().id);
    EXPECT_GT(child<Meter>(shell.window, "recordingMeter")->share().value_or(0), 0);
}

TEST(Recording, HidesNothingOfARunBehindItAndIsLeftAlone) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(12);
    QTest::mouseClick(child<QPushButton>(shell.window, "runButton"), Qt::LeftButton);
    ASSERT_TRUE(shell.open(decoder()));
    const ScenePtr shown = shell.window.workbench().scene();
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    EXPECT_EQ(shell.window.workbench().scene(), shown)
        << "a reading of the session makes no other step of it";
    EXPECT_EQ(shell.window.workbench().runs().all().size(), 1U);
    EXPECT_TRUE(shell.window.document().isModified());
    ASSERT_TRUE(shell.save(shell.file("session.plumb"))) << "what is saved is the session";
    ASSERT_TRUE(shell.open(shell.file("session.plumb")));
    EXPECT_EQ(shell.window.workbench().recording(), nullptr) << "a snapshot takes the place of all";
}

TEST(Recording, OpensWithoutAskingForUnsavedResults) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(12);
    QTest::mouseClick(child<QPushButton>(shell.window, "runButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    ASSERT_TRUE(shell.window.document().isModified());
    ASSERT_TRUE(shell.open(decoder()));
    EXPECT_EQ(shell.window.findChild<QWidget*>(QStringLiteral("unsavedQuestion")), nullptr);
    EXPECT_NE(shell.window.workbench().recording(), nullptr);
}

TEST(Recording, ADamagedOneIsRefusedByItsFieldAndChangesNothing) {
    Shell shell;
    const ScenePtr before = shell.window.workbench().scene();
    QFile original(decoder());
    ASSERT_TRUE(original.open(QIODevice::ReadOnly));
    QByteArray text = original.readAll();
    text.replace("\"recompute\"", "\"sideways\"");
    QFile damaged(shell.file("damaged.plumb"));
    ASSERT_TRUE(damaged.open(QIODevice::WriteOnly));
    damaged.write(text);
    damaged.close();
    ASSERT_TRUE(shell.open(shell.file("damaged.plumb")));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("sideways")))
        << shell.window.bannerText().toStdString();
    EXPECT_EQ(shell.window.workbench().scene(), before);
}

}  // namespace
}  // namespace plumb::ui::test

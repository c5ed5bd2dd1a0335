// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.h"

#include "core/base/words.h"
#include "core/io/file.h"
#include "core/machine/hardware_database.h"
#include "tests/support/reference.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/compare/compared_steps.h"
#include "ui/compare/difference_table.h"
#include "ui/compare/facts_model.h"
#include "ui/compare/figure_tiles.h"
#include "ui/compare/step_chips.h"
#include "ui/workbench/session_steps.h"
#include "ui/workbench/workbench.h"

#include <QAbstractItemModelTester>
#include <QAbstractScrollArea>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>

namespace plumb::ui::test {
namespace {

RunConfig configOf(std::int32_t layers) {
    RunConfig config;
    config.dim = 256;
    config.layers = layers;
    config.batch = 128;
    config.microBatch = 128;
    return config;
}

/// A measured step whose ops take `factor` of their prediction, with repeats 2 % apart, a training and a
/// timeline.
ComparedStep measured(const std::string& label, std::int32_t layers, double factor = 1) {
    const Target target{HardwareDatabase::builtIn().find("H200 SXM").value(), {}};
    const StepPlan plan = planStep(configOf(layers), target.traits).value();
    auto reading = std::make_shared<Reading>(toReading(plan, predict(plan, target.machine)));
    reading->source = Source::Clock;
    reading->stepsMeasured = 20;
    auto timeline = std::make_shared<Timeline>();
    timeline->lanes = {{LaneKind::Ops, "ops"}};
    Seconds now = 0;
    for (std::size_t i = 0; i < reading->ops.size(); ++i) {
        OpReading& op = reading->ops[i];
        const Seconds seconds = op.seconds.value_or(1e-6) * (op.phase == Phase::Backward ? factor : 1);
        op.seconds = seconds;
        op.spread = Spread{seconds * 0.99, seconds * 1.01};
        timeline->records.push_back({.begin = now, .end = now + seconds, .op = static_cast<std::int32_t>(i)});
        now += seconds;
    }
    timeline->steps = {{0, 0, now}};
    reading->timeline = timeline;
    reading->totals = makeTotals(plan, target.machine, now);
    reading->totals.spread = Spread{now * 0.98, now * 1.02};
    ComparedStep step = comparedStep(configOf(layers), target, reading, label).value();
    for (std::int64_t i = 0; i < 200; ++i)
        step.training.push_back({.step = i, .loss = (2 + factor) * std::exp(-0.02 * static_cast<double>(i))});
    return step;
}

class CompareViewTest : public ::testing::Test {
protected:
    CompareViewTest() {
        view.resize(1360, 900);
        view.show();
    }
    void addTwo() {
        steps.add(measured("eager.plumb", 4));
        steps.add(measured("fused.plumb", 5, 0.5));
    }
    QAbstractItemModel& rows() { return *child<DifferenceTable>(view, "compareTable")->model(); }
    QString cell(int row, DifferenceColumn column) {
        return rows().index(row, static_cast<int>(column)).data().toString();
    }
    void click(const char* name) {
        auto* button = child<QAbstractButton>(view, name);
        ASSERT_NE(button, nullptr);
        button->click();
        QCoreApplication::processEvents();
    }
    QString write(const char* name, const std::string& text) {
        const QString path = folder.filePath(QLatin1String(name));
        EXPECT_TRUE(writeFileAtomically(path.toStdString(), text).has_value());
        return path;
    }
    void drop(const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(40, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&view, &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent event(QPointF(40, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&view, &event);
        EXPECT_TRUE(waitFor([&] { return !steps.isReading(); }));
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    QTemporaryDir folder;
    Theme theme;
    Workbench workbench;
    ComparedSteps steps;
    CompareView view{{workbench, theme}, steps};
};

TEST_F(CompareViewTest, SaysWhatToDoWhileThereIsNothingToCompare) {
    EXPECT_TRUE(child<QLabel>(view, "compareEmpty")->isVisible());
    QSignalSpy wanted(&view, &CompareView::filesWanted);
    click("compareChoose");
    EXPECT_EQ(wanted.count(), 1);
    EXPECT_TRUE(view.report(TableForm::Text).isEmpty());
    const QString nothing = child<QLabel>(view, "compareEmpty")->text();
    steps.add(measured("one", 2));
    EXPECT_NE(child<QLabel>(view, "compareEmpty")->text(), nothing);
    EXPECT_TRUE(child<QLabel>(view, "compareEmpty")->isVisible());
    steps.add(measured("two", 3));
    EXPECT_FALSE(child<QLabel>(view, "compareEmpty")->isVisible());
    EXPECT_TRUE(child<QWidget>(view, "compareTable")->isVisible());
}

TEST(CompareFacts, CallOptionsAsTheRunPanelDoesAndTellSwitchesInTheLanguage) {
    struct Words {
        Words() { setWordsLanguage("zh_CN"); }
        ~Words() { setWordsLanguage({}); }
    } words;
    Comparison comparison;
    comparison.steps = {ComparedStep{.label = "one"}, ComparedStep{.label = "other"}};
    comparison.facts = {
        {"data", {"synthetic", "off.npy"}},  {"data-format", {"", "npy"}},
        {"standardize", {"on", "off"}},      {"holdout", {"0", "0.1"}},
        {"lr-schedule", {"cosine", "step"}}, {"device", {"Processor, 2 cores", "gpu-7"}, true}};
    FactsModel model;
    model.setFacts(comparison, {0, 1});
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    EXPECT_EQ(cell(0, 0), QStringLiteral("Features"));
    EXPECT_EQ(cell(0, 1), QStringLiteral("合成数据"));
    EXPECT_EQ(cell(0, 2), QStringLiteral("off.npy"));
    EXPECT_EQ(cell(1, 0), QStringLiteral("Data format"));
    EXPECT_EQ(cell(2, 0), QStringLiteral("Standardize the features"));
    EXPECT_EQ(cell(2, 1), QStringLiteral("开"));
    EXPECT_EQ(cell(2, 2), QStringLiteral("关"));
    EXPECT_EQ(cell(3, 0), QStringLiteral("Hold-out share"));
    EXPECT_EQ(cell(4, 2), QStringLiteral("step")) << "as the run panel offers it";
    EXPECT_EQ(cell(5, 1), QStringLiteral("Processor，2 核"));
    EXPECT_EQ(cell(5, 2), QStringLiteral("gpu-7")) << "a name";
}

TEST_F(CompareViewTest, ShowsOnlyWhatReallyDiffersUntilAllIsAskedFor) {
    addTwo();
    const QAbstractItemModelTester tester(&rows(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    const int real = rows().rowCount();
    ASSERT_GT(real, 0);
    for (int row = 0; row < real; ++row)
        EXPECT_NE(cell(row, DifferenceColumn::Verdict), QStringLiteral("no real change"));
    click("compareShown1");
    EXPECT_GT(rows().rowCount(), real);
    EXPECT_FALSE(view.showsOnlyReal());
    click("compareShown0");
    EXPECT_EQ(rows().rowCount(), real);
    EXPECT_EQ(child<QAbstractItemView>(view, "compareFacts")->model()->index(0, 0).data().toString(),
              QStringLiteral("Layers L"));
    EXPECT_TRUE(child<QLabel>(view, "compareCounts")->text().contains(QStringLiteral("really differ")));
}

TEST_F(CompareViewTest, TwoMeasurementsOfTheSameAreNoRealChange) {
    steps.add(measured("first", 4));
    steps.add(measured("second", 4, 1.001));
    for (const char* what :
         {"compareWhat0", "compareWhat1", "compareWhat2", "compareWhat3", "compareWhat4"}) {
        click(what);
        EXPECT_EQ(rows().rowCount(), 0) << what;
        EXPECT_TRUE(child<QLabel>(view, "compareCounts")->text().contains(QStringLiteral("no real change")));
    }
    EXPECT_TRUE(view.report(TableForm::Text).contains(QStringLiteral("No real change from first to second")));
    EXPECT_TRUE(
        child<ChartPanel>(view, "compareRooflineChart")->emptyText().contains(QStringLiteral("moved")));
}

TEST_F(CompareViewTest, ChipsChooseBaselineAndDetail) {
    addTwo();
    steps.add(measured("third.plumb", 6));
    EXPECT_EQ(steps.detailed(), 2U) << "the newest";
    click("compareChip1");
    EXPECT_EQ(steps.detailed(), 1U);
    EXPECT_TRUE(child<StepChip>(view, "compareChip0")
                    ->accessibleName()
                    .startsWith(QStringLiteral("Baseline: eager.plumb")));
    click("compareSwap");
    EXPECT_EQ(steps.steps().front().label, "fused.plumb");
    EXPECT_EQ(steps.steps()[1].label, "eager.plumb");
    click("compareBaseline2");
    EXPECT_EQ(steps.steps().front().label, "third.plumb");
    EXPECT_EQ(steps.steps()[steps.detailed()].label, "eager.plumb") << "what was compared stays";
    click("compareRemove0");
    ASSERT_EQ(steps.steps().size(), 2U);
    EXPECT_EQ(steps.steps().front().label, "fused.plumb");
    click("compareRemove1");
    EXPECT_EQ(steps.comparison(), nullptr);
}

TEST_F(CompareViewTest, SwappingTurnsEveryDifferenceAround) {
    addTwo();
    child<DifferenceTable>(view, "compareTable")
        ->sortByColumn(static_cast<int>(DifferenceColumn::Name), Qt::AscendingOrder);
    const QString before = cell(0, DifferenceColumn::Difference), name = cell(0, DifferenceColumn::Name);
    steps.swap();
    EXPECT_EQ(cell(0, DifferenceColumn::Name), name);
    EXPECT_EQ(cell(0, DifferenceColumn::Difference).mid(1), before.mid(1));
    EXPECT_NE(cell(0, DifferenceColumn::Difference).at(0), before.at(0));
}

TEST_F(CompareViewTest, SortsFiltersAndCopiesWhatIsShown) {
    addTwo();
    auto& table = *child<DifferenceTable>(view, "compareTable");
    const auto sizeAt = [&](int row) {
        const auto* model = qobject_cast<const DifferenceModel*>(&rows());
        return std::abs(model->row(row).difference().value());
    };
    for (int row = 1; row < rows().rowCount(); ++row) EXPECT_GE(sizeAt(row - 1), sizeAt(row));
    QTest::keyClick(&view, Qt::Key_Slash);
    auto& search = *child<QLineEdit>(view, "compareSearch");
    QTest::keyClicks(&search, QStringLiteral("optimizer"));
    ASSERT_GT(rows().rowCount(), 0);
    for (int row = 0; row < rows().rowCount(); ++row)
        EXPECT_TRUE(cell(row, DifferenceColumn::Name).startsWith(QStringLiteral("optimizer")));
    EXPECT_EQ(view.csv().count(QStringLiteral("\r\n")), rows().rowCount() + 1);
    table.setFocus();
    QTest::keySequence(&table, QKeySequence::Copy);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), view.csv());
    child<QAction>(view, "compareCopyMarkdown")->trigger();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QStringLiteral("| layers | 4 | 5 |")));
    child<QAction>(view, "compareCopyText")->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), view.report(TableForm::Text));
}

TEST_F(CompareViewTest, TakesDroppedFilesOfAnyOriginAndRefusesOthers) {
    QSignalSpy failed(&steps, &ComparedSteps::failed);
    const QString recorded = write("torch.plumb", plumb::test::referenceFile("step/decoder.plumb").dump());
    Snapshot snapshot =
        makeSnapshot(configOf(2), {HardwareDatabase::builtIn().find("H200 SXM").value(), {}}).value();
    const QString own = folder.filePath(QStringLiteral("own.plumb"));
    ASSERT_TRUE(writeSnapshot(own.toStdString(), snapshot).has_value());
    drop({recorded, own, write("bad.plumb", "{}")});
    ASSERT_EQ(steps.steps().size(), 2U);
    EXPECT_EQ(steps.steps()[0].label, "torch.plumb");
    EXPECT_EQ(steps.steps()[1].label, "own.plumb");
    ASSERT_EQ(failed.count(), 1);
    EXPECT_NE(failed[0][0].value<Error>().text().find("bad.plumb"), std::string::npos);
    drop({recorded});
    EXPECT_EQ(steps.steps()[2].label, "torch.plumb (2)") << "two of one name are told apart";
}

TEST_F(CompareViewTest, AddsWhatTheSessionHas) {
    ASSERT_TRUE(workbench.show(configOf(3)).has_value());
    QMenu& menu = *child<QMenu>(view, "compareAddMenu");
    emit menu.aboutToShow();
    ASSERT_EQ(menu.actions().size(), 3) << "files, a line, the prediction";
    menu.actions().last()->trigger();
    ASSERT_EQ(steps.steps().size(), 1U);
    EXPECT_FALSE(steps.steps().front().isMeasured());
    const ComparedStep run = measured("run", 3);
    workbench.setMeasured(run.reading, std::static_pointer_cast<const StepPlan>(run.step));
    emit menu.aboutToShow();
    ASSERT_EQ(menu.actions().size(), 4);
    menu.actions().last()->trigger();
    ASSERT_NE(steps.comparison(), nullptr);
    EXPECT_TRUE(steps.steps()[1].isMeasured());
    EXPECT_TRUE(steps.comparison()->facts.empty()) << "predicted and measured are one configuration";
}

TEST_F(CompareViewTest, ABudgetStandsInTheView) {
    addTwo();
    const auto labels = [&] {
        QStringList texts;
        for (const QLabel* label : child<QWidget>(view, "compareBudget")->findChildren<QLabel*>())
            texts << label->text() << label->accessibleName();
        return texts;
    };
    steps.budget().open(write("budget.json", R"({"peak_bytes": "1 B", "step_seconds_growth": "900 %"})"));
    EXPECT_TRUE(labels().contains(QStringLiteral("exceeded")));
    EXPECT_TRUE(labels().contains(QStringLiteral("kept")));
    EXPECT_TRUE(labels().contains(QStringLiteral("fused.plumb exceeds 1 of 2 limits of budget.json")));
    QSignalSpy failed(&steps, &ComparedSteps::failed);
    steps.budget().open(write("none.json", R"({"peak": 1})"));
    EXPECT_EQ(failed.count(), 1);
    EXPECT_TRUE(labels().contains(QStringLiteral("exceeded"))) << "the one before stays";
    click("compareBudgetRemove");
    EXPECT_FALSE(labels().contains(QStringLiteral("exceeded")));
}

TEST_F(CompareViewTest, TakesNoMoreThanItsLettersTell) {
    QSignalSpy failed(&steps, &ComparedSteps::failed);
    for (std::size_t i = 0; i < ComparedSteps::kMostSteps; ++i) steps.add(measured("same", 2));
    EXPECT_EQ(failed.count(), 0);
    EXPECT_FALSE(child<QPushButton>(view, "compareAdd")->isEnabled());
    steps.add(measured("same", 2));
    EXPECT_EQ(failed.count(), 1);
    EXPECT_EQ(steps.steps().size(), ComparedSteps::kMostSteps);
}

TEST_F(CompareViewTest, IsReachedByKeyboardAndNamed) {
    addTwo();
    auto* chip = child<StepChip>(view, "compareChip1");
    steps.add(measured("third", 3));
    chip->setFocus();
    QTest::keyClick(chip, Qt::Key_Space);
    EXPECT_EQ(steps.detailed(), 1U);
    for (QWidget* widget : view.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus ||
            qobject_cast<QAbstractScrollArea*>(widget->parentWidget()) != nullptr)
            continue;
        auto* button = qobject_cast<QAbstractButton*>(widget);
        const QString name = !widget->accessibleName().isEmpty() ? widget->accessibleName()
                             : button != nullptr                 ? button->text()
                                                                 : widget->objectName();
        EXPECT_FALSE(name.isEmpty()) << widget->metaObject()->className();
    }
}

TEST_F(CompareViewTest, DoesNothingWhileItIsHidden) {
    view.hide();
    addTwo();
    EXPECT_EQ(rows().rowCount(), 0);
    view.show();
    EXPECT_GT(rows().rowCount(), 0);
}

TEST(ComparePictures, ShowEverySectionInBothThemes) {
    const FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    inBothThemes([&](Theme& theme) {
        Workbench workbench;
        ComparedSteps steps;
        CompareView view({workbench, theme}, steps);
        view.resize(1360, 1240);
        view.show();
        picture(view, QStringLiteral("compare-empty-") + themeName(theme));
        steps.add(measured("llama-1b-eager.plumb", 4));
        steps.add(measured("llama-1b-fused.plumb", 5, 0.5));
        EXPECT_GT(coloursIn(picture(view, QStringLiteral("compare-large-") + themeName(theme))), 30);
        child<QAbstractButton>(view, "compareShown1")->click();
        child<QAbstractButton>(view, "compareMemoryForm1")->click();
        child<QAbstractButton>(view, "compareLossForm1")->click();
        child<QAbstractButton>(view, "compareWhat3")->click();
        steps.add(measured("third, a rather long name of a step file that is compared.plumb", 4, 0.97));
        view.resize(760, 900);
        QCoreApplication::processEvents();
        EXPECT_GT(coloursIn(picture(view, QStringLiteral("compare-small-") + themeName(theme))), 30);
    });
}

/// Large enough that it is compared on a worker.
ComparedStep large(const std::string& label, std::int32_t layers) {
    RunConfig config = configOf(layers);
    config.dim = 16;
    const Target target{HardwareDatabase::builtIn().find("H200 SXM").value(), {}};
    const StepPlan plan = planStep(config, target.traits).value();
    auto reading = std::make_shared<Reading>(toReading(plan, predict(plan, target.machine)));
    return comparedStep(config, target, reading, label).value();
}

TEST_F(CompareViewTest, LargeStepsAreComparedOnAWorkerWhichCanBeStopped) {
    steps.add(large("a", 512));
    steps.add(measured("b", 4));
    ASSERT_NE(steps.comparison(), nullptr) << "so much is compared at once";
    const int before = rows().rowCount();
    steps.add(large("c", 500));
    EXPECT_TRUE(steps.isComparing());
    EXPECT_EQ(steps.comparison(), nullptr);
    EXPECT_EQ(steps.steps().size(), 3U) << "the chips show what is to come";
    EXPECT_TRUE(child<QWidget>(view, "compareBusy")->isVisible());
    EXPECT_TRUE(
        child<QLabel>(view, "compareBusyText")->text().startsWith(QStringLiteral("Comparing 3 steps")))
        << child<QLabel>(view, "compareBusyText")->text().toStdString();
    click("compareCancel");
    EXPECT_FALSE(steps.isComparing());
    EXPECT_EQ(steps.steps().size(), 2U);
    ASSERT_NE(steps.comparison(), nullptr) << "what was compared before is there again";
    EXPECT_EQ(rows().rowCount(), before);
    steps.add(large("c", 500));
    steps.add(large("d", 490));  // while the first goes on
    ASSERT_TRUE(waitFor([&] { return !steps.isComparing(); }));
    ASSERT_NE(steps.comparison(), nullptr);
    EXPECT_EQ(steps.comparison()->steps.size(), 4U);
    EXPECT_EQ(steps.steps().size(), 4U);
    QCoreApplication::processEvents();
    EXPECT_FALSE(child<QWidget>(view, "compareBusy")->isVisible());
    EXPECT_TRUE(child<QWidget>(view, "compareTable")->isVisible());
}

#if defined(__SANITIZE_ADDRESS__)
constexpr double kMostWindowSeconds = 0.5;
#else
constexpr double kMostWindowSeconds = 0.05;
#endif

/// Processor time of this thread meanwhile, which no other work on the machine makes longer.
template <class Work>
double secondsOf(const Work& work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    };
    const double begin = now();
    work();
    return now() - begin;
}

TEST_F(CompareViewTest, StepsOfManyThousandOperationsHoldTheWindowUpForFewFrames) {
    constexpr std::int32_t kLayers = 25'430;  // 76 295 operations
    ComparedStep other = large("b", kLayers);
    auto slower = std::make_shared<Reading>(*other.reading);
    for (OpReading& op : slower->ops)
        if (op.seconds) *op.seconds *= 1.1;
    other.reading = slower;
    steps.add(large("a", kLayers));
    steps.add(other);
    ASSERT_TRUE(waitFor([&] { return !steps.isComparing(); }));
    ASSERT_NE(steps.detail(), nullptr);
    EXPECT_LT(secondsOf([&] { view.refresh(); }), kMostWindowSeconds) << "showing it";
    for (const char* chosen : {"compareShown1", "compareWhat3", "compareWhat1", "compareShown0",
                               "compareWhat0", "compareMemoryForm1", "compareShown1"})
        EXPECT_LT(secondsOf([&] { click(chosen); }), kMostWindowSeconds) << chosen;
    EXPECT_EQ(rows().rowCount(), static_cast<int>(steps.detail()->tables[DifferenceOf::OpTimes].rows.size()));
    EXPECT_LE(steps.detail()->lines.baseline.size(), 4 * 4096) << "a screen has fewer columns";
    const auto [low, high] = std::ranges::minmax(steps.detail()->memory.bytes[0]);
    const auto drawn = std::ranges::minmax(steps.detail()->lines.baseline, {}, &QPointF::y);
    EXPECT_EQ(drawn.min.y(), low);
    EXPECT_EQ(drawn.max.y(), high);
}

TEST_F(CompareViewTest, AnotherStepOfALargeComparisonIsWorkedOutOnTheWorker) {
    steps.add(large("a", 2000));
    steps.add(large("b", 2000));
    steps.add(large("c", 1900));
    ASSERT_TRUE(waitFor([&] { return !steps.isComparing(); }));
    ASSERT_EQ(steps.detailed(), 2U);
    const auto before = steps.detail();
    steps.showInDetail(1);
    EXPECT_TRUE(steps.isComparing());
    EXPECT_EQ(steps.detail(), before) << "what was shown stays until then";
    ASSERT_TRUE(waitFor([&] { return !steps.isComparing(); }));
    EXPECT_EQ(steps.detailed(), 1U);
    EXPECT_NE(steps.detail(), before);
    steps.showInDetail(2);
    steps.cancel();
    EXPECT_EQ(steps.detailed(), 1U);
    ASSERT_NE(steps.comparison(), nullptr);
}

TEST_F(CompareViewTest, ReadingCanBeGivenUp) {
    steps.open({write("a.plumb", "{}"), write("b.plumb", "{}")});
    EXPECT_TRUE(steps.isReading());
    EXPECT_TRUE(child<QWidget>(view, "compareBusy")->isVisible());
    QSignalSpy failed(&steps, &ComparedSteps::failed);
    click("compareCancel");
    EXPECT_FALSE(steps.isReading());
    EXPECT_FALSE(child<QWidget>(view, "compareBusy")->isVisible());
    EXPECT_EQ(failed.count(), 0);
}

TEST_F(CompareViewTest, ATableWithoutRowsSaysWhy) {
    steps.add(measured("a.plumb", 4));
    steps.add(measured("b.plumb", 4));
    auto& why = *child<QLabel>(view, "compareNoRows");
    EXPECT_EQ(rows().rowCount(), 0);
    EXPECT_TRUE(why.isVisible());
    EXPECT_TRUE(why.text().startsWith(QStringLiteral("Nothing really differs"))) << why.text().toStdString();
    EXPECT_FALSE(child<QWidget>(view, "compareTable")->isVisible());
    click("compareShown1");
    EXPECT_GT(rows().rowCount(), 0);
    EXPECT_FALSE(why.isVisible());
    child<QLineEdit>(view, "compareSearch")->setText(QStringLiteral("no such op"));
    EXPECT_TRUE(why.text().contains(QStringLiteral("No row has “no such op”"))) << why.text().toStdString();
    click("compareShown0");
    EXPECT_TRUE(why.text().contains(QStringLiteral("Everything"))) << why.text().toStdString();
}

TEST_F(CompareViewTest, TheNamesOfFiguresAreNotCutOff) {
    addTwo();
    for (const int width : {1360, 1100, 900}) {
        view.resize(width, 900);
        QCoreApplication::processEvents();
        const auto tiles = child<FigureTiles>(view, "compareFigures")->findChildren<FigureTile*>();
        ASSERT_FALSE(tiles.isEmpty());
        for (const FigureTile* tile : tiles)
            if (tile->isVisible()) {
                EXPECT_GE(tile->width(), tile->headWidth()) << tile->accessibleName().toStdString();
            }
    }
}

// Chips live longer than their steps, and their signals are queued: whatever order they come in, nothing is
// asked of a step that is gone.
TEST_F(CompareViewTest, ChipsSurviveAnyOrderOfClicks) {
    std::mt19937 random(20261124);
    const auto any = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    };
    std::vector<ComparedStep> made;
    for (int i = 0; i < 4; ++i) made.push_back(measured("step " + std::to_string(i), 2 + i));
    made.push_back(large("large", 512));
    for (int turn = 0; turn < 400; ++turn) {
        const auto place = std::to_string(any(ComparedSteps::kMostSteps));
        const auto press = [&](const std::string& name) {
            // Also chips of steps that are gone, which are hidden: a click may be on its way.
            if (auto* button = view.findChild<QAbstractButton*>(QString::fromStdString(name)))
                button->click();
        };
        switch (any(9)) {
        case 0:
        case 1:
        case 2:
            steps.add(made[any(made.size())]);
            break;
        case 3:
            press("compareRemove" + place);
            press("compareRemove" + place);
            break;
        case 4:
            press("compareBaseline" + place);
            break;
        case 5:
            press("compareChip" + place);
            break;
        case 6:
            press("compareSwap");
            break;
        case 7:
            view.resize(400 + static_cast<int>(any(1200)), 700);
            break;
        default:
            if (any(4) == 0) steps.clear();
            steps.cancel();
        }
        if (any(3) == 0) QCoreApplication::processEvents();
        ASSERT_LE(steps.steps().size(), ComparedSteps::kMostSteps);
        if (steps.comparison()) {
            ASSERT_EQ(steps.comparison()->steps.size(), steps.steps().size());
            ASSERT_LT(steps.detailed(), steps.steps().size());
        }
        std::size_t shown = 0;
        for (const StepChip* chip : view.findChildren<StepChip*>()) shown += chip->isHidden() ? 0 : 1;
        ASSERT_EQ(shown, steps.steps().size());
    }
    ASSERT_TRUE(waitFor([&] { return !steps.isComparing(); }));
}

// A step of the session is held by what compares it: opening something else takes nothing from it.
TEST_F(CompareViewTest, StepsOfTheSessionOutliveWhatIsOpen) {
    auto* menu = child<QMenu>(view, "compareAddMenu");
    emit menu->aboutToShow();
    const QList<QAction*> entries = menu->actions();
    for (std::int32_t layers : {3, 5}) {
        ASSERT_TRUE(workbench.show(configOf(layers)).has_value());
        entries.back()->trigger();
        QCoreApplication::processEvents();
    }
    ASSERT_EQ(steps.steps().size(), 2U);
    ASSERT_NE(steps.comparison(), nullptr);
    EXPECT_FALSE(steps.comparison()->isChanged(1)) << "both are what the menu offered";
}

}  // namespace
}  // namespace plumb::ui::test

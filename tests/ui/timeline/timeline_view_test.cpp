// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "tests/ui/timeline/timeline_scenes.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_names.h"
#include "ui/timeline/timeline_ops.h"
#include "ui/timeline/timeline_sums_model.h"
#include "ui/widgets/search_words.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QWheelEvent>

namespace plumb::ui::test {
namespace {

/// A view on screen with a timeline of two micro-batched steps.
struct Shown {
    explicit Shown(const TimelineShape& shape = {}, std::int64_t layers = 4) {
        RunConfig config = testConfig(layers, 256, 64);
        config.microBatch = 32;
        workbench = timelineWorkbench(config, shape);
        view = std::make_unique<TimelineView>(ViewContext{*workbench, theme});
        view->resize(1200, 760);
        view->show();
        canvas = child<TimelineCanvas>(*view, "timelineCanvas");
        canvas->setFocus();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(canvas, key, modifiers);
    }
    [[nodiscard]] QPoint middleOf(BarPlace place) const {
        const TimelineBar& bar = view->state().bar(place);
        return QPointF(canvas->timeWindow().toX((bar.begin + bar.end) / 2),
                       canvas->rowRect(place.row).center().y())
            .toPoint();
    }
    [[nodiscard]] std::string opOf(BarPlace place) const {
        return view->state().opId(view->state().bar(place).op).toStdString();
    }
    [[nodiscard]] std::string selected() const { return workbench->selection().op().toStdString(); }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    std::unique_ptr<Workbench> workbench;
    std::unique_ptr<TimelineView> view;
    TimelineCanvas* canvas = nullptr;
};

TEST(TimelineView, SaysHowToGetATimelineWhenThereIsNone) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    const auto workbench = testWorkbench(testConfig());
    QWidget window;
    QAction profile(&window);
    profile.setObjectName(QStringLiteral("run.profile"));
    TimelineView view({*workbench, theme}, &window);
    view.resize(900, 500);
    window.show();
    auto* text = child<QLabel>(view, "timelineEmpty");
    EXPECT_TRUE(text->text().contains(QStringLiteral("Profile")));
    EXPECT_TRUE(text->isVisible());
    QSignalSpy wanted(&profile, &QAction::triggered);
    auto* const button = child<QPushButton>(view, "timelineProfile");
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(wanted.size(), 1);
    // What can only be planned is not offered.
    profile.setEnabled(false);
    profile.setToolTip(QStringLiteral("V100 is for planning only"));
    EXPECT_EQ(text->text(), QStringLiteral("V100 is for planning only"));
    EXPECT_FALSE(button->isVisible());
    profile.setToolTip({});
    profile.setEnabled(true);
    EXPECT_TRUE(button->isVisible());
    // A training measures medians alone, and the view says so.
    const auto plan = testPlan(testConfig());
    workbench->setMeasured(testReading(*plan, testMachine()), plan);
    EXPECT_TRUE(text->text().contains(QStringLiteral("medians")));
    workbench->setMeasured(withTimeline(*testReading(*plan, testMachine()), {}), plan);
    EXPECT_FALSE(text->isVisible());
    EXPECT_TRUE(child<TimelineCanvas>(view, "timelineCanvas")->isVisible());
}

TEST(TimelineState, HasTheLanesInOrderAndAPredictionForEveryMeasuredOp) {
    const auto workbench = timelineWorkbench(testConfig(4, 256, 64), {.steps = 2, .device = true});
    const TimelineState state = makeTimelineState(workbench->scene(), PredictedAt::EndToEnd);
    QStringList labels;
    for (const TimelineRow& row : state.rows)
        if (!row.label.isEmpty()) labels << row.label;
    EXPECT_EQ(labels, (QStringList{QStringLiteral("ops"), QStringLiteral("predicted"),
                                   QStringLiteral("stream 7"), QStringLiteral("copies"),
                                   QStringLiteral("host thread 1"), QStringLiteral("memory")}));
    EXPECT_EQ(state.rows[0].bars.size(), state.rows[1].bars.size());
    // End to end, the prediction of a step is as long as the predicted ops together.
    const Prediction& prediction = *workbench->scene()->measured->prediction;
    Seconds sum = 0;
    for (const auto& seconds : prediction.opSeconds) sum += *seconds;
    EXPECT_NEAR(state.rows[1].bars.busy(0, state.rows[1].bars.size()), 2 * sum, 1e-9);
    EXPECT_EQ(state.rows[1].bars.bars()[0].begin, state.timeline->steps[0].begin);
    const TimelineState aligned = makeTimelineState(workbench->scene(), PredictedAt::Op);
    for (const BarPlace& place : aligned.placesOfOp[1]) {
        if (aligned.rows[static_cast<std::size_t>(place.row)].kind != TimelineRow::Kind::Ops) continue;
        const Seconds begin = aligned.bar(place).begin;
        bool found = false;
        for (const TimelineRow& row : aligned.rows)
            if (row.kind == TimelineRow::Kind::Predicted)
                for (const TimelineBar& bar : row.bars.bars())
                    found = found || (bar.begin == begin && bar.op == 1);
        EXPECT_TRUE(found);
    }
}

TEST(TimelineState, ThePeakIsWhatWasMeasuredHoweverMuchWasPredicted) {
    const RunConfig config = testConfig(4, 256, 64);
    const auto plan = testPlan(config);
    Reading reading = *testReading(*plan, testMachine());
    for (CategoryBytes& bytes : reading.memory->curve)
        for (Bytes& part : bytes) part /= 2;
    auto workbench = testWorkbench(config);
    workbench->setMeasured(withTimeline(reading, {}), plan);
    const TimelineState state = makeTimelineState(workbench->scene(), PredictedAt::Op);
    double most = 0;
    for (const CurvePoint& point : state.live) most = std::max(most, point.value);
    EXPECT_EQ(state.peakBytes, most);
    EXPECT_GT(state.highestBytes, 1.5 * state.peakBytes);
}

TEST(TimelineState, CountsWhatIsMissing) {
    auto workbench = timelineWorkbench(testConfig(2, 64, 32));
    auto reading = std::make_shared<Reading>(*workbench->scene()->measured->reading);
    auto timeline = std::make_shared<Timeline>(*reading->timeline);
    timeline->dropped = 1234;
    reading->timeline = timeline;
    workbench->setMeasured(reading, workbench->scene()->measured->plan);
    const QString subtitle = makeTimelineState(workbench->scene(), PredictedAt::Op).subtitle;
    EXPECT_TRUE(subtitle.contains(QStringLiteral("are missing")));
    EXPECT_LT(subtitle.indexOf(QStringLiteral("are missing")), subtitle.indexOf(QStringLiteral("step")))
        << "the end of the line is left out where there is no room";
}

TEST(TimelineState, SaysWhyTheDriverRecordedNothing) {
    auto workbench = timelineWorkbench(testConfig(2, 64, 32));
    auto reading = std::make_shared<Reading>(*workbench->scene()->measured->reading);
    auto timeline = std::make_shared<Timeline>(*reading->timeline);
    timeline->driverRecordsAbsent = "another profiler owns CUPTI in this process: start without it";
    reading->timeline = timeline;
    workbench->setMeasured(reading, workbench->scene()->measured->plan);
    EXPECT_TRUE(makeTimelineState(workbench->scene(), PredictedAt::Op)
                    .subtitleToolTip.contains(QStringLiteral("another profiler")));
}

TEST(TimelineSums, OverEverythingAreTheStepsTimesThePlan) {
    const auto workbench = timelineWorkbench(testConfig(4, 256, 64), {.steps = 3});
    const TimelineState state = makeTimelineState(workbench->scene(), PredictedAt::Op);
    const TimelineSums sums = sumTimeline(state, 0, state.whole);
    ASSERT_TRUE(sums.allOps.has_value());
    const StepPlan& plan = *workbench->scene()->measured->plan;
    EXPECT_NEAR(*sums.allOps->flops, 3.0 * static_cast<double>(plan.flops), 1.0);
    EXPECT_NEAR(*sums.allOps->bytes, 3.0 * static_cast<double>(plan.bytes), 1.0);
    Seconds measured = 0;
    for (const OpReading& op : workbench->scene()->measured->reading->ops) measured += *op.seconds;
    EXPECT_NEAR(sums.allOps->seconds, 3 * measured, 1e-6 * measured + 1e-6);
    std::int64_t count = 0;
    for (const TimelineSum& row : sums.rows) count += row.count;
    EXPECT_EQ(count, sums.allOps->count);
}

TEST(TimelineSums, OfTwoHalvesAddUpToTheWhole) {
    const auto workbench = timelineWorkbench(testConfig(4, 256, 64), {.steps = 2, .device = true});
    const TimelineState state = makeTimelineState(workbench->scene(), PredictedAt::Op);
    for (const double share : {0.1, 0.37, 0.5, 0.93}) {
        const Seconds middle = share * state.whole;
        const TimelineSums first = sumTimeline(state, 0, middle),
                           second = sumTimeline(state, middle, state.whole),
                           all = sumTimeline(state, 0, state.whole);
        EXPECT_NEAR(first.allOps->seconds + second.allOps->seconds, all.allOps->seconds, 1e-12);
        EXPECT_NEAR(*first.allOps->flops + *second.allOps->flops, *all.allOps->flops,
                    1e-6 * *all.allOps->flops);
        EXPECT_NEAR(*first.allOps->predicted + *second.allOps->predicted, *all.allOps->predicted, 1e-12);
        EXPECT_LE(first.allOps->count + second.allOps->count, all.allOps->count + 1);
    }
}

TEST(TimelineSums, SaysWhatIsNotKnown) {
    const auto workbench = timelineWorkbench(testConfig(2, 64, 32), {.steps = 1, .device = true});
    Theme theme;
    TimelineSumsModel model(theme, nullptr);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    const TimelineState state = makeTimelineState(workbench->scene(), PredictedAt::Op);
    model.setSums(sumTimeline(state, 0, state.whole));
    bool kernels = false;
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.index(row, 0).data().toString() != QStringLiteral("stream 7")) continue;
        kernels = true;
        for (const auto column : {TimelineSumsModel::Column::Flops, TimelineSumsModel::Column::Predicted}) {
            const QModelIndex cell = model.index(row, static_cast<int>(column));
            EXPECT_EQ(cell.data().toString(), QStringLiteral("–"));
            EXPECT_FALSE(cell.data(TimelineSumsModel::kRawValueRole).isValid());
            EXPECT_FALSE(cell.data(Qt::ToolTipRole).toString().isEmpty());
        }
    }
    EXPECT_TRUE(kernels);
}

TEST(TimelineView, AClickOnABarSelectsItsOpEverywhereAndEscapeClears) {
    Shown shown;
    const BarPlace place = shown.view->state().placesOfOp[3].front();
    QTest::mouseClick(shown.canvas->viewport(), Qt::LeftButton, {}, shown.middleOf(place));
    EXPECT_EQ(shown.canvas->current(), place);
    EXPECT_EQ(shown.selected(), shown.opOf(place));
    EXPECT_FALSE(shown.selected().empty());
    shown.key(Qt::Key_Escape);
    EXPECT_EQ(shown.selected(), "");
    EXPECT_FALSE(shown.canvas->current().isValid());
}

TEST(TimelineView, ASelectionElsewhereMakesItsBarTheCurrentOneAndBringsItIntoView) {
    Shown shown;
    shown.key(Qt::Key_Home);
    for (int i = 0; i < 8; ++i) shown.key(Qt::Key_W);
    const auto last = shown.workbench->scene()->whatIf.plan->ops.back();
    shown.workbench->selection().select(QString::fromStdString(opId(last)));
    ASSERT_TRUE(shown.canvas->current().isValid());
    EXPECT_EQ(shown.opOf(shown.canvas->current()), opId(last));
    const TimelineBar& bar = shown.view->state().bar(shown.canvas->current());
    EXPECT_LE(shown.canvas->timeWindow().from, bar.begin);
    EXPECT_GE(shown.canvas->timeWindow().to, bar.end);
    shown.workbench->selection().select({});
    EXPECT_FALSE(shown.canvas->current().isValid());
}

TEST(TimelineView, KeysZoomPanAndFitAsInProfilers) {
    Shown shown;
    const auto& window = shown.canvas->timeWindow();
    const Seconds all = window.span();
    EXPECT_TRUE(window.showsAll());
    shown.key(Qt::Key_W);
    shown.key(Qt::Key_W);
    EXPECT_NEAR(window.span(), all / 2.25, all * 1e-9);
    const Seconds from = window.from;
    shown.key(Qt::Key_D);
    EXPECT_GT(window.from, from);
    shown.key(Qt::Key_A);
    EXPECT_NEAR(window.from, from, all * 1e-9);
    shown.key(Qt::Key_S);
    EXPECT_NEAR(window.span(), all / 1.5, all * 1e-9);
    shown.workbench->selection().select(shown.view->state().opId(2));
    shown.key(Qt::Key_F);
    const TimelineBar& bar = shown.view->state().bar(shown.canvas->current());
    EXPECT_NEAR(window.span(), (bar.end - bar.begin) * 1.16, (bar.end - bar.begin) * 0.01);
    shown.key(Qt::Key_0);
    EXPECT_TRUE(window.showsAll());
}

TEST(TimelineView, ArrowsGoToTheNeighboursInTheLaneAndInTheNextOne) {
    Shown shown({.steps = 2, .device = true});
    shown.key(Qt::Key_Right);
    ASSERT_EQ(shown.canvas->current(), (BarPlace{0, 0}));
    shown.key(Qt::Key_Right);
    shown.key(Qt::Key_Right);
    EXPECT_EQ(shown.canvas->current(), (BarPlace{0, 2}));
    EXPECT_EQ(shown.selected(), shown.opOf({0, 2}));
    shown.key(Qt::Key_Left);
    EXPECT_EQ(shown.canvas->current(), (BarPlace{0, 1}));
    shown.key(Qt::Key_Down);
    EXPECT_GT(shown.canvas->current().row, 0);
    shown.key(Qt::Key_Up);
    EXPECT_EQ(shown.canvas->current(), (BarPlace{0, 1}));
    shown.key(Qt::Key_End);
    EXPECT_EQ(shown.canvas->current().bar,
              static_cast<std::int32_t>(shown.view->state().rows[0].bars.size()) - 1);
    shown.key(Qt::Key_Right);
    EXPECT_EQ(shown.canvas->current().bar,
              static_cast<std::int32_t>(shown.view->state().rows[0].bars.size()) - 1);
    // A bar of no op: the current one changes, and nothing is selected elsewhere.
    const TimelineState& state = shown.view->state();
    for (std::int32_t row = 0; row < static_cast<std::int32_t>(state.rows.size()); ++row)
        if (state.rows[static_cast<std::size_t>(row)].label == QStringLiteral("copies")) {
            QTest::mouseClick(shown.canvas->viewport(), Qt::LeftButton, {}, shown.middleOf({row, 0}));
            EXPECT_EQ(shown.canvas->current(), (BarPlace{row, 0}));
            EXPECT_EQ(shown.selected(), "");
        }
}

TEST(TimelineView, TheWheelZoomsAtThePointerAndDraggingPans) {
    Shown shown;
    const QPointF at(700, 200);
    const Seconds under = shown.canvas->timeWindow().toTime(at.x());
    QWheelEvent wheel(at, shown.canvas->viewport()->mapToGlobal(at), {}, QPoint(0, 480), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(shown.canvas->viewport(), &wheel);
    const auto& window = shown.canvas->timeWindow();
    EXPECT_FALSE(window.showsAll());
    EXPECT_NEAR(window.toX(under), at.x(), 1e-6);
    const Seconds from = window.from;
    QTest::mousePress(shown.canvas->viewport(), Qt::LeftButton, {}, QPoint(600, 200));
    QTest::mouseMove(shown.canvas->viewport(), QPoint(550, 200));
    QTest::mouseMove(shown.canvas->viewport(), QPoint(500, 200));
    QTest::mouseRelease(shown.canvas->viewport(), Qt::LeftButton, {}, QPoint(500, 200));
    EXPECT_NEAR(window.from - from, 100 * window.perPixel(), window.perPixel());
    EXPECT_EQ(shown.selected(), "");
    EXPECT_FALSE(shown.canvas->range().has_value());
}

TEST(TimelineView, ShiftAndDraggingSelectsARangeThatTheTableSums) {
    Shown shown;
    QTest::mousePress(shown.canvas->viewport(), Qt::LeftButton, Qt::ShiftModifier, QPoint(400, 200));
    QTest::mouseMove(shown.canvas->viewport(), QPoint(500, 210));
    QTest::mouseMove(shown.canvas->viewport(), QPoint(700, 210));
    QTest::mouseRelease(shown.canvas->viewport(), Qt::LeftButton, Qt::ShiftModifier, QPoint(700, 210));
    ASSERT_TRUE(shown.canvas->range().has_value());
    const double from = shown.canvas->range()->first;
    const double to = shown.canvas->range()->second;
    EXPECT_NEAR(from, shown.canvas->timeWindow().toTime(400), shown.canvas->timeWindow().perPixel());
    EXPECT_NEAR(to, shown.canvas->timeWindow().toTime(700), shown.canvas->timeWindow().perPixel());
    ASSERT_TRUE(waitFor([&] { return shown.view->sums().sums().from == from; }));
    EXPECT_EQ(shown.view->sums().sums().to, to);
    EXPECT_TRUE(child<QLabel>(*shown.view, "timelineRange")->text().startsWith(QStringLiteral("Range")));
    shown.key(Qt::Key_F);
    EXPECT_NEAR(shown.canvas->timeWindow().span(), (to - from) * 1.16, (to - from) * 0.01);
    shown.key(Qt::Key_Escape);
    EXPECT_FALSE(shown.canvas->range().has_value());
    ASSERT_TRUE(waitFor([&] { return shown.view->sums().sums().to == shown.view->state().whole; }));
}

TEST(TimelineView, SearchGoesThroughWhatItFindsInBothDirections) {
    Shown shown({.steps = 2, .device = true});
    auto* search = child<QLineEdit>(*shown.view, "timelineSearch");
    QTest::keyClicks(search, QStringLiteral("layer 3 weight"));
    auto* found = child<QLabel>(*shown.view, "timelineFound");
    EXPECT_TRUE(found->text().endsWith(QStringLiteral("found")));
    QTest::keyClick(search, Qt::Key_Return);
    const BarPlace first = shown.canvas->current();
    ASSERT_TRUE(first.isValid());
    EXPECT_NE(shown.opOf(first).find("layer3"), std::string::npos) << shown.opOf(first);
    EXPECT_EQ(shown.selected(), shown.opOf(first));
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_NE(shown.canvas->current(), first);
    QTest::mouseClick(child<QPushButton>(*shown.view, "timelinePrevious"), Qt::LeftButton);
    EXPECT_EQ(shown.canvas->current(), first);
    search->setText(QStringLiteral("no such thing"));
    EXPECT_EQ(found->text(), QStringLiteral("nothing found"));
    EXPECT_FALSE(child<QPushButton>(*shown.view, "timelineNext")->isEnabled());
    search->setText(QStringLiteral("reduce"));  // a kernel
    shown.view->findNext(1);
    EXPECT_EQ(barName(shown.view->state(), shown.view->state().bar(shown.canvas->current())),
              QStringLiteral("reduce"));
}

TEST(TimelineView, SlashGoesToTheSearchFromWhereverTheViewHasTheKeyboard) {
    Shown shown;
    shown.view->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(shown.view.get()));
    auto* search = child<QLineEdit>(*shown.view, "timelineSearch");
    for (QWidget* where : {static_cast<QWidget*>(shown.canvas),
                           static_cast<QWidget*>(child<QTableView>(*shown.view, "timelineSums"))}) {
        where->setFocus();
        QTest::keyClick(where, Qt::Key_Slash);
        EXPECT_TRUE(search->hasFocus()) << where->objectName().toStdString();
        EXPECT_EQ(search->text(), QString());
    }
}

TEST(TimelineView, SearchTakesNumbersWholeAndFindsAKernelByTheWordsOfItsOp) {
    Shown shown({.steps = 2, .device = true}, 13);
    auto* search = child<QLineEdit>(*shown.view, "timelineSearch");
    auto* found = child<QLabel>(*shown.view, "timelineFound");
    // In each step, in both micro-batches: the op and its two kernels; neither those of layers 10 to 13 nor
    // all that have a 1 in their identifier.
    search->setText(QStringLiteral("layer 1 weight"));
    EXPECT_EQ(found->text(), QStringLiteral("12 found"));
    search->setText(QStringLiteral("layer 3 weight REDUCE"));
    EXPECT_EQ(found->text(), QStringLiteral("4 found"));
    search->setText(QStringLiteral("m1.layer3.backward.weight"));
    EXPECT_EQ(found->text(), QStringLiteral("6 found"));
}

TEST(SearchWords, MustAllBeThereAndNumbersAsAWhole) {
    const SearchWords words(QStringLiteral(" Layer  3 "));
    EXPECT_TRUE(words.areAll(words.in(QStringLiteral("layer 3 · forward"))));
    EXPECT_TRUE(words.areAll(words.in(QStringLiteral("LAYER3"))));
    EXPECT_FALSE(words.areAll(words.in(QStringLiteral("layer 23 · forward"))));
    EXPECT_FALSE(words.areAll(words.in(QStringLiteral("layer 33, layer 31"))));
    EXPECT_TRUE(words.areAll(words.in(QStringLiteral("layer 33 and 3"))));
    EXPECT_TRUE(words.areAll(words.in(QStringLiteral("number 3")) | words.in(QStringLiteral("layer"))));
    EXPECT_FALSE(words.areAll(words.namesIn(QStringLiteral("m3.layer"))));
    EXPECT_TRUE(SearchWords(QStringLiteral("  ")).isEmpty());
    EXPECT_TRUE(SearchWords({}).areAll(0));
}

TEST(TimelineView, KeepsZoomAndRangeWhenOnlyTheSlidersMove) {
    Shown shown;
    for (int i = 0; i < 5; ++i) shown.key(Qt::Key_W);
    shown.canvas->setRange(TimelineCanvas::Range(0, 1e-5));
    const Seconds span = shown.canvas->timeWindow().span();
    RunConfig config = shown.workbench->config();
    config.learningRate = 0.5;
    EXPECT_TRUE(shown.workbench->show(config).has_value());
    EXPECT_EQ(shown.canvas->timeWindow().span(), span);
    EXPECT_TRUE(shown.canvas->range().has_value());
}

TEST(TimelineView, PredictionsEndToEndKeepZoomAndCurrentBar) {
    Shown shown;
    shown.key(Qt::Key_Right);
    shown.key(Qt::Key_Right);
    shown.key(Qt::Key_F);
    const BarPlace before = shown.canvas->current();
    const TimeWindow window = shown.canvas->timeWindow();
    QTest::mouseClick(child<QPushButton>(*shown.view, "timelinePredictedAt1"), Qt::LeftButton);
    EXPECT_EQ(shown.canvas->current(), before);
    EXPECT_EQ(shown.canvas->timeWindow().from, window.from);
    EXPECT_EQ(shown.canvas->timeWindow().to, window.to);
}

TEST(TimelineCards, SayTheExactTimeAndItsSource) {
    Shown shown;
    const TimelineState& state = shown.view->state();
    const BarPlace place = state.placesOfOp[2].front();
    const HoverCardContent card = barCard(state, place);
    const TimelineBar& bar = state.bar(place);
    EXPECT_EQ(card.rows[1].values.first(), exactTime(bar.end - bar.begin));
    EXPECT_TRUE(card.footer.contains(QStringLiteral("clock")));
    EXPECT_TRUE(card.footer.contains(QStringLiteral("step 10")));
    for (const TimelineRow& row : state.rows) {
        if (row.kind != TimelineRow::Kind::Predicted) continue;
        const auto index = static_cast<std::int32_t>(&row - state.rows.data());
        EXPECT_TRUE(barCard(state, {index, 0}).footer.contains(QStringLiteral("predicted")));
    }
    const auto tier = tierName(*state.scene->measured->prediction->totals.tier);
    EXPECT_TRUE(std::ranges::any_of(card.rows, [&](const auto& row) {
        return row.name == QStringLiteral("predicted, %1")
                               .arg(QString::fromUtf8(tier.data(), static_cast<qsizetype>(tier.size())));
    })) << "the predicted time says how well founded it is";
    EXPECT_TRUE(memoryCard(state, state.whole / 2).footer.contains(QStringLiteral("allocator")));
}

TEST(TimelineView, ARangeNarrowsTheOtherViewsToItsOpsAndTheirsIsShownHere) {
    Shown f;
    OpRange& range = f.workbench->selection().range();
    const TimelineState& state = f.view->state();
    const TimelineBar& first = state.row(0).bars.bars().at(2);
    const TimelineBar& last = state.row(0).bars.bars().at(5);
    f.canvas->setRange(TimeRange((first.begin + first.end) / 2, (last.begin + last.end) / 2));
    ASSERT_TRUE(waitFor([&] { return range.span().has_value(); }));
    EXPECT_EQ(*range.span(), (OpSpan{state.stepOp(first.op), state.stepOp(last.op)}));
    f.canvas->setRange(std::nullopt);
    EXPECT_TRUE(waitFor([&] { return !range.span(); }));

    range.select(OpSpan{3, 4});
    ASSERT_TRUE(f.canvas->range().has_value());
    EXPECT_EQ(opsWithin(state, *f.canvas->range()), range.span()) << "and it stays what it was";
    f.view->refresh();
    EXPECT_EQ(range.span(), (OpSpan{3, 4}));
    range.clear();
    EXPECT_FALSE(f.canvas->range().has_value());
}

TEST(TimelineView, OperationsThatAreSeveralStretchesAreLitAndSummedUp) {
    Shown f;
    OpRange& range = f.workbench->selection().range();
    auto* clear = child<QPushButton>(*f.view, "timelineClearRange");
    const std::int64_t before = f.view->sums().sums().allOps->count;
    range.select(OpSet(std::vector<int>{2, 5}));
    EXPECT_FALSE(f.canvas->range().has_value()) << "they are no stretch of time";
    const TimelineState& state = f.view->state();
    std::int64_t ran = 0;
    for (const TimelineRow& row : state.rows)
        for (const TimelineBar& bar : row.bars.bars())
            ran += row.kind == TimelineRow::Kind::Ops && bar.op >= 0 && range.contains(state.stepOp(bar.op))
                       ? 1
                       : 0;
    ASSERT_GT(ran, 0);
    EXPECT_EQ(f.view->sums().sums().allOps->count, ran);
    EXPECT_TRUE(child<QLabel>(*f.view, "timelineRange")->text().startsWith(QStringLiteral("2 operations")));
    EXPECT_TRUE(clear->isVisible());
    f.view->refresh();
    EXPECT_EQ(f.view->sums().sums().allOps->count, ran) << "and so after a slider";
    clear->click();
    EXPECT_FALSE(range.isChosen());
    EXPECT_EQ(f.view->sums().sums().allOps->count, before);
    EXPECT_FALSE(clear->isVisible());

    // A range that is drawn here takes their place.
    range.select(OpSet(std::vector<int>{2, 5}));
    const TimelineBar& bar = f.view->state().row(0).bars.bars().at(3);
    f.canvas->setRange(TimeRange(bar.begin, bar.end));
    ASSERT_TRUE(waitFor([&] { return range.span().has_value(); }));
    EXPECT_LT(f.view->sums().sums().allOps->count, before);
}

TEST(TimelineView, ARangeBetweenStepsHasNoOps) {
    Shown f;
    const auto& steps = f.view->state().timeline->steps;
    EXPECT_FALSE(opsWithin(f.view->state(), TimeRange(steps[0].end + 1e-12, steps[1].begin - 1e-12)));
    const int ops = f.workbench->scene()->whatIf.step->opCount();
    EXPECT_EQ(opsWithin(f.view->state(), TimeRange(steps[0].begin, steps[0].end)), (OpSpan{0, ops - 1}));
}

TEST(TimelineState, TheCategoriesOfMemoryAddUpToWhatThePlanExpects) {
    const auto workbench = timelineWorkbench(testConfig(4, 256, 64));
    const TimelineState state = makeTimelineState(workbench->scene(), PredictedAt::Op);
    ASSERT_FALSE(state.layers.empty());
    ASSERT_EQ(state.categories.size(), state.predictedLive.size());
    for (std::size_t i = 0; i < state.categories.size(); ++i) {
        EXPECT_EQ(state.layers.back().edge[i].value, state.predictedLive[i].value);
        EXPECT_EQ(static_cast<double>(total(state.categories[i])), state.predictedLive[i].value);
    }
    const HoverCardContent card = memoryCard(state, state.predictedLive[3].at);
    EXPECT_GE(card.rows.size(), 4) << "alive, predicted and its parts";
    EXPECT_EQ(state.categoriesAt(-1), nullptr);
}

TEST(TimelineNames, GetShorterByMeaningAndNoWordIsCut) {
    const auto workbench = timelineWorkbench(testConfig(4, 256, 64), {.steps = 1, .device = true});
    const Step& step = *workbench->scene()->whatIf.step;
    const auto join = [](const QStringList& forms) { return forms.join(u'|').toStdString(); };
    EXPECT_EQ(join(operationForms(step, QStringLiteral("layer 3 · weight gradient"))),
              "layer 3 · weight gradient|weight gradient · L3|weight gradient|dW 3|dW");
    EXPECT_EQ(join(operationForms(step, QStringLiteral("layer 12 · forward"))),
              "layer 12 · forward|forward · L12|forward|fwd 12|fwd");
    EXPECT_EQ(join(operationForms(step, QStringLiteral("AdamW (fused, 537 M parameters)"))),
              "AdamW (fused, 537 M parameters)|AdamW");
    EXPECT_EQ(join(operationForms(step, QStringLiteral("blocks.0.mlp · aten::mm"))),
              "blocks.0.mlp · aten::mm|aten::mm|mm");
    EXPECT_EQ(join(kernelForms(QStringLiteral("void at::native::add_kernel<float, 4>(int, float*)"))),
              "void at::native::add_kernel<float, 4>(int, float*)|at::native::add_kernel|add_kernel");
    EXPECT_EQ(join(kernelForms(QStringLiteral("sm90_xmma_gemm_bf16bf16"))), "sm90_xmma_gemm_bf16bf16|gemm");
    // Of every op of a step: each form is shorter than the one before.
    const TimelineState state = makeTimelineState(workbench->scene(), PredictedAt::Op);
    for (const TimelineRow& row : state.rows)
        for (const TimelineBar& bar : row.bars.bars()) {
            const QStringList forms = barForms(state, bar);
            ASSERT_FALSE(forms.isEmpty());
            EXPECT_EQ(forms.front(), barName(state, bar));
            for (qsizetype i = 1; i < forms.size(); ++i) EXPECT_LT(forms[i].size(), forms[i - 1].size());
        }
}

TEST(TimelineCards, SayHowFarTheRepeatsLieApart) {
    const RunConfig config = testConfig(4, 256, 64);
    const auto workbench = testWorkbench(config);
    const auto plan = testPlan(config);
    Reading reading = *testReading(*plan, testMachine());
    reading.ops[2].spread = Spread{1e-5, 3e-5};
    workbench->setMeasured(withTimeline(reading, {}), plan);
    const TimelineState state = makeTimelineState(workbench->scene(), PredictedAt::Op);
    const auto textOf = [&](std::int32_t op) {
        QString text;
        for (const auto& row : barCard(state, state.placesOf(op).front()).rows)
            text += row.name + u' ' + row.values.join(u' ') + u'\n';
        return text;
    };
    EXPECT_TRUE(textOf(2).contains(QStringLiteral("10.0 µs to 30.0 µs"))) << textOf(2).toStdString();
    EXPECT_TRUE(textOf(2).contains(QStringLiteral("median of 20 steps")));
    EXPECT_FALSE(textOf(3).contains(QStringLiteral("90 %"))) << "nobody knows";
}

TEST(TimelinePictures, AreDrawnInBothThemesAtTwoSizes) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    inBothThemes([](Theme& theme) {
        for (const bool device : {false, true}) {
            RunConfig config = testConfig(8, 1024, 512);
            config.microBatch = 256;
            const auto workbench = timelineWorkbench(config, {.steps = 2, .device = device});
            for (const QSize size : {QSize(1280, 820), QSize(820, 560)}) {
                TimelineView view({*workbench, theme});
                view.resize(size);
                view.setAutoFillBackground(true);
                view.show();
                auto* canvas = child<TimelineCanvas>(view, "timelineCanvas");
                if (size.width() > 1000) {
                    const Seconds step = view.state().timeline->steps[0].end;
                    canvas->setRange(TimelineCanvas::Range(step * 0.3, step * 0.55));
                    workbench->selection().select(view.state().opId(12));
                    ASSERT_TRUE(waitFor([&] { return view.sums().sums().from > 0; }));
                }
                const QImage image =
                    picture(view, QStringLiteral("timeline-%1-%2-%3")
                                      .arg(device ? QStringLiteral("device") : QStringLiteral("cpu"),
                                           themeName(theme))
                                      .arg(size.width()));
                EXPECT_GT(coloursIn(image), 20);
            }
        }
    });
}

}  // namespace
}  // namespace plumb::ui::test

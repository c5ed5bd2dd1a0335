// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recompute/recompute_view.h"

#include "core/plan/fit_schedule.h"
#include "core/plan/recompute_schedule.h"
#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/shell/document.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/workbench/config_history.h"

#include <QAbstractScrollArea>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

namespace plumb::ui::test {
namespace {

using Kind = RecomputePolicy::Kind;

RecomputePolicy policyOf(Kind kind, std::int64_t interval = 1, Bytes budget = 0) {
    return RecomputePolicy{kind, interval, budget};
}

RunConfig smallConfig(std::int64_t layers) {
    return RunConfig{.dim = 64, .layers = layers, .activation = Activation::Relu, .batch = 512};
}

class RecomputeViewTest : public ::testing::Test {
protected:
    RecomputeViewTest() {
        EXPECT_TRUE(workbench.show({roundMachine(), cpuTraits()}).has_value());
        EXPECT_TRUE(workbench.show(smallConfig(12)).has_value());
    }
    RecomputeView& make(QSize size = {1100, 760}) {
        view = std::make_unique<RecomputeView>(ViewContext{workbench, theme}, history, measurer);
        view->resize(size);
        view->show();
        return *view;
    }
    bool startEngine(const QString& mode = QStringLiteral("normal")) {
        engine.setCommand(fakeEngine(mode));
        engine.start();
        return waitFor([this] { return workbench.scene()->whatIf.machine().id == "fake-cpu"; });
    }
    const RecomputeState& state() const { return view->state(); }
    const RecomputePoint& point(int index) const { return state().curve.points[index]; }
    int indexOf(const RecomputePolicy& policy) const {
        const auto& points = state().curve.points;
        const auto wanted = canonicalPolicy(policy, workbench.config().layers);
        const auto found = std::find_if(points.begin(), points.end(), [&](const RecomputePoint& candidate) {
            return canonicalPolicy(candidate.policy, workbench.config().layers) == wanted;
        });
        return found == points.end() ? -1 : static_cast<int>(found - points.begin());
    }
    ChartPanel& memory() { return *child<ChartPanel>(*view, "checkpointMemory"); }
    ChartPanel& time() { return *child<ChartPanel>(*view, "checkpointTime"); }
    QPushButton& measure() { return *child<QPushButton>(*view, "checkpointMeasure"); }
    void click(ChartPanel& chart, const QPointF& value) {
        QTest::mouseClick(child<QAbstractScrollArea>(chart, "chartCanvas")->viewport(), Qt::LeftButton, {},
                          chart.toPixel(value).toPoint());
    }
    void clickMemory(int index) { click(memory(), {point(index).x, static_cast<double>(point(index).peak)}); }
    int measuredPoints() const {
        const auto& points = state().curve.points;
        return static_cast<int>(
            std::count_if(points.begin(), points.end(), [](const RecomputePoint& candidate) {
                return candidate.measuredSeconds.has_value();
            }));
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    Workbench workbench;
    ConfigHistory history{workbench};
    EngineClient engine;
    RunController controller{workbench, engine};
    CurveMeasurer measurer{controller};
    std::unique_ptr<RecomputeView> view;
};

TEST_F(RecomputeViewTest, IsOfTheWholeStepAndSaysItWhileARangeNarrowsTheOthers) {
    make();
    const auto* card = child<Card>(*view, "checkpointCard");
    auto* clear = child<QPushButton>(*view, "checkpointClearRange");
    const QString before = card->subtitle();
    EXPECT_FALSE(clear->isVisible());
    workbench.selection().range().select(OpSpan{0, 2});
    EXPECT_TRUE(card->subtitle().contains(QStringLiteral("of the whole step")));
    clear->click();
    EXPECT_FALSE(workbench.selection().range().isChosen());
    EXPECT_EQ(card->subtitle(), before);
}

TEST_F(RecomputeViewTest, ShowsWhatThePlanOfEachPolicyPredicts) {
    EXPECT_TRUE(workbench.show({roundMachine(), cpuTraits()}).has_value());
    make();
    ASSERT_EQ(state().curve.onCurve, 12);
    ASSERT_EQ(state().curve.points.size(), 14);  // none and fit beside the curve
    for (const RecomputePoint& shown : state().curve.points) {
        RunConfig config = workbench.config();
        config.recompute = shown.policy;
        const Prediction prediction = predict(*planned(config), workbench.scene()->whatIf.machine());
        EXPECT_EQ(shown.peak, prediction.memory.peakBytes);
        EXPECT_EQ(shown.seconds, prediction.totals.seconds);
        EXPECT_LE(static_cast<double>(shown.peak), state().highestBytes);
        if (shown.policy.kind != Kind::None) {
            EXPECT_LE(*shown.seconds, state().highestSeconds);
        }
        EXPECT_LE(*shown.recomputation, *shown.seconds);
        EXPECT_EQ(*shown.recomputation > 0, shown.recomputed > 0);
    }
    const RecomputePoint& all = point(0);
    EXPECT_EQ(all.mark, QStringLiteral("all"));
    EXPECT_EQ(all.recomputed, 0);
    const int sqrt = indexOf(policyOf(Kind::Sqrt));
    EXPECT_EQ(point(sqrt).interval, 4);
    EXPECT_EQ(point(sqrt).label, QStringLiteral("sqrt: every 4"));
}

TEST_F(RecomputeViewTest, AVeryDeepNetworkHasFewerPointsAndStillThoseThatMatter) {
    RunConfig config = workbench.config();
    config.dim = 8;
    config.layers = 65536;
    config.recompute = policyOf(Kind::Every, 777);
    EXPECT_TRUE(workbench.show(config).has_value());
    ASSERT_EQ(workbench.config().layers, 65536);
    const RecomputeCurve curve = makeRecomputeCurve(workbench.scene());
    EXPECT_LE(curve.onCurve, 14) << "each of them is a plan of 65536 layers";
    for (const std::int64_t interval : {1, 256, 777, 65536})
        EXPECT_TRUE(std::ranges::any_of(curve.points, [&](const auto& p) { return p.interval == interval; }))
            << interval;
    config.layers = 4096;
    EXPECT_TRUE(workbench.show(config).has_value());
    EXPECT_GT(makeRecomputeCurve(workbench.scene()).onCurve, 40);
}

TEST_F(RecomputeViewTest, MarksTheSlidersOwnPolicyWhicheverItIs) {
    make();
    const Bytes least = *leastPeak(workbench.config(), cpuTraits());
    for (const RecomputePolicy& policy :
         {policyOf(Kind::All), policyOf(Kind::None), policyOf(Kind::Sqrt), policyOf(Kind::Every, 3),
          policyOf(Kind::Every, 4), policyOf(Kind::Every, 40), policyOf(Kind::Fit, 1, least * 5 / 4)}) {
        RunConfig config = workbench.config();
        config.recompute = policy;
        EXPECT_TRUE(workbench.show(config).has_value());
        ASSERT_GE(state().current, 0);
        EXPECT_EQ(point(state().current).peak, workbench.scene()->whatIf.prediction->memory.peakBytes);
        EXPECT_EQ(point(state().current).seconds, workbench.scene()->whatIf.prediction->totals.seconds);
    }
}

TEST_F(RecomputeViewTest, FitNeedsNoMoreThanSqrtWhereAllFitsTheDevice) {
    make();
    const RecomputePoint& sqrt = point(indexOf(policyOf(Kind::Sqrt)));
    const RecomputePoint& fit = state().curve.points.last();
    ASSERT_EQ(fit.policy.kind, Kind::Fit);
    EXPECT_EQ(fit.policy.budgetBytes, sqrt.peak);
    EXPECT_LE(fit.peak, sqrt.peak);
    EXPECT_LE(fit.recomputed, sqrt.recomputed);
}

TEST_F(RecomputeViewTest, AClickPutsThePolicyIntoForceAndUndoTakesItBack) {
    make();
    clickMemory(4);
    EXPECT_EQ(workbench.config().recompute, policyOf(Kind::Every, 5));
    EXPECT_EQ(state().current, 4);
    const int none = indexOf(policyOf(Kind::None));
    // Far above the others, so that it stands at the edge of the range.
    ASSERT_GT(*point(none).seconds, state().highestSeconds);
    click(time(), {point(none).x, 0.96 * state().highestSeconds});
    EXPECT_EQ(workbench.config().recompute.kind, Kind::None);
    const int fit = static_cast<int>(state().curve.points.size()) - 1;
    clickMemory(fit);
    EXPECT_EQ(workbench.config().recompute, point(fit).policy);
    history.stack().undo();
    EXPECT_EQ(workbench.config().recompute.kind, Kind::None);
    history.stack().undo();
    history.stack().undo();
    EXPECT_EQ(workbench.config().recompute.kind, Kind::All);
    EXPECT_EQ(state().current, 0);
}

TEST_F(RecomputeViewTest, AWalkWithTheArrowKeysIsOneStepOfUndo) {
    make();
    memory().setFocus();
    for (int i = 0; i < 3; ++i) QTest::keyClick(&memory(), Qt::Key_Right);
    EXPECT_EQ(state().current, 3);
    EXPECT_EQ(workbench.config().recompute.kind, Kind::Sqrt);
    QTest::keyClick(&time(), Qt::Key_End);
    EXPECT_EQ(workbench.config().recompute.kind, Kind::Fit);
    QTest::keyClick(&time(), Qt::Key_Home);
    QTest::keyClick(&time(), Qt::Key_Left);
    EXPECT_EQ(workbench.config().recompute.kind, Kind::All);
    EXPECT_LE(history.stack().count(), 1);
}

TEST_F(RecomputeViewTest, KeepsTheCurveWhenOnlyThePolicyChanges) {
    make();
    const Bytes budget = state().curve.points.last().policy.budgetBytes;
    clickMemory(7);
    EXPECT_EQ(state().curve.points.last().policy.budgetBytes, budget);
    EXPECT_EQ(state().curve.scene, workbench.scene());
}

TEST_F(RecomputeViewTest, ShowsMemoryButNoTimesWithoutCeilings) {
    EXPECT_TRUE(workbench.show({bareMachine(), cpuTraits()}).has_value());
    make();
    EXPECT_TRUE(memory().emptyText().isEmpty());
    EXPECT_FALSE(time().emptyText().isEmpty());
    auto* button = child<QPushButton>(*view, "checkpointCalibrate");
    EXPECT_TRUE(button->isVisible());
    for (const RecomputePoint& shown : state().curve.points) EXPECT_FALSE(shown.seconds);
    EXPECT_TRUE(workbench.show({roundMachine(), cpuTraits()}).has_value());
    EXPECT_TRUE(time().emptyText().isEmpty());
    EXPECT_FALSE(button->isVisible());
}

TEST_F(RecomputeViewTest, DrawsTheMemoryOfTheDeviceWhereItIsNear) {
    make();
    EXPECT_FALSE(state().limitInSight);  // 140 GB
    EXPECT_TRUE(state().subtitle.contains(QStringLiteral("all fit the 140 GB")));
    Machine machine = roundMachine();
    machine.memoryBytes = (point(0).peak + point(indexOf(policyOf(Kind::Sqrt))).peak) / 2;
    EXPECT_TRUE(workbench.show({machine, cpuTraits()}).has_value());
    EXPECT_TRUE(state().limitInSight);
    EXPECT_FALSE(point(0).fits);
    EXPECT_TRUE(point(indexOf(policyOf(Kind::Sqrt))).fits);
    const RecomputePoint& fit = state().curve.points.last();
    EXPECT_EQ(fit.policy.budgetBytes, *machine.memoryBytes);
    EXPECT_TRUE(fit.fits);
    for (const RecomputePolicy& policy : state().toMeasure) EXPECT_TRUE(point(indexOf(policy)).fits);
}

TEST_F(RecomputeViewTest, TheCardSaysHowTheNumbersComeAbout) {
    make();
    const RecomputePoint& shown = point(4);
    const HoverCardContent card = recomputeCard(state(), shown);
    EXPECT_EQ(card.title, QStringLiteral("every 5"));
    // One h is 512 x 64 x 4 bytes; a layer is 2 B D^2.
    EXPECT_TRUE(card.footer.contains(QStringLiteral("live h × 131 kB")));
    const Flops layer = Flops{2} * 512 * 64 * 64;
    EXPECT_TRUE(card.footer.contains(QStringLiteral("%1 layers × 2·B·D²").arg(shown.recomputed / layer)));
    const auto seconds = [](double value) { return QString::fromStdString(formatQuantity(value, "s")); };
    EXPECT_TRUE(card.footer.contains(
        QStringLiteral("time = %1 + %2 of recomputation")
            .arg(seconds(*shown.seconds - *shown.recomputation), seconds(*shown.recomputation))));
    EXPECT_EQ(card.rows[0].values[1], QStringLiteral("–")) << "nothing was measured";
    EXPECT_EQ(card.rows[2].values[0].toStdString(), tierName(*shown.tier)) << "how well founded the time is";
    EXPECT_EQ(card.rows[2].values[1], QStringLiteral("–"));
    EXPECT_TRUE(state().subtitle.contains(card.rows[2].values[0])) << state().subtitle.toStdString();
}

TEST_F(RecomputeViewTest, MeasuresTheCurveOneAfterAnotherAndLeavesTheDocumentAlone) {
    ASSERT_TRUE(startEngine());
    make();
    const RunConfig before = workbench.config();
    const int wanted = static_cast<int>(state().toMeasure.size());
    ASSERT_GE(wanted, 6);
    EXPECT_LE(wanted, 12);
    QTest::mouseClick(&measure(), Qt::LeftButton);
    EXPECT_TRUE(measurer.running());
    EXPECT_EQ(measure().text(), QStringLiteral("Stop"));
    EXPECT_EQ(child<QLabel>(*view, "checkpointProgress")->text(),
              QStringLiteral("measuring all · 1 of %1").arg(wanted));
    ASSERT_TRUE(waitFor([this] { return !measurer.running(); }));
    EXPECT_EQ(measure().text(), QStringLiteral("Measure this curve"));
    EXPECT_EQ(workbench.config(), before);
    EXPECT_FALSE(workbench.scene()->measured.has_value());
    EXPECT_TRUE(workbench.runs().all().empty());
    EXPECT_TRUE(controller.work().results().areUnsaved()) << "what was measured is in no file yet";
    for (const RecomputePolicy& policy : state().toMeasure) {
        const RecomputePoint& shown = point(indexOf(policy));
        ASSERT_TRUE(shown.measuredSeconds) << shown.label.toStdString();
        EXPECT_EQ(shown.measuredPeak, shown.peak);
    }
    // Another configuration was not measured; back at this one, what was measured is there again.
    EXPECT_TRUE(workbench.show(smallConfig(11)).has_value());
    EXPECT_EQ(measuredPoints(), 0);
    EXPECT_TRUE(workbench.show(before).has_value());
    EXPECT_GE(measuredPoints(), wanted);
}

TEST_F(RecomputeViewTest, AMeasuredTimeShowsWhereItsStepsLie) {
    make();
    const double step = *point(2).seconds;
    const Spread spread{0.8 * step, 3 * step};
    std::vector<MeasuredPolicy> points;
    for (const int index : {1, 2, 5})
        points.push_back({point(index).policy, point(index).peak, 1.1 * *point(index).seconds, 10,
                          index == 2 ? std::optional(spread) : std::nullopt});
    const Machine machine = workbench.scene()->whatIf.machine();
    measurer.replace({{workbench.config(), machine, points}});
    ASSERT_EQ(measuredPoints(), 3);
    EXPECT_EQ(point(2).measuredSpread, spread);
    EXPECT_GE(state().highestSeconds, spread.high) << "the bar is in sight as a whole";
    const auto rowOf = [&](int index) {
        QString found;
        for (const auto& row : recomputeCard(state(), point(index)).rows)
            if (row.name.startsWith(QStringLiteral("10 %"))) found = row.values[1];
        return found;
    };
    EXPECT_EQ(rowOf(2),
              QStringLiteral("%1 to %2").arg(quantityText(spread.low, "s"), quantityText(spread.high, "s")));
    EXPECT_EQ(rowOf(5), QString()) << "an older file says nothing of it";
    theme.setMode(Theme::Mode::Dark);
    (void)picture(*view, QStringLiteral("checkpoint-spread-dark"));
    theme.setMode(Theme::Mode::Light);
    (void)picture(*view, QStringLiteral("checkpoint-spread-light"));
    const auto chart = [&] { return picture(time(), QStringLiteral("checkpoint-spread")); };
    const QImage with = chart();
    points[1].spread->low *= 0.5;  // the range stays, and so do the marks
    measurer.replace({{workbench.config(), machine, points}});
    EXPECT_NE(with, chart()) << "the bar is drawn from its low to its high end";
}

TEST_F(RecomputeViewTest, TheMeasuredCurveIsSavedWithTheSnapshot) {
    ASSERT_TRUE(startEngine());
    make();
    QTest::mouseClick(&measure(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return !measurer.running(); }));
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("curve.plumb"));
    Document document(workbench, controller, history, measurer);
    ASSERT_TRUE(document.save(path));

    const RunConfig config = workbench.config();
    CurveMeasurer fresh(controller);
    Document opened(workbench, controller, history, fresh);
    const QSignalSpy done(&opened, &Document::opened);
    opened.open({path});
    ASSERT_TRUE(waitFor([&] { return !done.isEmpty(); }));
    const std::string& machine = workbench.scene()->whatIf.machine().id;
    for (const RecomputePolicy& policy : state().toMeasure) {
        const MeasuredPolicy* const before = measurer.find(config, policy, machine);
        const MeasuredPolicy* const after = fresh.find(workbench.config(), policy, machine);
        ASSERT_TRUE(before != nullptr && after != nullptr) << policyLabel(policy).toStdString();
        EXPECT_EQ(*after, *before);
    }
}

TEST_F(RecomputeViewTest, CancelKeepsWhatWasMeasured) {
    ASSERT_TRUE(startEngine());
    make();
    QSignalSpy measured(&measurer, &CurveMeasurer::measured);
    QTest::mouseClick(&measure(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !measured.isEmpty(); }));
    const auto count = measured.count();
    QTest::mouseClick(&measure(), Qt::LeftButton);
    EXPECT_FALSE(measurer.running());
    ASSERT_TRUE(waitFor([this] { return !controller.work().busy(); }));
    EXPECT_EQ(measured.count(), count);
    EXPECT_GE(measuredPoints(), 1);
    EXPECT_LT(measured.count(), state().toMeasure.size());
    EXPECT_TRUE(measure().isEnabled());
}

TEST_F(RecomputeViewTest, AnEngineThatDiesEndsTheMeasuring) {
    make();
    ASSERT_TRUE(startEngine(QStringLiteral("cut 60000")));
    QSignalSpy lost(&controller.work(), &EngineWork::engineLost);
    QSignalSpy failed(&controller, &RunController::failed);
    QTest::mouseClick(&measure(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !lost.isEmpty(); }));
    EXPECT_FALSE(measurer.running());
    for (const auto& arguments : failed)  // the message that was cut off may be refused, no more
        EXPECT_EQ(arguments[0].value<Error>().code, ErrorCode::BadInput);
    EXPECT_FALSE(measure().isEnabled());
    EXPECT_FALSE(measure().toolTip().isEmpty());
}

TEST_F(RecomputeViewTest, SaysWhyItCannotMeasure) {
    make();
    EXPECT_FALSE(measure().isEnabled());
    EXPECT_EQ(measure().toolTip(), controller.chosen().whyNotRun());
}

TEST_F(RecomputeViewTest, WorksOutDeepNetworksBesideTheWindow) {
    RunConfig config = smallConfig(300);
    EXPECT_TRUE(workbench.show(config).has_value());
    make();
    EXPECT_LE(state().curve.points.size(), 68);  // the first time at once
    EXPECT_GE(indexOf(policyOf(Kind::Sqrt)), 0);
    config.recompute = policyOf(Kind::Every, 37);
    config.batch = 256;
    EXPECT_TRUE(workbench.show(config).has_value());
    ASSERT_TRUE(waitFor([this] { return state().curve.scene == workbench.scene(); }));
    ASSERT_GE(state().current, 0);
    EXPECT_EQ(point(state().current).interval, 37);
}

TEST_F(RecomputeViewTest, NeverOverlapsOrClipsItsLabels) {
    for (const QSize& size : {QSize(1300, 860), QSize(760, 480)}) {
        make(size);
        for (const std::int64_t layers : {1, 2, 5, 16, 33, 64, 200}) {
            RunConfig config = smallConfig(layers);
            config.recompute = policyOf(Kind::Every, std::max<std::int64_t>(1, layers / 3));
            EXPECT_TRUE(workbench.show(config).has_value());
            ASSERT_TRUE(waitFor([this] { return state().curve.scene == workbench.scene(); }));
            for (ChartPanel* chart : {&memory(), &time()}) {
                (void)chart->toImage(1);
                const auto labels = chart->placedLabels();
                for (qsizetype i = 0; i < labels.size(); ++i) {
                    EXPECT_TRUE(QRectF(chart->rect()).contains(labels[i].box))
                        << labels[i].text.toStdString();
                    for (qsizetype j = 0; j < i; ++j)
                        EXPECT_FALSE(labels[i].box.intersects(labels[j].box))
                            << layers << ": " << labels[i].text.toStdString() << " over "
                            << labels[j].text.toStdString();
                }
            }
        }
    }
}

TEST_F(RecomputeViewTest, LooksDifferentInBothThemesAndFollowsAChange) {
    ASSERT_TRUE(startEngine());
    make();
    measurer.start(workbench.config(), {state().toMeasure.begin(), state().toMeasure.end()});
    ASSERT_TRUE(waitFor([this] { return !measurer.running(); }));
    theme.setMode(Theme::Mode::Light);
    const QImage light = picture(*view, QStringLiteral("checkpoint-light"));
    theme.setMode(Theme::Mode::Dark);
    const QImage dark = picture(*view, QStringLiteral("checkpoint-dark"));
    EXPECT_NE(light, dark);
}

}  // namespace
}  // namespace plumb::ui::test

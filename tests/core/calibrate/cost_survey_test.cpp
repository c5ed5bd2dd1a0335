// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/cost_survey.h"

#include "core/calibrate/prediction_check.h"
#include "core/machine/op_cost_key.h"
#include "core/measure/reading.h"
#include "tests/core/engine/test_backends.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace plumb {
namespace {

/// Computes nothing and has a clock of its own, which every op moves on by a known law of its sizes.
class LawfulBackend final : public test::IdleBackend, public HostCores {
public:
    BackendTraits traits() const override { return cpuTraits(); }
    Result<void> prepare(const StepPlan& plan) override {
        m_plan = &plan;
        return {};
    }
    Result<Buffer> allocate(const Tensor& tensor) override {
        // Only the loss is ever looked at, and rows of a file are staged by a thread.
        const bool isUsed = tensor.role == TensorRole::Loss || tensor.role == TensorRole::Staging;
        const Bytes bytes = isUsed ? tensor.bytes() : 0;
        return Buffer{std::calloc(1, static_cast<std::size_t>(std::max<Bytes>(bytes, 1))), bytes,
                      tensor.category};
    }
    void release(const Buffer& buffer) override { std::free(buffer.data); }
    Result<void> run(const OpCall& call) override {
        const Op& op = m_plan->op(call.opIndex);
        m_now += static_cast<double>(op.repeat) * law(*m_plan, op);
        return {};
    }
    Result<void> download(std::span<std::byte> target, const Buffer& source) override {
        std::memcpy(target.data(), source.data,
                    std::min(target.size(), static_cast<std::size_t>(source.bytes)));
        return {};
    }
    Result<Seconds> clock() override { return m_now; }
    Capabilities capabilities() override {
        Capabilities can;
        can.hostCores = this;
        return can;
    }
    void onHostCores(std::int64_t count, std::int64_t,
                     const std::function<void(std::int64_t, std::int64_t)>& work) override {
        work(0, count);
    }
    int threads() const override { return kThreads; }

    static constexpr int kThreads = 3;

    /// A power of each size, and a factor for what is done on the way: what tables of rates can say.
    static Seconds law(const StepPlan& plan, const Op& op) {
        const CostPoint point = costPoint(plan, op, kThreads);
        const OpSignature signature = signatureOf(plan, op);
        // Beyond the largest size that was measured the rate stays: what is only counted in elements is
        // linear.
        const bool hasSizes = !einsumText(op.kind).empty() || op.kind == OpKind::LoadBatch;
        // Below the smallest size that smallGrid() measures the time stays.
        double work = point.work;
        const bool isEverywhere = op.kind == OpKind::OptimizerStep && signature.optimizer == Optimizer::Sgd;
        if (op.phase == Phase::Optimizer && !isEverywhere)
            work = std::max(work, kShallowLayers * 64.0 * 64.0 + 64.0);
        if (signature.fromFile) work *= std::max(point.row, 4.0) / point.row;
        Seconds seconds =
            1e-10 * work * std::pow(point.plane, -0.3) * (1 + 0.1 * static_cast<int>(signature.kind));
        if (hasSizes && !signature.fromFile)
            seconds *= std::pow(point.row, -0.1) * std::pow(point.column, -0.4);
        if (op.phase == Phase::Optimizer) seconds *= std::pow(point.column, 0.1);
        for (std::size_t i = 0; i < signature.ranges; ++i)
            seconds *= 1 + 0.02 * static_cast<int>(signature.types[i]);
        if (signature.fusedActivation) seconds *= 1.07;
        if (signature.accumulates) seconds *= 1.2;
        // Caches: the more layers, the colder.
        if (op.phase != Phase::Optimizer && !signature.fromFile)
            seconds *= std::pow(signature.accumulates ? 1.8 : 1.5, depthOf(plan.config.layers));
        if (op.kind == OpKind::OptimizerStep) seconds *= 2 + static_cast<int>(plan.config.optimizer);
        return seconds;
    }

private:
    const StepPlan* m_plan = nullptr;
    Seconds m_now = 0;
};

SurveyGrid smallGrid() {
    SurveyGrid grid = SurveyGrid::full();
    grid.widths = {4, 256, 2048};
    grid.rows = {1, 64, 4096};
    grid.variantWidths = {4, 2048};
    grid.variantRows = {1, 4096};
    grid.optimizerWidths = {64, 2048};
    grid.optimizerRows = {1, 4096};
    grid.outputs = {16, 256};
    grid.headWidths = {4, 2048};
    grid.headRows = {1, 4096};
    grid.loadWidths = {4, 64};
    grid.loadRows = {4, 64};
    grid.deepWidths = {4, 2048};
    grid.deepRows = {1, 4096};
    grid.mostWork = 1e15;
    grid.perRound = 0;
    return grid;
}

TEST(CostSurvey, FindsTheLawOfABackendAgain) {
    LawfulBackend backend;
    const auto survey = surveyCosts(backend, smallGrid(), {}, {});
    ASSERT_TRUE(survey.has_value()) << survey.error().text();
    Machine machine;
    machine.costs = survey->costs;
    CheckOptions options;
    options.mostPerStep = 1e9;
    std::set<Precision> precisions;
    for (std::int64_t index = 0; index < 150; ++index) {
        const auto config = checkConfig(machine, backend.traits(), options, index);
        ASSERT_TRUE(config.has_value()) << config.error().text();
        precisions.insert(config->precision);
        const auto plan = planStep(*config, backend.traits());
        ASSERT_TRUE(plan.has_value());
        const Prediction prediction = predict(*plan, machine);
        Seconds sum = 0;
        for (std::size_t i = 0; i < plan->ops.size(); ++i) {
            const Op& op = plan->ops[i];
            const Seconds law =
                static_cast<double>(op.executions * op.repeat) * LawfulBackend::law(*plan, op);
            ASSERT_TRUE(prediction.opSeconds[i].has_value())
                << index << " has no table: " << signatureOf(*plan, op).text();
            EXPECT_NEAR(*prediction.opSeconds[i], law, 0.01 * law)
                << index << ": " << signatureOf(*plan, op).text();
            sum += law;
        }
        ASSERT_TRUE(prediction.totals.seconds.has_value());
        EXPECT_NEAR(*prediction.totals.seconds, sum, 0.01 * sum);
    }
    EXPECT_EQ(precisions.size(), 5U);
}

TEST(CostSurvey, EveryGridHasATableForEveryOpThatACheckDraws) {
    // Names alone: which steps are run decides which ops have a table.
    Machine machine;
    machine.bandwidthBytesPerSecond = 1e10;
    for (const Dtype dtype : kAllDtypes) machine.peakFlopPerSecond.emplace_back(dtype, 1e11);
    for (const SurveyGrid& grid : {SurveyGrid::full(), SurveyGrid::quick()}) {
        std::set<std::string> known;
        for (const SurveyStep& step : surveySteps(grid)) {
            const auto plan = planStep(step.config, cpuTraits());
            ASSERT_TRUE(plan.has_value()) << plan.error().text();
            for (const Op& op : plan->ops) known.insert(signatureOf(*plan, op).text());
        }
        for (std::int64_t index = 0; index < 300; ++index) {
            const auto config = checkConfig(machine, cpuTraits(), {}, index);
            ASSERT_TRUE(config.has_value()) << config.error().text();
            const auto plan = planStep(*config, cpuTraits());
            ASSERT_TRUE(plan.has_value());
            for (const Op& op : plan->ops)
                EXPECT_TRUE(known.contains(signatureOf(*plan, op).text())) << signatureOf(*plan, op).text();
        }
    }
}

/// A lawful backend on a machine whose speed changes: `speeds` in turn, one for each timed step and the probe
/// after it; the last one stays.
class ChangingBackend final : public test::BackendAround, public test::SpeedsInTurn {
public:
    explicit ChangingBackend(std::vector<double> speeds)
        : BackendAround(std::make_unique<LawfulBackend>()), SpeedsInTurn(std::move(speeds)) {}
    Result<void> run(const OpCall& call) override {
        PLUMB_TRY(const Seconds before, inner().clock());
        PLUMB_CHECK(inner().run(call));
        PLUMB_TRY(const Seconds after, inner().clock());
        m_now += (after - before) / speed();
        return {};
    }
    Result<Seconds> clock() override { return m_now; }
    Capabilities capabilities() override {
        Capabilities can;
        can.prober = this;
        return can;
    }

private:
    Seconds m_now = 0;
};

TEST(CostSurvey, FindsTheSameLawWhileTheMachineChangesItsSpeed) {
    // Slow for a moment now and then: timed again. Slow for long: taken out of the times.
    std::vector<double> speeds;
    speeds.reserve(4000);
    for (int i = 0; i < 4000; ++i) speeds.push_back(i % 17 == 9 || i / 100 % 3 == 1 ? 0.5 : 1);
    LawfulBackend steady;
    ChangingBackend changing(speeds);
    SurveyGrid grid = SurveyGrid::quick();
    grid.perRound = 0;
    const auto expected = surveyCosts(steady, grid, {}, {});
    // The end stands still, whatever has to be timed again, and is not reached before the work is done.
    constexpr int kBefore = 10, kAfter = 5;
    const int wanted = kBefore + surveyCount(grid) + kAfter;
    int last = 0, again = 0, lastOfFirst = 0;
    const SurveyProgress calibration = [&](std::string_view what, int done, int all) {
        EXPECT_EQ(all, wanted);
        EXPECT_GE(done, std::max(last, kBefore));
        EXPECT_LT(done, all - kAfter) << "a full bar, and the work goes on";
        last = done;
        again += what.starts_with("again") ? 1 : 0;
        if (again == 0) lastOfFirst = done;
    };
    const auto found = surveyCosts(changing, grid, progressOfPart(calibration, kBefore, kAfter), {});
    EXPECT_GT(again, 0);
    EXPECT_EQ(lastOfFirst, kBefore + static_cast<int>(surveySteps(grid).size()) - 1);
    EXPECT_GT(last, lastOfFirst);
    ASSERT_TRUE(expected.has_value() && found.has_value());
    EXPECT_FALSE(expected->speed.has_value()) << "no probe, no speed";
    ASSERT_TRUE(found->speed.has_value());
    EXPECT_NEAR(found->speed->probe.productFlopPerSecond, 1e11, 1);
    EXPECT_GT(found->speed->spread, 0.4) << "a busy machine is told from a quiet one";
    EXPECT_GT(found->disturbed, 0);
    ASSERT_EQ(found->costs.tables.size(), expected->costs.tables.size());
    for (std::size_t i = 0; i < expected->costs.tables.size(); ++i)
        for (std::size_t line = 0; line < expected->costs.tables[i].lines.size(); ++line)
            for (std::size_t row = 0; row < expected->costs.tables[i].lines[line].rows.size(); ++row) {
                const Seconds law = expected->costs.tables[i].lines[line].seconds[row];
                EXPECT_NEAR(found->costs.tables[i].lines[line].seconds[row], law, 0.002 * law)
                    << expected->costs.tables[i].op;
            }
}

TEST(CostSurvey, StopsWhenAsked) {
    LawfulBackend backend;
    std::stop_source stop;
    int reports = 0;
    const auto survey = surveyCosts(
        backend, smallGrid(),
        [&](std::string_view, int, int) {
            if (++reports == 3) stop.request_stop();
        },
        stop.get_token());
    ASSERT_FALSE(survey.has_value());
    EXPECT_EQ(survey.error().code, ErrorCode::RunFailed);
    EXPECT_EQ(reports, 3);
}

TEST(PredictionCheck, MeasuresWhatItPredictedAndCountsTheErrors) {
    LawfulBackend backend;
    const auto survey = surveyCosts(backend, smallGrid(), {}, {});
    ASSERT_TRUE(survey.has_value());
    Machine machine;
    machine.costs = survey->costs;
    CheckOptions options;
    options.configurations = 20;
    options.mostPerStep = 1e9;
    std::int64_t reported = 0;
    options.progress = [&](const CheckedStep&, std::int64_t done) { EXPECT_EQ(done, ++reported); };
    const auto check = checkPredictions(backend, machine, options);
    ASSERT_TRUE(check.has_value()) << check.error().text();
    ASSERT_EQ(check->steps.size(), 20U);
    EXPECT_EQ(reported, 20);
    EXPECT_LE(check->medianError(), 0.01);
    EXPECT_LE(check->p90Error(), 0.01);
    for (const CheckedStep& step : check->steps)
        EXPECT_NEAR(step.predicted, step.measured, 0.01 * step.measured);

    // Half the speed: every prediction is half of what is measured.
    for (CostTable& table : machine.costs->tables)
        for (CostLine& line : table.lines)
            for (Seconds& seconds : line.seconds) seconds /= 2;
    options.progress = {};
    const auto wrong = checkPredictions(backend, machine, options);
    ASSERT_TRUE(wrong.has_value());
    EXPECT_NEAR(wrong->medianError(), 0.5, 0.01);
    EXPECT_EQ(wrong->errors().configurations, 20);
}

TEST(PredictionCheck, MedianAndNinetyPercentAreThoseOfTheList) {
    PredictionCheck check;
    for (int i = 10; i >= 1; --i)
        check.steps.push_back({{}, i % 2 == 0 ? 1.0 + 0.01 * i : 1.0 - 0.01 * i, 1.0});
    EXPECT_NEAR(check.medianError(), 0.055, 1e-12);
    EXPECT_NEAR(check.p90Error(), 0.09, 1e-12);
    check.steps.resize(1);
    EXPECT_NEAR(check.medianError(), 0.1, 1e-12);
    EXPECT_NEAR(check.p90Error(), 0.1, 1e-12);
}

TEST(PredictionCheck, NeedsPredictionsAndAtLeastOneConfiguration) {
    LawfulBackend backend;
    const auto unknown = checkPredictions(backend, Machine{}, {});
    ASSERT_FALSE(unknown.has_value());
    EXPECT_EQ(unknown.error().code, ErrorCode::BadInput);
    CheckOptions none;
    none.configurations = 0;
    EXPECT_FALSE(checkPredictions(backend, Machine{}, none).has_value());
}

TEST(PredictionCheck, DrawsTheSameConfigurationsForTheSameSeedAndOthersForAnother) {
    Machine machine;
    machine.bandwidthBytesPerSecond = 1e10;
    for (const Dtype dtype : kAllDtypes) machine.peakFlopPerSecond.emplace_back(dtype, 1e11);
    const SurveyGrid grid = SurveyGrid::full();
    CheckOptions one;
    CheckOptions other;
    other.seed = 1;
    int same = 0;
    for (std::int64_t index = 0; index < 50; ++index) {
        const auto a = checkConfig(machine, cpuTraits(), one, index);
        const auto b = checkConfig(machine, cpuTraits(), one, index);
        const auto c = checkConfig(machine, cpuTraits(), other, index);
        ASSERT_TRUE(a.has_value() && b.has_value() && c.has_value());
        EXPECT_EQ(*a, *b);
        same += *a == *c ? 1 : 0;
        EXPECT_FALSE(std::count(grid.widths.begin(), grid.widths.end(), a->dim) > 0 &&
                     std::count(grid.rows.begin(), grid.rows.end(), a->microBatchSize()) > 0);
    }
    EXPECT_EQ(same, 0);
}

}  // namespace
}  // namespace plumb

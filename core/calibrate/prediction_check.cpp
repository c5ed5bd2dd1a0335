// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/prediction_check.h"

#include "core/base/philox.h"
#include "core/base/quantile.h"
#include "core/calibrate/cost_survey.h"
#include "core/data/check_data.h"
#include "core/machine/op_cost_key.h"
#include "core/model/names.h"
#include "core/train/trainer.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>

namespace plumb {

namespace {

constexpr Seconds kMeasured = 0.4;  ///< aimed at, per configuration
constexpr std::int64_t kFewestSteps = 7;
constexpr std::int64_t kMostSteps = 10'000;
constexpr std::int64_t kMostDraws = 10000;
constexpr double kLearningRate = 1e-9;  ///< no configuration diverges

/// Numbers from Philox: the same draws with every standard library.
class Dice {
public:
    Dice(std::uint64_t seed, std::int64_t index) : m_seed(seed), m_index(index) {}

    [[nodiscard]] double share() {
        const PhiloxBlock block =
            philoxAt(m_seed, RandomStream::Noise, static_cast<std::uint32_t>(m_index), m_draw++);
        return static_cast<double>(block.word[0]) * 0x1p-32;
    }
    [[nodiscard]] bool coin(double chance = 0.5) { return share() < chance; }
    [[nodiscard]] std::int64_t logUniform(double low, double high) {
        return std::llround(low * std::pow(high / low, share()));
    }
    template <class Table>
    [[nodiscard]] auto oneOf(const Table& table) {
        return table.at(static_cast<std::size_t>(share() * static_cast<double>(std::size(table))));
    }

private:
    std::uint64_t m_seed;
    std::int64_t m_index;
    std::uint64_t m_draw = 0;
};

bool isCalibrated(const SurveyGrid& grid, const RunConfig& config) {
    const auto has = [](const std::vector<std::int64_t>& values, std::int64_t value) {
        return std::find(values.begin(), values.end(), value) != values.end();
    };
    return has(grid.widths, config.dim) && has(grid.rows, config.microBatchSize());
}

RunConfig draw(Dice& dice) {
    RunConfig config;
    config.dim = dice.logUniform(4, 2048);
    // Widths of practice are round, and widths that are not must be predicted as well.
    if (dice.coin()) config.dim = (config.dim + 15) / 16 * 16;
    config.layers = dice.logUniform(1, 32);
    config.outputs = dice.coin() ? 1 : dice.logUniform(2, 256);
    config.activation = dice.coin() ? Activation::Relu : Activation::None;
    config.microBatch = dice.logUniform(4, 4096);
    config.batch = config.microBatch * (dice.coin(0.7) ? 1 : dice.logUniform(2, 8));
    config.precision = dice.oneOf(kPrecisionNames).first;
    config.masterWeights = dice.coin();
    config.gradientPrecision = dice.coin(0.7) ? GradientPrecision::Same : GradientPrecision::Fp32;
    if (dice.coin(0.2)) config.clipNorm = 1;
    config.optimizer = dice.oneOf(kOptimizerNames).first;
    config.learningRate = kLearningRate;
    const double policy = dice.share();
    if (policy > 0.85)
        config.recompute = {RecomputePolicy::Kind::None, 1};
    else if (policy > 0.7)
        config.recompute = {RecomputePolicy::Kind::Sqrt, 1};
    else if (policy > 0.5)
        config.recompute = {RecomputePolicy::Kind::Every, dice.logUniform(2, 8)};
    if (dice.coin(0.25)) {
        config.data = "features.npy";
        config.targets = "targets.npy";
        if (dice.coin(0.3)) config.holdOut = 0.2;
    }
    return config;
}

template <class Checked, class ErrorOf>
std::vector<double> absoluteErrors(const std::vector<Checked>& all, ErrorOf errorOf) {
    std::vector<double> errors;
    errors.reserve(all.size());
    for (const Checked& one : all) errors.push_back(std::abs(std::invoke(errorOf, one)));
    std::sort(errors.begin(), errors.end());
    return errors;
}

double p90(const std::vector<double>& errors) { return errors[(9 * errors.size() + 9) / 10 - 1]; }

std::vector<CheckedOp> checkedOps(const StepPlan& plan, const Prediction& prediction, const Reading& measured,
                                  const Machine& machine) {
    std::vector<CheckedOp> ops;
    RelativeSpeed speed;
    if (measured.speed && machine.costs && machine.costs->speed)
        speed = relativeSpeed(measured.speed->probe, machine.costs->speed->probe);
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const std::optional<Seconds>& predicted = prediction.opSeconds[i];
        const std::optional<Seconds>& seconds = measured.ops[i].seconds;
        if (predicted && seconds && *seconds > 0)
            ops.push_back({signatureOf(plan, plan.ops[i]).text(), *predicted, *seconds,
                           speed.*speedPartOf(plan.ops[i])});
    }
    return ops;
}

Error noTimes(const Machine& machine) {
    return {ErrorCode::BadInput, "this machine predicts no times to check (" + machine.name + ")",
            "run " + calibrateCommand(machine.backend) + " first"};
}

}  // namespace

double PredictionCheck::medianError() const { return medianOf(absoluteErrors(steps, &CheckedStep::error)); }

double PredictionCheck::p90Error() const { return p90(absoluteErrors(steps, &CheckedStep::error)); }

PredictionErrors PredictionCheck::errors() const {
    PredictionErrors found{.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                           .configurations = static_cast<std::int64_t>(steps.size()),
                           .medianError = medianError(),
                           .p90Error = p90Error()};
    const bool probed = std::ranges::any_of(
        steps, [](const CheckedStep& step) { return step.speed && step.speed->ofCalibrated; });
    if (probed) {
        const std::vector<double> errors = absoluteErrors(steps, &CheckedStep::errorAtSpeed);
        found.medianErrorAtSpeed = medianOf(errors);
        found.p90ErrorAtSpeed = p90(errors);
    }
    std::vector<CheckedOp> ops;
    for (const CheckedStep& step : steps) ops.insert(ops.end(), step.ops.begin(), step.ops.end());
    if (!ops.empty()) {
        const std::vector<double> errors = absoluteErrors(ops, &CheckedOp::errorAtSpeed);
        found.opMedianError = medianOf(errors);
        found.opP90Error = p90(errors);
    }
    return found;
}

Result<RunConfig> checkConfig(const Machine& machine, const BackendTraits& traits,
                              const CheckOptions& options, std::int64_t index) {
    static const SurveyGrid kGrid = SurveyGrid::full();
    Dice dice(options.seed, index);
    for (std::int64_t attempt = 0; attempt < kMostDraws; ++attempt) {
        const RunConfig config = draw(dice);
        if (isCalibrated(kGrid, config) || !validate(config).has_value()) continue;
        const auto plan = planStep(config, traits);
        if (!plan.has_value()) continue;  // sizes or formats that this backend does not have
        const Prediction prediction = predict(*plan, machine);
        const auto memory = machine.memoryBytes;
        if (memory && prediction.memory.peakBytes > *memory / 4) continue;
        if (!prediction.totals.seconds) return noTimes(machine);
        if (*prediction.totals.seconds <= options.mostPerStep) return config;
    }
    return Error{ErrorCode::BadInput,
                 fmt::format("no configuration runs in {} s a step on this machine", options.mostPerStep),
                 "allow more time"};
}

Result<PredictionCheck> checkPredictions(Backend& backend, const Machine& machine,
                                         const CheckOptions& options) {
    if (options.configurations < 1)
        return badInput(fmt::format("the number of configurations is too small ({})", options.configurations),
                        "give a whole number of at least 1");
    PredictionCheck check;
    CheckData data;
    for (std::int64_t index = 0; index < options.configurations; ++index) {
        if (options.stop.stop_requested()) break;
        CheckedStep step;
        PLUMB_TRY(step.config, checkConfig(machine, backend.traits(), options, index));
        if (step.config.data != "synthetic") PLUMB_CHECK(data.write(step.config));
        PLUMB_TRY(const StepPlan plan, planStep(step.config, backend.traits()));
        const Prediction prediction = predict(plan, machine);
        step.predicted = prediction.totals.seconds.value_or(0);
        const auto steps =
            std::clamp(static_cast<std::int64_t>(kMeasured / step.predicted), kFewestSteps, kMostSteps);
        PLUMB_TRY(const TrainResult result, profile(step.config, backend, steps, options.stop, {}));
        if (options.stop.stop_requested()) break;
        if (result.failure) return *result.failure;
        if (!result.measured.totals.seconds) continue;
        step.measured = *result.measured.totals.seconds;
        step.speed = result.measured.speed;
        step.ops = checkedOps(plan, prediction, result.measured, machine);
        check.steps.push_back(step);
        if (options.progress) options.progress(step, static_cast<std::int64_t>(check.steps.size()));
    }
    return check;
}

}  // namespace plumb

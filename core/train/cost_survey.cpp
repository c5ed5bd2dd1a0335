// SPDX-License-Identifier: Apache-2.0
#include "core/train/cost_survey.h"

#include "core/account/op_cost_key.h"
#include "core/model/names.h"
#include "core/train/executor.h"
#include "core/train/steady_moments.h"
#include "core/train/survey_rows.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace plumb {

namespace {

constexpr double kLeastLearningRate = 1e-12;  ///< the weights stay what they are, whatever the optimizer
/// Sizes nearer to each other than this become one point of a table.
constexpr double kNearby = 1.2;
constexpr std::int64_t kSmallWidth = 128;

double middle(std::vector<double>& values) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Four digits are more than a clock is worth, and keep the file small.
double rounded(double value) {
    const std::string text = fmt::format("{:.3e}", value);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

RunConfig stepOf(std::int64_t width, std::int64_t rows) {
    RunConfig config;
    config.dim = width;
    config.batch = rows;
    config.layers =
        width >= 1024 ? 2 : kShallowLayers;  // one layer's weights leave the caches for the next one's
    config.optimizer = Optimizer::Sgd;
    config.learningRate = kLeastLearningRate;
    return config;
}

/// Within so much of each other two probes say the same.
constexpr double kProbeNoise = 0.1;

/// Seconds and how fast the machine was meanwhile, as the part of the probe that they follow.
struct Sample {
    Seconds seconds = 0;
    double RelativeSpeed::*part = nullptr;
    std::optional<SpeedProbe> probe;
};

/// Times of one op at one point, from all the steps that have it.
struct Samples {
    double work = 1;
    std::vector<Sample> samples;

    /// The middle one, all at the speed of `usual`.
    [[nodiscard]] Seconds middleAt(const std::optional<SpeedProbe>& usual) const {
        std::vector<double> seconds;
        for (const Sample& sample : samples) {
            double speed = 1;
            if (usual && sample.probe) speed = relativeSpeed(*sample.probe, *usual).*sample.part;
            seconds.push_back(std::abs(speed - 1) > kProbeNoise ? sample.seconds * speed : sample.seconds);
        }
        return middle(seconds);
    }
};

class Collector {
public:
    void add(const StepPlan& plan, const std::vector<Seconds>& opSeconds, Surveyed keeps,
             const std::optional<SpeedProbe>& probe) {
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            const Op& op = plan.ops[i];
            if (opSeconds[i] <= 0) continue;
            if (keeps == Surveyed::Optimizer && op.phase != Phase::Optimizer) continue;
            if (keeps == Surveyed::Loading && op.phase != Phase::Data) continue;
            // Passes over all parameters are looked up by how many there are.
            if (keeps == Surveyed::Deep && op.phase == Phase::Optimizer) continue;
            const CostPoint point = costPoint(plan, op);
            const double once = opSeconds[i] / static_cast<double>(op.executions * op.repeat);
            std::string name = signatureOf(plan, op).text();
            if (keeps == Surveyed::Deep) name += kDeepEnding;
            Samples& samples = m_samples[name][{point.plane, point.column}][point.row];
            samples.work = point.work;
            samples.samples.push_back({once, speedPartOf(op), probe});
            if (op.matmulFlops <= 0 || op.isHead) continue;
            double& best = m_peaks[plan.config.computeDtype()];
            best = std::max(best, static_cast<double>(op.matmulFlops) / opSeconds[i]);
        }
    }

    void addGather(const StepPlan& plan, Seconds seconds) {
        for (const Op& op : plan.ops) {
            if (op.kind != OpKind::LoadBatch) continue;
            const CostPoint point = costPoint(plan, op);
            Samples& samples = m_samples[std::string(kGatherTable)][{point.plane, point.column}][point.row];
            samples.work = point.work;
            samples.samples.push_back({seconds, speedPartOf(op), std::nullopt});
        }
    }

    /// All times at the speed of `usual`.
    [[nodiscard]] std::vector<CostTable> tables(const std::optional<SpeedProbe>& usual) {
        std::vector<CostTable> tables;
        for (auto& [op, lines] : m_samples) {
            CostTable& table = tables.emplace_back();
            table.op = op;
            for (auto& [place, points] : lines) {
                table.lines.push_back(lineOf(points, usual));
                std::tie(table.lines.back().plane, table.lines.back().column) = place;
            }
        }
        return tables;
    }
    [[nodiscard]] std::vector<std::pair<Dtype, double>> peaks() const {
        return {m_peaks.begin(), m_peaks.end()};
    }

private:
    using Points = std::map<double, Samples>;

    /// Different steps with nearly the same number of elements are one point: their difference is noise.
    static CostLine lineOf(Points& points, const std::optional<SpeedProbe>& usual) {
        CostLine line;
        for (auto next = points.begin(); next != points.end();) {
            const double first = next->first;
            double row = 0;
            double work = 0;
            double seconds = 0;
            int count = 0;
            for (; next != points.end() && next->first < first * kNearby; ++next, ++count) {
                row += std::log(next->first);
                work += std::log(next->second.work);
                seconds += std::log(next->second.middleAt(usual));
            }
            const bool alone = count == 1;
            const auto& only = *std::prev(next);
            line.rows.push_back(alone ? only.first : rounded(std::exp(row / count)));
            line.work.push_back(alone ? only.second.work : rounded(std::exp(work / count)));
            line.seconds.push_back(rounded(std::exp(seconds / count)));
        }
        return line;
    }

    /// By op, then plane and column, then row.
    std::map<std::string, std::map<std::pair<double, double>, Points>> m_samples;
    std::map<Dtype, double> m_peaks;
};

/// What one step took: the median of the rounds' medians, op by op. Not the fastest: a run is shown by its
/// median, and is predicted by the same measure.
struct StepTimes {
    std::vector<Seconds> ops;
    Seconds step = 0;
    std::optional<SpeedProbe> probe;  ///< right after it
};

Error stopped() {
    return {ErrorCode::RunFailed, "the calibration was stopped", "start it again; nothing was changed"};
}

/// Whether a thread gathers rows while the device runs the steps: see Executor::create().
bool gathersBeside(const Backend& backend) { return backend.traits().recordsSteps; }

/// What that thread takes for one micro-batch: the middle one of some.
Result<Seconds> gatherSeconds(const RunConfig& config) {
    using Clock = std::chrono::steady_clock;
    constexpr int kGathers = 9;
    const SurveyRows source(config);
    const std::int64_t rows = config.microBatchSize();
    std::vector<float> x(static_cast<std::size_t>(rows * config.dim));
    std::vector<float> t(static_cast<std::size_t>(rows * config.outputWidth()));
    std::vector<double> seconds;
    for (int i = 0; i < kGathers; ++i) {
        const auto begin = Clock::now();
        PLUMB_CHECK(source.copySamples(i * rows, x, t));
        seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return middle(seconds);
}

Result<StepTimes> timeStep(const std::shared_ptr<const StepPlan>& plan, Backend& backend,
                           const SurveyGrid& grid, const std::stop_token& stop) {
    constexpr int kWarmUp = 2;
    constexpr int kFewestSteps = 2;
    const SurveyRows rows(plan->config, gathersBeside(backend));
    PLUMB_TRY(const auto executor, Executor::create(plan, backend, &rows));
    PLUMB_TRY(const Seconds first, backend.clock());
    std::vector<std::vector<double>> ops(plan->ops.size());
    std::vector<double> steps;
    for (int round = 0; round < grid.rounds; ++round) {
        executor->forgetMeasurements();
        Seconds begin = 0;
        for (int step = round == 0 ? -kWarmUp : 0;; ++step) {
            if (stop.stop_requested()) return stopped();
            PLUMB_TRY(const Seconds now, backend.clock());
            if (step <= 0) begin = now;
            if (step >= kFewestSteps && now - begin >= grid.perRound) break;
            executor->setMeasuring(step >= 0);
            PLUMB_TRY([[maybe_unused]] const auto result, executor->runStep());
        }
        const Reading reading = executor->measuredReading(backend.machine());
        for (std::size_t i = 0; i < ops.size(); ++i) ops[i].push_back(reading.ops[i].seconds.value_or(0));
        steps.push_back(reading.totals.seconds.value_or(0));
        PLUMB_TRY(const Seconds now, backend.clock());
        if (now - first > grid.enough) break;
    }
    StepTimes times;
    for (std::vector<double>& rounds : ops) times.ops.push_back(middle(rounds));
    times.step = middle(steps);
    return times;
}

/// What was found in the fastest moment counts.
Result<StepTimes> timeSteadily(const std::shared_ptr<const StepPlan>& plan, Backend& backend,
                               const SurveyGrid& grid, const std::stop_token& stop, SteadyMoments& moments) {
    StepTimes best, now;
    const auto time = [&]() -> Result<void> {
        PLUMB_TRY(now, timeStep(plan, backend, grid, stop));
        return {};
    };
    PLUMB_CHECK(moments.measure(time, [&](const std::optional<SpeedProbe>& probe) {
        best = std::move(now);
        best.probe = probe;
    }));
    return best;
}

Seconds gapOf(const StepPlan& plan, const StepTimes& times) {
    Seconds inside = 0;
    double executions = 0;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        inside += times.ops[i];
        executions += static_cast<double>(plan.ops[i].executions);
    }
    return std::max(0.0, (times.step - inside) / executions);
}

std::string describe(const RunConfig& config) {
    return fmt::format("{} {} steps of width {}, batch {}", name(config.precision), name(config.optimizer),
                       config.dim, config.batch);
}

}  // namespace

SurveyGrid SurveyGrid::full() {
    SurveyGrid grid;
    grid.widths = {16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1448, 2048};
    grid.rows = {1, 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
    grid.variantWidths = {16, 32, 96, 256, 640, 1536};
    grid.variantRows = {4, 16, 64, 256, 1024, 4096};
    grid.outputs = {4, 16, 64, 256};
    grid.optimizerWidths = {16, 64, 256, 1024, 2048};
    grid.loadWidths = {16, 64, 256, 1024, 2048};
    grid.loadRows = {4, 16, 64, 256, 1024, 4096};
    grid.headWidths = {16, 128, 512, 2048};
    grid.headRows = {4, 32, 256, 2048};
    grid.deepWidths = {32, 128, 256, 512, 1024, 2048};
    grid.deepRows = {4, 32, 256, 1024};
    grid.mostWork = 0x1p31;
    grid.perRound = 0.02;
    grid.rounds = 3;
    grid.enough = 0.2;
    return grid;
}

SurveyGrid SurveyGrid::quick() {
    SurveyGrid grid;
    grid.widths = {32, 128, 512};
    grid.rows = {1, 16, 128, 1024};
    grid.variantWidths = {32, 512};
    grid.variantRows = {16, 256};
    grid.optimizerWidths = {64, 512};
    grid.loadWidths = {32, 512};
    grid.loadRows = {16, 256};
    grid.outputs = {16, 256};
    grid.headWidths = {32, 512};
    grid.headRows = {16, 256};
    grid.mostWork = 0x1p28;
    grid.perRound = 0.004;
    grid.rounds = 1;
    return grid;
}

std::vector<SurveyStep> surveySteps(const SurveyGrid& grid) {
    std::vector<SurveyStep> steps{{stepOf(8, 8), Surveyed::Overhead}};
    const auto add = [&](const RunConfig& config, Surveyed keeps = Surveyed::Everything) {
        const auto width = static_cast<double>(config.dim);
        if (static_cast<double>(config.batch) * width * width <= grid.mostWork &&
            validate(config).has_value())
            steps.push_back({config, keeps});
    };
    for (const std::int64_t width : grid.widths)
        for (const std::int64_t rows : grid.rows) add(stepOf(width, rows));

    for (const std::int64_t outputs : grid.outputs)
        for (const std::int64_t width : grid.headWidths)
            for (const std::int64_t rows : grid.headRows) {
                RunConfig config = stepOf(width, rows);
                config.layers = 1;
                config.outputs = outputs;
                add(config);
            }
    // The plain form of a recipe, and the one with a ReLU, a mask and gradients that are added up; both with
    // chains.
    for (const auto& [precision, unused] : kPrecisionNames)
        for (const std::int64_t width : grid.variantWidths)
            for (const std::int64_t rows : grid.variantRows) {
                RunConfig config = stepOf(width, rows);
                config.precision = precision;
                config.layers = 3;  // the fewest with a chain of two links
                config.checkpoint.kind = CheckpointPolicy::Kind::None;
                add(config);
                config.activation = Activation::Relu;
                config.microBatch = rows;
                config.batch = 2 * rows;
                add(config);
                config.gradientPrecision = GradientPrecision::Fp32;
                if (dtypeSize(config.weightDtype()) < 4) add(config);
            }
    // Rows of a file, in the types that they are rounded to.
    for (const auto& [precision, unused] : kPrecisionNames)
        for (const std::int64_t width : grid.loadWidths)
            for (const std::int64_t rows : grid.loadRows) {
                const bool isEnd = (width == grid.loadWidths.front() || width == grid.loadWidths.back()) &&
                                   (rows == grid.loadRows.front() || rows == grid.loadRows.back());
                if (precision != Precision::Fp32 && !isEnd) continue;
                RunConfig config = stepOf(width, rows);
                config.precision = precision;
                config.data = "rows.npy";
                config.targets = "targets.npy";
                add(config, Surveyed::Loading);
            }
    for (const std::int64_t width : grid.deepWidths)
        for (const std::int64_t rows : grid.deepRows) {
            RunConfig config = stepOf(width, rows);
            constexpr std::int64_t kLongerBy = kDeepLayers / kShallowLayers;
            config.layers = kDeepLayers;
            if (static_cast<double>(rows) * static_cast<double>(width * width * kLongerBy) <= grid.mostWork)
                add(config, Surveyed::Deep);
        }
    // The heads of a recipe with many outputs.
    for (const auto& [precision, unused] : kPrecisionNames)
        for (const std::int64_t outputs : {grid.outputs.front(), grid.outputs.back()})
            for (const std::int64_t width : {grid.variantWidths.front(), grid.variantWidths.back()})
                for (const std::int64_t rows : {grid.variantRows.front(), grid.variantRows.back()}) {
                    RunConfig config = stepOf(width, rows);
                    config.precision = precision;
                    config.outputs = outputs;
                    config.layers = 1;
                    if (precision != Precision::Fp32) add(config);
                }
    // Optimizers: little batch, so that the time goes to the parameters.
    for (const auto& [optimizer, unused] : kOptimizerNames)
        for (const std::int64_t width : grid.optimizerWidths) {
            RunConfig config = stepOf(width, grid.variantRows.front());
            config.optimizer = optimizer;
            config.clipNorm = 1;
            add(config, Surveyed::Optimizer);
            if (width != grid.optimizerWidths.back() && width != grid.optimizerWidths.front()) continue;
            for (const Precision precision : {Precision::Bf16, Precision::Fp16, Precision::Fp8})
                for (const bool master : {true, false})
                    for (const auto& [gradient, unusedToo] : kGradientPrecisionNames) {
                        config.precision = precision;
                        config.masterWeights = master;
                        config.gradientPrecision = gradient;
                        add(config, Surveyed::Optimizer);
                    }
        }
    return steps;
}

Result<Survey> surveyCosts(Backend& backend, const SurveyGrid& grid, const SurveyProgress& progress,
                           const std::stop_token& stop) {
    const std::vector<SurveyStep> steps = surveySteps(grid);
    Collector collector;
    Survey survey;
    std::vector<double> gaps;
    SteadyMoments moments(backend);
    const std::vector<SpeedProbe>& probes = moments.probes();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const RunConfig& config = steps[i].config;
        if (progress) progress(describe(config), static_cast<int>(i), static_cast<int>(steps.size()));
        if (stop.stop_requested()) return stopped();
        auto planned = planStep(config, backend.traits());
        if (!planned.has_value() && i > 0) continue;  // sizes or formats that this backend does not have
        if (!planned.has_value()) return planned.error();
        const auto plan = std::make_shared<const StepPlan>(std::move(planned).value());
        if (const auto memory = backend.machine().memoryBytes;
            memory && !checkFits(*plan, *memory / 4).has_value())
            continue;
        const auto times = timeSteadily(plan, backend, grid, stop, moments);
        if (!times.has_value()) {
            const ErrorCode code = times.error().code;
            if (i > 0 && (code == ErrorCode::BadInput || code == ErrorCode::Unavailable)) continue;
            return times.error();
        }
        if (i == 0) {
            std::vector<double> seconds = times->ops;
            survey.perOpOverhead = rounded(middle(seconds));
            continue;
        }
        if (config.dim <= kSmallWidth && config.precision == Precision::Fp32)
            gaps.push_back(gapOf(*plan, *times));
        collector.add(*plan, times->ops, steps[i].keeps, times->probe);
        if (steps[i].keeps == Surveyed::Loading && gathersBeside(backend) &&
            config.precision == Precision::Fp32) {
            PLUMB_TRY(const Seconds seconds, gatherSeconds(config));
            collector.addGather(*plan, seconds);
        }
        if (const auto usual = medianOf(probes); usual && times->probe)
            survey.disturbed +=
                SteadyMoments::slowest(relativeSpeed(*times->probe, *usual)) < SteadyMoments::kSlow ? 1 : 0;
    }
    const std::optional<SpeedProbe> usual = medianOf(probes);
    survey.costs.tables = collector.tables(usual);
    if (usual)
        survey.speed = CalibratedSpeed{*usual, spreadOf(probes), 0, static_cast<std::int64_t>(probes.size())};
    survey.costs.betweenOps = rounded(middle(gaps));
    survey.peaks = collector.peaks();
    return survey;
}

void keepSurvey(Survey survey, std::vector<BandwidthPoint> curve, Machine& machine) {
    machine.peakFlopPerSecond = std::move(survey.peaks);
    const BandwidthPoint& memory = curve.back();
    machine.bandwidthBytesPerSecond = std::max({memory.read, memory.copy, memory.update});
    machine.perOpOverhead = survey.perOpOverhead;
    machine.costs = std::move(survey.costs);
    machine.costs->bandwidth = std::move(curve);
    machine.costs->speed = survey.speed;
    machine.source = fmt::format("calibrated {:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/cost_survey.h"

#include "core/base/quantile.h"
#include "core/calibrate/busy_threads.h"
#include "core/calibrate/survey_rows.h"
#include "core/engine/capabilities.h"
#include "core/machine/op_cost_key.h"
#include "core/model/names.h"
#include "core/train/executor.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace plumb {

namespace {

/// Sizes nearer to each other than this become one point of a table.
constexpr double kNearby = 1.2;
constexpr std::int64_t kSmallWidth = 128;

/// Four digits are more than a clock is worth, and keep the file small.
double rounded(double value) {
    const std::string text = fmt::format("{:.3e}", value);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// Within so much of each other two probes say the same.
constexpr double kProbeNoise = 0.05;

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
        return medianOf(seconds);
    }
};

std::string_view endingOf(Surveyed keeps) {
    if (keeps == Surveyed::Deep || keeps == Surveyed::DeepSums) return kDeepEnding;
    return keeps == Surveyed::BesideTraffic ? kBesideTrafficEnding : std::string_view();
}

class Collector {
public:
    explicit Collector(int threads) : m_threads(threads) {}

    /// `ending`: of the names of the tables, see endingOf().
    void add(const StepPlan& plan, const std::vector<Seconds>& opSeconds, Surveyed keeps,
             std::string_view ending, const std::optional<SpeedProbe>& probe) {
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            const Op& op = plan.ops[i];
            if (opSeconds[i] <= 0) continue;
            if (!isKept(op, keeps)) continue;
            const CostPoint point = costPoint(plan, op, m_threads);
            const double once = opSeconds[i] / static_cast<double>(op.executions * op.repeat);
            std::string name = signatureOf(plan, op).text();
            name += ending;
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
            const CostPoint point = costPoint(plan, op, m_threads);
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

    static bool isKept(const Op& op, Surveyed keeps) {
        switch (keeps) {
        case Surveyed::Overhead:
        case Surveyed::Everything:
            return true;
        case Surveyed::Optimizer:
            return op.kind == OpKind::OptimizerStep;
        case Surveyed::GradientNorm:
            return op.kind == OpKind::GradientNorm;
        case Surveyed::Loading:
            return op.phase == Phase::Data;
        case Surveyed::Deep:
        case Surveyed::BesideTraffic:
            return op.phase != Phase::Optimizer;  // that is looked up by how many parameters there are
        case Surveyed::DeepSums:
            return op.accumulates;
        }
        return false;
    }

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

    int m_threads;
    /// Samples by op, then plane and column, then row.
    std::map<std::string, std::map<std::pair<double, double>, Points>> m_samples;
    std::map<Dtype, double> m_peaks;
};

/// What one step took: the median of the rounds' medians, op by op. Not the fastest: a run is shown by its
/// median, and is predicted by the same measure.
struct StepTimes {
    std::vector<Seconds> ops;
    Seconds step = 0;
    std::optional<Seconds> replayed;  ///< the whole of it, as a training runs it; absent: it is not replayed
    std::vector<Seconds>
        withoutTraffic;               ///< of the ops, right before they ran beside it; empty: they did not
    std::optional<SpeedProbe> probe;  ///< right after it
};

/// Whether a thread gathers rows while the device runs the steps: see Executor::create().
bool gathersBeside(const Backend& backend) { return backend.traits().replaysSteps; }

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
    return medianOf(seconds);
}

/// What a step takes that is captured and replayed; absent where the backend does not, or has no room for it.
Result<std::optional<Seconds>> timeReplays(Executor& executor, Seconds opByOp, const SurveyGrid& grid,
                                           const std::stop_token& stop) {
    constexpr double kFewest = 5;
    constexpr double kMost = 24;
    const auto laidOut = executor.captureSteps();
    if (!laidOut.has_value() && laidOut.error().code != ErrorCode::OutOfMemory) return laidOut.error();
    if (!executor.replaysSteps()) return std::optional<Seconds>();
    executor.timing().setMeasuring(false);
    PLUMB_TRY([[maybe_unused]] const auto captured, executor.advance());
    executor.timing().setMeasuring(true);
    // Not waited for one by one: the device must never wait for the host.
    const auto steps = static_cast<int>(std::clamp(grid.perRound / std::max(opByOp, 1e-9), kFewest, kMost));
    for (int step = 0; step < steps; ++step) {
        if (stop.stop_requested()) return surveyStopped();
        PLUMB_TRY([[maybe_unused]] const auto started, executor.advance());
    }
    PLUMB_TRY([[maybe_unused]] const auto rest, executor.drain());
    return executor.timing().medianStep();
}

/// All-reduces that go on beside a step are of this size: the buckets of a training are of 1 to 25 MiB.
constexpr Bytes kTrafficBeside = Bytes{4} << 20;

/// Medians of rounds of steps.
struct Rounds {
    std::vector<Seconds> ops;
    Seconds step = 0;
};

Result<Rounds> timeRounds(Executor& executor, Backend& backend, const SurveyGrid& grid,
                          const std::stop_token& stop) {
    constexpr int kWarmUp = 2;
    constexpr int kFewestSteps = 2;
    PLUMB_TRY(const Seconds first, backend.clock());
    std::vector<std::vector<double>> ops(executor.plan().ops.size());
    std::vector<double> steps;
    for (int round = 0; round < grid.rounds; ++round) {
        executor.timing().forget();
        Seconds begin = 0;
        for (int step = round == 0 ? -kWarmUp : 0;; ++step) {
            if (stop.stop_requested()) return surveyStopped();
            PLUMB_TRY(const Seconds now, backend.clock());
            if (step <= 0) begin = now;
            if (step >= kFewestSteps && now - begin >= grid.perRound) break;
            executor.timing().setMeasuring(step >= 0);
            PLUMB_TRY([[maybe_unused]] const auto result, executor.runStep());
        }
        const Reading reading = executor.timing().reading(backend.machine());
        for (std::size_t i = 0; i < ops.size(); ++i) ops[i].push_back(reading.ops[i].seconds.value_or(0));
        steps.push_back(reading.totals.seconds.value_or(0));
        PLUMB_TRY(const Seconds now, backend.clock());
        if (now - first > grid.enough) break;
    }
    Rounds medians;
    for (std::vector<double>& rounds : ops) medians.ops.push_back(medianOf(rounds));
    medians.step = medianOf(steps);
    return medians;
}

/// What a step takes on the average over a stretch that is long beside the slices of a core's time which two
/// threads have in turn: a step that is short beside them meets one now and then, and its median none.
Result<Seconds> meanStep(Executor& executor, Backend& backend, const std::stop_token& stop) {
    constexpr Seconds kStretch = 0.1;
    constexpr int kFewestSteps = 3;
    executor.timing().setMeasuring(false);
    PLUMB_TRY(const Seconds begin, backend.clock());
    for (int steps = 1;; ++steps) {
        if (stop.stop_requested()) return surveyStopped();
        PLUMB_TRY([[maybe_unused]] const auto result, executor.runStep());
        PLUMB_TRY(const Seconds now, backend.clock());
        if (steps >= kFewestSteps && (now - begin >= kStretch || now == begin)) return (now - begin) / steps;
    }
}

/// The ops as they are alone, and what they take on the average while data travel between the ranks; at once
/// after each other, since the machine's speed of two moments far from each other is not the same.
Result<StepTimes> timeBesideTraffic(Executor& executor, Backend& backend, int ranks, const SurveyGrid& grid,
                                    const std::stop_token& stop) {
    PLUMB_TRY(Rounds alone, timeRounds(executor, backend, grid, stop));
    PLUMB_TRY(const Seconds before, meanStep(executor, backend, stop));
    PLUMB_TRY(const auto traffic, keepReducing(ranks, kTrafficBeside));
    PLUMB_TRY(const Seconds beside, meanStep(executor, backend, stop));
    PLUMB_CHECK(traffic->end());
    const double slower = before > 0 ? beside / before : 1;
    StepTimes times;
    times.step = slower * alone.step;
    for (const Seconds seconds : alone.ops) times.ops.push_back(slower * seconds);
    times.withoutTraffic = std::move(alone.ops);
    return times;
}

/// `others` run it meanwhile.
Result<StepTimes> timeStep(const std::shared_ptr<const StepPlan>& plan, Surveyed keeps, Backend& backend,
                           const SurveyGrid& grid, const std::stop_token& stop,
                           std::span<Backend* const> others) {
    const SurveyRows rows(plan->config, gathersBeside(backend));
    PLUMB_TRY(const auto executor, Executor::create(plan, backend, &rows));
    std::unique_ptr<BusyThreads> company;
    if (!others.empty()) {
        PLUMB_TRY(company, keepStepping(plan, others));
    }
    StepTimes times;
    if (keeps == Surveyed::BesideTraffic) {
        PLUMB_TRY(times,
                  timeBesideTraffic(*executor, backend, static_cast<int>(others.size()) + 1, grid, stop));
    } else {
        PLUMB_TRY(Rounds timed, timeRounds(*executor, backend, grid, stop));
        times.ops = std::move(timed.ops);
        times.step = timed.step;
        PLUMB_TRY(times.replayed, timeReplays(*executor, times.step, grid, stop));
    }
    if (company) PLUMB_CHECK(company->end());
    return times;
}

/// A step of the survey and what it took.
struct TimedStep {
    const SurveyStep* step = nullptr;
    std::shared_ptr<const StepPlan> plan;
    StepTimes times;
};

std::string describe(const RunConfig& config) {
    return fmt::format("{} {} steps of width {}, batch {}", name(config.precision), name(config.optimizer),
                       config.dim, config.batch);
}

/// Below this share of its speed in fast moments a machine is slow: another program, or another guest of the
/// same host, uses its cores.
constexpr double kSlow = 0.88;

/// The speed of fast moments: 75 % of the probes are slower.
std::optional<SpeedProbe> fastOf(const std::vector<SpeedProbe>& probes) { return quantileOf(probes, 0.75); }

/// How fast the slowest part was, as a share of `fast`.
double speedAt(const std::optional<SpeedProbe>& probe, const std::optional<SpeedProbe>& fast) {
    return probe && fast ? relativeSpeed(*probe, *fast).slowest() : 1;
}

/// Those of `steps` that this backend has and that fit its memory. Errors: why the first one is none of them.
/// `ranks`: that share the memory.
Result<std::vector<TimedStep>> plannedSteps(const std::vector<SurveyStep>& steps, const Backend& backend,
                                            std::int64_t ranks) {
    std::vector<TimedStep> planned;
    for (const SurveyStep& step : steps) {
        auto plan = planStep(step.config, backend.traits());
        Result<void> usable;
        if (const auto memory = backend.machine().memoryBytes; !plan.has_value())
            usable = plan.error();  // sizes or formats that this backend does not have
        else if (memory)
            usable = checkFits(*plan, *memory / 4 / ranks);
        if (!usable.has_value() && planned.empty()) return usable.error();  // of hardly any work
        if (!usable.has_value()) continue;
        planned.push_back({&step, std::make_shared<const StepPlan>(std::move(plan).value()), {}});
    }
    return planned;
}

/// What the machine was like beside the steps: how fast, and who else used the device.
class Surroundings {
public:
    explicit Surroundings(Backend& backend) : m_backend(backend) {}
    /// Errors: those of the probe.
    [[nodiscard]] Result<std::optional<SpeedProbe>> look() {
        if (DeviceTelemetry* const device = m_backend.capabilities().telemetry)
            m_samples.push_back(device->sample());
        PLUMB_TRY(const std::optional<SpeedProbe> probe, probeSpeed(m_backend));
        if (probe) m_probes.push_back(*probe);
        return probe;
    }
    [[nodiscard]] const std::vector<SpeedProbe>& probes() const { return m_probes; }
    /// Empty when nobody was seen, or nothing tells.
    [[nodiscard]] std::string sharedWith() const {
        return sharingText(summariseSamples(m_samples).processes);
    }

private:
    Backend& m_backend;
    std::vector<SpeedProbe> m_probes;
    std::vector<DeviceSample> m_samples;
};

constexpr int kPasses = 3;

/// How much of the timing is done. The first pass counts as many as there are steps, the others have equal
/// parts of what is kept for them, whatever they have to time.
class SurveyProgressCount {
public:
    explicit SurveyProgressCount(int steps) : m_steps(steps) {}

    [[nodiscard]] int all() const { return m_steps + (kPasses - 1) * again(); }
    /// Before step `next` of the `count` that this pass times.
    [[nodiscard]] int done(int pass, std::size_t next, std::size_t count) const {
        const double share = static_cast<double>(next) / static_cast<double>(count);
        const int before = pass == 0 ? 0 : m_steps + (pass - 1) * again();
        return before + static_cast<int>(share * (pass == 0 ? m_steps : again()));
    }

private:
    [[nodiscard]] int again() const { return m_steps / 4 + 1; }

    int m_steps;
};

/// Times all of them, and in two more passes those again that met a slow moment: it has passed by then, where
/// timing them again at once would meet it again. The fastest moment counts. What the backend turns out not
/// to have is taken out of `steps`.
Result<void> timeSteps(std::vector<TimedStep>& steps, Backend& backend, const SurveyGrid& grid,
                       const SurveyProgress& progress, const std::stop_token& stop,
                       Surroundings& surroundings, std::span<Backend* const> others,
                       const SurveyProgressCount& count) {
    for (int pass = 0; pass < kPasses; ++pass) {
        const std::optional<SpeedProbe> fast = fastOf(surroundings.probes());
        // The first pass times all of them, the others those that met a slow moment.
        const auto isTimed = [&](const TimedStep& timed) {
            return pass == 0 || speedAt(timed.times.probe, fast) < kSlow;
        };
        auto left = static_cast<std::size_t>(std::ranges::count_if(steps, isTimed));
        std::size_t done = 0;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            TimedStep& timed = steps[i];
            if (!isTimed(timed)) continue;
            if (progress)
                progress((pass > 0 ? "again: " : "") + describe(timed.plan->config),
                         count.done(pass, done, done + left), count.all());
            --left;
            if (stop.stop_requested()) return surveyStopped();
            auto times = timeStep(timed.plan, timed.step->keeps, backend, grid, stop, others);
            if (!times.has_value()) {
                const ErrorCode code = times.error().code;
                if (i == 0 || (code != ErrorCode::BadInput && code != ErrorCode::Unavailable))
                    return times.error();
                steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i--));
                continue;
            }
            ++done;
            PLUMB_TRY(times->probe, surroundings.look());
            if (pass == 0 || speedAt(times->probe, fast) > speedAt(timed.times.probe, fast))
                timed.times = std::move(times).value();
        }
    }
    return {};
}

/// What a step of `seconds` takes beside its ops, for each of them.
Seconds besideOps(const StepPlan& plan, const StepTimes& times, Seconds seconds) {
    Seconds inside = 0;
    double executions = 0;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        inside += times.ops[i];
        executions += static_cast<double>(plan.ops[i].executions);
    }
    return (seconds - inside) / executions;
}

/// Takes them from steps of small work, in which such times show; `beside`: what the replayed ones take
/// beside their ops.
Result<std::optional<ReplayCosts>> replayCosts(Backend& backend, std::vector<double>& beside) {
    StepReplay* const replay = backend.capabilities().replay;
    if (replay == nullptr || beside.empty()) return std::optional<ReplayCosts>();
    ReplayCosts costs;
    PLUMB_TRY(costs.betweenNodes, replay->gapBetweenNodes());
    costs.marks = rounded(std::max(0.0, costs.betweenNodes - medianOf(beside)));
    costs.betweenNodes = rounded(costs.betweenNodes);
    return std::optional(costs);
}

}  // namespace

Error surveyStopped() {
    return {ErrorCode::RunFailed, "the calibration was stopped", "start it again; nothing was changed"};
}

int surveyCount(const SurveyGrid& grid, bool ofRanks) {
    return SurveyProgressCount(static_cast<int>(surveySteps(grid, ofRanks).size())).all();
}

SurveyProgress progressOfPart(const SurveyProgress& whole, int before, int after) {
    if (!whole) return {};
    return [whole, before, after](std::string_view what, int done, int total) {
        whole(what, before + done, before + total + after);
    };
}

Result<Survey> surveyCosts(Backend& backend, const SurveyGrid& grid, const SurveyProgress& progress,
                           const std::stop_token& stop, std::span<Backend* const> others) {
    const std::vector<SurveyStep> all = surveySteps(grid, !others.empty());
    PLUMB_TRY(std::vector<TimedStep> steps,
              plannedSteps(all, backend, static_cast<std::int64_t>(others.size()) + 1));
    Surroundings surroundings(backend);
    PLUMB_CHECK(timeSteps(steps, backend, grid, progress, stop, surroundings, others,
                          SurveyProgressCount(static_cast<int>(all.size()))));
    const std::vector<SpeedProbe>& probes = surroundings.probes();
    const std::optional<SpeedProbe> fast = fastOf(probes);

    Collector collector(hostThreads(backend));
    Survey survey;
    survey.perOpOverhead = rounded(medianOf(steps.front().times.ops));
    std::vector<double> gaps;
    std::vector<double> besideReplayed;
    for (const TimedStep& timed : std::span(steps).subspan(1)) {
        const RunConfig& config = timed.plan->config;
        if (config.dim <= kSmallWidth && config.precision == Precision::Fp32) {
            gaps.push_back(std::max(0.0, besideOps(*timed.plan, timed.times, timed.times.step)));
            if (timed.times.replayed)
                besideReplayed.push_back(besideOps(*timed.plan, timed.times, *timed.times.replayed));
        }
        const Surveyed keeps = timed.step->keeps;
        collector.add(*timed.plan, timed.times.ops, keeps, endingOf(keeps), timed.times.probe);
        if (!timed.times.withoutTraffic.empty())
            collector.add(*timed.plan, timed.times.withoutTraffic, keeps, kWithoutTrafficEnding,
                          timed.times.probe);
        if (keeps == Surveyed::Loading && gathersBeside(backend) && config.precision == Precision::Fp32) {
            PLUMB_TRY(const Seconds seconds, gatherSeconds(config));
            collector.addGather(*timed.plan, seconds);
        }
        survey.disturbed += speedAt(timed.times.probe, fast) < kSlow ? 1 : 0;
    }
    survey.costs.tables = collector.tables(fast);
    if (fast)
        survey.speed = CalibratedSpeed{*fast, spreadOf(probes), 0, static_cast<std::int64_t>(probes.size()),
                                       surroundings.sharedWith()};
    survey.costs.threads = hostThreads(backend);
    survey.costs.betweenOps = rounded(medianOf(gaps));
    PLUMB_TRY(survey.costs.replay, replayCosts(backend, besideReplayed));
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
    const std::tm now = fmt::gmtime(std::time(nullptr));
    const bool wasShared = survey.speed && !survey.speed->sharedWith.empty();
    machine.source = wasShared
                         ? fmt::format("calibrated {:%Y-%m-%d} while other programs used the device", now)
                         : fmt::format("calibrated {:%Y-%m-%d}", now);
}

}  // namespace plumb

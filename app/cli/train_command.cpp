// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/for_people.h"
#include "app/cli/out_file.h"
#include "app/cli/rank_launch.h"
#include "app/cli/report.h"
#include "core/train/trainer.h"
#include "core/train/training_checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <utility>

namespace plumb::cli {

namespace {

std::string minutes(Seconds seconds) {
    const auto whole = static_cast<std::int64_t>(seconds);
    return fmt::format("{:02}:{:02}", whole / 60, whole % 60);
}

/// Shows step, loss, rate and remaining time on the terminal.
class ProgressSink final : public TrainingSink {
public:
    explicit ProgressSink(std::int64_t steps) : m_steps(steps) {}
    void onStep(const StepMetrics& point) override {
        if (!m_line.due()) return;
        const auto done = static_cast<double>(point.step + 1);
        const double rate = point.seconds > 0 ? done / point.seconds : 0;
        const double left = rate > 0 ? (static_cast<double>(m_steps) - done) / rate : 0;
        m_line.show(fmt::format("step {} of {} · loss {:.6g} · {:.4g} steps/s · {} left", point.step + 1,
                                m_steps, point.loss, rate, minutes(left)));
    }
    void onReading(const Reading&) override {}
    /// The first failure is told at once, because training may go on for days; the last ends the command.
    void onCheckpoint(const CheckpointReport& report) override {
        m_checkpoint = report.failure ? m_checkpoint : report.path;
        if (!report.givenUp.empty() && !std::exchange(m_toldGivenUp, true)) {
            m_line.clear();
            printError({ErrorCode::Io,
                        fmt::format("the disk is full, so that older checkpoints make room for newer ones "
                                    "before --keep says so ({:s})",
                                    fmt::join(report.givenUp, ", ")),
                        "training goes on; free some space to keep more of them"});
        }
        if (!report.failure || m_failures++ > 0) return;
        m_line.clear();
        printError({report.failure->code, report.failure->message,
                    fmt::format("training goes on; {}", report.failure->hint)});
    }
    void clear() { m_line.clear(); }
    /// The newest that was written; empty when none was.
    [[nodiscard]] const std::string& checkpoint() const { return m_checkpoint; }
    [[nodiscard]] std::int64_t failures() const { return m_failures; }

private:
    std::int64_t m_steps;
    std::string m_checkpoint;
    std::int64_t m_failures = 0;
    bool m_toldGivenUp = false;
    ProgressLine m_line;
};

Result<CheckpointOptions> checkpointOptions(const Arguments& arguments) {
    CheckpointOptions options;
    options.folder = arguments.text("checkpoint-dir");
    if (arguments.has("checkpoint-dir") && options.folder.empty())
        return Error{ErrorCode::BadInput, "--checkpoint-dir is empty", "give a folder"};
    if (options.folder.empty())
        for (const char* name : {"save-every", "keep"})
            if (arguments.has(name))
                return Error{ErrorCode::BadInput, fmt::format("--{:s} says nothing without a folder", name),
                             "give --checkpoint-dir DIR as well"};
    PLUMB_TRY(options.saveEvery, arguments.countOr("save-every", 1, options.saveEvery));
    PLUMB_TRY(options.keepLast, arguments.countOr("keep", 1, options.keepLast));
    return options;
}

/// Whether the weights of the task are looked for in those of the model: a moment's work at most.
bool showsTask(const RunConfig& config) { return !config.readsFiles() && hasShortLinearMap(config); }

/// The linear task: whether what was learned is 0, 1, 2, ...
std::string taskLine(const RunConfig& config, const LearnedWeights& weights) {
    const auto task = showsTask(config) ? recoveredTask(config, weights) : std::nullopt;
    if (!task) return {};
    if (std::isnan(task->meanError))
        return "\nLearned        the product of the weights is not a number: the training diverged\n";
    std::string numbers;
    for (const double value : task->first)
        numbers += fmt::format("{}{:.2f}", numbers.empty() ? "" : ", ", value);
    const bool more = config.dim > static_cast<std::int64_t>(task->first.size());
    return fmt::format(
        "\nLearned        the product of the weights is {}{} (the task's are 0, 1, 2, ...): off by "
        "{:.3g} in the mean, {:.3g} at most\n",
        numbers, more ? ", ..." : "", task->meanError, task->largestError);
}

/// What can be resumed from now: the newest that was written, else what was there before; empty for none.
std::string newestCheckpoint(const TrainOptions& options, const std::string& written) {
    if (!written.empty() || options.checkpoints.folder.empty()) return written;
    const auto steps = checkpointSteps(options.checkpoints.folder);
    if (steps.has_value() && !steps->empty())
        return (std::filesystem::path(options.checkpoints.folder) / checkpointFileName(steps->back()))
            .string();
    return options.resumeFrom;
}

/// A checkpoint, or those of a folder.
std::vector<NamedFile> checkpointsIn(const std::string& place) {
    if (place.empty()) return {};
    const auto steps = checkpointSteps(place);
    if (!steps.has_value() || steps->empty()) return {{forPeople("a checkpoint"), place}};
    std::vector<NamedFile> files;
    for (const std::int64_t step : *steps)
        files.push_back(
            {forPeople("a checkpoint"), (std::filesystem::path(place) / checkpointFileName(step)).string()});
    return files;
}

Error stopped(std::int64_t step, const std::string& out, const std::string& checkpoint) {
    std::string hint = out.empty() ? forPeople("give --out FILE.plumb to keep the history")
                                   : fmt::format(forPeople("the history is in {:s}"), out);
    if (!checkpoint.empty()) hint = fmt::format(forPeople("go on with --resume {:s}"), checkpoint);
    return {ErrorCode::RunFailed, fmt::format("training stopped (step {})", step), hint};
}

Result<void> trainHere(const Arguments& arguments, const RunConfig& config, const std::stop_token& stop,
                       World* world) {
    TrainOptions options;
    PLUMB_TRY(options.steps, arguments.count("steps", 1));
    PLUMB_TRY(options.checkpoints, checkpointOptions(arguments));
    const std::string weights = arguments.text("weights");
    if (arguments.has("weights")) {
        PLUMB_CHECK(checkWeightsPath(weights, arguments.text("weights-of"), config));
    } else if (arguments.has("weights-of")) {
        return Error{ErrorCode::BadInput, "--weights-of says nothing without a file",
                     "give --weights FILE.npy as well"};
    }
    options.keepWeights = arguments.has("weights") || showsTask(config);
    options.resumeFrom = arguments.text("resume");
    if (arguments.has("resume") && options.resumeFrom.empty())
        return Error{ErrorCode::BadInput, "--resume is empty", "give a checkpoint, or a folder of them"};
    std::vector<NamedFile> kept = filesOf(arguments, config);
    for (const std::string& place : {options.resumeFrom, options.checkpoints.folder})
        for (NamedFile& checkpoint : checkpointsIn(place)) kept.push_back(std::move(checkpoint));
    if (arguments.has("weights")) {
        PLUMB_CHECK(checkOutput({"--weights", weights}, kept));
        kept.push_back({"--weights", weights});
    }
    if (arguments.has("out")) PLUMB_CHECK(checkOutput({"--out", arguments.text("out")}, kept));
    PLUMB_TRY(const cuda::Tuning tuning,
              tuningFromName(arguments.has("tune") ? arguments.text("tune") : "on"));
    options.stop = stop;
    PLUMB_TRY(const RunBackends backends,
              makeRankBackends(world, config, {config.backend, arguments.text("device")}, tuning));
    Backend& backend = *backends.first;
    options.rankBackend = backends.others;
    options.world = world;
    PLUMB_TRY(Snapshot snapshot, makeSnapshot(config, {backend.machine(), backend.traits()}));
    ProgressSink sink(options.steps);
    PLUMB_TRY(const TrainResult result, train(config, backend, options, sink));
    sink.clear();
    if (!tells(world)) return result.failure ? Result<void>(*result.failure) : Result<void>();
    if (result.measured.stepsMeasured > 0) snapshot.measured = result.measured;  // else all was warm-up
    snapshot.training = result.series;
    snapshot.data = result.data;
    const std::string out = arguments.text("out");
    if (!out.empty()) PLUMB_CHECK(saveRun(out, snapshot));
    if (arguments.has("weights") && !result.weights.empty())
        PLUMB_CHECK(writeWeights(weights, arguments.text("weights-of"), config, result.weights));
    PLUMB_CHECK(print(arguments.json() ? document(snapshot)
                                       : report(snapshot, {}) + taskLine(config, result.weights)));
    if (result.failure) return *result.failure;
    const std::string newest = newestCheckpoint(options, sink.checkpoint());
    if (result.series.stepsDone < options.steps) return stopped(result.series.stepsDone, out, newest);
    if (sink.failures() > 0)
        return Error{
            ErrorCode::RunFailed,
            fmt::format("training finished, and not all of its checkpoints could be written ({} failed)",
                        sink.failures()),
            newest.empty() ? "none is there to resume from" : fmt::format("the newest is {:s}", newest)};
    return {};
}

Result<void> runTrain(const Arguments& arguments) {
    PLUMB_TRY(const RunConfig config, arguments.runConfig());
    const Interrupt interrupt;
    return onRanks(arguments, config, interrupt.token(),
                   [&](World* world) { return trainHere(arguments, config, interrupt.token(), world); });
}

}  // namespace

CommandSpec trainCommand() {
    return CommandSpec{
        .name = "train",
        .help = "trains and measures; Ctrl-C stops and keeps what was done",
        .takesRun = true,
        .options = {{"steps", "N", "optimizer steps, those before --resume included"},
                    deviceOption(),
                    launchOption(),
                    {"tune", "on|off", "time algorithms of products before the first step (on; NVIDIA GPUs)"},
                    {"out", "FILE.plumb", "write the snapshot with the loss history here"},
                    {"weights", "FILE",
                     "write the weights after the last step here: .safetensors, or one matrix as .npy"},
                    {"weights-of", "N|head|product",
                     "which matrix a .npy holds; product: all of them multiplied"},
                    {"checkpoint-dir", "DIR",
                     "keep the state of the training in this folder, as .safetensors"},
                    {"save-every", "N", "save it every N steps, in the background; without: at the end"},
                    {"keep", "N", "checkpoints that are kept (default 3)"},
                    {"resume", "FILE|DIR", "go on from a checkpoint, or from the newest of a folder"}},
        .run = runTrain};
}

}  // namespace plumb::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/out_file.h"
#include "app/cli/report.h"
#include "core/train/trainer.h"

#include <fmt/format.h>

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
    void onLoss(const LossPoint& point) override {
        if (!m_line.due()) return;
        const auto done = static_cast<double>(point.step + 1);
        const double rate = point.seconds > 0 ? done / point.seconds : 0;
        const double left = rate > 0 ? (static_cast<double>(m_steps) - done) / rate : 0;
        m_line.show(fmt::format("step {} of {} · loss {:.6g} · {:.4g} steps/s · {} left", point.step + 1,
                                m_steps, point.loss, rate, minutes(left)));
    }
    void onReading(const Reading&) override {}
    void clear() { m_line.clear(); }

private:
    std::int64_t m_steps;
    ProgressLine m_line;
};

/// What a later version does is refused by name, so that nobody believes a checkpoint was written.
Result<void> refuseCheckpoints(const Arguments& arguments) {
    for (const char* name : {"checkpoint-dir", "save-every", "resume"})
        if (arguments.has(name))
            return Error{ErrorCode::BadInput,
                         fmt::format("this version writes no training checkpoints (--{})", name),
                         "leave it out; --out keeps the snapshot of the run"};
    return {};
}

Result<void> runTrain(const Arguments& arguments) {
    PLUMB_CHECK(refuseCheckpoints(arguments));
    PLUMB_TRY(const RunConfig config, arguments.runConfig());
    TrainOptions options;
    PLUMB_TRY(options.steps, arguments.count("steps", 1));
    if (arguments.has("out")) PLUMB_CHECK(checkWritable(arguments.text("out")));
    const Interrupt interrupt;
    options.stop = interrupt.token();
    PLUMB_TRY(const auto backend, makeBackend(config.backend));
    PLUMB_TRY(Snapshot snapshot, makeSnapshot(config, backend->machine(), backend->traits()));
    ProgressSink sink(options.steps);
    PLUMB_TRY(const TrainResult result, train(config, *backend, options, sink));
    sink.clear();
    if (result.measured.stepsMeasured > 0) snapshot.measured = result.measured;  // else all was warm-up
    snapshot.training = result.series;
    const std::string out = arguments.text("out");
    if (!out.empty()) PLUMB_CHECK(saveRun(out, snapshot));
    PLUMB_CHECK(print(arguments.json() ? document(snapshot) : report(snapshot)));
    if (result.failure) return *result.failure;
    if (result.series.stepsDone < options.steps)
        return Error{ErrorCode::RunFailed, fmt::format("training stopped (step {})", result.series.stepsDone),
                     out.empty() ? "give --out FILE.plumb to keep the history" : "the history is in " + out};
    return {};
}

}  // namespace

CommandSpec trainCommand() {
    CommandSpec command;
    command.name = "train";
    command.help = "trains and measures; Ctrl-C stops and keeps what was done";
    command.takesRun = true;
    command.options = {{"steps", "N", "optimizer steps"},
                       {"out", "FILE.plumb", "write the snapshot with the loss history here"},
                       {"checkpoint-dir", "DIR", "training checkpoints", true},
                       {"save-every", "N", "training checkpoints", true},
                       {"resume", "FILE", "training checkpoints", true}};
    command.run = runTrain;
    return command;
}

}  // namespace plumb::cli

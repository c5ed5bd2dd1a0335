// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/counter_sets.h"
#include "app/cli/findings_report.h"
#include "app/cli/out_file.h"
#include "app/cli/rank_launch.h"
#include "app/cli/report.h"
#include "app/cli/report_notes.h"
#include "core/base/words.h"
#include "core/export/exported_findings.h"
#include "core/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::cli {

namespace {

constexpr std::int64_t kDefaultSteps = 20;

/// Counters where they can be: on the CPU they are refused, so that nobody waits for what will not come.
Result<ProfileExtras> extrasFrom(const Arguments& arguments, const Machine& machine) {
    ProfileExtras extras;
    if (!arguments.has("counters")) return extras;
    PLUMB_TRY(extras.counters, counterDetailFromName(arguments.text("counters")));
    if (machine.backend == "cpu")
        return Error{ErrorCode::Unavailable, "there are no hardware counters on this backend (cpu)",
                     "use --backend cuda, or profile without --counters"};
    extras.countingProgress = [](std::int64_t done, std::int64_t total) {
        if (done == 0)
            fmt::print(stderr, "{}\n",
                       inWords(fmt::format(
                           "counters: {} more training steps, one for each pass over the metrics", total)));
    };
    return extras;
}

Result<void> profileHere(const Arguments& arguments, const RunConfig& config, const std::stop_token& stop,
                         World* world) {
    PLUMB_TRY(const std::int64_t steps, arguments.countOr("steps", 1, kDefaultSteps));
    if (arguments.has("out"))
        PLUMB_CHECK(checkOutput({"--out", arguments.text("out")}, filesOf(arguments, config)));
    PLUMB_TRY(const cuda::Tuning tuning,
              tuningFromName(arguments.has("tune") ? arguments.text("tune") : "on"));
    PLUMB_TRY(const RunBackends backends,
              makeRankBackends(world, config, {config.backend, arguments.text("device")}, tuning));
    Backend& backend = *backends.first;
    PLUMB_TRY(ProfileExtras extras, extrasFrom(arguments, backend.machine()));
    extras.rankBackend = backends.others;
    extras.world = world;
    PLUMB_TRY(Snapshot snapshot, makeSnapshot(config, {backend.machine(), backend.traits()}));
    ProgressLine progress;
    PLUMB_TRY(const TrainResult result,
              profile(
                  config, backend, steps, stop,
                  [&](std::int64_t done) {
                      if (progress.due())
                          progress.show(fmt::format("profile: step {} of {}", std::min(done, steps), steps));
                  },
                  extras));
    progress.clear();
    if (!tells(world)) return result.failure ? Result<void>(*result.failure) : Result<void>();
    // What was measured before a failure stays.
    if (result.failure && result.measured.stepsMeasured == 0) return *result.failure;
    if (!result.failure && stop.stop_requested())
        return Error{ErrorCode::RunFailed, fmt::format("profile stopped (step {})", result.series.stepsDone),
                     "nothing was written"};
    snapshot.measured = result.measured;
    snapshot.data = result.data;
    if (arguments.has("out")) PLUMB_CHECK(saveRun(arguments.text("out"), snapshot));
    std::vector<std::string> notes;
    if (const std::string scale = lossScaleText(result.series); !scale.empty())
        notes.push_back("fp16" + scale);
    PLUMB_CHECK(print(arguments.json()
                          ? document(snapshot, std::move(notes))
                          : report(snapshot, std::move(notes)) +
                                shortFindings(findingsOf(exportedStep(snapshot)),
                                              arguments.has("out") ? arguments.text("out") : "")));
    return result.failure ? Result<void>(*result.failure) : Result<void>();
}

Result<void> runProfile(const Arguments& arguments) {
    PLUMB_TRY(const RunConfig config, arguments.runConfig());
    const Interrupt interrupt;
    return onRanks(arguments, config, interrupt.token(),
                   [&](World* world) { return profileHere(arguments, config, interrupt.token(), world); });
}

}  // namespace

CommandSpec profileCommand() {
    return CommandSpec{
        .name = "profile",
        .help = "runs and measures; predicted and measured readings",
        .takesRun = true,
        .options = {{"steps", "N", "measured steps after the warm-up (20)"},
                    {"counters", "quick|full", "read hardware counters in further steps (NVIDIA GPUs)"},
                    deviceOption(),
                    launchOption(),
                    {"tune", "on|off", "time algorithms of products before the first step (on; NVIDIA GPUs)"},
                    {"out", "FILE.plumb", "write the snapshot here"}},
        .run = runProfile};
}

}  // namespace plumb::cli

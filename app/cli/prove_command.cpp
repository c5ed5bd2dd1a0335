// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/out_file.h"
#include "core/measure/fit_proof_json.h"
#include "core/snapshot/snapshot.h"
#include "core/train/fit_proof_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace plumb::cli {

namespace {

std::string proofReport(const FitProof& proof) {
    return fmt::format("{}\n{}\n{}\n{}\n", verdictText(proof), trialText(proof.fits),
                       trialText(proof.tooLarge), limitText(proof));
}

nlohmann::json proofDocument(const FitProof& proof) {
    nlohmann::json document = toJson(proof);
    document["verdict"] = kFitVerdictNames.name(verdictOf(proof));
    document["text"] = verdictText(proof);
    return document;
}

Result<void> runProve(const Arguments& arguments) {
    PLUMB_TRY(const RunConfig config, arguments.runConfig());
    FitProofOptions options;
    if (arguments.has("memory-limit")) {
        const Result<std::int64_t> limit = parseSize(arguments.text("memory-limit"));
        if (!limit.has_value() || *limit < 1)
            return badInput(fmt::format("--memory-limit is no size ({:s})", arguments.text("memory-limit")),
                            "give bytes, as 8Gi or 8GB");
        options.limitBytes = *limit;
    }
    if (arguments.has("out"))
        PLUMB_CHECK(checkOutput({"--out", arguments.text("out")}, filesOf(arguments, config)));
    const Interrupt interrupt;
    PLUMB_TRY(const auto backend, makeBackend({config.backend, arguments.text("device")}));
    options.freeBytes = safelyFreeBytes(*backend);
    options.stop = interrupt.token();
    ProgressLine progress;
    options.progress = [&](std::int64_t done, std::int64_t total) {
        if (progress.due()) progress.show(fmt::format("prove: operation {} of {}", done, total));
    };
    PLUMB_TRY(const FitProof proof, proveFit(config, *backend, options));
    progress.clear();
    if (arguments.has("out")) {
        PLUMB_TRY(Snapshot snapshot, makeSnapshot(config, {backend->machine(), backend->traits()}));
        snapshot.fitProof = proof;
        PLUMB_CHECK(saveRun(arguments.text("out"), snapshot));
    }
    PLUMB_CHECK(print(arguments.json() ? dumpJson(proofDocument(proof), 1) + "\n" : proofReport(proof)));
    if (verdictOf(proof) == FitVerdict::Proven) return {};
    return Error{ErrorCode::RunFailed, "the proof did not come out as predicted",
                 "the report says what differed"};
}

}  // namespace

CommandSpec proveCommand() {
    return CommandSpec{
        .name = "prove",
        .help = "runs the largest batch that fits in memory, and the next one, which must not",
        .takesRun = true,
        .options = {{"memory-limit", "SIZE", "what the allocator is held to (the device's memory)"},
                    deviceOption(),
                    {"out", "FILE.plumb", "write a snapshot with the proof here"}},
        .run = runProve};
}

}  // namespace plumb::cli

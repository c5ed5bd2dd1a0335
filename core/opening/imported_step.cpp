// SPDX-License-Identifier: Apache-2.0
#include "core/opening/imported_step.h"

#include "core/io/file.h"
#include "core/opening/file_kind.h"
#include "core/trace/trace_reader.h"

#include <algorithm>
#include <filesystem>

namespace plumb {

namespace {

Result<StepFile> importTrace(const std::string& path, const std::string& name, const ImportOptions& options) {
    PLUMB_TRY(
        const trace::Trace read,
        trace::readTrace(path, {.stop = options.stop, .progress = options.progress, .withTypes = true}));
    return stepOfTrace(read, trace::linkTrace(read, {.withPlaces = true}), name, options.step);
}

Result<StepFile> importMemory(const std::string& path, const std::string& name,
                              const ImportOptions& options) {
    MemorySnapshotOptions reading;
    reading.stop = options.stop;
    if (options.progress)
        reading.onProgress = [&](std::uint64_t read, std::uint64_t total) {
            if (total > 0) options.progress(static_cast<double>(read) / static_cast<double>(total));
        };
    PLUMB_TRY(const MemorySnapshot snapshot, readMemorySnapshot(path, reading));
    const AllocationSites sites(snapshot);
    PLUMB_TRY(const std::vector<MemoryReplay> replays, replayMemory(snapshot, sites, options.stop));
    const auto most = std::ranges::max_element(replays, {}, &MemoryReplay::entries);
    if (most == replays.end())
        return badFile(path, "holds no device", "record a step with a history of memory");
    PLUMB_TRY(StepFile file, stepOfMemory(sites, *most, name));
    if (replays.size() > 1)
        file.said.push_back("The snapshot has " + std::to_string(replays.size()) +
                            " devices; this is device " + std::to_string(most->device) +
                            ", which has most entries.");
    return file;
}

}  // namespace

Result<StepFile> importStep(const std::string& path, const ImportOptions& options) {
    PLUMB_TRY(const std::optional<FileKind> kind, fileKindAt(path));
    const std::string name = std::filesystem::path(path).filename().string();
    if (kind == FileKind::Trace) return importTrace(path, name, options);
    if (kind == FileKind::MemorySnapshot) {
        if (options.step)
            return badInput("--step is of traces, and " + path + " is a memory snapshot", "leave it out");
        return importMemory(path, name, options);
    }
    const std::string remedy = "traces of PyTorch's profiler and memory snapshots become recorded steps";
    if (kind == FileKind::RecordedStep || kind == FileKind::Snapshot)
        return badFile(path, "is a file of this program already", "open it");
    if (kind == FileKind::NsysTrace)
        return badFile(
            path, "is a database of Nsight Systems, which has kernels but no ops that a step consists of",
            "open it as a trace; " + remedy);
    if (kind == FileKind::KernelReport)
        return badFile(path, "is a table of Nsight Compute, which has kernels but no step that they are of",
                       "open it as a report; " + remedy);
    return badFile(path, "is none of the files that import reads", remedy);
}

GuessedCategory guessedCategory(const StorageLife& life) {
    const auto isForward = [](Phase phase) { return phase <= Phase::Recompute; };
    if (life.isFromBefore) return {Category::Workspace, "held from before"};
    if (isForward(life.made))
        return life.isKept || !isForward(life.freed)
                   ? GuessedCategory{Category::Activations, "activation, by its lifetime"}
                   : GuessedCategory{Category::Workspace, "forward temporary"};
    if (life.made == Phase::Backward)
        return life.isKept || life.freed != Phase::Backward
                   ? GuessedCategory{Category::Gradients, "gradient, by its lifetime"}
                   : GuessedCategory{Category::ActivationGradients, "backward temporary"};
    return life.isKept ? GuessedCategory{Category::OptimizerState, "optimizer state, by its lifetime"}
                       : GuessedCategory{Category::Workspace, "optimizer temporary"};
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rank_launch.h"

#include "app/cli/launcher_process.h"
#include "app/cli/mpi_module.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace plumb::cli {

namespace {

/// Far longer than a healthy process is ever silent for: one that swaps, or that a debugger holds for a
/// moment.
constexpr std::chrono::seconds kPatienceWithRanks{30};

/// For the first rank to say why all end.
constexpr std::chrono::seconds kTurnOfFirstRank{5};

std::optional<std::int64_t> numberIn(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    const std::string_view digits = text;
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (problem != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

/// How one kind of launcher says it.
struct LauncherWords {
    const char* rank;
    const char* size;
    const char* sizeHere;
};
// srun says its numbers to whatever it starts, a batch script among it: what speaks to MPI has those of PMIx.
constexpr LauncherWords kLaunchers[]{
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"}};

Result<void> checkCount(const LaunchedRank& launched, std::int64_t ranks) {
    if (launched.size == ranks) return {};
    return Error{ErrorCode::BadInput,
                 fmt::format("the launcher has started {} processes, and the step is that of {} ranks",
                             launched.size, ranks),
                 fmt::format("give --data-parallel {}, or start {} processes", launched.size, ranks)};
}

Result<void> asRank(const std::function<Result<void>(World*)>& work) {
    PLUMB_TRY(const mpi::Module* const module, mpiModule());
    const std::chrono::seconds patience(
        numberIn("PLUMBLINE_RANK_PATIENCE").value_or(kPatienceWithRanks.count()));
    PLUMB_TRY(const std::unique_ptr<World> world, module->start(patience));
    Result<void> done = work(world.get());
    if (!done.has_value()) world->giveUp(done.error());  // changes nothing where all have given up
    return done;
}

}  // namespace

std::optional<LaunchedRank> launchedRank() {
    for (const LauncherWords& words : kLaunchers) {
        const auto rank = numberIn(words.rank), size = numberIn(words.size);
        if (!rank || !size || *size < 2) continue;
        return LaunchedRank{*rank, *size, numberIn(words.sizeHere).value_or(*size)};
    }
    return std::nullopt;
}

OptionSpec launchOption() {
    return {"launch", "threads|mpirun|srun|mpi",
            "what the ranks are: threads of this process, or processes that mpirun or srun starts; mpi: this "
            "one is a rank that a launcher has started (threads; mpi where it has)"};
}

Result<void> onRanks(const Arguments& arguments, const RunConfig& config, const std::stop_token& stop,
                     const std::function<Result<void>(World*)>& work) {
    const std::optional<LaunchedRank> launched = launchedRank();
    const std::string way = arguments.text("launch", launched ? "mpi" : "threads");
    if (way != "threads" && way != "mpi" && way != "mpirun" && way != "srun")
        return badInput(fmt::format("--launch does not know this way ({:s})", way),
                        "use threads, mpirun, srun or mpi");
    if (launched && way != "mpi")
        return badInput(
            fmt::format("this process is one of {} that a launcher of MPI has started", launched->size),
            "leave --launch out, or start it once");
    if (way == "threads") return work(nullptr);
    if (launched) PLUMB_CHECK(checkCount(*launched, config.parallel.ranks()));
    if (config.parallel.ranks() < 2)
        return badInput(fmt::format("one rank needs no launcher (--launch {:s})", way),
                        "give --data-parallel N as well, or leave --launch out");
    if (way != "mpi") return runUnderLauncher(way, config.parallel.ranks(), stop);
    if (!launched)
        return badInput("no launcher of MPI has started this process (--launch mpi)",
                        "use --launch mpirun, or start the processes with mpirun or srun");
    return asRank(work);
}

void letFirstRankSpeak(Error& why) {
    const std::optional<LaunchedRank> launched = launchedRank();
    if (!launched || launched->rank == 0) return;
    std::this_thread::sleep_for(kTurnOfFirstRank);
    const std::string name = fmt::format("rank {}: ", launched->rank);
    if (!why.message.starts_with(name)) why.message.insert(0, name);
}

Result<RunBackends> makeRankBackends(const World* world, const RunConfig& config, const DeviceWish& wish,
                                     cuda::Tuning tuning) {
    const std::optional<LaunchedRank> launched = world != nullptr ? launchedRank() : std::nullopt;
    if (!launched) return makeRunBackends(config, wish, tuning);
    return makeRunBackends(wish, tuning, launched->sizeHere);
}

}  // namespace plumb::cli

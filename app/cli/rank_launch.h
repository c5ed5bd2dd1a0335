// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/backends.h"
#include "core/comm/world.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace plumb::cli {

/// One of the processes that a launcher of MPI has started together.
struct LaunchedRank {
    std::int64_t rank = 0;
    std::int64_t size = 1;      ///< processes in all
    std::int64_t sizeHere = 1;  ///< of them on this host
};
/// What the launcher of this process says in the environment; empty where there was none, or it has started
/// no other.
[[nodiscard]] std::optional<LaunchedRank> launchedRank();

/// --launch of the commands that train on several ranks.
[[nodiscard]] OptionSpec launchOption();

/// Runs `work` in the way that --launch names: in this process, whose threads the ranks are (no World); as
/// one of the ranks that a launcher has started (its World); or in processes that mpirun or srun starts now,
/// each of which comes here again. Without --launch a process that a launcher has started is a rank. Pre:
/// `stop` is of an Interrupt that was there first: MPI has threads, which else would be ended by signals.
///
/// Where a rank has failed all end. Errors: those of `work`; BadInput for another name, and for another
/// number of processes than `config` has ranks; Unavailable where MPI or the launcher is not there; RunFailed
/// where a rank was killed.
[[nodiscard]] Result<void> onRanks(const Arguments& arguments, const RunConfig& config,
                                   const std::stop_token& stop,
                                   const std::function<Result<void>(World*)>& work);

/// What a rank does before it tells why it ends. What all know the first one tells, and the launcher then
/// ends the others; who is still there after a while tells it with its number.
void letFirstRankSpeak(Error& why);

/// Whether the process writes files, documents and reports: of several ranks the first does.
[[nodiscard]] inline bool tells(const World* world) { return world == nullptr || world->rank() == 0; }

/// The backend of this rank, or what makes those of all where they are threads. Errors: as makeRunBackends().
[[nodiscard]] Result<RunBackends> makeRankBackends(const World* world, const RunConfig& config,
                                                   const DeviceWish& wish, cuda::Tuning tuning);

}  // namespace plumb::cli

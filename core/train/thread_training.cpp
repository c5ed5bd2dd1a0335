// SPDX-License-Identifier: Apache-2.0
#include "core/train/thread_training.h"

#include "core/comm/thread_ranks.h"
#include "core/train/rank_training.h"

#include <fmt/format.h>

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace plumb {
namespace {

void runOther(World& world, const RunConfig& config, const TrainOptions& options, TrainingSink& sink) {
    const auto backend = options.rankBackend();
    if (!backend.has_value()) return world.giveUp(backend.error());
    static_cast<void>(trainAsRank(world, config, **backend, options, sink));
}

}  // namespace

Result<TrainResult> trainOnThreads(const RunConfig& config, Backend& backend, const TrainOptions& options,
                                   TrainingSink& sink) {
    PLUMB_CHECK(validate(config));
    std::vector<std::unique_ptr<World>> worlds = threadRanks(static_cast<int>(config.parallel.ranks()));
    std::vector<std::jthread> others;
    others.reserve(worlds.size() - 1);
    for (std::size_t rank = 1; rank < worlds.size(); ++rank) {
        try {
            others.emplace_back([&config, &options, &sink, world = std::move(worlds[rank])]() mutable {
                runOther(*world, config, options, sink);
                world.reset();  // who still waits for this rank is told
            });
        } catch (const std::system_error& error) {
            worlds.clear();
            return Error{ErrorCode::Unavailable,
                         fmt::format("no thread can be started for rank {} ({})", rank, error.what()),
                         "use fewer ranks"};
        }
    }
    const std::unique_ptr<World> own = std::move(worlds.front());
    return trainAsRank(*own, config, backend, options, sink);
}

}  // namespace plumb

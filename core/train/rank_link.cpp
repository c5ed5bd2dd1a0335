// SPDX-License-Identifier: Apache-2.0
#include "core/train/rank_link.h"

#include "core/comm/exchange_communicator.h"

#include <utility>
#include <vector>

namespace plumb {
namespace {

/// The ranks that share all but their place along one axis, in its order; null where there is one of them.
Result<std::unique_ptr<Communicator>> along(RankAxis axis, World& world, const Parallel& parallel) {
    const std::int64_t count = parallel.along(axis);
    if (count == 1) return std::unique_ptr<Communicator>();
    std::vector<int> ranks;
    for (std::int64_t at = 0; at < count; ++at) {
        Place place = parallel.placeOf(world.rank());
        (axis == RankAxis::Tensor ? place.tensor : place.data) = at;
        ranks.push_back(static_cast<int>(parallel.rankOf(place)));
    }
    PLUMB_TRY(auto messages, world.group(ranks));
    PLUMB_TRY(auto made, ExchangeCommunicator::create(std::move(messages)));
    return std::unique_ptr<Communicator>(std::move(made));
}

}  // namespace

Result<RankGroups> connectRanks(World& world, const Parallel& parallel) {
    RankGroups groups;
    PLUMB_TRY(groups.tensor, along(RankAxis::Tensor, world, parallel));
    PLUMB_TRY(groups.data, along(RankAxis::Data, world, parallel));
    groups.link = {.world = &world,
                   .data = groups.data.get(),
                   .tensor = groups.tensor.get(),
                   .place = parallel.placeOf(world.rank())};
    return groups;
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/communicator.h"
#include "core/comm/world.h"
#include "core/model/parallel.h"

#include <memory>

namespace plumb {

/// What ties the training of a rank to those of the others, which it outlives.
struct RankLink {
    World* world = nullptr;
    // Null where there is nobody else along the axis:
    Communicator* data = nullptr;    ///< of the ranks that share the batch
    Communicator* tensor = nullptr;  ///< of those that divide each matrix
    Place place;

    [[nodiscard]] Communicator* along(RankAxis axis) const {
        return axis == RankAxis::Tensor ? tensor : data;
    }
    // What the first rank was asked for and the others take part in, since they share it.
    bool savesState = false;       ///< training checkpoints
    bool measuresHeldOut = false;  ///< the loss over what is held out
};

/// A link with the communicators that it leads to.
struct RankGroups {
    std::unique_ptr<Communicator> tensor, data;
    RankLink link;
};
/// That of this rank, which all ranks ask for at once. Errors: those of World::group() and
/// ExchangeCommunicator::create(). Pre: `world` has as many ranks as `parallel`.
[[nodiscard]] Result<RankGroups> connectRanks(World& world, const Parallel& parallel);

}  // namespace plumb

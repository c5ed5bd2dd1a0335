// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/communicator.h"
#include "core/comm/world.h"
#include "core/model/parallel.h"

namespace plumb {

/// What ties the training of a rank to those of the others, which it outlives.
struct RankLink {
    World* world = nullptr;
    Communicator* data = nullptr;  ///< of the ranks that share the batch
    Place place;
    // What the first rank was asked for and the others take part in, since they share it.
    bool savesState = false;       ///< training checkpoints
    bool measuresHeldOut = false;  ///< the loss over what is held out
};

}  // namespace plumb

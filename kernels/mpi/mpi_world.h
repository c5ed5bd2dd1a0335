// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/comm/world.h"

#include <chrono>
#include <memory>

namespace plumb::mpi {

/// Module::start().
[[nodiscard]] Result<std::unique_ptr<World>> startWorld(std::chrono::seconds patience);

}  // namespace plumb::mpi

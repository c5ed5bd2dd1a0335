// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/thread_ranks.h"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace plumb::test {

/// Runs `body` once on each of `size` ranks, a thread each, and waits for all. A rank's world goes away with
/// its body.
inline void onRanks(int size, const std::function<void(World&)>& body) {
    std::vector<std::unique_ptr<World>> worlds = threadRanks(size);
    std::vector<std::jthread> threads;
    threads.reserve(worlds.size());
    for (std::unique_ptr<World>& world : worlds)
        threads.emplace_back([&body, mine = std::move(world)]() mutable {
            body(*mine);
            mine.reset();
        });
}

}  // namespace plumb::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/comm/messages.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace plumb {

/// What the ranks of a training agree by: short texts, in the same order of calls on every rank. Data goes
/// through a Communicator. An object belongs to one rank, and its calls to one thread, but for abort().
class World {
public:
    World() = default;
    virtual ~World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    /// What every rank says, by rank. Waits for all. Errors: RunFailed where a rank has ended or gave up.
    [[nodiscard]] virtual Result<std::vector<std::string>> gather(std::string mine) = 0;
    /// The transport of a group: ranks of this world, in the order in which the group counts them. Every one
    /// of them asks for it, and no other. Pre: this rank is one of them.
    [[nodiscard]] virtual Result<std::unique_ptr<Messages>> group(std::span<const int> ranks) = 0;
    /// Ends what any rank waits for, now and later, with this error; the first one counts. From any thread.
    virtual void abort(const Error& why) = 0;

    /// What `root` says. The others' texts are not looked at.
    [[nodiscard]] Result<std::string> broadcast(std::string mine, int root);
    /// Success where every rank has it; else, on every rank, one Error: of the worst kind and the lowest
    /// rank, which it names. What fails on one rank is thus told by all, and no rank goes on alone.
    [[nodiscard]] Result<void> vote(const Result<void>& mine);
    /// Ends all ranks because this one has failed, which is told with its number.
    void giveUp(const Error& why);
};

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/comm/comm_call.h"

#include <cstdint>

namespace plumb {

/// Data between the ranks of one group. Every rank starts the same collectives in the same order; a message
/// and its counterpart may be started in any. Calls run beside what the owner does until it joins them.
class Communicator {
public:
    /// Of a started call, counted from 0.
    using Ticket = std::uint64_t;

    Communicator() = default;
    virtual ~Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    /// Begins a call and returns at once. Its memory belongs to the call until it is joined.
    [[nodiscard]] virtual Ticket start(const CommCall& call) = 0;
    /// What a call that has ended cost.
    struct Cost {
        CommBytes bytes;  ///< counted where they were posted
        /// By this rank's clock, from when it was its turn until the last byte was there or gone: waits for
        /// ranks that come later are part of it, waits for collectives before it are not.
        double seconds = 0;
        double ended = 0;  ///< when that was, by std::chrono::steady_clock
    };
    /// Waits for a call; each is joined once. Errors: RunFailed where a rank ended, gave up or called
    /// something else.
    [[nodiscard]] virtual Result<Cost> join(Ticket ticket) = 0;
};

}  // namespace plumb

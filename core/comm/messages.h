// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace plumb {

/// Bytes between the ranks of one group: all that a transport (threads of this process, MPI) has to know.
/// What travels why is the business of who posts it (Exchange). An object belongs to one rank of the group
/// and one thread.
class Messages {
public:
    /// Of a posted message, counted from 0.
    using Handle = std::size_t;

    Messages() = default;
    virtual ~Messages() = default;
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;

    /// Of this object in its group, 0 to size() - 1.
    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;

    /// Post a message, and return at once. It arrives at the receive() of `peer` with the same `tag`; of two
    /// with one tag the first posted comes first. The bytes must stay where they are, those sent also as they
    /// are, until done() says so or after cancel(). Pre: 0 <= peer < size(), not this rank itself.
    virtual Handle send(int peer, std::uint64_t tag, std::span<const std::byte> bytes) = 0;
    virtual Handle receive(int peer, std::uint64_t tag, std::span<std::byte> bytes) = 0;
    /// Whether the message has left or arrived; makes progress, and never waits. Once true, the handle is
    /// spent; after an error it is still to be cancelled. Errors: RunFailed where it never will: a rank
    /// has ended or gave up, or means a message of another size.
    [[nodiscard]] virtual Result<bool> done(Handle handle) = 0;
    /// Gives a message up: its bytes are not touched any more, and may go. Waits where they are being copied.
    virtual void cancel(Handle handle) = 0;
    /// Waits until something may have come, but no longer than `most`.
    virtual void wait(std::chrono::microseconds most) = 0;
    /// Ends a wait() of another thread.
    virtual void wake() = 0;
};

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/comm/comm_call.h"
#include "core/comm/messages.h"

#include <vector>

namespace plumb {

/// One call on its way, by the exchange: slice j of every rank goes to rank j, which reduces them in the
/// order of the ranks and sends the result to all. Each half moves the least bytes that any algorithm can, in
/// one step, whatever the number of pieces, and its result has one definition for any transport.
class Exchange {
public:
    /// Posts what can be posted. `tag` is the same on every rank for this call and for no other one on its
    /// way. `messages` and the call's memory must outlive this. Pre: the scratch is large enough
    /// (scratchBytes()).
    Exchange(Messages& messages, const CommCall& call, std::uint64_t tag);

    /// Goes on as far as it can without waiting; whether all is done. Errors: those of Messages::done(); the
    /// call's memory is then not touched any more.
    [[nodiscard]] Result<bool> advance();
    /// What was posted so far.
    [[nodiscard]] const CommBytes& bytes() const { return m_bytes; }

private:
    enum class Half { Scattering, Gathering };

    using Piece = CommCall::Piece;

    [[nodiscard]] std::span<std::byte> whole(const Piece& piece) const;
    [[nodiscard]] std::span<std::byte> slice(const Piece& piece, int rank) const;
    void send(int peer, std::span<const std::byte> bytes);
    void receive(int peer, std::span<std::byte> bytes);
    void scatter();
    void gather();
    void reduce() const;
    /// Calls visit(peer) with every other rank, from the next one on, so that not all begin with the same.
    template <class Visit>
    void forEachPeer(const Visit& visit) const;
    /// Calls visit(rank, where) with every rank in order and where its slice of the piece waits to be
    /// reduced: this rank's own in the buffer, the others' in the scratch, which begins at `scratch` and is
    /// moved on.
    template <class Visit>
    void forEachSlot(const Piece& piece, std::byte*& scratch, const Visit& visit) const;

    Messages* m_messages;
    CommCall m_call;
    std::uint64_t m_tag;
    Half m_half = Half::Gathering;
    std::vector<Messages::Handle> m_open;
    CommBytes m_bytes;
};

}  // namespace plumb

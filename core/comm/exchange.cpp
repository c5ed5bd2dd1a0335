// SPDX-License-Identifier: Apache-2.0
#include "core/comm/exchange.h"

#include "core/comm/reduce_slices.h"

#include <cassert>
#include <cstring>
#include <optional>

namespace plumb {

Exchange::Exchange(Messages& messages, const CommCall& call, std::uint64_t tag)
    : m_messages(&messages), m_call(call), m_tag(tag) {
    assert(static_cast<std::int64_t>(call.scratch.size()) >=
           scratchBytes(call, messages.rank(), messages.size()));
    switch (call.kind) {
    case CommKind::AllReduce:
    case CommKind::ReduceScatter:
        scatter();
        break;
    case CommKind::AllGather:
        gather();
        break;
    case CommKind::Send:
        for (const Piece& piece : call.pieces) send(call.peer, whole(piece));
        break;
    case CommKind::Receive:
        for (const Piece& piece : call.pieces) receive(call.peer, whole(piece));
        break;
    }
}

std::span<std::byte> Exchange::whole(const Piece& piece) const {
    return {piece.buffer, static_cast<std::size_t>(piece.elements * dtypeSize(m_call.dtype))};
}

std::span<std::byte> Exchange::slice(const Piece& piece, int rank) const {
    const Slice slice = sliceOf(piece.elements, rank, m_messages->size());
    const std::int64_t element = dtypeSize(m_call.dtype);
    return {piece.buffer + slice.begin * element, static_cast<std::size_t>(slice.elements() * element)};
}

template <class Visit>
void Exchange::forEachPeer(const Visit& visit) const {
    for (int step = 1; step < m_messages->size(); ++step)
        visit((m_messages->rank() + step) % m_messages->size());
}

template <class Visit>
void Exchange::forEachSlot(const Piece& piece, std::byte*& scratch, const Visit& visit) const {
    const std::span<std::byte> own = slice(piece, m_messages->rank());
    for (int rank = 0; rank < m_messages->size(); ++rank) {
        if (rank == m_messages->rank()) {
            visit(rank, own);
            continue;
        }
        visit(rank, std::span(scratch, own.size()));
        scratch += own.size();
    }
}

// An empty slice is no message: with fewer elements than ranks the last ranks have none.
void Exchange::send(int peer, std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    m_open.push_back(m_messages->send(peer, m_tag, bytes));
    m_bytes.sent += static_cast<std::int64_t>(bytes.size());
}

void Exchange::receive(int peer, std::span<std::byte> bytes) {
    if (bytes.empty()) return;
    m_open.push_back(m_messages->receive(peer, m_tag, bytes));
    m_bytes.received += static_cast<std::int64_t>(bytes.size());
}

void Exchange::scatter() {
    m_half = Half::Scattering;
    std::byte* scratch = m_call.scratch.data();
    for (const Piece& piece : m_call.pieces)
        forEachSlot(piece, scratch, [this](int rank, std::span<std::byte> slot) {
            if (rank != m_messages->rank()) receive(rank, slot);
        });
    forEachPeer([this](int peer) {
        for (const Piece& piece : m_call.pieces) send(peer, slice(piece, peer));
    });
}

void Exchange::gather() {
    m_half = Half::Gathering;
    if (m_call.kind == CommKind::AllGather)
        for (const Piece& piece : m_call.pieces)
            if (const std::span<std::byte> own = slice(piece, m_messages->rank());
                piece.slice != nullptr && !own.empty())
                std::memcpy(own.data(), piece.slice, own.size());
    forEachPeer([this](int peer) {
        for (const Piece& piece : m_call.pieces) {
            receive(peer, slice(piece, peer));
            send(peer, slice(piece, m_messages->rank()));
        }
    });
}

void Exchange::reduce() const {
    std::byte* scratch = m_call.scratch.data();
    std::vector<std::byte*> slices(static_cast<std::size_t>(m_messages->size()));
    for (const Piece& piece : m_call.pieces) {
        forEachSlot(piece, scratch, [&](int rank, std::span<std::byte> slot) {
            slices[static_cast<std::size_t>(rank)] = slot.data();
        });
        const std::span<std::byte> own = slice(piece, m_messages->rank());
        const auto elements = static_cast<std::int64_t>(own.size()) / dtypeSize(m_call.dtype);
        if (m_call.accumulates && piece.slice != nullptr) {
            std::vector<std::byte*> all{piece.slice};
            all.insert(all.end(), slices.begin(), slices.end());
            reduceSlices(m_call.dtype, m_call.reduction, all, 0, elements);
            continue;
        }
        reduceSlices(m_call.dtype, m_call.reduction, slices, static_cast<std::size_t>(m_messages->rank()),
                     elements);
        const bool isApart = m_call.kind == CommKind::ReduceScatter && piece.slice != nullptr;
        if (isApart && !own.empty()) std::memcpy(piece.slice, own.data(), own.size());
    }
}

Result<bool> Exchange::advance() {
    while (true) {
        // All of them: a message leaves only when its receiver looks for it, who may wait for one of this
        // rank.
        std::optional<Error> failure;
        std::erase_if(m_open, [&](Messages::Handle handle) {
            if (failure) return false;
            const Result<bool> done = m_messages->done(handle);
            if (!done.has_value()) failure = done.error();
            return done.has_value() && *done;
        });
        if (failure) {
            // Another rank may still look for what was sent to it.
            for (const Messages::Handle handle : m_open) m_messages->cancel(handle);
            m_open.clear();
            return *failure;
        }
        if (!m_open.empty()) return false;
        if (m_half == Half::Gathering) return true;
        reduce();
        if (m_call.kind == CommKind::ReduceScatter) {
            m_half = Half::Gathering;
            return true;
        }
        gather();
    }
}

}  // namespace plumb

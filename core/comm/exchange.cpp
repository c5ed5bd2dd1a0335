// SPDX-License-Identifier: Apache-2.0
#include "core/comm/exchange.h"

#include "core/comm/reduce_slices.h"

#include <cassert>
#include <iterator>

namespace plumb {

Exchange::Exchange(Messages& messages, const CommCall& call, std::uint64_t tag)
    : m_messages(&messages), m_call(call), m_tag(tag) {
    assert(static_cast<std::int64_t>(call.scratch.size()) >=
           scratchBytes(call, messages.rank(), messages.size()));
    const std::span<std::byte> whole(call.buffer,
                                     static_cast<std::size_t>(call.elements * dtypeSize(call.dtype)));
    switch (call.kind) {
    case CommKind::AllReduce:
    case CommKind::ReduceScatter:
        scatter();
        break;
    case CommKind::AllGather:
        gather();
        break;
    case CommKind::Send:
        send(call.peer, whole);
        break;
    case CommKind::Receive:
        receive(call.peer, whole);
        break;
    }
}

std::span<std::byte> Exchange::slice(int rank) const {
    const Slice slice = sliceOf(m_call.elements, rank, m_messages->size());
    const std::int64_t element = dtypeSize(m_call.dtype);
    return {m_call.buffer + slice.begin * element, static_cast<std::size_t>(slice.elements() * element)};
}

std::span<std::byte> Exchange::slot(int rank) const {
    if (rank == m_messages->rank()) return slice(rank);
    const std::size_t bytes = slice(m_messages->rank()).size();
    return m_call.scratch.subspan(
        static_cast<std::size_t>(rank < m_messages->rank() ? rank : rank - 1) * bytes, bytes);
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
    // From the next rank on, so that not all ranks begin with the same one.
    for (int step = 1; step < m_messages->size(); ++step) {
        const int peer = (m_messages->rank() + step) % m_messages->size();
        receive(peer, slot(peer));
        send(peer, slice(peer));
    }
}

void Exchange::gather() {
    m_half = Half::Gathering;
    for (int step = 1; step < m_messages->size(); ++step) {
        const int peer = (m_messages->rank() + step) % m_messages->size();
        receive(peer, slice(peer));
        send(peer, slice(m_messages->rank()));
    }
}

Result<bool> Exchange::advance() {
    while (true) {
        // All of them: a message leaves only when its receiver looks for it, who may wait for one of this
        // rank.
        for (auto open = m_open.begin(); open != m_open.end();) {
            const Result<bool> done = m_messages->done(*open);
            if (!done.has_value()) {
                // Another rank may still look for what was sent to it.
                for (const Messages::Handle handle : m_open) m_messages->cancel(handle);
                m_open.clear();
                return done.error();
            }
            open = *done ? m_open.erase(open) : std::next(open);
        }
        if (!m_open.empty()) return false;
        if (m_half == Half::Gathering) return true;
        std::vector<std::byte*> slices;
        slices.reserve(static_cast<std::size_t>(m_messages->size()));
        for (int rank = 0; rank < m_messages->size(); ++rank) slices.push_back(slot(rank).data());
        reduceSlices(m_call.dtype, m_call.reduction, slices, static_cast<std::size_t>(m_messages->rank()),
                     sliceOf(m_call.elements, m_messages->rank(), m_messages->size()).elements());
        if (m_call.kind == CommKind::ReduceScatter) {
            m_half = Half::Gathering;
            return true;
        }
        gather();
    }
}

}  // namespace plumb

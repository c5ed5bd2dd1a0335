// SPDX-License-Identifier: Apache-2.0
#include "kernels/mpi/mpi_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace plumb::mpi {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostOfPart = std::size_t{64} << 20U;
/// For a message that is given up to end; its peer gives it up too.
constexpr auto kToCancel = 2s;
/// The tags of collectives (ExchangeCommunicator) have it set, and are apart from the others here too.
constexpr std::uint64_t kHighest = std::uint64_t{1} << 63U;

/// Calls `visit` with each part.
template <class Byte, class Visit>
void forEachPart(std::span<Byte> bytes, const Visit& visit) {
    while (!bytes.empty()) {
        visit(bytes.first(std::min(bytes.size(), kMostOfPart)));
        bytes = bytes.subspan(std::min(bytes.size(), kMostOfPart));
    }
}

}  // namespace

MpiMessages::MpiMessages(std::shared_ptr<MpiSession> session, MPI_Comm group)
    : m_session(std::move(session)), m_group(group) {
    MPI_Comm_rank(m_group, &m_rank);
    MPI_Comm_size(m_group, &m_size);
}

MpiMessages::~MpiMessages() {
    while (!m_open.empty()) cancel(m_open.begin()->first);
    if (!m_session->aborted()) MPI_Comm_free(&m_group);  // waits for the others
}

// Few are under way at a time, so that the lower bits tell them apart.
int MpiMessages::tagOf(std::uint64_t tag) const {
    const std::uint64_t half = std::uint64_t{1} << static_cast<unsigned>(m_session->tagBits() - 1);
    return static_cast<int>(tag % half + ((tag & kHighest) != 0 ? half : 0));
}

Messages::Handle MpiMessages::post(Open open) {
    m_patience.reset();
    m_open.emplace(m_next, std::move(open));
    return m_next++;
}

Messages::Handle MpiMessages::send(int peer, std::uint64_t tag, std::span<const std::byte> bytes) {
    Open open{.peer = peer};
    forEachPart(bytes, [&](std::span<const std::byte> part) {
        Part& posted = open.parts.emplace_back(Part{.bytes = static_cast<int>(part.size())});
        MPI_Isend(part.data(), posted.bytes, MPI_BYTE, peer, tagOf(tag), m_group, &posted.request);
    });
    return post(std::move(open));
}

Messages::Handle MpiMessages::receive(int peer, std::uint64_t tag, std::span<std::byte> bytes) {
    Open open{.peer = peer, .isReceived = true};
    forEachPart(bytes, [&](std::span<std::byte> part) {
        Part& posted = open.parts.emplace_back(Part{.bytes = static_cast<int>(part.size())});
        MPI_Irecv(part.data(), posted.bytes, MPI_BYTE, peer, tagOf(tag), m_group, &posted.request);
    });
    return post(std::move(open));
}

Error MpiMessages::failed(const std::string& what) {
    const Error why{ErrorCode::RunFailed, what, "start the training again from its last checkpoint"};
    m_session->abort(why);
    return *m_session->aborted();
}

Result<bool> MpiMessages::done(Handle handle) {
    const auto found = m_open.find(handle);
    Open& open = found->second;
    std::optional<Error> failure;
    std::erase_if(open.parts, [&](Part& part) {
        int ended = 0, bytes = part.bytes;
        MPI_Status status{};
        const int result = failure ? MPI_SUCCESS : MPI_Test(&part.request, &ended, &status);
        if (result == MPI_SUCCESS && ended != 0 && open.isReceived) MPI_Get_count(&status, MPI_BYTE, &bytes);
        if (result != MPI_SUCCESS)
            failure = failed(fmt::format("a message between rank {} and rank {} failed ({:s})", m_rank,
                                         open.peer, reasonOf(result)));
        else if (bytes != part.bytes)
            failure = failed(fmt::format("rank {} sent {} bytes to rank {}, which waited for {}", open.peer,
                                         bytes, m_rank, part.bytes));
        return ended != 0 || result != MPI_SUCCESS;
    });
    if (failure) return *failure;
    if (open.parts.empty()) {
        m_open.erase(found);
        m_patience.reset();
        return true;
    }
    if (const auto why = m_session->aborted()) return *why;
    return false;
}

// What neither ends nor can be taken back stays where it is: no progress is made any more.
void MpiMessages::cancel(Handle handle) {
    const auto found = m_open.find(handle);
    const auto deadline = std::chrono::steady_clock::now() + kToCancel;
    for (Part& part : found->second.parts) {
        if (found->second.isReceived) MPI_Cancel(&part.request);
        Patience patience;
        int ended = 0;
        while (MPI_Test(&part.request, &ended, MPI_STATUS_IGNORE) == MPI_SUCCESS && ended == 0 &&
               std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(patience.next());
        if (ended == 0) m_session->freeze();
    }
    m_open.erase(found);
}

void MpiMessages::wait(std::chrono::microseconds most) {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, std::min(most, m_patience.next()), [&] { return m_woken; });
    m_woken = false;
}

void MpiMessages::wake() {
    const std::scoped_lock lock(m_mutex);
    m_woken = true;
    m_changed.notify_all();
}

}  // namespace plumb::mpi

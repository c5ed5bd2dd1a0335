// SPDX-License-Identifier: Apache-2.0
#include "kernels/mpi/mpi_session.h"

#include "core/io/json_fields.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

namespace plumb::mpi {
namespace {

using namespace std::chrono_literals;

constexpr int kBeat = 1, kGivesUp = 2;  // tags of what is said beside the data
constexpr auto kBetweenLooks = 100ms;
constexpr auto kBetweenBeats = 1s;
/// A listener that slept longer was stopped itself, with the whole machine perhaps: it can blame nobody.
constexpr auto kOwnSleep = 5s;
/// For words of an ending rank to leave it.
constexpr auto kLastWords = 1s;

std::string textOf(const Error& error) {
    return dumpJson(
        {{"code", static_cast<int>(error.code)}, {"message", error.message}, {"hint", error.hint}});
}

Error errorOf(const std::string& text, int rank) {
    const auto document = parseJson(text, "what a rank said");
    if (!document.has_value() || !document->contains("message"))
        return internalError(fmt::format("rank {} gave up in words that nobody understands", rank));
    return {static_cast<ErrorCode>(document->value("code", 0)), document->value("message", ""),
            document->value("hint", "")};
}

Result<void> started(int result) {
    if (result == MPI_SUCCESS) return {};
    return Error{ErrorCode::Unavailable, fmt::format("MPI cannot be started ({:s})", reasonOf(result)),
                 "see whether mpirun runs other programs, or use --launch threads"};
}

bool hasEnded(MPI_Request& request) {
    int done = 0;
    return MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
}

}  // namespace

std::string reasonOf(int result) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    if (MPI_Error_string(result, text.data(), &length) != MPI_SUCCESS) return fmt::format("error {}", result);
    return {text.data(), static_cast<std::size_t>(length)};
}

Result<void> checked(int result) {
    if (result == MPI_SUCCESS) return {};
    return Error{ErrorCode::RunFailed, fmt::format("MPI failed between the ranks ({:s})", reasonOf(result)),
                 "start the training again from its last checkpoint"};
}

Result<std::shared_ptr<MpiSession>> MpiSession::start(std::chrono::seconds patience) {
    int provided = MPI_THREAD_SINGLE;
    PLUMB_CHECK(started(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided)));
    if (provided < MPI_THREAD_MULTIPLE)
        return Error{ErrorCode::Unavailable, "this MPI takes calls of one thread alone (MPI_THREAD_MULTIPLE)",
                     "use one that was built for threads, or --launch threads"};
    std::shared_ptr<MpiSession> session(new MpiSession(patience));
    PLUMB_CHECK(session->open());
    return session;
}

Result<void> MpiSession::open() {
    PLUMB_CHECK(started(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)));
    PLUMB_CHECK(started(MPI_Comm_rank(MPI_COMM_WORLD, &m_rank)));
    PLUMB_CHECK(started(MPI_Comm_size(MPI_COMM_WORLD, &m_size)));
    PLUMB_CHECK(started(MPI_Comm_dup(MPI_COMM_WORLD, &m_texts)));
    PLUMB_CHECK(started(MPI_Comm_dup(MPI_COMM_WORLD, &m_control)));
    int* most = nullptr;
    int found = 0;
    PLUMB_CHECK(started(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&most), &found)));
    if (found != 0)
        while (m_tagBits < 30 && *most >= (std::int64_t{2} << m_tagBits) - 1) ++m_tagBits;
    for (const int rank : watched()) m_heard[rank] = Clock::now();
    m_listener = std::jthread([this] { listen(); });
    return {};
}

MpiSession::~MpiSession() {
    Patience patience;
    MPI_Request all = MPI_REQUEST_NULL;
    if (!aborted() && m_listener.joinable() && MPI_Ibarrier(m_texts, &all) == MPI_SUCCESS)
        while (!aborted() && !hasEnded(all)) std::this_thread::sleep_for(patience.next());
    const auto deadline = Clock::now() + kLastWords;
    for (const auto& telling : m_tellings)
        for (MPI_Request& request : telling->requests)
            while (!hasEnded(request) && Clock::now() < deadline)
                std::this_thread::sleep_for(patience.next());
    freeze();
    if (m_listener.joinable()) m_listener.join();
    if (aborted()) {
        // What is under way may still be written to, or read from, as long as the process lives.
        for (auto& telling : m_tellings) static_cast<void>(telling.release());
        static std::vector<std::shared_ptr<void>> left;
        left.swap(m_left);
        return;
    }
    for (auto& [rank, request] : m_beats)
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    MPI_Finalize();
}

void MpiSession::abort(const Error& why) {
    keep(why);
    const std::scoped_lock lock(m_mutex);
    if (m_ends) return;
    auto telling = std::make_unique<Telling>();
    telling->text = textOf(*m_aborted);
    for (int rank = 0; rank < m_size; ++rank) {
        if (rank == m_rank) continue;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(telling->text.data(), static_cast<int>(telling->text.size()), MPI_BYTE, rank, kGivesUp,
                  m_control, &request);
        telling->requests.push_back(request);
    }
    m_tellings.push_back(std::move(telling));
}

std::optional<Error> MpiSession::aborted() const {
    const std::scoped_lock lock(m_mutex);
    return m_aborted;
}

Result<void> MpiSession::wait(MPI_Request request, std::shared_ptr<void> memory) {
    Patience patience;
    while (true) {
        int done = 0;
        PLUMB_CHECK(checked(MPI_Test(&request, &done, MPI_STATUS_IGNORE)));
        if (done != 0) return {};
        if (const auto why = aborted()) {
            const std::scoped_lock lock(m_mutex);
            m_left.push_back(std::move(memory));
            return *why;
        }
        std::this_thread::sleep_for(patience.next());
    }
}

void MpiSession::freeze() {
    const std::scoped_lock lock(m_mutex);
    m_ends = true;
    m_changed.notify_all();
}

void MpiSession::keep(const Error& why) {
    const std::scoped_lock lock(m_mutex);
    if (!m_aborted) m_aborted = why;
}

std::vector<int> MpiSession::watched() const {
    if (m_rank != 0) return {0};
    std::vector<int> others;
    for (int rank = 1; rank < m_size; ++rank) others.push_back(rank);
    return others;
}

void MpiSession::listen() {
    Clock::time_point looked = Clock::now(), told{};
    while (true) {
        {
            std::unique_lock lock(m_mutex);
            if (m_changed.wait_for(lock, kBetweenLooks, [&] { return m_ends; })) return;
        }
        const Clock::time_point now = Clock::now();
        hear();
        if (now - looked > kOwnSleep)
            for (auto& [rank, heard] : m_heard) heard = now;
        looked = now;
        if (now - told < kBetweenBeats) continue;
        told = now;
        tellThatWeLive();
        judgeSilence(now);
    }
}

void MpiSession::hear() {
    while (true) {
        int there = 0;
        MPI_Status status{};
        if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, m_control, &there, &status) != MPI_SUCCESS || there == 0)
            return;
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        std::string text(static_cast<std::size_t>(bytes), '\0');
        MPI_Recv(text.data(), bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, m_control,
                 MPI_STATUS_IGNORE);
        if (status.MPI_TAG == kGivesUp)
            keep(errorOf(text, status.MPI_SOURCE));
        else if (const auto heard = m_heard.find(status.MPI_SOURCE); heard != m_heard.end())
            heard->second = Clock::now();
    }
}

// One without bytes is under way to each at most: a rank that takes none gets no further ones.
void MpiSession::tellThatWeLive() {
    for (const int rank : watched()) {
        const auto [beat, isFirst] = m_beats.try_emplace(rank, MPI_REQUEST_NULL);
        if (isFirst || hasEnded(beat->second))
            MPI_Isend(nullptr, 0, MPI_BYTE, rank, kBeat, m_control, &beat->second);
    }
}

void MpiSession::judgeSilence(Clock::time_point now) {
    for (const auto& [rank, heard] : m_heard) {
        if (now - heard < m_patience || aborted()) continue;
        abort(
            {ErrorCode::RunFailed,
             fmt::format("nothing has been heard of rank {} for {} s", rank, m_patience.count()),
             "see whether its process was stopped or its host is out of reach, and start the training again "
             "from its last checkpoint"});
    }
}

}  // namespace plumb::mpi

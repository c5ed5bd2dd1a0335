// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace plumb::mpi {

/// What MPI says of one of its results.
[[nodiscard]] std::string reasonOf(int result);
/// Errors: RunFailed with that, of anything but success.
[[nodiscard]] Result<void> checked(int result);

/// Lets others have the core between two looks at what MPI does, which tells nobody that something has come:
/// short at first, longer and longer while nothing does.
class Patience {
public:
    void reset() { m_next = kShortest; }
    [[nodiscard]] std::chrono::microseconds next() {
        return std::exchange(m_next, std::min(2 * m_next, kLongest));
    }

private:
    static constexpr std::chrono::microseconds kShortest{10}, kLongest{1000};
    std::chrono::microseconds m_next = kShortest;
};

/// MPI from its start to its end, in this process. A thread of its own listens to what the other processes
/// say beside their data: that they are alive, and why they gave up.
class MpiSession {
public:
    /// Errors: as Module::start().
    [[nodiscard]] static Result<std::shared_ptr<MpiSession>> start(std::chrono::seconds patience);
    /// Waits for the other ranks, then ends MPI; does neither after abort(), since messages may be under way
    /// that nobody takes.
    ~MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

    [[nodiscard]] int rank() const { return m_rank; }
    [[nodiscard]] int size() const { return m_size; }
    [[nodiscard]] MPI_Comm texts() const { return m_texts; }
    /// Bits of a tag that MPI takes.
    [[nodiscard]] int tagBits() const { return m_tagBits; }

    /// Ends all ranks with this error; the first counts. From any thread.
    void abort(const Error& why);
    /// Why all end, if they do.
    [[nodiscard]] std::optional<Error> aborted() const;
    /// Waits for a request of MPI. Errors: what it says, and why all end. A request that was not waited for
    /// to its end goes on: `memory`, which it reads or writes, then stays as long as the process.
    [[nodiscard]] Result<void> wait(MPI_Request request, std::shared_ptr<void> memory);
    /// From now on no call of MPI is made for the sake of others, and nothing that was begun goes on.
    void freeze();

private:
    explicit MpiSession(std::chrono::seconds patience) : m_patience(patience) {}
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] Result<void> open();
    void listen();
    void hear();
    void tellThatWeLive();
    void judgeSilence(Clock::time_point now);
    void keep(const Error& why);
    /// Which ranks this one watches and tells that it lives: rank 0 all, the others rank 0.
    [[nodiscard]] std::vector<int> watched() const;

    const std::chrono::seconds m_patience;
    int m_rank = 0, m_size = 1, m_tagBits = 15;
    MPI_Comm m_texts = MPI_COMM_NULL, m_control = MPI_COMM_NULL;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_ends = false;
    std::optional<Error> m_aborted;
    std::vector<std::shared_ptr<void>> m_left;  ///< memory of requests that nobody waits for any more
    struct Telling {
        std::string text;
        std::vector<MPI_Request> requests;
    };
    std::vector<std::unique_ptr<Telling>> m_tellings;  ///< of why this rank gave up

    // Of the thread alone.
    std::map<int, Clock::time_point> m_heard;
    std::map<int, MPI_Request> m_beats;
    std::jthread m_listener;
};

}  // namespace plumb::mpi

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/messages.h"
#include "kernels/mpi/mpi_session.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace plumb::mpi {

/// Bytes between the processes of a group. Nothing makes progress while nobody asks for it.
class MpiMessages final : public Messages {
public:
    /// Takes over the communicator, which is of this group alone.
    MpiMessages(std::shared_ptr<MpiSession> session, MPI_Comm group);
    ~MpiMessages() override;
    MpiMessages(const MpiMessages&) = delete;
    MpiMessages& operator=(const MpiMessages&) = delete;

    int rank() const override { return m_rank; }
    int size() const override { return m_size; }
    Handle send(int peer, std::uint64_t tag, std::span<const std::byte> bytes) override;
    Handle receive(int peer, std::uint64_t tag, std::span<std::byte> bytes) override;
    Result<bool> done(Handle handle) override;
    void cancel(Handle handle) override;
    void wait(std::chrono::microseconds most) override;
    void wake() override;

private:
    /// A part of a message: counts of MPI are ints, and parts keep the order in which they were posted.
    struct Part {
        MPI_Request request = MPI_REQUEST_NULL;
        int bytes = 0;
    };
    struct Open {
        int peer = 0;
        bool isReceived = false;
        std::vector<Part> parts;  ///< not yet done
    };
    [[nodiscard]] int tagOf(std::uint64_t tag) const;
    Handle post(Open open);
    /// All ranks end with it.
    [[nodiscard]] Error failed(const std::string& what);

    const std::shared_ptr<MpiSession> m_session;
    MPI_Comm m_group;
    int m_rank = 0, m_size = 1;
    std::map<Handle, Open> m_open;
    Handle m_next = 0;
    Patience m_patience;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_woken = false;
};

}  // namespace plumb::mpi

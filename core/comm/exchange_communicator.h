// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/communicator.h"
#include "core/comm/exchange.h"
#include "core/comm/messages.h"
#include "core/comm/world.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace plumb {

/// Runs the calls of a CPU rank as exchanges, on a thread of its own: no transport makes progress by itself
/// while the owner computes. Collectives run one after the other, messages beside them.
class ExchangeCommunicator final : public Communicator {
public:
    /// Starts the thread. Errors: Unavailable when none can be started.
    [[nodiscard]] static Result<std::unique_ptr<ExchangeCommunicator>>
    create(std::unique_ptr<Messages> messages);
    /// The same between all ranks of a world. Errors: those of World::group() too.
    [[nodiscard]] static Result<std::unique_ptr<ExchangeCommunicator>> ofAll(World& world);
    /// Ends calls that were not joined wherever they are; their memory may go only afterwards.
    ~ExchangeCommunicator() override;

    [[nodiscard]] int rank() const override;
    [[nodiscard]] int size() const override;
    [[nodiscard]] Ticket start(const CommCall& call) override;
    [[nodiscard]] Result<Cost> join(Ticket ticket) override;

private:
    using Clock = std::chrono::steady_clock;
    struct Started {
        Ticket ticket = 0;
        CommCall call;
        std::uint64_t tag = 0;
        Clock::time_point at;
    };
    struct Running {
        Started started;
        Exchange exchange;
    };

    explicit ExchangeCommunicator(std::unique_ptr<Messages> messages);
    void work(const std::stop_token& stop);
    /// Takes over what was started, and begins what may begin.
    void begin();
    /// Whether a running call has ended.
    [[nodiscard]] bool goOn(Running& running);

    const std::unique_ptr<Messages> m_messages;
    std::vector<std::uint64_t> m_messagesTo, m_messagesFrom;  ///< of each peer, counted for their tags
    std::uint64_t m_collectives = 0;
    Ticket m_next = 0;

    std::mutex m_mutex;
    std::condition_variable m_ended;
    std::vector<Started> m_started;          ///< by the owner, not yet taken over
    std::map<Ticket, Result<Cost>> m_costs;  ///< of calls that have ended, until they are joined

    // Of the thread alone.
    std::deque<Started> m_waiting;  ///< collectives behind the one that runs
    std::optional<Running> m_collective;
    Clock::time_point m_collectiveEnded;  ///< that before it
    std::vector<Running> m_running;       ///< messages

    std::jthread m_thread;  ///< last: ends before what it uses goes away
};

}  // namespace plumb

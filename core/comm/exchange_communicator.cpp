// SPDX-License-Identifier: Apache-2.0
#include "core/comm/exchange_communicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <system_error>
#include <utility>

namespace plumb {
namespace {

/// Tags of collectives and of messages are apart; each counts by itself.
constexpr std::uint64_t kCollective = std::uint64_t{1} << 63U;
/// The longest that the thread sleeps. What is started or arrives wakes it before.
constexpr std::chrono::milliseconds kNap{5};

bool isMessage(const CommCall& call) { return call.kind == CommKind::Send || call.kind == CommKind::Receive; }

}  // namespace

Result<std::unique_ptr<ExchangeCommunicator>>
ExchangeCommunicator::create(std::unique_ptr<Messages> messages) {
    std::unique_ptr<ExchangeCommunicator> made(new ExchangeCommunicator(std::move(messages)));
    try {
        made->m_thread = std::jthread([self = made.get()](const std::stop_token& stop) { self->work(stop); });
    } catch (const std::system_error& error) {
        return Error{ErrorCode::Unavailable,
                     fmt::format("no thread can be started for the traffic of a rank ({})", error.what()),
                     "end other programs, or use fewer ranks"};
    }
    return made;
}

Result<std::unique_ptr<ExchangeCommunicator>> ExchangeCommunicator::ofAll(World& world) {
    std::vector<int> all(static_cast<std::size_t>(world.size()));
    std::iota(all.begin(), all.end(), 0);
    PLUMB_TRY(auto messages, world.group(all));
    return create(std::move(messages));
}

ExchangeCommunicator::ExchangeCommunicator(std::unique_ptr<Messages> messages)
    : m_messages(std::move(messages)),
      m_messagesTo(static_cast<std::size_t>(m_messages->size())),
      m_messagesFrom(m_messagesTo.size()) {}

ExchangeCommunicator::~ExchangeCommunicator() {
    m_thread.request_stop();
    m_messages->wake();
}

int ExchangeCommunicator::rank() const { return m_messages->rank(); }
int ExchangeCommunicator::size() const { return m_messages->size(); }

Communicator::Ticket ExchangeCommunicator::start(const CommCall& call) {
    Started started{m_next++, call, 0, Clock::now()};
    const auto peer = static_cast<std::size_t>(call.peer);
    if (!isMessage(call))
        started.tag = kCollective | m_collectives++;
    else
        started.tag = call.kind == CommKind::Send ? m_messagesTo[peer]++ : m_messagesFrom[peer]++;
    {
        const std::scoped_lock lock(m_mutex);
        m_started.push_back(started);
    }
    m_messages->wake();
    return started.ticket;
}

Result<Communicator::Cost> ExchangeCommunicator::join(Ticket ticket) {
    std::unique_lock lock(m_mutex);
    m_ended.wait(lock, [&] { return m_costs.contains(ticket); });
    return std::move(m_costs.extract(ticket).mapped());
}

void ExchangeCommunicator::begin() {
    std::vector<Started> started;
    {
        const std::scoped_lock lock(m_mutex);
        started.swap(m_started);
    }
    for (Started& one : started) {
        if (isMessage(one.call))
            m_running.push_back({one, Exchange(*m_messages, one.call, one.tag)});
        else
            m_waiting.push_back(one);
    }
    if (m_collective || m_waiting.empty()) return;
    Started& next = m_waiting.front();
    next.at = std::max(next.at, m_collectiveEnded);
    m_collective.emplace(Running{next, Exchange(*m_messages, next.call, next.tag)});
    m_waiting.pop_front();
}

bool ExchangeCommunicator::goOn(Running& running) {
    const Result<bool> done = running.exchange.advance();
    if (done.has_value() && !*done) return false;
    const auto cost = [&]() -> Result<Cost> {
        if (!done.has_value()) return done.error();
        const Clock::time_point now = Clock::now();
        return Cost{running.exchange.bytes(), std::chrono::duration<double>(now - running.started.at).count(),
                    std::chrono::duration<double>(now.time_since_epoch()).count()};
    };
    {
        const std::scoped_lock lock(m_mutex);
        m_costs.emplace(running.started.ticket, cost());
    }
    m_ended.notify_all();
    return true;
}

void ExchangeCommunicator::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        begin();
        bool ended = std::erase_if(m_running, [this](Running& running) { return goOn(running); }) > 0;
        if (m_collective && goOn(*m_collective)) {
            m_collective.reset();
            m_collectiveEnded = Clock::now();
            ended = true;
        }
        if (!ended) m_messages->wait(kNap);
    }
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_outlet.h"

#include <sys/socket.h>

#include <cerrno>
#include <poll.h>
#include <utility>

namespace plumb::cli {

namespace {

constexpr std::int64_t kFarBehind = std::int64_t{1} << 20U;  // bytes
constexpr int kSliceMs = 100;                                // of a wait for the window to read
constexpr std::chrono::seconds kStalled(10);  // a connection that nobody has noticed to be dead

}  // namespace

EngineOutlet::EngineOutlet(std::size_t journalBytes)
    : m_journal(journalBytes), m_thread([this] { loop(); }) {}

EngineOutlet::~EngineOutlet() {
    detach();
    {
        const std::lock_guard lock(m_mutex);
        m_closing = true;
        m_changed.notify_all();
    }
    m_thread.join();
}

bool EngineOutlet::isFarBehind() const {
    return m_connection != nullptr && m_journal.bytesAdded() - m_sentBytes > kFarBehind;
}

void EngineOutlet::put(const protocol::Event& event) {
    std::unique_lock lock(m_mutex);
    if (!m_stalled)
        m_stalled = !m_changed.wait_for(lock, kStalled, [&] { return m_closing || !isFarBehind(); });
    m_journal.add(event);
    m_changed.notify_all();
}

void EngineOutlet::attach(std::shared_ptr<const Descriptor> connection, std::optional<std::int64_t> after) {
    detach();
    const std::lock_guard lock(m_mutex);
    m_stalled = false;
    m_first.clear();
    if (after) {
        m_sent = *after;
        const protocol::EventJournal::Entry* next = m_journal.next(m_sent);
        m_sentBytes = next == nullptr ? m_journal.bytesAdded()
                                      : next->end - static_cast<std::int64_t>(next->line.size());
    } else {
        for (const std::string& line : m_journal.greeting()) m_first += line + '\n';
        m_sent = m_journal.newest();
        m_sentBytes = m_journal.bytesAdded();
    }
    m_connection = std::move(connection);
    m_changed.notify_all();
}

void EngineOutlet::detach() {
    std::unique_lock lock(m_mutex);
    m_connection.reset();
    m_changed.notify_all();
    m_changed.wait(lock, [&] { return !m_sending; });
}

bool EngineOutlet::drain(std::chrono::milliseconds patience) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, patience, [&] {
        return m_connection == nullptr || (!m_sending && m_first.empty() && m_sent >= m_journal.newest());
    });
}

std::string EngineOutlet::nextLines() {
    if (!m_connection) return {};
    if (!m_first.empty()) return std::exchange(m_first, {});
    const std::int64_t dropped = m_journal.droppedAfter(m_sent);
    if (dropped > 0) {
        std::string lines = protocol::encode({0, protocol::Missed{dropped}}) + '\n';
        for (const std::string& line : m_journal.stateAfter(m_sent)) lines += line + '\n';
        m_sent += dropped;
        return lines;
    }
    const protocol::EventJournal::Entry* next = m_journal.next(m_sent);
    if (next == nullptr) return {};
    m_sent = next->sequence;
    m_sentBytes = next->end;
    return next->line + '\n';
}

bool EngineOutlet::send(const std::shared_ptr<const Descriptor>& connection, std::string_view lines) {
    while (!lines.empty()) {
        const ssize_t sent =
            ::send(connection->get(), lines.data(), lines.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent >= 0) {
            lines.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            pollfd room{connection->get(), POLLOUT, 0};
            ::poll(&room, 1, kSliceMs);
        } else if (errno != EINTR) {
            return false;
        }
        const std::lock_guard lock(m_mutex);
        if (m_connection != connection) return false;
    }
    return true;
}

void EngineOutlet::loop() {
    std::unique_lock lock(m_mutex);
    while (!m_closing) {
        const std::string lines = nextLines();
        if (lines.empty()) {
            m_changed.wait(lock);
            continue;
        }
        const std::shared_ptr<const Descriptor> connection = m_connection;
        m_sending = true;
        lock.unlock();
        const bool written = send(connection, lines);
        lock.lock();
        m_sending = false;
        m_stalled = false;
        if (!written && m_connection == connection) m_connection.reset();
        m_changed.notify_all();
    }
}

}  // namespace plumb::cli

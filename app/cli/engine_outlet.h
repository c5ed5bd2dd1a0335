// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/event_journal.h"
#include "core/engine/protocol.h"
#include "core/io/system_error.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace plumb::cli {

/// Where the events of an engine that outlives its windows go: into a journal, and from there to the window
/// that is attached, on a thread of its own. All member functions may be called from any thread.
class EngineOutlet {
public:
    explicit EngineOutlet(std::size_t journalBytes);
    ~EngineOutlet();  ///< nothing more is sent
    EngineOutlet(const EngineOutlet&) = delete;
    EngineOutlet& operator=(const EngineOutlet&) = delete;

    /// Keeps the event. Waits while the attached window is far behind, as long as it reads at all: then its
    /// losses are put together by whoever waits, and nothing is dropped.
    void put(const protocol::Event& event);
    /// Events go to this window from now on and to no other one: those after number `after`, or, where
    /// that is empty, how things stand and what comes then.
    void attach(std::shared_ptr<const Descriptor> connection, std::optional<std::int64_t> after);
    void detach();
    /// Waits until the attached window has everything, or none is attached; false after `patience`.
    bool drain(std::chrono::milliseconds patience);

private:
    void loop();
    [[nodiscard]] bool send(const std::shared_ptr<const Descriptor>& connection, std::string_view lines);
    [[nodiscard]] std::string nextLines();   // with the lock held; empty: nothing to send now
    [[nodiscard]] bool isFarBehind() const;  // with the lock held

    std::mutex m_mutex;
    std::condition_variable m_changed;
    protocol::EventJournal m_journal;
    std::shared_ptr<const Descriptor> m_connection;  // null: nobody is attached
    std::int64_t m_sent = 0;                         // number of the newest event that the window was sent
    std::int64_t m_sentBytes = 0;                    // of the journal, up to and with that
    std::string m_first;                             // what the window is sent before that
    bool m_stalled = false;                          // the window has read nothing for long
    bool m_sending = false;
    bool m_closing = false;
    std::thread m_thread;  // last: it uses all of the above
};

}  // namespace plumb::cli

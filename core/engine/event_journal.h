// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/protocol.h"
#include "core/measure/loss_history.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plumb::protocol {

/// The events of an engine that outlives its windows, numbered from 1: the newest within a bound of bytes,
/// and of those before them what still says how things stand. Not thread-safe.
class EventJournal {
public:
    struct Entry {
        std::int64_t sequence = 0;
        std::string line;  ///< encoded, with the number and without a newline
        std::size_t kind = 0;
        std::int64_t end = 0;  ///< bytes of all lines up to and with this one
    };

    explicit EventJournal(std::size_t mostBytes) : m_mostBytes(mostBytes), m_losses(kLossBuckets) {}

    /// Numbers the event and keeps it; what no longer fits is dropped, oldest first. At least the newest
    /// stays.
    void add(Event event);
    [[nodiscard]] std::int64_t newest() const { return m_newest; }
    [[nodiscard]] std::int64_t bytesAdded() const { return m_bytesAdded; }

    /// The first kept event after number `sequence`; null when there is none.
    [[nodiscard]] const Entry* next(std::int64_t sequence) const;
    /// How many events after number `sequence` are kept no more.
    [[nodiscard]] std::int64_t droppedAfter(std::int64_t sequence) const;
    /// What takes the place of the dropped ones after number `sequence`, oldest first: the newest of each
    /// kind, and all losses of the newest run among them in one batch that is decimated with extremes kept.
    [[nodiscard]] std::vector<std::string> stateAfter(std::int64_t sequence) const;
    /// What a window that knows nothing needs: the newest list of devices and the state; of a training that
    /// goes on how it began, all of its losses in one batch that is decimated with extremes kept, and its
    /// newest reading.
    [[nodiscard]] std::vector<std::string> greeting() const;

private:
    static constexpr std::size_t kLossBuckets = 1024;

    void follow(const Event& event, const std::string& line);
    void drop(Entry entry);

    /// The training that goes on.
    struct Training {
        std::int64_t id = 0;
        std::string began;    ///< its line
        std::string reading;  ///< the newest one; empty: none
        LossBatch newest;     ///< without its points
        LossHistory losses;   ///< all of them
    };

    std::size_t m_mostBytes;
    std::size_t m_bytes = 0;
    std::int64_t m_newest = 0;
    std::int64_t m_bytesAdded = 0;
    std::deque<Entry> m_entries;
    std::map<std::size_t, Entry> m_dropped;  ///< the newest of each kind
    std::map<std::size_t, std::string> m_greeting;
    LossHistory m_losses;          ///< those that were dropped of the newest run
    std::int64_t m_lossesOf = -1;  ///< id of its command
    std::optional<Training> m_training;
};

}  // namespace plumb::protocol

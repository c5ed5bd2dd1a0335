// SPDX-License-Identifier: Apache-2.0
#include "core/engine/event_journal.h"

#include <algorithm>
#include <utility>

namespace plumb::protocol {

void EventJournal::add(Event event) {
    event.sequence = ++m_newest;
    const std::size_t kind = event.body.index();
    Entry entry{m_newest, encode(event), kind, 0};
    m_bytesAdded += static_cast<std::int64_t>(entry.line.size());
    entry.end = m_bytesAdded;
    if (std::holds_alternative<State>(event.body) || std::holds_alternative<DeviceList>(event.body))
        m_greeting[kind] = entry.line;
    follow(event, entry.line);
    m_bytes += entry.line.size();
    m_entries.push_back(std::move(entry));
    while (m_bytes > m_mostBytes && m_entries.size() > 1) {
        m_bytes -= m_entries.front().line.size();
        drop(std::move(m_entries.front()));
        m_entries.pop_front();
    }
}

void EventJournal::follow(const Event& event, const std::string& line) {
    if (std::holds_alternative<Began>(event.body)) {
        m_training.emplace();
        m_training->id = event.id;
        m_training->began = line;
    }
    if (!m_training || event.id != m_training->id) return;
    if (const auto* batch = std::get_if<LossBatch>(&event.body)) {
        for (const StepMetrics& point : batch->points) m_training->losses.add(point);
        m_training->newest = {{}, batch->stepsDone, batch->skippedSteps, batch->stepsPerSecond};
    } else if (std::holds_alternative<ReadingEvent>(event.body)) {
        m_training->reading = line;
    } else if (std::holds_alternative<Finished>(event.body)) {
        m_training.reset();
    }
}

void EventJournal::drop(Entry entry) {
    // What this very program has encoded can be read again; losses alone are put together.
    if (const Result<Event> event = parseEvent(entry.line); event.has_value()) {
        if (const auto* batch = std::get_if<LossBatch>(&event->body)) {
            if (std::exchange(m_lossesOf, event->id) != event->id) m_losses.clear();
            for (const StepMetrics& point : batch->points) m_losses.add(point);
        }
    }
    m_dropped[entry.kind] = std::move(entry);
}

const EventJournal::Entry* EventJournal::next(std::int64_t sequence) const {
    if (m_entries.empty() || sequence >= m_newest) return nullptr;
    const std::int64_t first = m_entries.front().sequence;
    return &m_entries[static_cast<std::size_t>(std::max<std::int64_t>(sequence + 1 - first, 0))];
}

std::int64_t EventJournal::droppedAfter(std::int64_t sequence) const {
    return m_entries.empty() ? 0 : std::max<std::int64_t>(m_entries.front().sequence - 1 - sequence, 0);
}

std::vector<std::string> EventJournal::stateAfter(std::int64_t sequence) const {
    std::vector<const Entry*> entries;
    for (const auto& [kind, entry] : m_dropped)
        if (entry.sequence > sequence) entries.push_back(&entry);
    std::ranges::sort(entries, {}, &Entry::sequence);
    std::vector<std::string> lines;
    for (const Entry* entry : entries) {
        Result<Event> event = parseEvent(entry->line);
        auto* batch = event.has_value() ? std::get_if<LossBatch>(&event->body) : nullptr;
        if (batch != nullptr) batch->points = m_losses.points();
        lines.push_back(batch != nullptr ? encode(*event) : entry->line);
    }
    return lines;
}

std::vector<std::string> EventJournal::greeting() const {
    std::vector<std::string> lines;
    for (const auto& [kind, line] : m_greeting) lines.push_back(line);
    if (!m_training) return lines;
    lines.push_back(m_training->began);
    if (!m_training->losses.empty()) {
        LossBatch batch = m_training->newest;
        batch.points = m_training->losses.points();
        lines.push_back(encode(Event{m_training->id, std::move(batch)}));
    }
    if (!m_training->reading.empty()) lines.push_back(m_training->reading);
    return lines;
}

}  // namespace plumb::protocol

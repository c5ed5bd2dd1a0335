// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/event_scanner.h"
#include "core/trace/trace.h"

#include <map>
#include <tuple>
#include <unordered_map>

namespace plumb::trace {

/// Collects events in the order of the file and puts them in the order of Trace.
class TraceBuilder {
public:
    /// `mostSlices` are kept; isFull() says when there are more. `withTypes`: element types of ops' inputs
    /// too.
    explicit TraceBuilder(std::size_t mostSlices, bool withTypes = false)
        : m_mostSlices(mostSlices), m_withTypes(withTypes) {}

    /// An event with a phase.
    void add(const RawEvent& event);
    [[nodiscard]] bool isFull() const { return m_full; }
    [[nodiscard]] Trace& trace() { return m_trace; }
    /// The trace, in order. Nothing can be added afterwards.
    [[nodiscard]] Trace finish();

private:
    [[nodiscard]] NameId nameOf(const RawEvent& event, Field field);
    [[nodiscard]] NameId countCategory(const RawEvent& event);
    [[nodiscard]] Category categoryOf(NameId category, std::string_view name);
    [[nodiscard]] std::uint32_t trackOf(const RawEvent& event, Category category);
    void addSlice(const RawEvent& event, bool isOpen);
    void endSlice(const RawEvent& event);
    [[nodiscard]] std::uint32_t addCollective(const RawEvent& event);
    [[nodiscard]] std::uint32_t groupOf(const RawEvent& event);
    void addLinks(const RawEvent& event, Category category);
    void addInstant(const RawEvent& event);
    void addCounter(const RawEvent& event);
    void addLabel(const RawEvent& event);
    void closeOpenSlices();
    void labelTracks();
    void sortTracks();
    void sortSlices();

    Trace m_trace;
    std::size_t m_mostSlices;
    bool m_withTypes;
    bool m_full = false;
    std::map<std::tuple<NameId, NameId, NameId, std::int64_t>, std::uint32_t> m_groups;  ///< by all they say
    std::vector<std::int64_t> m_tallies;  ///< by the name of the category
    std::vector<Category> m_known;        ///< the same
    std::unordered_map<std::uint64_t, std::uint32_t> m_tracks;
    std::uint64_t m_lastKey = UINT64_MAX;
    std::uint32_t m_lastTrack = 0;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_open;  ///< begun slices of a track
    std::unordered_map<std::uint64_t, NameId> m_labels;                    ///< of processes and threads
};

}  // namespace plumb::trace

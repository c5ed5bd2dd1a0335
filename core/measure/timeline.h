// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/base/quantity.h"
#include "core/measure/source.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace plumb {

/// What a record of a timeline is about.
enum class TimelineKind : std::uint8_t {
    Op,      ///< one execution of an op of the plan
    Kernel,  ///< on the device
    Copy,    ///< ... or, in a lane of traffic, a collective of ranks
    Memset,
    Memory,  ///< a point: from here on so many bytes are alive
    Call     ///< on a thread of the host: a launch, a copy, a wait
};
inline constexpr std::size_t kTimelineKinds = static_cast<std::size_t>(TimelineKind::Call) + 1;
inline constexpr auto kTimelineKindNames = enumNames<TimelineKind>({{TimelineKind::Op, "op"},
                                                                    {TimelineKind::Kernel, "kernel"},
                                                                    {TimelineKind::Copy, "copy"},
                                                                    {TimelineKind::Memset, "memset"},
                                                                    {TimelineKind::Memory, "memory"},
                                                                    {TimelineKind::Call, "call"}});
[[nodiscard]] constexpr std::string_view timelineKindName(TimelineKind value) {
    return kTimelineKindNames.name(value);
}

/// Where a record stands; lanes are shown in this order.
enum class LaneKind : std::uint8_t { Ops, Stream, Copies, Traffic, Host, Memory };
inline constexpr std::size_t kLaneKinds = static_cast<std::size_t>(LaneKind::Memory) + 1;
inline constexpr auto kLaneKindNames = enumNames<LaneKind>({{LaneKind::Ops, "ops"},
                                                            {LaneKind::Stream, "stream"},
                                                            {LaneKind::Copies, "copies"},
                                                            {LaneKind::Traffic, "traffic"},
                                                            {LaneKind::Host, "host"},
                                                            {LaneKind::Memory, "memory"}});
[[nodiscard]] constexpr std::string_view laneKindName(LaneKind value) { return kLaneKindNames.name(value); }

struct TimelineLane {
    LaneKind kind{};
    std::string name;  ///< "ops", "stream 7", "copies", "traffic", "host thread 4711", "memory"
    bool operator==(const TimelineLane&) const = default;
};

/// 40 bytes, because there can be hundreds of thousands.
struct TimelineRecord {
    Seconds begin = 0;  ///< since the timeline began, on the one clock of all its records; whole nanoseconds
    Seconds end = 0;    ///< at least begin; equal for a point
    Bytes bytes = -1;   ///< Copy and Memset: moved, or sent; Memory: alive from here on; -1: not known
    std::int32_t name = -1;         ///< index into names; -1: that of its op
    std::int32_t op = -1;           ///< index into the ops of the reading; -1: of no op, or not known
    std::uint32_t correlation = 0;  ///< joins a Call with what it launched; 0: none
    std::uint16_t lane = 0;
    TimelineKind kind{};
    bool operator==(const TimelineRecord&) const = default;
};
static_assert(sizeof(TimelineRecord) == 40);

/// One optimizer step that the timeline covers.
struct TimelineStep {
    std::int64_t step = 0;  ///< 0-based, of the training
    Seconds begin = 0;
    Seconds end = 0;
    bool operator==(const TimelineStep&) const = default;
};

/// What happened when, in a few measured steps: a part of a Reading. Nothing in it is predicted.
struct Timeline {
    /// More than that are left out and counted in `dropped`; a file with more is refused.
    static constexpr std::size_t kMostRecords = 250'000;
    static constexpr std::size_t kMostLanes = 256;
    static constexpr std::size_t kMostNames = 65'536;

    Source source = Source::Clock;  ///< Clock, Event: timed around each op; Activity: the driver's records
    std::int64_t dropped = 0;       ///< records that were lost or left out: what is here is not everything
    std::vector<TimelineStep> steps;
    std::vector<TimelineLane> lanes;
    std::vector<std::string> names;
    std::vector<TimelineRecord> records;  ///< by lane, then begin, then the longer first
    /// Why a timeline of times around ops does not hold the driver's own records; empty: not said.
    std::string driverRecordsAbsent;
    bool operator==(const Timeline&) const = default;

    /// The records of one lane, in the order of their beginnings.
    [[nodiscard]] std::span<const TimelineRecord> ofLane(std::size_t lane) const;
    /// The latest end of all records and steps; 0 for an empty timeline.
    [[nodiscard]] Seconds duration() const;
};

/// Puts the records into the order that Timeline asks for.
void sortRecords(Timeline& timeline);

/// Collects records in any order, as a driver delivers them.
class TimelineBuilder {
public:
    /// `most` records are kept. Times are given on the clock of the caller; `zero` is where the timeline
    /// begins on it.
    explicit TimelineBuilder(Source source, Seconds zero, std::size_t most = Timeline::kMostRecords);

    /// The index of this lane or name, which is added when it is new. When there are too many lanes, the last
    /// one takes what is left; too many names: -1.
    [[nodiscard]] std::uint16_t lane(LaneKind kind, std::string_view name);
    [[nodiscard]] std::int32_t name(std::string_view text);

    /// A record whose begin and end are on the caller's clock. One that ends before it begins or began before
    /// the timeline (drivers deliver such for what they lost), or does not fit any more, counts as dropped.
    void add(TimelineRecord record);
    void addStep(std::int64_t step, Seconds begin, Seconds end);
    /// Records that were lost before they got here.
    void addDropped(std::int64_t count) { m_timeline.dropped += count; }

    /// The sorted timeline; lanes in the order of their kinds. The builder is empty afterwards.
    [[nodiscard]] Timeline take();

private:
    [[nodiscard]] Seconds onTimeline(Seconds time) const;

    Timeline m_timeline;
    Seconds m_zero;
    std::size_t m_most;
    std::unordered_map<std::string, std::int32_t> m_names;
};

}  // namespace plumb

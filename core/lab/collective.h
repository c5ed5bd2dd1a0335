// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/comm/comm_call.h"

#include <cstdint>
#include <vector>

namespace plumb::lab {

/// How ranks that are all linked to each other carry out a collective.
enum class CollectiveWay : std::uint8_t {
    Ring,      ///< each sends one slice to the next, step after step
    Tree,      ///< pairs add whole buffers up to rank 0, which hands the sum down: of all-reduces alone
    Exchange,  ///< each sends every other one its slice at once, as Plumbline's own ranks do
};
inline constexpr CollectiveWay kCollectiveWays[]{CollectiveWay::Ring, CollectiveWay::Tree,
                                                 CollectiveWay::Exchange};

/// What carries it: every rank sends and receives at this rate at the same time.
struct CollectiveLink {
    double bytesPerSecond = 1e9;
    Seconds latency = 0;  ///< from the beginning of a step until its first byte is there
};

/// One message of a step: slices [slice, slice + slices) of a buffer, of which there are as many as ranks.
struct CollectiveMove {
    int from = 0, to = 0;
    int slice = 0, slices = 1;
    bool isAdded = false;  ///< to what the receiver has, else in its place
    Bytes bytes = 0;
    bool operator==(const CollectiveMove&) const = default;
};

/// What happens at once.
struct CollectiveStep {
    std::vector<CollectiveMove> moves;
    Bytes mostBytes = 0;  ///< most that one rank sends or receives in it
    Seconds seconds = 0;  ///< latency, and mostBytes at the link's rate
};

/// A collective from its first to its last step.
struct Collective {
    int ranks = 2;
    Bytes bytes = 0;  ///< of the whole buffer of a rank
    std::vector<CollectiveStep> steps;
    Bytes mostSent = 0;  ///< most that one rank sends in all of it
    Seconds seconds = 0;
    double busBytesPerSecond = 0;  ///< busBandwidth()
};

/// Most ranks that are drawn and reckoned with.
inline constexpr int kMostCollectiveRanks = 16;

/// Whether there is such a way: a tree reduces and hands down, and does neither alone.
[[nodiscard]] bool hasWay(CommKind kind, CollectiveWay way);

/// Errors: BadInput for ranks beyond 2 to kMostCollectiveRanks, fewer than 1 byte, a kind that is no
/// collective and a way that it does not have.
[[nodiscard]] Result<Collective> makeCollective(CommKind kind, CollectiveWay way, int ranks, Bytes bytes,
                                                const CollectiveLink& link);

/// What a rank has of a slice: a bit for each rank whose addend is in it. `steps` of them are done.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> contributions(const Collective& collective,
                                                                    CommKind kind, std::size_t steps);

}  // namespace plumb::lab

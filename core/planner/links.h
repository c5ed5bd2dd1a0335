// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/step_time.h"

namespace plumb::planner {

/// What collectives run over: the links within a node and the network between nodes, at the share of their
/// bandwidth that collectives reach.
struct Links {
    double linkBytesPerSecond = 0;
    double networkBytesPerSecond = 0;
    double latency = 0;         ///< of a message within a node
    double networkLatency = 0;  ///< of one between nodes
    std::int64_t devicesPerNode = 8;
};
/// Errors: BadInput when devices of a node have to talk and the link's bandwidth is not known.
[[nodiscard]] Result<Links> linksOf(const Scenario& scenario);

/// Devices that work on one axis of parallelism: `devices` of them, `stride` apart. Neighbours fill nodes.
struct Group {
    std::int64_t devices = 1;
    std::int64_t stride = 1;
    [[nodiscard]] std::int64_t perNode(const Links& links) const;
    [[nodiscard]] std::int64_t nodes(const Links& links) const;
};

/// Seconds of `pieces` all-gathers or reduce-scatters that together go over `bytes` of the full tensors.
/// Within a node over the links; between nodes each device moves its share over its own network card, in
/// chunks, so that the slower of the two counts. Each piece waits for its messages one after the other: along
/// a ring of all devices where there are several nodes (NCCL has no tree for these two), within one along its
/// three dimensions, so that a small piece of many devices reaches little of the bandwidth.
[[nodiscard]] double gatherSeconds(double bytes, const Group& group, const Links& links, double pieces = 1);
/// Of all-reduces, which send as much as a reduce-scatter and an all-gather and go up and down a tree of the
/// nodes.
[[nodiscard]] double reduceSeconds(double bytes, const Group& group, const Links& links, double pieces = 1);
/// An all-reduce that may be too small for a ring: within a node every device can also read what all others
/// have in one go, which sends more and waits once.
[[nodiscard]] double smallReduceSeconds(double bytes, const Group& group, const Links& links);
/// All-to-all of `bytes` that each device holds.
[[nodiscard]] double exchangeSeconds(double bytes, const Group& group, const Links& links);
/// Seconds from one device of the group to the next.
[[nodiscard]] double sendSeconds(double bytes, const Group& group, const Links& links);

}  // namespace plumb::planner

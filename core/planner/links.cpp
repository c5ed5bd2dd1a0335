// SPDX-License-Identifier: Apache-2.0
#include "core/planner/links.h"

#include "core/planner/inputs.h"

#include <algorithm>
#include <cmath>

namespace plumb::planner {

Result<Links> linksOf(const Scenario& scenario) {
    Links links;
    links.devicesPerNode = std::min(scenario.cluster.devicesPerNode, scenario.cluster.devices);
    if (scenario.cluster.devices == 1) return links;
    PLUMB_TRY(const double efficiency, numberOf(scenario, Input::LinkEfficiency));
    PLUMB_TRY(links.networkBytesPerSecond, numberOf(scenario, Input::NetworkBandwidth));
    PLUMB_TRY(links.latency, numberOf(scenario, Input::Latency));
    PLUMB_TRY(links.networkLatency, numberOf(scenario, Input::NetworkLatency));
    links.networkBytesPerSecond *= efficiency;
    if (links.devicesPerNode > 1) {
        PLUMB_TRY(links.linkBytesPerSecond, numberOf(scenario, Input::LinkBandwidth));
        links.linkBytesPerSecond *= efficiency;
    }
    return links;
}

std::int64_t Group::perNode(const Links& links) const {
    return std::clamp<std::int64_t>(links.devicesPerNode / stride, 1, devices);
}

std::int64_t Group::nodes(const Links& links) const {
    const std::int64_t each = perNode(links);
    return (devices + each - 1) / each;
}

double allGatherBytes(double bytes, std::int64_t devices) {
    return devices <= 1 ? 0 : bytes * static_cast<double>(devices - 1) / static_cast<double>(devices);
}

double allReduceBytes(double bytes, std::int64_t devices) { return 2 * allGatherBytes(bytes, devices); }

namespace {

/// Of an all-gather over `bytes`, without the wait for its messages.
double transferSeconds(double bytes, std::int64_t local, std::int64_t nodes, const Links& links) {
    const double within = local > 1 ? allGatherBytes(bytes, local) / links.linkBytesPerSecond : 0;
    const double between =
        nodes > 1 ? allGatherBytes(bytes / static_cast<double>(local), nodes) / links.networkBytesPerSecond
                  : 0;
    return std::max(within, between);
}

/// Messages one after the other among the devices of a node: a ring of a few, of many along the dimensions
/// of their torus or through a switch.
double messagesWithin(std::int64_t local) {
    return std::min(static_cast<double>(local - 1), 3 * std::cbrt(static_cast<double>(local)));
}

}  // namespace

double gatherSeconds(double bytes, const Group& group, const Links& links, double pieces) {
    if (group.devices <= 1) return 0;
    const std::int64_t local = group.perNode(links), nodes = group.nodes(links);
    const double within = nodes > 1 ? static_cast<double>(group.devices - nodes) : messagesWithin(local);
    const double wait = within * links.latency + static_cast<double>(nodes - 1) * links.networkLatency;
    return transferSeconds(bytes, local, nodes, links) + pieces * wait;
}

double reduceSeconds(double bytes, const Group& group, const Links& links, double pieces) {
    if (group.devices <= 1) return 0;
    const std::int64_t local = group.perNode(links), nodes = group.nodes(links);
    const double up = std::ceil(std::log2(static_cast<double>(nodes)));
    const double wait = messagesWithin(local) * links.latency + up * links.networkLatency;
    return 2 * (transferSeconds(bytes, local, nodes, links) + pieces * wait);
}

double smallReduceSeconds(double bytes, const Group& group, const Links& links) {
    const double ring = reduceSeconds(bytes, group, links);
    if (group.devices <= 1 || group.nodes(links) > 1) return ring;
    return std::min(ring, static_cast<double>(group.devices - 1) * bytes / links.linkBytesPerSecond +
                              links.latency);
}

double exchangeSeconds(double bytes, const Group& group, const Links& links) {
    if (group.devices <= 1) return 0;
    const auto n = static_cast<double>(group.devices);
    const auto local = static_cast<double>(group.perNode(links));
    const double within = local > 1 ? bytes * (local - 1) / n / links.linkBytesPerSecond : 0;
    const double between = n > local ? bytes * (n - local) / n / links.networkBytesPerSecond : 0;
    return std::max(within, between) + (n > local ? links.networkLatency : links.latency);
}

double sendSeconds(double bytes, const Group& group, const Links& links) {
    if (group.devices <= 1) return 0;
    const bool leaves = group.nodes(links) > 1;
    return leaves ? bytes / links.networkBytesPerSecond + links.networkLatency
                  : bytes / links.linkBytesPerSecond + links.latency;
}

}  // namespace plumb::planner

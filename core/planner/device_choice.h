// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/explore.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace plumb::planner {

/// Devices that somebody could train on, and what they ask for them.
struct DeviceCandidate {
    Machine device;
    std::int64_t devices = 1;
    std::optional<double> dollarsPerHour;  ///< of one device
};

/// The training on a candidate, spread in the fastest way that fits.
struct CandidatePlan {
    DeviceCandidate candidate;
    std::string problem;                   ///< why there is none; the rest is meaningless then
    std::optional<ShardingOption> layout;  ///< empty: a mere number of parameters
    bool fits = false;
    double neededBytes = 0;
    double availableBytes = 0;
    Range days;
    Range deviceHours;
    std::optional<double> dollarsPerHour;  ///< given for it, or of its record; empty: nobody said
    std::optional<Range> dollars;
    std::optional<Range> energyJoules;  ///< empty: its power is not known
    double mfu = 0;
    std::string place;  ///< against the best one: "the cheapest", "28 % dearer", "does not fit by 3 GB"
    std::string why;    ///< the reason of its place: "the cheapest", "28 % dearer: 2 times the ..."
};
struct DeviceChoice {
    std::vector<CandidatePlan>
        plans;  ///< best first: what fits, the cheapest, and without prices the fastest
    double tokens = 0;
    std::int64_t batch = 0;  ///< sequences of a step, the same for all
    bool priced = false;     ///< every candidate that fits has a price
    std::vector<std::string> notes;
};

/// Trains the same model with the same batch on every candidate, each with the efficiency of its own devices.
/// Without tokens, 1e9 of them; without a batch, about a million tokens that all of them divide. A price of
/// the scenario stands for candidates without one; no price is assumed. Errors: BadInput without candidates,
/// or without a model.
[[nodiscard]] Result<DeviceChoice> chooseDevices(const Scenario& scenario,
                                                 const std::vector<DeviceCandidate>& candidates,
                                                 const std::stop_token& stop = {},
                                                 const std::function<void(double)>& progress = {});

}  // namespace plumb::planner

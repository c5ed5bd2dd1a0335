// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/reading.h"

#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// Executed over modelled, for one op or for the step. 1 is what the model says; absent where either side is
/// not known, or the model says zero.
struct CounterRatios {
    /// Above 1 is padding of tiles and what an epilogue adds. Needs both kinds of FLOPs; for a matrix product
    /// tensor-core FLOPs alone say it where CUDA cores were not counted, because the rest is small.
    std::optional<double> flops;
    std::optional<double> dram;  ///< DRAM bytes over the model's compulsory bytes: below 1, caches kept some
    std::optional<double> l2;    ///< L2 bytes over the same
    std::optional<double> l1;    ///< bytesAt(MemoryLevel::L1) over the same
};

/// `modelled` is the op of the predicted reading. The FLOPs of ops that are no product are compared only with
/// those of both kinds of cores.
[[nodiscard]] CounterRatios compareCounters(const OpReading& modelled, const OpCounters& counted);

/// The same over the whole step: sums over all ops of `measured`, paired with `predicted` by id. A quantity
/// is absent when one op lacks it.
[[nodiscard]] CounterRatios compareCounters(const Reading& predicted, const Reading& measured);

/// Puts counters into a measured reading: `counters` has one entry per op. FLOPs and bytes of the ops become
/// the executed FLOPs and the DRAM bytes where those are known, and totals their sums; seconds stay.
void applyCounters(Reading& measured, const std::vector<OpCounters>& counters, CounterRun run);

/// Takes all counters out, for a reason in one sentence without a full stop.
void dropCounters(Reading& measured, std::string reason);

}  // namespace plumb

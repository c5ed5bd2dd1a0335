// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/quantity.h"
#include "core/machine/copy_rates.h"
#include "core/machine/cost_tables.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

/// One device: its memory and its ceilings, each from a data sheet or from calibration on the spot.
/// A ceiling that is not known is absent; none is ever inferred from another precision or part.
struct Machine {
    std::string id;                        ///< stable key: "h200-sxm" or "local-cpu"
    std::string name;                      ///< "NVIDIA H200 SXM", "Intel(R) Xeon(R) Processor, 2 cores"
    std::string backend;                   ///< "cpu" or "cuda"
    std::optional<int> computeCapability;  ///< capability of a GPU for CUDA: 90 for 9.0
    std::optional<int> index;              ///< number of a GPU of this computer, as --device takes it
    std::string uuid;                      ///< of a GPU: "GPU-8a1b..."; of an instance of one: "MIG-8a1b..."
    std::optional<Bytes> memoryBytes;
    std::optional<double> bandwidthBytesPerSecond;
    std::vector<std::pair<Dtype, double>> peakFlopPerSecond;  ///< dense
    std::optional<Seconds> perOpOverhead;                     ///< added to every op; from calibration
    // What only planning needs; of a data sheet, absent in snapshots.
    /// Rate to the other devices of the node, one direction, all links together; without links of its own,
    /// through the host.
    std::optional<double> linkBytesPerSecond;
    std::string linkName;                         ///< "NVLink 4 (18 links)", "PCIe 4.0 x16"; empty: not known
    std::optional<double> hostBytesPerSecond;     ///< the bus to the host, one direction
    std::optional<double> powerWatts;             ///< as labelled (TDP)
    std::optional<std::int64_t> multiprocessors;  ///< number of a GPU's
    std::optional<std::int64_t> linkedDevices;    ///< most that its links join; empty: those of its node
    std::optional<double> dollarsPerHour;         ///< what an hour of it costs; of the user's own devices
    std::vector<std::pair<Dtype, double>> measuredMatmulFlopPerSecond;  ///< best of a public shape search
    std::string source;               ///< "data sheet: ...", "calibrated 2026-11-20", "not calibrated"
    std::optional<CostTables> costs;  ///< measured times of ops; a data sheet has none
    std::vector<RankCosts> ofRanks;   ///< the same of ranks that share the machine, by rising number of them
    /// Measured rates of copies; absent where there is nothing to copy between, and of older calibrations.
    std::optional<CopyRates> copies;
    std::optional<PredictionErrors>
        checked;  ///< what plumbline-cli check-prediction found with this calibration

    [[nodiscard]] std::optional<double> peak(Dtype dtype) const;
};

/// Both are known, and are two cards (or instances of one).
[[nodiscard]] inline bool areTwoCards(const Machine& a, const Machine& b) {
    return !a.uuid.empty() && !b.uuid.empty() && a.uuid != b.uuid;
}

/// What has to be run for the ceilings of a backend ("cpu", "cuda"): "plumbline-cli calibrate --backend
/// cuda". Named in full, since the command by itself takes the GPU where there is one.
[[nodiscard]] std::string calibrateCommand(std::string_view backend);
/// Machine::source before that.
[[nodiscard]] std::string notCalibrated(std::string_view backend);

}  // namespace plumb

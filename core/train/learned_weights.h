// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plumb {

/// One weight matrix as products use it, in fp32.
struct LearnedMatrix {
    std::int64_t matrix = 1;  ///< 1..L; L + 1 is the head
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<float> values;
};

/// All weights of a model, first to last.
using LearnedWeights = std::vector<LearnedMatrix>;

/// What the whole model multiplies its features with: W_1 ... W_L W_head, [D, K] row by row, in double.
/// Pre: no activation function between the layers.
[[nodiscard]] std::vector<double> linearMap(const RunConfig& config, const LearnedWeights& weights);

/// How near a linear model came to the synthetic task, whose weights are 0, 1, 2, ... times one factor:
/// w*[i, k] = ((i + k) mod D) / norm. The map times that norm, so that it would be 0, 1, 2, ... itself.
struct RecoveredTask {
    std::vector<double> first;     ///< first numbers of output 0
    std::vector<double> expected;  ///< what they should be: 0, 1, 2, ...
    double largestError = 0;       ///< over all of them
    double meanError = 0;          ///< root mean square
};
/// Empty for data from a file and for an activation function.
/// `shown`: of the first numbers, at most that many.
[[nodiscard]] std::optional<RecoveredTask>
recoveredTask(const RunConfig& config, const LearnedWeights& weights, std::int64_t shown = 8);
/// Whether linearMap() is there and a moment's work at most.
[[nodiscard]] bool hasShortLinearMap(const RunConfig& config);

/// Writes the weights. As .safetensors all of them, [in, out] as here, under the names of a training
/// checkpoint ("layers.0.weight", "head.weight"). As .npy one matrix, `which`: a layer's number, "head", or
/// "product" for linearMap(); empty: the only one there is.
/// Errors: those of checkWeightsPath(); Io as AtomicFile.
[[nodiscard]] Result<void> writeWeights(const std::string& path, const std::string& which,
                                        const RunConfig& config, const LearnedWeights& weights);
/// One matrix of fp32, row by row. Errors: Io as AtomicFile.
[[nodiscard]] Result<void> writeNpy(const std::string& path, std::int64_t rows, std::int64_t columns,
                                    std::span<const float> values);
/// What can be refused before anything is trained. Errors: BadInput for another extension, and for a `which`
/// that does not fit.
[[nodiscard]] Result<void> checkWeightsPath(const std::string& path, const std::string& which,
                                            const RunConfig& config);

}  // namespace plumb

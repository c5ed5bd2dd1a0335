// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"

#include <cstdint>

namespace plumb {

/// What the numbers of one weight matrix are drawn from: a number of the distribution, times `factor`.
///
///   scaled          normal, 1 / sqrt(fan-in)
///   truncated       normal, drawn again beyond 3 sigma, 1 / sqrt(fan-in)
///   naive           normal, 1: shows why scaling matters
///   xavier-uniform  uniform in +-1, sqrt(6 / (fan-in + fan-out))    (torch.nn.init.xavier_uniform_)
///   xavier-normal   normal, sqrt(2 / (fan-in + fan-out))            (xavier_normal_)
///   he-uniform      uniform in +-1, sqrt(6 / fan-in)                (kaiming_uniform_, gain of ReLU)
///   he-normal       normal, sqrt(2 / fan-in)                        (kaiming_normal_, gain of ReLU)
///   fixed           normal, RunConfig::initialDeviation
struct InitialWeights {
    enum class Distribution : std::uint8_t { Normal, TruncatedNormal, Uniform };
    Distribution distribution = Distribution::Normal;
    double factor = 1;
    /// Standard deviation of the weights.
    [[nodiscard]] double deviation() const;
};

/// The rule for matrix 1..config.matrices().
[[nodiscard]] InitialWeights initialWeights(const RunConfig& config, std::int64_t matrix);

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/model/initial_weights.h"

#include <cmath>
#include <numbers>

namespace plumb {

namespace {

/// Standard deviation of a standard normal variable that is drawn again beyond 3 sigma.
double truncatedDeviation() {
    constexpr double kLimit = 3;
    const double density = std::exp(-kLimit * kLimit / 2) / std::sqrt(2 * std::numbers::pi);
    const double inside = std::erf(kLimit / std::numbers::sqrt2);
    return std::sqrt(1 - 2 * kLimit * density / inside);
}

}  // namespace

double InitialWeights::deviation() const {
    switch (distribution) {
    case Distribution::Normal:
        return factor;
    case Distribution::TruncatedNormal:
        return factor * truncatedDeviation();
    case Distribution::Uniform:
        return factor / std::numbers::sqrt3;
    }
    return factor;
}

InitialWeights initialWeights(const RunConfig& config, std::int64_t matrix) {
    using Distribution = InitialWeights::Distribution;
    const auto in = static_cast<double>(config.dim);
    const double both = in + static_cast<double>(config.columnsOf(matrix));
    switch (config.initialisation) {
    case Initialisation::Scaled:
        return {Distribution::Normal, 1 / std::sqrt(in)};
    case Initialisation::Truncated:
        return {Distribution::TruncatedNormal, 1 / std::sqrt(in)};
    case Initialisation::Naive:
        break;
    case Initialisation::XavierUniform:
        return {Distribution::Uniform, std::sqrt(6 / both)};
    case Initialisation::XavierNormal:
        return {Distribution::Normal, std::sqrt(2 / both)};
    case Initialisation::HeUniform:
        return {Distribution::Uniform, std::sqrt(6 / in)};
    case Initialisation::HeNormal:
        return {Distribution::Normal, std::sqrt(2 / in)};
    case Initialisation::Fixed:
        return {Distribution::Normal, config.initialDeviation};
    }
    return {};
}

}  // namespace plumb

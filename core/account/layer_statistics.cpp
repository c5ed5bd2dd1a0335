// SPDX-License-Identifier: Apache-2.0
#include "core/account/layer_statistics.h"

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

bool isCounted(Dtype dtype) {
    return dtype == Dtype::Fp16 || dtype == Dtype::Fp8E4M3 || dtype == Dtype::Fp8E5M2;
}

}  // namespace

double initialGrowthPerLayer(const RunConfig& config) {
    double growth = 1;  // standard deviation 1 / sqrt(D), times sqrt(D)
    if (config.initialisation == Initialisation::Truncated) growth = truncatedDeviation();
    if (config.initialisation == Initialisation::Naive) growth = std::sqrt(static_cast<double>(config.dim));
    return config.activation == Activation::Relu ? growth / std::numbers::sqrt2 : growth;
}

double roundedPerStep(const RunConfig& config, TensorRole role, std::int32_t layer) {
    const bool head = layer > config.layers;
    const auto matrix =
        static_cast<double>(config.dim) * static_cast<double>(head ? config.outputs : config.dim);
    const auto rows = static_cast<double>(config.batch);
    switch (role) {
    case TensorRole::Features:
    case TensorRole::Activation:
        return isCounted(config.activationDtype()) ? rows * static_cast<double>(config.dim) : 0;
    case TensorRole::Weight:
        return isCounted(config.weightDtype()) ? matrix : 0;
    case TensorRole::Gradient:  // added to by every micro-batch
        return isCounted(config.parameterGradientDtype())
                   ? matrix * static_cast<double>(config.microBatches())
                   : 0;
    case TensorRole::ActivationGradient:
    case TensorRole::HeadGradient:
        return isCounted(config.activationGradientDtype())
                   ? rows * static_cast<double>(head ? config.outputs : config.dim)
                   : 0;
    default:
        return 0;
    }
}

std::string_view statisticsRoleName(TensorRole role) {
    switch (role) {
    case TensorRole::Features:
    case TensorRole::Activation:
        return "activation";
    case TensorRole::Weight:
        return "weight";
    case TensorRole::Gradient:
        return "gradient";
    case TensorRole::ActivationGradient:
    case TensorRole::HeadGradient:
        return "activation_gradient";
    default:
        return {};
    }
}

std::optional<TensorRole> statisticsRoleFromName(std::string_view name) {
    for (const TensorRole role :
         {TensorRole::Activation, TensorRole::Weight, TensorRole::Gradient, TensorRole::ActivationGradient})
        if (statisticsRoleName(role) == name) return role;
    return std::nullopt;
}

}  // namespace plumb

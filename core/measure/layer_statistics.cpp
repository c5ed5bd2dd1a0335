// SPDX-License-Identifier: Apache-2.0
#include "core/measure/layer_statistics.h"

#include "core/model/initial_weights.h"
#include "core/plan/shards.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace plumb {

namespace {

bool isCounted(Dtype dtype) {
    return dtype == Dtype::Fp16 || dtype == Dtype::Fp8E4M3 || dtype == Dtype::Fp8E5M2;
}

}  // namespace

double initialGrowthPerLayer(const RunConfig& config) {
    // All layers are alike; without any the growth is that of a layer there would be.
    RunConfig layered = config;
    layered.layers = std::max<std::int64_t>(config.layers, 1);
    const double growth = initialWeights(layered, 1).deviation() * std::sqrt(static_cast<double>(config.dim));
    return config.activation == Activation::Relu ? growth / std::numbers::sqrt2 : growth;
}

std::optional<double> measuredGrowthPerLayer(const RunConfig& config, const LayerStatistics& statistics,
                                             TensorRole role) {
    const bool forward = role == TensorRole::Activation;
    if (!forward && role != TensorRole::ActivationGradient) return std::nullopt;
    const std::int64_t first = forward ? 0 : config.layers;
    const std::int64_t last = forward ? config.layers : 1;
    const std::int64_t between = std::abs(last - first);
    const auto scaleOf = [&](std::int64_t layer) {
        for (const TensorStatistics& tensor : statistics.tensors)
            if (tensor.role == role && tensor.layer == layer) return tensor.rootMeanSquare.value_or(0);
        return 0.0;
    };
    const double from = scaleOf(first);
    const double to = scaleOf(last);
    if (config.layers < 1 || between < 1 || !(from > 0) || !(to > 0)) return std::nullopt;
    if (!std::isfinite(from) || !std::isfinite(to)) return std::nullopt;
    return std::pow(to / from, 1 / static_cast<double>(between));
}

double roundedIn(double steps, const RunConfig& config, TensorRole role, std::int32_t layer) {
    const auto columns = static_cast<double>(layer > config.layers ? config.outputs : widthOf(config, layer));
    const double matrix = static_cast<double>(partOf(config, std::max(layer, 1)).elements());
    const auto rows = static_cast<double>(config.rankBatch());
    // An update sees the first rank's slice where ranks share states, and the first weights all of them.
    const double own = static_cast<double>(ownSlice(config, {}, std::max(layer, 1)).elements());
    switch (role) {
    case TensorRole::Features:
    case TensorRole::Activation:
        if (layer == 0 && config.keepsBatch()) steps = 1;
        return isCounted(config.activationDtype())
                   ? steps * rows * static_cast<double>(widthOf(config, layer))
                   : 0;
    case TensorRole::Weight:
        return isCounted(config.weightDtype()) ? steps * own + matrix : 0;
    case TensorRole::Gradient:  // looked at when it is whole
        return isCounted(config.parameterGradientDtype()) ? steps * own : 0;
    case TensorRole::ActivationGradient:
    case TensorRole::HeadGradient:
        return isCounted(config.activationGradientDtype()) ? steps * rows * columns : 0;
    default:
        return 0;
    }
}

std::string_view statisticsRoleName(TensorRole role) {
    if (role == TensorRole::Features) role = TensorRole::Activation;
    if (role == TensorRole::HeadGradient) role = TensorRole::ActivationGradient;
    return kStatisticsRoleNames.name(role);
}

}  // namespace plumb

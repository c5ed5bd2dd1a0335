// SPDX-License-Identifier: Apache-2.0
#include "core/account/layer_statistics.h"

namespace plumb {

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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace plumb {

/// What a backend saw of one tensor while it trained.
struct TensorStatistics {
    TensorRole role{};
    std::int32_t layer = 0;                ///< 0: the features; L + 1: the head, or the gradient of y
    std::optional<double> rootMeanSquare;  ///< in the step; absent where nobody wrote the tensor
    std::optional<double> amax;
    double overflowed = 0;   ///< in steps with statistics: values beyond the largest finite one of the format
    double underflowed = 0;  ///< in steps with statistics: values that were not 0 and became 0
    bool operator==(const TensorStatistics&) const = default;
};

/// All tracked tensors in one step with statistics: activations (features first), weights, gradients of the
/// parameters, gradients of the activations, each from the first layer to the last.
struct LayerStatistics {
    std::int64_t step = 0;  ///< 0-based
    std::vector<TensorStatistics> tensors;
    /// Steps of the run so far with statistics, whose values were counted; absent in files of before,
    /// where those of every step were.
    std::optional<std::int64_t> observedSteps{};

    /// Steps whose values were counted.
    [[nodiscard]] std::int64_t countedSteps() const { return observedSteps.value_or(step + 1); }
    bool operator==(const LayerStatistics&) const = default;
};

/// The factor by which the root mean square of the activations grows from one layer to the next under the
/// initial weights, in expectation: their standard deviation * sqrt(D), with ReLU times sqrt(1/2), since it
/// clears one half of a symmetric distribution. Going back, gradients of activations grow by the same.
[[nodiscard]] double initialGrowthPerLayer(const RunConfig& config);

/// The same as it was seen: from the features to the last layer's activations, or from the last layer's
/// gradient of the activations to the first one's, as the factor per layer. Absent for another role, with
/// fewer than one layer in between, and where a scale is missing, 0 or not finite.
[[nodiscard]] std::optional<double>
measuredGrowthPerLayer(const RunConfig& config, const LayerStatistics& statistics, TensorRole role);

/// How many values of a tracked tensor are rounded into its format in so many observed steps, and so can
/// over- or underflow: weights once more, when they get their first values, and a batch that stays no more
/// than once. 0 where the format has the range of fp32 and nothing is counted.
[[nodiscard]] double roundedIn(double steps, const RunConfig& config, TensorRole role, std::int32_t layer);

/// The roles that are tracked, as in files.
inline constexpr auto kStatisticsRoleNames =
    enumNames<TensorRole>({{TensorRole::Activation, "activation"},
                           {TensorRole::Weight, "weight"},
                           {TensorRole::Gradient, "gradient"},
                           {TensorRole::ActivationGradient, "activation_gradient"}});
/// Empty for a role that is not tracked. Features count as the activation of layer 0, the gradient of y as
/// that of layer L + 1.
[[nodiscard]] std::string_view statisticsRoleName(TensorRole role);

}  // namespace plumb

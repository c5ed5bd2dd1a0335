// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace plumb::common {

/// An update rule with its switches set. Which states it reads and writes, in order:
///
///   Sgd                       none
///   Momentum, Nesterov        momentum buffer
///   Adagrad                   sum of squares
///   RmsProp                   mean square
///   RmsPropMomentum           mean square, momentum buffer
///   RmsPropCentered           mean square, mean
///   RmsPropCenteredMomentum   mean square, momentum buffer, mean
///   Adam, AdamW               mean, mean square
///   ...Amsgrad                mean, mean square, largest mean square
///   Lion                      mean
enum class Rule : std::uint8_t {
    Sgd,
    Momentum,
    Nesterov,
    Adagrad,
    RmsProp,
    RmsPropMomentum,
    RmsPropCentered,
    RmsPropCenteredMomentum,
    Adam,
    AdamAmsgrad,
    AdamW,
    AdamWAmsgrad,
    Lion,
};
inline constexpr std::size_t kRules = 13;

/// The numbers of one step that are the same for every parameter.
struct RuleConstants {
    float rate = 0;      ///< Adam, AdamW: divided by the first bias correction
    float decay = 0;     ///< added to the gradient, times the parameter
    float keep = 1;      ///< decoupled decay: 1 - learning rate * weight decay
    float momentum = 0;  ///< share of the buffer that stays; 0 at a buffer's first step
    float gradientShare =
        1;  ///< share of the gradient in the momentum buffer: 1 - dampening; 1 at the first step
    float lookAhead = 0;         ///< Nesterov: share of the buffer that is added to the gradient
    float beta1 = 0;             ///< Lion
    float beta1Rest = 0;         ///< 1 - beta1; RMSProp's mean: 1 - alpha
    float beta2 = 0;             ///< RMSProp: alpha
    float beta2Rest = 0;         ///< 1 - beta2
    float secondCorrection = 1;  ///< Adam, AdamW: 1 / sqrt(1 - beta2^step)
    float epsilon = 0;           ///< added to the square root
};

/// The same for Adafactor; see torch.optim.Adafactor for the names.
struct AdafactorConstants {
    double meanShare = 1;   ///< share of the new mean squares: step ^ beta2-decay
    double rate = 0;        ///< rho: min(learning rate, 1 / sqrt(step)); times the parameters' scale
    double leastScale = 0;  ///< epsilon2
    double epsilon = 0;     ///< epsilon1
    double threshold = 1;   ///< d
    double keep = 1;        ///< 1 - learning rate * weight decay
};

/// What a configuration says about its update rule, as far as the constants of a step follow from it.
struct RuleSettings {
    /// Which of the constants depend on the step.
    enum class Kind : std::int32_t { Plain, Momentum, Adagrad, RmsProp, Adam, Adafactor };
    Kind kind = Kind::Plain;
    double decay = 0;
    double beta1 = 0;
    double beta2 = 0;  ///< RMSProp: alpha
    double momentum = 0;
    double dampening = 0;
    double epsilon = 0;
    double rateDecay = 0;   ///< AdaGrad
    double beta2Decay = 0;  ///< Adafactor ...
    double epsilon2 = 0;    ///< ... and what follows
    double clipThreshold = 1;
};

/// What is the same for all parameters at update number `step` (1-based) with this learning rate; in double
/// precision, as torch.optim computes its scalars.
[[nodiscard]] PLUMB_HOST_DEVICE inline RuleConstants ruleConstantsAt(const RuleSettings& settings,
                                                                     double learningRate, std::int64_t step) {
    const auto steps = static_cast<double>(step);
    double rate = learningRate;
    RuleConstants constants{.decay = static_cast<float>(settings.decay),
                            .keep = static_cast<float>(1 - learningRate * settings.decay),
                            .momentum = static_cast<float>(settings.momentum),
                            .lookAhead = static_cast<float>(settings.momentum),
                            .beta1 = static_cast<float>(settings.beta1),
                            .beta1Rest = static_cast<float>(1 - settings.beta1),
                            .beta2 = static_cast<float>(settings.beta2),
                            .beta2Rest = static_cast<float>(1 - settings.beta2),
                            .epsilon = static_cast<float>(settings.epsilon)};
    switch (settings.kind) {
    case RuleSettings::Kind::Momentum:
        // The buffer starts as the gradient itself, whatever the dampening.
        if (step <= 1) constants.momentum = 0;
        if (step > 1) constants.gradientShare = static_cast<float>(1 - settings.dampening);
        break;
    case RuleSettings::Kind::Adagrad:
        rate /= 1 + (steps - 1) * settings.rateDecay;
        break;
    case RuleSettings::Kind::RmsProp:
        constants.beta1Rest = constants.beta2Rest;
        break;
    case RuleSettings::Kind::Adam:
        rate /= 1 - std::pow(settings.beta1, steps);
        constants.secondCorrection = static_cast<float>(1 / std::sqrt(1 - std::pow(settings.beta2, steps)));
        break;
    case RuleSettings::Kind::Plain:
    case RuleSettings::Kind::Adafactor:
        break;
    }
    constants.rate = static_cast<float>(rate);
    return constants;
}

[[nodiscard]] PLUMB_HOST_DEVICE inline AdafactorConstants
adafactorConstantsAt(const RuleSettings& settings, double learningRate, std::int64_t step) {
    const auto steps = static_cast<double>(step);
    const double most = 1 / std::sqrt(steps);
    return AdafactorConstants{.meanShare = std::pow(steps, settings.beta2Decay),
                              .rate = most < learningRate ? most : learningRate,
                              .leastScale = settings.epsilon2,
                              .epsilon = settings.epsilon,
                              .threshold = settings.clipThreshold,
                              .keep = 1 - learningRate * settings.decay};
}

}  // namespace plumb::common

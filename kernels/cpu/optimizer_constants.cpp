// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/optimizer_constants.h"

#include <algorithm>
#include <cmath>

namespace plumb::cpu {

Rule ruleOf(const RunConfig& config) {
    const bool amsgrad = config.isOn(Setting::Amsgrad);
    switch (config.optimizer) {
    case Optimizer::Sgd:
    case Optimizer::Adafactor:
        break;
    case Optimizer::Momentum:
        return config.isOn(Setting::Nesterov) ? Rule::Nesterov : Rule::Momentum;
    case Optimizer::Adagrad:
        return Rule::Adagrad;
    case Optimizer::RmsProp:
        if (config.setting(Setting::Momentum) > 0)
            return config.isOn(Setting::Centered) ? Rule::RmsPropCenteredMomentum : Rule::RmsPropMomentum;
        return config.isOn(Setting::Centered) ? Rule::RmsPropCentered : Rule::RmsProp;
    case Optimizer::Adam:
        return amsgrad ? Rule::AdamAmsgrad : Rule::Adam;
    case Optimizer::AdamW:
        return amsgrad ? Rule::AdamWAmsgrad : Rule::AdamW;
    case Optimizer::Lion:
        return Rule::Lion;
    }
    return Rule::Sgd;
}

RuleConstants ruleConstants(const RunConfig& config, double learningRate, std::int64_t step) {
    const double decay = config.effectiveWeightDecay();
    const double beta1 = config.setting(Setting::Beta1);
    const double beta2 =
        config.setting(config.optimizer == Optimizer::RmsProp ? Setting::Alpha : Setting::Beta2);
    const double momentum = config.setting(Setting::Momentum);
    const auto steps = static_cast<double>(step);
    double rate = learningRate;
    RuleConstants constants;
    constants.decay = static_cast<float>(decay);
    constants.keep = static_cast<float>(1 - learningRate * decay);
    constants.momentum = static_cast<float>(momentum);
    constants.lookAhead = static_cast<float>(momentum);
    constants.beta1 = static_cast<float>(beta1);
    constants.beta1Rest = static_cast<float>(1 - beta1);
    constants.beta2 = static_cast<float>(beta2);
    constants.beta2Rest = static_cast<float>(1 - beta2);
    constants.epsilon = static_cast<float>(config.setting(Setting::Epsilon));
    switch (config.optimizer) {
    case Optimizer::Momentum:
        // The buffer starts as the gradient itself, whatever the dampening.
        if (step <= 1) constants.momentum = 0;
        if (step > 1) constants.gradientShare = static_cast<float>(1 - config.setting(Setting::Dampening));
        break;
    case Optimizer::Adagrad:
        rate /= 1 + (steps - 1) * config.setting(Setting::LrDecay);
        break;
    case Optimizer::RmsProp:
        constants.beta1Rest = constants.beta2Rest;
        break;
    case Optimizer::Adam:
    case Optimizer::AdamW:
        rate /= 1 - std::pow(beta1, steps);
        constants.secondCorrection = static_cast<float>(1 / std::sqrt(1 - std::pow(beta2, steps)));
        break;
    case Optimizer::Sgd:
    case Optimizer::Lion:
    case Optimizer::Adafactor:
        break;
    }
    constants.rate = static_cast<float>(rate);
    return constants;
}

AdafactorConstants adafactorConstants(const RunConfig& config, double learningRate, std::int64_t step) {
    const auto steps = static_cast<double>(step);
    AdafactorConstants constants;
    constants.meanShare = std::pow(steps, config.setting(Setting::Beta2Decay));
    constants.rate = std::min(learningRate, 1 / std::sqrt(steps));
    constants.leastScale = config.setting(Setting::Epsilon2);
    constants.epsilon = config.setting(Setting::Epsilon);
    constants.threshold = config.setting(Setting::ClipThreshold);
    constants.keep = 1 - learningRate * config.effectiveWeightDecay();
    return constants;
}

}  // namespace plumb::cpu

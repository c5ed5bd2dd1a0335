// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/rule_settings.h"

namespace plumb::common {

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

RuleSettings ruleSettings(const RunConfig& config) {
    using Kind = RuleSettings::Kind;
    RuleSettings settings{
        .decay = config.effectiveWeightDecay(),
        .beta1 = config.setting(Setting::Beta1),
        .beta2 = config.setting(config.optimizer == Optimizer::RmsProp ? Setting::Alpha : Setting::Beta2),
        .momentum = config.setting(Setting::Momentum),
        .dampening = config.setting(Setting::Dampening),
        .epsilon = config.setting(Setting::Epsilon),
        .rateDecay = config.setting(Setting::LrDecay),
        .beta2Decay = config.setting(Setting::Beta2Decay),
        .epsilon2 = config.setting(Setting::Epsilon2),
        .clipThreshold = config.setting(Setting::ClipThreshold)};
    switch (config.optimizer) {
    case Optimizer::Momentum:
        settings.kind = Kind::Momentum;
        break;
    case Optimizer::Adagrad:
        settings.kind = Kind::Adagrad;
        break;
    case Optimizer::RmsProp:
        settings.kind = Kind::RmsProp;
        break;
    case Optimizer::Adam:
    case Optimizer::AdamW:
        settings.kind = Kind::Adam;
        break;
    case Optimizer::Adafactor:
        settings.kind = Kind::Adafactor;
        break;
    case Optimizer::Sgd:
    case Optimizer::Lion:
        break;
    }
    return settings;
}

RuleConstants ruleConstants(const RunConfig& config, double learningRate, std::int64_t step) {
    return ruleConstantsAt(ruleSettings(config), learningRate, step);
}

AdafactorConstants adafactorConstants(const RunConfig& config, double learningRate, std::int64_t step) {
    return adafactorConstantsAt(ruleSettings(config), learningRate, step);
}

}  // namespace plumb::common

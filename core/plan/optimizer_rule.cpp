// SPDX-License-Identifier: Apache-2.0
#include "core/plan/optimizer_rule.h"

#include <initializer_list>

namespace plumb {

OptimizerStates optimizerStates(const RunConfig& config) {
    OptimizerStates states;
    const auto add = [&states](OptimizerState state) { states.kind[states.count++] = state; };
    switch (config.optimizer) {
    case Optimizer::Sgd:
        break;
    case Optimizer::Momentum:
    case Optimizer::Lion:
        add(OptimizerState::MomentumBuffer);
        break;
    case Optimizer::Adagrad:
        add(OptimizerState::SumOfSquares);
        break;
    case Optimizer::RmsProp:
        add(OptimizerState::MeanSquare);
        if (config.setting(Setting::Momentum) > 0) add(OptimizerState::MomentumBuffer);
        if (config.isOn(Setting::Centered)) add(OptimizerState::MeanGradient);
        break;
    case Optimizer::Adam:
    case Optimizer::AdamW:
        add(OptimizerState::FirstMoment);
        add(OptimizerState::SecondMoment);
        if (config.isOn(Setting::Amsgrad)) add(OptimizerState::LargestSecondMoment);
        break;
    case Optimizer::Adafactor:
        add(OptimizerState::RowMeanSquare);
        add(OptimizerState::ColumnMeanSquare);
        break;
    }
    return states;
}

int stateIndex(const RunConfig& config, OptimizerState state) {
    const OptimizerStates states = optimizerStates(config);
    for (std::size_t i = 0; i < states.count; ++i)
        if (states.kind[i] == state) return static_cast<int>(i);
    return -1;
}

Flops optimizerFlopsPerParameter(const RunConfig& config) {
    const bool decays = config.effectiveWeightDecay() != 0;
    const bool decoupled = config.optimizer == Optimizer::AdamW || config.optimizer == Optimizer::Lion ||
                           config.optimizer == Optimizer::Adafactor;
    const Flops decay = decays ? (decoupled ? 1 : 2) : 0;
    const Flops passes = config.optimizer == Optimizer::Adafactor ? 4 : 1;
    const Flops factor = config.scalesLoss() || config.clipNorm > 0 ? passes : 0;
    const auto extra = [&config](Setting setting, Flops flops) {
        return config.setting(setting) != 0 ? flops : 0;
    };
    const auto rule = [&]() -> Flops {
        switch (config.optimizer) {
        case Optimizer::Sgd:
            return 2;
        case Optimizer::Momentum:
            return 4 + extra(Setting::Dampening, 1) + extra(Setting::Nesterov, 2);
        case Optimizer::Adagrad:
            return 7;
        case Optimizer::RmsProp:
            return 9 + extra(Setting::Momentum, 2) + extra(Setting::Centered, 5);
        case Optimizer::Adam:
        case Optimizer::AdamW:
            return 13 + extra(Setting::Amsgrad, 1);
        case Optimizer::Lion:
            return 9;
        case Optimizer::Adafactor:
            return 16;
        }
        return 0;
    };
    return rule() + decay + factor;
}

std::string_view optimizerLabel(Optimizer optimizer) {
    switch (optimizer) {
    case Optimizer::Sgd:
        return "SGD";
    case Optimizer::Momentum:
        return "SGD with momentum";
    case Optimizer::Adagrad:
        return "AdaGrad";
    case Optimizer::RmsProp:
        return "RMSProp";
    case Optimizer::Adam:
        return "Adam";
    case Optimizer::AdamW:
        return "AdamW";
    case Optimizer::Lion:
        return "Lion";
    case Optimizer::Adafactor:
        return "Adafactor";
    }
    return {};
}

std::string_view stateLabel(OptimizerState state) {
    switch (state) {
    case OptimizerState::MomentumBuffer:
        return "momentum";
    case OptimizerState::SumOfSquares:
        return "sum of squared gradients";
    case OptimizerState::MeanSquare:
        return "mean of squared gradients";
    case OptimizerState::MeanGradient:
        return "mean gradient";
    case OptimizerState::FirstMoment:
        return "first moment";
    case OptimizerState::SecondMoment:
        return "second moment";
    case OptimizerState::LargestSecondMoment:
        return "largest second moment";
    case OptimizerState::RowMeanSquare:
        return "mean squared gradient of rows";
    case OptimizerState::ColumnMeanSquare:
        return "mean squared gradient of columns";
    }
    return {};
}

std::string_view stateName(OptimizerState state, Optimizer optimizer) {
    switch (state) {
    case OptimizerState::MomentumBuffer:
        return optimizer == Optimizer::Lion ? "exp_avg" : "momentum_buffer";
    case OptimizerState::SumOfSquares:
        return "sum";
    case OptimizerState::MeanSquare:
        return "square_avg";
    case OptimizerState::MeanGradient:
        return "grad_avg";
    case OptimizerState::FirstMoment:
        return "exp_avg";
    case OptimizerState::SecondMoment:
        return "exp_avg_sq";
    case OptimizerState::LargestSecondMoment:
        return "max_exp_avg_sq";
    case OptimizerState::RowMeanSquare:
        return "row_var";
    case OptimizerState::ColumnMeanSquare:
        return "col_var";
    }
    return {};
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/model/run_config.h"

#include "core/model/data_path.h"
#include "core/model/names.h"

#include <cmath>
#include <limits>

namespace plumb {

std::string_view name(Activation value) { return kActivationNames.name(value); }
std::string_view name(Precision value) { return kPrecisionNames.name(value); }
std::string_view name(GradientPrecision value) { return kGradientPrecisionNames.name(value); }
std::string_view name(Optimizer value) { return kOptimizerNames.name(value); }
std::string_view name(Schedule value) { return kScheduleNames.name(value); }
std::string_view name(Initialisation value) { return kInitialisationNames.name(value); }
std::string_view name(DataFormat value) { return kDataFormatNames.name(value); }
std::string_view name(TokenWindows value) { return kTokenWindowNames.name(value); }
std::string_view name(BackendChoice value) { return kBackendNames.name(value); }

std::optional<double> settingDefault(Optimizer optimizer, Setting setting) {
    struct Default {
        Setting setting;
        double value;
    };
    const auto pick = [setting](std::initializer_list<Default> defaults) -> std::optional<double> {
        for (const Default& entry : defaults)
            if (entry.setting == setting) return entry.value;
        return std::nullopt;
    };
    switch (optimizer) {
    case Optimizer::Sgd:
        return std::nullopt;
    case Optimizer::Momentum:
        return pick({{Setting::Momentum, 0.9}, {Setting::Dampening, 0}, {Setting::Nesterov, 0}});
    case Optimizer::Adagrad:
        return pick({{Setting::LrDecay, 0}, {Setting::InitialAccumulator, 0}, {Setting::Epsilon, 1e-10}});
    case Optimizer::RmsProp:
        return pick({{Setting::Alpha, 0.99},
                     {Setting::Epsilon, 1e-8},
                     {Setting::Momentum, 0},
                     {Setting::Centered, 0}});
    case Optimizer::Adam:
    case Optimizer::AdamW:
        return pick({{Setting::Beta1, 0.9},
                     {Setting::Beta2, 0.999},
                     {Setting::Epsilon, 1e-8},
                     {Setting::Amsgrad, 0}});
    case Optimizer::Lion:
        return pick({{Setting::Beta1, 0.9}, {Setting::Beta2, 0.99}});
    case Optimizer::Adafactor:
        return pick({{Setting::Beta2Decay, -0.8},
                     {Setting::Epsilon, static_cast<double>(std::numeric_limits<float>::epsilon())},
                     {Setting::Epsilon2, 1e-3},
                     {Setting::ClipThreshold, 1}});
    }
    return std::nullopt;
}

Dtype RunConfig::computeDtype() const {
    switch (precision) {
    case Precision::Fp32:
        return Dtype::Fp32;
    case Precision::Tf32:
        return Dtype::Tf32;
    case Precision::Bf16:
        return Dtype::Bf16;
    case Precision::Fp16:
        return Dtype::Fp16;
    case Precision::Fp8:
        return Dtype::Fp8E4M3;
    }
    return Dtype::Fp32;
}

Dtype RunConfig::weightDtype() const { return precision == Precision::Tf32 ? Dtype::Fp32 : computeDtype(); }

Dtype RunConfig::activationGradientDtype() const {
    return precision == Precision::Fp8 ? Dtype::Fp8E5M2 : weightDtype();
}

Dtype RunConfig::parameterGradientDtype() const {
    if (gradientPrecision == GradientPrecision::Fp32) return Dtype::Fp32;
    return precision == Precision::Fp8 ? Dtype::Bf16 : weightDtype();
}

double RunConfig::effectiveLearningRate() const {
    if (learningRate) return *learningRate;
    switch (optimizer) {
    case Optimizer::Adagrad:
    case Optimizer::RmsProp:
    case Optimizer::Adafactor:
        return 1e-2;
    case Optimizer::Lion:
        return 1e-4;
    case Optimizer::Sgd:
    case Optimizer::Momentum:
    case Optimizer::Adam:
    case Optimizer::AdamW:
        break;
    }
    return 1e-3;
}

double RunConfig::effectiveWeightDecay() const {
    return weightDecay.value_or(optimizer == Optimizer::AdamW ? 1e-2 : 0.0);
}

double RunConfig::setting(Setting which) const {
    const std::optional<double> standard = settingDefault(optimizer, which);
    return standard ? settings[which].value_or(*standard) : 0.0;
}

DataFormat RunConfig::effectiveDataFormat() const {
    if (!readsFiles()) return DataFormat::Auto;
    if (dataFormat != DataFormat::Auto) return dataFormat;
    // An array without targets can only be token ids; its header says whether it is.
    const DataFormat format = formatOfName(data);
    return format == DataFormat::Npy && targets.empty() ? DataFormat::TokensNpy : format;
}

bool RunConfig::readsTokens() const {
    const DataFormat format = effectiveDataFormat();
    return format == DataFormat::TokensU16 || format == DataFormat::TokensI32 ||
           format == DataFormat::TokensNpy;
}

bool RunConfig::operator==(const RunConfig& other) const {
    for (const Setting each : kEnumerators<Setting>)
        if (setting(each) != other.setting(each)) return false;
    const bool fixed = initialisation == Initialisation::Fixed;
    const bool tokens = readsTokens();
    const bool rows = readsFiles() && !tokens;
    return dim == other.dim && layers == other.layers && head == other.head &&
           outputWidth() == other.outputWidth() && (!fixed || initialDeviation == other.initialDeviation) &&
           activation == other.activation && batch == other.batch && parallel == other.parallel &&
           microBatchSize() == other.microBatchSize() && precision == other.precision &&
           masterWeights == other.masterWeights && gradientPrecision == other.gradientPrecision &&
           optimizer == other.optimizer && effectiveLearningRate() == other.effectiveLearningRate() &&
           effectiveWeightDecay() == other.effectiveWeightDecay() && clipNorm == other.clipNorm &&
           schedule == other.schedule && warmUpSteps == other.warmUpSteps &&
           scheduleSteps == other.scheduleSteps && minimumLearningRate == other.minimumLearningRate &&
           gamma == other.gamma && lossScaling == other.lossScaling && recompute == other.recompute &&
           initialisation == other.initialisation && seed == other.seed && noise == other.noise &&
           keepsBatch() == other.keepsBatch() && data == other.data &&
           effectiveDataFormat() == other.effectiveDataFormat() && targets == other.targets &&
           (!tokens || vocabulary == other.vocabulary) && (!tokens || tokenWindows == other.tokenWindows) &&
           (!rows || standardize == other.standardize) &&
           (!rows || standardizeTargets == other.standardizeTargets) &&
           (!readsFiles() || holdOut == other.holdOut) && backend == other.backend;
}

RateSchedule rateSchedule(const RunConfig& config) {
    RateSchedule schedule{.peak = config.effectiveLearningRate(),
                          .minimum = config.minimumLearningRate,
                          .gamma = config.gamma,
                          .warmUpSteps = config.warmUpSteps,
                          .scheduleSteps = config.scheduleSteps};
    switch (config.schedule) {
    case Schedule::Constant:
        break;
    case Schedule::Cosine:
        schedule.kind = RateSchedule::Kind::Cosine;
        break;
    case Schedule::Step:
        schedule.kind = RateSchedule::Kind::Step;
        break;
    }
    return schedule;
}

double learningRateAt(const RunConfig& config, std::int64_t step) {
    return rateAt(rateSchedule(config), step);
}

}  // namespace plumb

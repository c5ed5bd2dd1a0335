// SPDX-License-Identifier: Apache-2.0
// As dispatch.h, for what works on all parameters.
#pragma once

#include "kernels/cuda/bodies/adafactor_body.h"
#include "kernels/cuda/bodies/dispatch.h"
#include "kernels/cuda/bodies/optimizer_body.h"

namespace plumb::cuda {

/// Calls work.template operator()<kWeight, kGradient>() for a recipe's storages.
template <class Work>
int forRecipe(const Parameters& p, Work&& work) {
    const bool wide = p.gradient == Storage::Fp32;
    switch (p.weight) {
    case Storage::Fp32:
    case Storage::Tf32:
        return wide ? work.template operator()<Storage::Fp32, Storage::Fp32>() : kNoKernel;
    case Storage::Bf16:
        if (wide) return work.template operator()<Storage::Bf16, Storage::Fp32>();
        return p.gradient == Storage::Bf16 ? work.template operator()<Storage::Bf16, Storage::Bf16>()
                                           : kNoKernel;
    case Storage::Fp16:
        if (wide) return work.template operator()<Storage::Fp16, Storage::Fp32>();
        return p.gradient == Storage::Fp16 ? work.template operator()<Storage::Fp16, Storage::Fp16>()
                                           : kNoKernel;
    case Storage::Fp8E4M3:
        if (wide) return work.template operator()<Storage::Fp8E4M3, Storage::Fp32>();
        return p.gradient == Storage::Bf16 ? work.template operator()<Storage::Fp8E4M3, Storage::Bf16>()
                                           : kNoKernel;
    case Storage::Fp8E5M2:
        break;
    }
    return kNoKernel;
}

/// Steps that nobody observes ask whether all is finite, which the amax tells: those of fp16 always, and none
/// that have gradients in bf16.
template <Storage kGradient, class Launcher>
int launchGradientsOf(const Launcher& launcher, const GradientArguments& a) {
    if (a.tally && (a.writesStatistics || kGradient == Storage::Bf16))
        return launcher.template launch<GradientBody<kGradient, Tallies::All>>(a);
    if constexpr (kGradient != Storage::Bf16)
        if (a.tally || kGradient == Storage::Fp16)
            return launcher.template launch<GradientBody<kGradient, Tallies::Amax>>(a);
    if constexpr (kGradient != Storage::Fp16)
        return launcher.template launch<GradientBody<kGradient, Tallies::None>>(a);
    else
        return kNoKernel;
}
template <class Launcher>
int dispatchGradients(const Launcher& launcher, const GradientArguments& a) {
    switch (a.parameters.gradient) {
    case Storage::Fp32:
        return launchGradientsOf<Storage::Fp32>(launcher, a);
    case Storage::Bf16:
        return launchGradientsOf<Storage::Bf16>(launcher, a);
    case Storage::Fp16:
        return launchGradientsOf<Storage::Fp16>(launcher, a);
    default:
        return kNoKernel;
    }
}

/// One rule at a time, so that the rules can be compiled in several files. Pre: kernelOf(kRule) == kRule.
template <class Policy, Storage kWeight, Storage kGradient, class Launcher>
int dispatchUpdate(const Launcher& launcher, const OptimizerArguments& a) {
    return launcher.template launch<UpdateBody<Policy, kWeight, kGradient>>(a);
}
template <Rule kRule, class Launcher>
int dispatchRule(const Launcher& launcher, const OptimizerArguments& a) {
    return forRecipe(a.parameters, [&]<Storage kWeight, Storage kGradient>() {
        return dispatchUpdate<RulePolicy<kRule>, kWeight, kGradient>(launcher, a);
    });
}

template <class Launcher>
int dispatchAdafactor(const Launcher& launcher, const OptimizerArguments& a) {
    return forRecipe(a.parameters, [&]<Storage kWeight, Storage kGradient>() {
        if (const int error = launcher.template launch<AdafactorRowsBody<kWeight, kGradient>>(a))
            return error;
        if (const int error = launcher.template launch<AdafactorFactorsBody>(a)) return error;
        if (const int error = launcher.template launch<AdafactorNormBody<kGradient>>(a)) return error;
        return dispatchUpdate<AdafactorPolicy, kWeight, kGradient>(launcher, a);
    });
}

}  // namespace plumb::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/bodies/dispatch_parameters.h"

#include <utility>

namespace plumb::test {

template <class Launcher, std::size_t... kIndices>
int dispatchAnyRule(const Launcher& launcher, const cuda::OptimizerArguments& a,
                    std::index_sequence<kIndices...> /*rules*/) {
    int error = cuda::kNoKernel;
    const auto tryOne = [&]<cuda::Rule kRule>() {
        if constexpr (cuda::kernelOf(kRule) == kRule)
            if (cuda::kernelOf(a.rule) == kRule) error = cuda::dispatchRule<kRule>(launcher, a);
    };
    (tryOne.template operator()<static_cast<cuda::Rule>(kIndices)>(), ...);
    return error;
}

/// The update of any optimizer: what the .cu files of kernels/cuda have in two places, so that they compile
/// side by side.
template <class Launcher>
int dispatchOptimizer(const Launcher& launcher, const cuda::OptimizerArguments& arguments) {
    if (arguments.adafactor != nullptr) return cuda::dispatchAdafactor(launcher, arguments);
    return dispatchAnyRule(launcher, arguments, std::make_index_sequence<common::kRules>());
}

}  // namespace plumb::test

// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/bodies/dispatch_parameters.h"
#include "tests/kernels/device/emulated_runner.h"

#include <utility>

namespace plumb::test {

namespace {

template <std::size_t... kIndices>
int emulateRule(const cuda::HostLauncher& launcher, const cuda::OptimizerArguments& a,
                std::index_sequence<kIndices...> /*rules*/) {
    int error = cuda::kNoKernel;
    const auto tryOne = [&]<cuda::Rule kRule>() {
        if constexpr (cuda::kernelOf(kRule) == kRule)
            if (cuda::kernelOf(a.rule) == kRule) error = cuda::dispatchRule<kRule>(launcher, a);
    };
    (tryOne.template operator()<static_cast<cuda::Rule>(kIndices)>(), ...);
    return error;
}

}  // namespace

int emulateOptimizer(const cuda::HostLauncher& launcher, const cuda::OptimizerArguments& arguments) {
    if (arguments.adafactor != nullptr) return cuda::dispatchAdafactor(launcher, arguments);
    return emulateRule(launcher, arguments, std::make_index_sequence<common::kRules>());
}

}  // namespace plumb::test

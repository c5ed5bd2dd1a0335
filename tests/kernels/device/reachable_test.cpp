// SPDX-License-Identifier: Apache-2.0
// Which kernels are there: one for everything that a configuration can ask for, and no other. A kernel that
// nothing asks for takes seconds of every build, for each architecture.
#include "core/plan/control_tensors.h"
#include "kernels/common/rule_settings.h"
#include "kernels/common/tensor_memory.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cuda/bodies/dispatch_parameters.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace plumb::test {
namespace {

using cuda::Epilogue;
using cuda::Storage;
using Names = std::set<std::string>;

Names& compiledBodies() {
    static Names names;
    return names;
}

/// Instantiated with the code that could launch a body, whether or not it ever runs.
template <class Body>
struct Compiled {
    static bool note() { return compiledBodies().insert(typeid(Body).name()).second; }
    static inline const bool kNoted = note();
};

/// A launcher that notes what it is asked for and does nothing.
class NotingLauncher {
public:
    explicit NotingLauncher(Names& asked) : m_asked(&asked) {}
    template <class Body>
    int launch(const typename Body::Arguments& /*arguments*/) const {
        static_cast<void>(Compiled<Body>::kNoted);
        m_asked->insert(typeid(Body).name());
        return 0;
    }

private:
    Names* m_asked;
};

template <std::size_t... kIndices>
int launchRule(const NotingLauncher& launcher, const cuda::OptimizerArguments& a,
               std::index_sequence<kIndices...> /*rules*/) {
    int result = cuda::kNoKernel;
    const auto tryOne = [&]<cuda::Rule kRule>() {
        if constexpr (cuda::kernelOf(kRule) == kRule)
            if (cuda::kernelOf(a.rule) == kRule) result = cuda::dispatchRule<kRule>(launcher, a);
    };
    (tryOne.template operator()<static_cast<cuda::Rule>(kIndices)>(), ...);
    return result;
}

/// Every combination of what decides about storages and rules.
std::vector<RunConfig> allConfigs() {
    std::vector<RunConfig> all;
    for (int at = 0; at < 5 * 2 * 2 * 8 * 16; ++at) {
        int rest = at;
        const auto next = [&](int choices) { return std::exchange(rest, rest / choices) % choices; };
        RunConfig config;
        config.dim = 64;
        config.layers = 2;
        config.batch = 32;
        config.precision = static_cast<Precision>(next(5));
        config.gradientPrecision = static_cast<GradientPrecision>(next(2));
        config.masterWeights = next(2) == 1;
        config.optimizer = static_cast<Optimizer>(next(8));
        for (const Setting setting :
             {Setting::Nesterov, Setting::Centered, Setting::Amsgrad, Setting::Momentum})
            if (const double value = next(2); settingDefault(config.optimizer, setting))
                config.settings[setting] = setting == Setting::Momentum ? value * 0.5 : value;
        if (validate(config).has_value()) all.push_back(config);
    }
    return all;
}

/// What the ops of a step ask for, as kernels/cuda/op_launcher.cpp and layer_products.cpp do.
class Step {
public:
    Step(const RunConfig& config, Names& asked) : m_config(config), m_launcher(asked) {}

    /// Steps that somebody observes look at more.
    void launchAll() {
        for (const bool observed : {false, true}) {
            m_observed = observed;
            launchOps();
        }
    }

private:
    void launchOps() {
        load();
        for (const TensorRole role : {TensorRole::Activation, TensorRole::ActivationGradient}) product(role);
        head();
        parameters();
    }
    [[nodiscard]] cuda::Report report(Storage target) const {
        cuda::Report report;
        report.tally = m_observed || common::isFp8(target);
        report.writesStatistics = m_observed;
        return report;
    }
    [[nodiscard]] Storage storage(TensorRole role) const {
        return cpu::storageOf(common::storedAs(m_config, role));
    }
    [[nodiscard]] Storage operand(TensorRole role) const {
        return m_config.precision == Precision::Tf32 ? Storage::Tf32 : storage(role);
    }

    void load() {
        cuda::FillArguments fill;
        fill.out.storage = storage(TensorRole::Weight);
        fill.count = 64;
        EXPECT_EQ(cuda::dispatchFill(m_launcher, fill, false), 0);
        EXPECT_EQ(m_launcher.launch<cuda::ConstantBody>(cuda::ConstantArguments{}), 0);
        cuda::SynthesiseArguments make;
        make.x.storage = storage(TensorRole::Features);
        make.report = report(make.x.storage);
        make.rows = make.dim = 64;
        EXPECT_EQ(cuda::dispatchSynthesise(m_launcher, make, false), 0);
        cuda::LoadArguments staged;
        staged.x.storage = make.x.storage;
        staged.report = make.report;
        staged.rows = staged.dim = 64;
        EXPECT_EQ(cuda::dispatchLoad(m_launcher, staged, false), 0);
    }

    /// The pass over what a product of a layer stored.
    void product(TensorRole role) {
        const bool fp8 = m_config.precision == Precision::Fp8;
        std::uint32_t bits = 0;
        cuda::EncodeArguments pass;
        pass.out.storage = storage(role);
        pass.in.storage = fp8 ? Storage::Bf16 : pass.out.storage;
        pass.rows = pass.columns = 64;
        pass.bitStride = 128;
        pass.report = report(pass.out.storage);
        EXPECT_EQ(cuda::dispatchEncode(m_launcher, pass, false), 0);
        pass.epilogue = Epilogue::Mask;
        pass.mask.storage = storage(TensorRole::Activation);
        EXPECT_EQ(cuda::dispatchEncode(m_launcher, pass, false), 0);
        if (fp8) {
            EXPECT_EQ(m_launcher.launch<cuda::TransposeBody>(cuda::TransposeArguments{}), 0);
            return;
        }
        pass.bits = &bits;
        EXPECT_EQ(cuda::dispatchEncode(m_launcher, pass, false), 0);
        pass.epilogue = Epilogue::Relu;
        pass.writeBits = &bits;
        EXPECT_EQ(cuda::dispatchEncode(m_launcher, pass, false), 0);
    }

    void head() {
        cuda::HeadArguments forward;
        forward.rows = forward.dim = 64;
        forward.outputs = 1;
        forward.h.storage = operand(TensorRole::Activation);
        cuda::HeadArguments gradient = forward;
        gradient.dy.storage = operand(TensorRole::HeadGradient);
        forward.weight.storage = operand(TensorRole::Weight);
        EXPECT_EQ(cuda::dispatchHeadForward(m_launcher, forward), 0);
        EXPECT_EQ(cuda::dispatchHeadWeightGradient(m_launcher, gradient), 0);
        cuda::HeadArguments input = forward;
        input.h = {};
        input.dy = gradient.dy;
        input.report = report(storage(TensorRole::ActivationGradient));
        EXPECT_EQ(cuda::dispatchHeadInputGradient(m_launcher, input, false), 0);
        cuda::HeadPassArguments pass;
        pass.head = gradient;
        pass.head.weight = forward.weight;
        pass.dyReport = report(storage(TensorRole::HeadGradient));
        EXPECT_EQ(cuda::dispatchHeadPass(m_launcher, pass), 0);
        cuda::LossArguments loss;
        loss.dy.storage = storage(TensorRole::HeadGradient);
        loss.count = 64;
        loss.report = report(loss.dy.storage);
        EXPECT_EQ(cuda::dispatchLoss(m_launcher, loss, false), 0);
        loss.isActivation = true;  // of a chain without a head
        EXPECT_EQ(cuda::dispatchLoss(m_launcher, loss, false), 0);
    }

    void parameters() {
        cuda::Parameters all;
        all.layers = m_config.layers;
        all.dim = m_config.dim;
        all.outputs = m_config.outputs;
        all.weight = storage(TensorRole::Weight);
        all.gradient = cpu::storageOf(m_config.parameterGradientDtype());
        all.masters = m_config.hasMasterCopy();
        cuda::GradientArguments gradients;
        gradients.parameters = all;
        gradients.tally = m_observed || m_config.scalesLoss();
        gradients.writesStatistics = m_observed;
        EXPECT_EQ(cuda::dispatchGradients(m_launcher, gradients), 0);
        EXPECT_EQ(m_launcher.launch<cuda::TickBody>(cuda::TickArguments{}), 0);
        cuda::OptimizerArguments update;
        update.parameters = all;
        if (m_config.optimizer == Optimizer::Adafactor) {
            EXPECT_EQ(cuda::dispatchAdafactor(m_launcher, update), 0);
            return;
        }
        update.rule = common::ruleOf(m_config);
        EXPECT_EQ(launchRule(m_launcher, update, std::make_index_sequence<common::kRules>()), 0);
    }

    const RunConfig& m_config;
    NotingLauncher m_launcher;
    bool m_observed = false;
};

TEST(DeviceKernels, ServeEveryConfigurationAndNothingElse) {
    const std::vector<RunConfig> configs = allConfigs();
    ASSERT_GT(configs.size(), 500U);
    Names asked;
    for (const RunConfig& config : configs) Step(config, asked).launchAll();
    EXPECT_EQ(asked, compiledBodies());
}

TEST(DeviceKernels, OfARecipeThatDoesNotExistAreRefused) {
    Names asked;
    cuda::OptimizerArguments update;
    update.parameters.layers = update.parameters.dim = update.parameters.outputs = 1;
    update.parameters.weight = Storage::Bf16;
    update.parameters.gradient = Storage::Fp16;
    EXPECT_EQ(cuda::dispatchRule<cuda::Rule::Adam>(NotingLauncher(asked), update), cuda::kNoKernel);
    EXPECT_TRUE(asked.empty());
}

TEST(Tallies, AreTheLeastWhereNobodyLooks) {
    using cuda::Tallies;
    Tallies chosen{};
    const auto keep = [&]<Tallies kTallies>() {
        chosen = kTallies;
        return 0;
    };
    const auto of = [&]<Storage kStorage>(bool tally, bool statistics, bool first) {
        cuda::Report report;
        report.tally = tally;
        report.writesStatistics = statistics;
        EXPECT_EQ(cuda::forTallies<kStorage>(report, first, keep), 0);
        return chosen;
    };
    EXPECT_EQ((of.operator()<Storage::Bf16>(false, false, false)), Tallies::None);
    EXPECT_EQ((of.operator()<Storage::Fp8E4M3>(true, false, false)), Tallies::Amax);
    EXPECT_EQ((of.operator()<Storage::Fp8E4M3>(true, true, true)), Tallies::Amax);
    EXPECT_EQ((of.operator()<Storage::Bf16>(true, true, false)), Tallies::All);
    EXPECT_EQ((of.operator()<Storage::Fp8E4M3>(true, true, false)), Tallies::All);
}

}  // namespace
}  // namespace plumb::test

// SPDX-License-Identifier: Apache-2.0
// Every op that the device does with a kernel of its own, beside the CPU backend: from the same state, what
// is computed element by element has the same bits, and sums agree to rounding.
#include "tests/kernels/device/step_mirror.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace plumb::test {
namespace {

/// Sums in another order: fp32 sums of a few terms differ in their last bits.
constexpr double kSumTolerance = 2e-6;

enum class Equality { Bits, Sums };

Equality equalityOf(const RunConfig& config, const Op& op, TensorRole role) {
    switch (role) {
    case TensorRole::HeadOutput:
    case TensorRole::Loss:
    case TensorRole::Statistics:
        return Equality::Sums;
    case TensorRole::Gradient:
        return Equality::Sums;
    case TensorRole::Weight:
    case TensorRole::Master:
    case TensorRole::Moment1:
    case TensorRole::Moment2:
    case TensorRole::Scales:
        return config.optimizer == Optimizer::Adafactor && op.kind == OpKind::OptimizerStep ? Equality::Sums
                                                                                            : Equality::Bits;
    default:
        return Equality::Bits;
    }
}

/// Relative to the tensor's largest number; of what is stored narrower, one step of rounding.
double toleranceOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Bf16:
        return 1.0 / 128;
    case Dtype::Fp16:
        return 1.0 / 1024;
    case Dtype::Fp8E4M3:
        return 1.0 / 8;
    case Dtype::Fp8E5M2:
        return 1.0 / 4;
    default:
        return kSumTolerance;
    }
}

template <class T>
std::vector<double> numbersOf(const std::vector<std::byte>& bytes, double (*decode)(T)) {
    std::vector<double> numbers;
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
        T value;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        numbers.push_back(decode(value));
    }
    return numbers;
}
std::vector<double> decoded(Dtype dtype, const std::vector<std::byte>& bytes) {
    switch (dtype) {
    case Dtype::Fp64:
        return numbersOf<double>(bytes, [](double v) { return v; });
    case Dtype::Bf16:
        return numbersOf<std::uint16_t>(
            bytes, [](std::uint16_t v) { return static_cast<double>(floatFromBf16(v)); });
    case Dtype::Fp16:
        return numbersOf<std::uint16_t>(
            bytes, [](std::uint16_t v) { return static_cast<double>(floatFromFp16(v)); });
    case Dtype::Fp8E4M3:
        return numbersOf<std::uint8_t>(
            bytes, [](std::uint8_t v) { return static_cast<double>(floatFromFp8E4M3(v)); });
    case Dtype::Fp8E5M2:
        return numbersOf<std::uint8_t>(
            bytes, [](std::uint8_t v) { return static_cast<double>(floatFromFp8E5M2(v)); });
    default:
        return numbersOf<float>(bytes, [](float v) { return static_cast<double>(v); });
    }
}

void expectClose(const std::vector<double>& got, const std::vector<double>& expected, double tolerance,
                 bool eachForItself) {
    ASSERT_EQ(got.size(), expected.size());
    double largest = 0;
    for (const double value : expected)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] == expected[i]) continue;  // infinite ones too
        if (std::isnan(expected[i])) {
            EXPECT_TRUE(std::isnan(got[i])) << "number " << i << " is " << got[i];
            continue;
        }
        const double scale = eachForItself ? std::abs(expected[i]) : largest;
        EXPECT_LE(std::abs(got[i] - expected[i]), tolerance * scale)
            << "number " << i << ": " << got[i] << ", not " << expected[i];
    }
}

struct StepCase {
    std::string name;
    RunConfig config;
    bool writesStatistics = false;
};

void PrintTo(const StepCase& which, std::ostream* out) { *out << which.name; }

class DeviceStep : public OnRunner<testing::TestWithParam<StepCase>> {};

/// Compares all tensors that an op may have changed.
void expectSame(const StepMirror& mirror, const StepHarness& harness, const Op& op) {
    const StepPlan& plan = harness.plan;
    for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
        const Tensor& tensor = plan.tensors[id];
        if (harness.buffers[id].data == nullptr) continue;
        SCOPED_TRACE(opName(plan, op) + ", " + tensorName(plan, tensor));
        std::vector<std::byte> got = mirror.pull(id);
        got.resize(static_cast<std::size_t>(tensor.bytes()));
        const std::vector<std::byte> expected = harness.bytes(id);
        if (equalityOf(plan.config, op, tensor.role) == Equality::Bits) {
            EXPECT_TRUE(got == expected);
            continue;
        }
        const Dtype dtype = tensor.role == TensorRole::Scales ? Dtype::Fp32 : tensor.dtype;
        const bool control = tensor.role == TensorRole::Loss || tensor.role == TensorRole::Statistics;
        if (got != expected)
            expectClose(decoded(dtype, got), decoded(dtype, expected),
                        tensor.role == TensorRole::Scales ? kSumTolerance * 10 : toleranceOf(dtype), control);
    }
}

TEST_P(DeviceStep, ComputesWhatTheCpuDoes) {
    CpuBackendOptions options;
    options.threads = 1;
    StepHarness harness(GetParam().config, options);
    harness.writesStatistics = GetParam().writesStatistics;
    StepMirror mirror(runner(), harness);
    const StepPlan& plan = harness.plan;
    int launched = 0;
    const auto runBoth = [&](std::int32_t index, std::int64_t microBatch) {
        const Op& op = plan.op(index);
        mirror.push();
        const auto ran = harness.runOp(index, microBatch);
        ASSERT_TRUE(ran.has_value()) << ran.error().text();
        const int error = mirror.run(index, microBatch);
        if (error < 0) return;
        ASSERT_EQ(error, 0) << opName(plan, op);
        ++launched;
        if (op.kind == OpKind::WeightGradient) {
            // The head's gradient is not tallied on its way.
            SCOPED_TRACE(opName(plan, op));
            const std::size_t id = harness.find(TensorRole::Gradient, op.layer);
            std::vector<std::byte> got = mirror.pull(id);
            got.resize(static_cast<std::size_t>(plan.tensors[id].bytes()));
            expectClose(decoded(plan.tensors[id].dtype, got),
                        decoded(plan.tensors[id].dtype, harness.bytes(id)),
                        2 * toleranceOf(plan.tensors[id].dtype), false);
        } else {
            expectSame(mirror, harness, op);
        }
        EXPECT_TRUE(mirror.clean());
    };
    for (int step = 0; step < 3; ++step) {
        for (const StepPass& pass : passesOf(plan))
            for (std::int32_t op = pass.begin; op < pass.end; ++op) runBoth(op, pass.microBatch);
        EXPECT_EQ(mirror.state().step, harness.step + 1);
        ++harness.step;
    }
    EXPECT_GE(launched, 3 * 3);  // load, loss and update at least
}

RunConfig oneStepConfig(Precision precision) {
    RunConfig config{.dim = 100, .layers = 2, .outputs = 1, .activation = Activation::Relu, .batch = 48};
    config.precision = precision;
    config.seed = 7;
    return config;
}

std::vector<StepCase> stepCases() {
    std::vector<StepCase> cases;
    const auto add = [&](std::string name, const RunConfig& config, bool writesStatistics = false) {
        cases.push_back({std::move(name), config, writesStatistics});
    };
    constexpr std::array kPrecisions{Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16,
                                     Precision::Fp8};
    for (const Precision precision : kPrecisions) {
        RunConfig config = oneStepConfig(precision);
        const std::string text{name(precision)};
        add(text, config);
        add(text + "_statistics", config, true);
        config.microBatch = 16;
        config.outputs = 3;
        config.dim = 77;
        add(text + "_micro_batches_odd", config, true);
        config = oneStepConfig(precision);
        config.gradientPrecision = GradientPrecision::Fp32;
        config.clipNorm = 0.05;
        add(text + "_wide_gradients_clipped", config);
        config.clipNorm = 0;
        config.masterWeights = false;
        config.activation = Activation::None;
        add(text + "_no_masters", config, true);
        config = oneStepConfig(precision);
        config.dim = 1;
        config.layers = 1;
        config.outputs = 1;
        add(text + "_width_one", config, true);
        config.dim = 5;
        config.outputs = 40;
        config.noise = 0;
        add(text + "_many_outputs", config, true);
        config = oneStepConfig(precision);
        config.microBatch = 16;
        config.head = false;
        add(text + "_chain", config, true);
        config.activation = Activation::None;
        add(text + "_linear_chain", config);
        config.head = true;
        config.layers = 0;
        config.initialisation = Initialisation::XavierUniform;
        add(text + "_head_alone", config, true);
    }
    constexpr std::array kOptimizers{Optimizer::Sgd,     Optimizer::Momentum, Optimizer::Adagrad,
                                     Optimizer::RmsProp, Optimizer::Adam,     Optimizer::AdamW,
                                     Optimizer::Lion,    Optimizer::Adafactor};
    for (const Optimizer optimizer : kOptimizers)
        for (const Precision precision : kPrecisions) {
            RunConfig config = oneStepConfig(precision);
            config.optimizer = optimizer;
            config.weightDecay = 0.1;
            config.schedule = Schedule::Cosine;
            config.warmUpSteps = 2;
            config.scheduleSteps = 10;
            const std::string text = std::string(name(optimizer)) + "_" + std::string(name(precision));
            add(text, config);
            const auto set = [&](Setting which, double value) { config.settings[which] = value; };
            if (optimizer == Optimizer::Momentum) {
                set(Setting::Nesterov, 1);
                add(text + "_nesterov", config);
            }
            if (optimizer == Optimizer::Adam || optimizer == Optimizer::AdamW) {
                set(Setting::Amsgrad, 1);
                add(text + "_amsgrad", config);
            }
            if (optimizer == Optimizer::RmsProp) {
                set(Setting::Centered, 1);
                add(text + "_centered", config);
                set(Setting::Momentum, 0.9);
                add(text + "_centered_momentum", config);
                set(Setting::Centered, 0);
                add(text + "_momentum", config);
            }
            if (optimizer == Optimizer::Adafactor) {
                config.dim = 45;
                config.outputs = 3;
                add(text + "_odd", config, true);
                config.masterWeights = false;
                add(text + "_no_masters", config, true);
            }
        }
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Recipes, DeviceStep, testing::ValuesIn(stepCases()), [](const auto& parameters) {
    std::string name;
    for (const char letter : parameters.param.name)
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_') name += letter;
    return name;
});

}  // namespace
}  // namespace plumb::test

// SPDX-License-Identifier: Apache-2.0
// The fused optimizers against torch.optim's formulas in double precision, over several steps.
#include "tests/kernels/samples.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::cpu {
namespace {

using test::availableKernels;
using test::randomFloats;

constexpr std::int64_t kCount = 37;
constexpr int kSteps = 20;
constexpr double kRate = 0.05;
constexpr double kDecay = 0.1;
// fp32 updates over 20 steps against double.
constexpr double kTolerance = 1e-5;

enum class Rule { Sgd, Adagrad, AdamW };

struct Reference {
    std::vector<double> p, m, v;
    void step(Rule rule, const std::vector<float>& gradient, int t) {
        for (std::size_t i = 0; i < p.size(); ++i) {
            auto g = static_cast<double>(gradient[i]);
            switch (rule) {
            case Rule::Sgd:
                p[i] -= kRate * (g + kDecay * p[i]);
                break;
            case Rule::Adagrad:
                g += kDecay * p[i];
                m[i] += g * g;
                p[i] -= kRate * g / (std::sqrt(m[i]) + 1e-10);
                break;
            case Rule::AdamW:
                p[i] *= 1 - kRate * kDecay;
                m[i] = 0.9 * m[i] + 0.1 * g;
                v[i] = 0.999 * v[i] + 0.001 * g * g;
                p[i] -= kRate / (1 - std::pow(0.9, t)) * m[i] /
                        (std::sqrt(v[i]) / std::sqrt(1 - std::pow(0.999, t)) + 1e-8);
                break;
            }
        }
    }
};

UpdateArguments scalars(Rule rule, int t) {
    UpdateArguments update;
    update.count = kCount;
    update.learningRate = static_cast<float>(kRate);
    update.weightDecay = static_cast<float>(kDecay);
    if (rule == Rule::AdamW) {
        update.learningRate = static_cast<float>(kRate / (1 - std::pow(0.9, t)));
        update.keep = static_cast<float>(1 - kRate * kDecay);
        update.secondCorrection = static_cast<float>(1 / std::sqrt(1 - std::pow(0.999, t)));
    }
    return update;
}

auto* kernelOf(const Kernels& kernels, Rule rule, ParameterStorage storage) {
    const auto slot = static_cast<std::size_t>(storage);
    return rule == Rule::Sgd       ? kernels.sgd[slot]
           : rule == Rule::Adagrad ? kernels.adagrad[slot]
                                   : kernels.adamw[slot];
}

class OptimizerKernel : public testing::TestWithParam<Rule> {};
INSTANTIATE_TEST_SUITE_P(Cpu, OptimizerKernel, testing::Values(Rule::Sgd, Rule::Adagrad, Rule::AdamW));

TEST_P(OptimizerKernel, FollowsTheFormulaInFp32) {
    for (const Kernels* kernels : availableKernels()) {
        SCOPED_TRACE(kernels->name);
        auto p = randomFloats(kCount, 1);
        Reference reference{
            {p.begin(), p.end()}, std::vector<double>(p.size()), std::vector<double>(p.size())};
        std::vector<float> m(p.size()), v(p.size());
        p.push_back(-1.0F);  // guard
        for (int t = 1; t <= kSteps; ++t) {
            const auto gradient = randomFloats(kCount, 100 + static_cast<std::uint32_t>(t));
            UpdateArguments update = scalars(GetParam(), t);
            update.weight = p.data();
            update.gradient = gradient.data();
            update.moment1 = m.data();
            update.moment2 = v.data();
            kernelOf(*kernels, GetParam(), ParameterStorage::Fp32)(update);
            reference.step(GetParam(), gradient, t);
        }
        for (std::size_t i = 0; i < reference.p.size(); ++i)
            EXPECT_NEAR(static_cast<double>(p[i]), reference.p[i],
                        kTolerance * (1 + std::abs(reference.p[i])));
        EXPECT_EQ(p.back(), -1.0F);
    }
}

TEST_P(OptimizerKernel, UpdatesTheMasterAndRoundsItIntoTheWeight) {
    for (const Kernels* kernels : availableKernels()) {
        SCOPED_TRACE(kernels->name);
        auto master = randomFloats(kCount, 1);
        Reference reference{{master.begin(), master.end()},
                            std::vector<double>(master.size()),
                            std::vector<double>(master.size())};
        std::vector<float> m(master.size()), v(master.size());
        std::vector<std::uint16_t> weight(master.size(), 0x7FFF);
        for (int t = 1; t <= kSteps; ++t) {
            const auto gradient = test::toBf16(randomFloats(kCount, 100 + static_cast<std::uint32_t>(t)));
            UpdateArguments update = scalars(GetParam(), t);
            update.weight = weight.data();
            update.master = master.data();
            update.gradient = gradient.data();
            update.moment1 = m.data();
            update.moment2 = v.data();
            kernelOf(*kernels, GetParam(), ParameterStorage::Bf16WithMaster)(update);
            reference.step(GetParam(), test::fromBf16(gradient), t);
        }
        for (std::size_t i = 0; i < master.size(); ++i) {
            EXPECT_NEAR(static_cast<double>(master[i]), reference.p[i],
                        kTolerance * (1 + std::abs(reference.p[i])));
            EXPECT_EQ(weight[i], bf16FromFloat(master[i]));
        }
    }
}

TEST_P(OptimizerKernel, RoundsEachStepWithoutAMaster) {
    for (const Kernels* kernels : availableKernels()) {
        SCOPED_TRACE(kernels->name);
        const auto start = test::toBf16(randomFloats(kCount, 1));
        auto weight = start;
        const auto gradient = test::toBf16(randomFloats(kCount, 2));
        std::vector<float> m(weight.size()), v(weight.size());
        UpdateArguments update = scalars(GetParam(), 1);
        update.weight = weight.data();
        update.gradient = gradient.data();
        update.moment1 = m.data();
        update.moment2 = v.data();
        kernelOf(*kernels, GetParam(), ParameterStorage::Bf16Alone)(update);
        const auto values = test::fromBf16(start);
        Reference reference{{values.begin(), values.end()},
                            std::vector<double>(values.size()),
                            std::vector<double>(values.size())};
        reference.step(GetParam(), test::fromBf16(gradient), 1);
        for (std::size_t i = 0; i < weight.size(); ++i)
            EXPECT_NEAR(static_cast<double>(floatFromBf16(weight[i])), reference.p[i],
                        0.005 * std::abs(reference.p[i]) + 1e-6);
    }
}

TEST(OptimizerKernels, TakeDenormalMomentsForZeroAndLeaveArithmeticElsewhereAlone) {
    for (const Kernels* kernels : availableKernels()) {
        SCOPED_TRACE(kernels->name);
        std::vector<float> p(kCount, 1.0F), gradient(kCount, 0.0F), m(kCount, 1e-39F), v(kCount, 1e-39F);
        for (int t = 1; t <= 2; ++t) {
            UpdateArguments update = scalars(Rule::AdamW, t);
            update.weight = p.data();
            update.gradient = gradient.data();
            update.moment1 = m.data();
            update.moment2 = v.data();
            kernels->adamw[0](update);
        }
        for (const float moment : m) EXPECT_EQ(moment, 0.0F);
        volatile float smallest = 1e-40F;
        EXPECT_GT(smallest * 0.5F, 0.0F) << "denormal numbers are lost outside of the optimizer";
    }
}

TEST_P(OptimizerKernel, GivesTheSameBitsAtEveryInstructionSet) {
    std::vector<float> first;
    for (const Kernels* kernels : availableKernels()) {
        auto p = randomFloats(kCount, 1);
        std::vector<float> m(p.size()), v(p.size());
        for (int t = 1; t <= 3; ++t) {
            const auto gradient = randomFloats(kCount, 100 + static_cast<std::uint32_t>(t));
            UpdateArguments update = scalars(GetParam(), t);
            update.weight = p.data();
            update.gradient = gradient.data();
            update.moment1 = m.data();
            update.moment2 = v.data();
            kernelOf(*kernels, GetParam(), ParameterStorage::Fp32)(update);
        }
        if (first.empty()) first = p;
        EXPECT_EQ(p, first) << kernels->name;
    }
}

}  // namespace
}  // namespace plumb::cpu

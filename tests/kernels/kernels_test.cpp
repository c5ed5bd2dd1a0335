// SPDX-License-Identifier: Apache-2.0
// Our own kernels, at every instruction set that this processor has, against definitions written out here.
#include "kernels/cpu/kernels.h"

#include "tests/kernels/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace plumb::cpu {
namespace {

using test::availableKernels;
using test::randomFloats;

// Around the widths of vectors and of unrolled loops.
const std::vector<std::int64_t> kCounts{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 257};
constexpr float kCanary = -12345.0F;
constexpr std::uint16_t kCanaryBits = 0xBEEF;

class EveryInstructionSet : public testing::TestWithParam<const Kernels*> {
protected:
    const Kernels& kernels = *GetParam();
};
std::string testName(const testing::TestParamInfo<const Kernels*>& parameter) {
    std::string name = parameter.param->name;
    std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
    return name;
}
INSTANTIATE_TEST_SUITE_P(Cpu, EveryInstructionSet, testing::ValuesIn(availableKernels()), testName);

TEST(Dispatch, TakesTheWidestSetThatIsThere) {
    EXPECT_EQ(&bestKernels(), availableKernels().back());
    EXPECT_NE(kernelsFor(InstructionSet::Baseline), nullptr);
}

TEST_P(EveryInstructionSet, RoundsToBf16LikeTheDefinition) {
    std::vector<float> values = randomFloats(257, 1);
    for (const float special :
         {0.0F, -0.0F, 1e-40F, 3.4e38F, -3.4e38F, std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(),
          1.00390625F /* tie, to even down */, 1.01171875F /* tie, to even up */})
        values.push_back(special);
    const auto count = static_cast<std::int64_t>(values.size());
    std::vector<std::uint16_t> rounded(values.size() + 1, kCanaryBits);
    kernels.fp32ToBf16(values.data(), rounded.data(), count);
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(rounded[i], bf16FromFloat(values[i])) << values[i];
    EXPECT_EQ(rounded.back(), kCanaryBits);

    std::vector<float> back(values.size() + 1, kCanary);
    kernels.bf16ToFp32(rounded.data(), back.data(), count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float expected = floatFromBf16(rounded[i]);
        EXPECT_EQ(std::memcmp(&back[i], &expected, sizeof expected), 0) << values[i];
    }
    EXPECT_EQ(back.back(), kCanary);
}

TEST_P(EveryInstructionSet, RoundsWithReluMaskAndSum) {
    for (const std::int64_t count : kCounts) {
        const auto in = randomFloats(count, 2);
        const auto h = test::toBf16(randomFloats(count, 3));
        std::vector<std::uint16_t> relu(in.size() + 1, kCanaryBits);
        auto masked = relu;
        auto summed = h;
        summed.push_back(kCanaryBits);
        kernels.fp32ToBf16Relu(in.data(), relu.data(), count);
        kernels.fp32ToBf16Masked(in.data(), h.data(), masked.data(), count);
        kernels.fp32AddToBf16(in.data(), summed.data(), count);
        for (std::size_t i = 0; i < in.size(); ++i) {
            EXPECT_EQ(relu[i], bf16FromFloat(in[i] < 0 ? 0.0F : in[i]));
            EXPECT_EQ(masked[i], floatFromBf16(h[i]) > 0 ? bf16FromFloat(in[i]) : 0);
            EXPECT_EQ(summed[i], bf16FromFloat(in[i] + floatFromBf16(h[i])));
        }
        EXPECT_EQ(relu.back(), kCanaryBits);
        EXPECT_EQ(masked.back(), kCanaryBits);
        EXPECT_EQ(summed.back(), kCanaryBits);
    }
}

TEST_P(EveryInstructionSet, ReluKeepsWhatIsNotANumber) {
    for (const std::int64_t count : kCounts) {
        if (count == 0) continue;
        auto values = randomFloats(count, 6);
        values.back() = std::nanf("");
        const auto before = values;
        values.push_back(-7.0F);
        kernels.reluFp32(values.data(), count);
        for (std::size_t i = 0; i + 1 < before.size(); ++i)
            EXPECT_EQ(values[i], before[i] < 0 ? 0.0F : before[i]);
        EXPECT_TRUE(std::isnan(values[before.size() - 1]));
        EXPECT_EQ(values.back(), -7.0F);
    }
}

TEST_P(EveryInstructionSet, MasksWhereTheActivationIsNotPositive) {
    for (const std::int64_t count : kCounts) {
        auto gradient = randomFloats(count, 4);
        const auto before = gradient;
        const auto h = randomFloats(count, 5);
        gradient.push_back(kCanary);
        kernels.maskFp32(gradient.data(), h.data(), count);
        for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(gradient[i], h[i] > 0 ? before[i] : 0.0F);
        EXPECT_EQ(gradient.back(), kCanary);
    }
}

TEST_P(EveryInstructionSet, DrawsTheVeryNumbersOfPhilox) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0x123456789abcdef0}, ~std::uint64_t{0}})
        for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{5}, (std::uint64_t{1} << 32U) - 3})
            for (const std::int64_t count : kCounts) {
                std::vector<float> numbers(static_cast<std::size_t>(count) + 1, kCanary);
                kernels.normals({seed, static_cast<std::uint32_t>(RandomStream::Features), 7}, first, count,
                                numbers.data());
                for (std::int64_t i = 0; i < count; ++i)
                    ASSERT_EQ(numbers[static_cast<std::size_t>(i)],
                              normalFromPhilox(philoxAt(seed, RandomStream::Features, 7,
                                                        first + static_cast<std::uint64_t>(i))))
                        << "seed " << seed << " element " << first << " + " << i;
                ASSERT_EQ(numbers.back(), kCanary);
            }
}

TEST_P(EveryInstructionSet, SumsWithWeights) {
    for (const std::int64_t count : kCounts) {
        const auto x = randomFloats(count, 6);
        double lanes[16] = {};
        kernels.weightedSums(x.data(), 512, count, lanes);
        double sum = 0;
        double moment = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            sum += static_cast<double>(x[static_cast<std::size_t>(i)]);
            moment += static_cast<double>(512 + i) * static_cast<double>(x[static_cast<std::size_t>(i)]);
        }
        double sumOfLanes = 0;
        double momentOfLanes = 0;
        for (int lane = 0; lane < 8; ++lane) {
            sumOfLanes += lanes[lane];
            momentOfLanes += lanes[8 + lane];
        }
        EXPECT_NEAR(sumOfLanes, sum, 1e-11);
        EXPECT_NEAR(momentOfLanes, moment, 1e-8);
    }
}

TEST_P(EveryInstructionSet, LossGradientIsTheDerivativeOfTheSquares) {
    for (const std::int64_t count : kCounts) {
        const auto y = randomFloats(count, 7);
        const auto t = randomFloats(count, 8);
        std::vector<float> dy(y.size() + 1, kCanary);
        std::vector<std::uint16_t> rounded(y.size() + 1, kCanaryBits);
        const double sum = kernels.lossGradient[static_cast<int>(Storage::Fp32)](
            {y.data(), t.data(), dy.data(), count, 0.25F});
        const double same = kernels.lossGradient[static_cast<int>(Storage::Bf16)](
            {y.data(), t.data(), rounded.data(), count, 0.25F});
        double expected = 0;
        for (std::size_t i = 0; i < y.size(); ++i) {
            const float difference = y[i] - t[i];
            expected += static_cast<double>(difference) * static_cast<double>(difference);
            EXPECT_EQ(dy[i], 0.25F * difference);
            EXPECT_EQ(rounded[i], bf16FromFloat(0.25F * difference));
        }
        EXPECT_NEAR(sum, expected, 1e-12 * (1 + expected));
        EXPECT_EQ(sum, same);
        EXPECT_EQ(dy.back(), kCanary);
        EXPECT_EQ(rounded.back(), kCanaryBits);
    }
}

TEST_P(EveryInstructionSet, MovesMemoryAsCalibrationAssumes) {
    const auto in = randomFloats(1000, 9);
    std::vector<float> out(in.size() + 1, kCanary);
    kernels.copy(in.data(), out.data(), 1000);
    EXPECT_TRUE(std::equal(in.begin(), in.end(), out.begin()));
    kernels.scaleAdd(in.data(), 2.0F, out.data(), 1000);
    double sum = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
        EXPECT_EQ(out[i], in[i] + 2.0F * in[i]);
        sum += static_cast<double>(in[i]);
    }
    EXPECT_EQ(out.back(), kCanary);
    EXPECT_NEAR(kernels.sumOf(in.data(), 1000), sum, 1e-3);
}

}  // namespace
}  // namespace plumb::cpu

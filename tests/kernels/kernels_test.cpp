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

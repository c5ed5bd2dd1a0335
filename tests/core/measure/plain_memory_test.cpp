// SPDX-License-Identifier: Apache-2.0
#include "core/measure/plain_memory.h"

#include "tests/support/random_config.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

PlainMemory plainOf(const RunConfig& config) {
    const auto plan = planStep(config, cpuTraits());
    EXPECT_TRUE(plan.has_value()) << plan.error().text();
    return plainMemory(*plan, summariseCurve(memoryCurve(*plan)));
}

RunConfig small() { return RunConfig{.dim = 1024, .layers = 16, .batch = 64}; }

Bytes plainOf(const PlainMemory& memory, Category category) {
    for (const PlainPart& part : memory.parts)
        if (part.category == category) return part.plain;
    return 0;
}

TEST(PlainMemory, IsTheSumOnANapkin) {
    const PlainMemory memory = plainOf(small());
    const std::int64_t n = 16 * 1024 * 1024 + 1024;
    EXPECT_EQ(plainOf(memory, Category::Parameters), 4 * n);
    EXPECT_EQ(plainOf(memory, Category::Gradients), 4 * n);
    EXPECT_EQ(plainOf(memory, Category::OptimizerState), 8 * n);
    EXPECT_EQ(plainOf(memory, Category::Activations), Bytes{4} * 64 * 1024 * 16);
    EXPECT_EQ(memory.sum, 16 * n + Bytes{4} * 64 * 1024 * 16);
    EXPECT_NE(memory.sumText().find("parameters 67.1 MB + "), std::string::npos) << memory.sumText();
    EXPECT_NE(memory.sumText().find(" = 273 MB"), std::string::npos) << memory.sumText();
}

/// Whatever the configuration, the parts account for the whole distance, and what differs says why.
TEST(PlainMemory, AndItsDifferencesComeToThePeak) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RunConfig config = test::randomConfig(seed);
        const auto plan = planStep(config, cpuTraits());
        if (!plan.has_value()) continue;
        const PlainMemory memory = plainMemory(*plan, summariseCurve(memoryCurve(*plan)));
        Bytes distance = 0, sum = 0;
        for (const PlainPart& part : memory.parts) {
            distance += part.atPeak - part.plain;
            sum += part.plain;
            EXPECT_EQ(part.why.empty(), part.atPeak == part.plain) << categoryLabel(part.category);
        }
        EXPECT_EQ(sum, memory.sum);
        EXPECT_EQ(memory.sum + distance, memory.peak);
        const bool above = memory.peak > memory.sum, same = memory.peak == memory.sum;
        EXPECT_NE(memory.differenceText().find(same    ? "just that"
                                               : above ? " above it"
                                                       : " below it"),
                  std::string::npos)
            << memory.differenceText();
    }
}

TEST(PlainMemory, NamesMasterCopiesAndWhatIsWorkedOutAgain) {
    RunConfig config = small();
    config.precision = Precision::Bf16;
    config.batch = 4096;
    config.recompute.kind = RecomputePolicy::Kind::Sqrt;
    const std::string text = plainOf(config).differenceText();
    EXPECT_NE(text.find("the fp32 copy"), std::string::npos) << text;
    EXPECT_NE(text.find("worked out again"), std::string::npos) << text;
}

}  // namespace
}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/trace/slice_filter.h"

#include "tests/core/trace/trace_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb::trace {
namespace {

using test::document;
using test::kernel;
using test::launch;
using test::onHost;
using test::readText;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Filtered {
    Trace trace =
        readText(document({onHost("cpu_op", "aten::mm", 0, 100), launch(10, 5, 1),
                           kernel("sgemm_128", 20, 2000, 7, 1), kernel("Flash_fwd kernel", 2100, 40, 7, 2),
                           kernel("flash_bwd", 2200, 3, 7, 3)}))
            .value();
    std::vector<std::uint8_t> categories = kernelCategories(trace, linkTrace(trace));

    [[nodiscard]] std::vector<std::string> names(std::string_view text) const {
        std::vector<std::string> found;
        for (const std::uint32_t slice : slicesOf(trace, categories, parseSliceFilter(text).value()))
            found.emplace_back(trace.name(slice));
        return found;
    }
};

TEST(SliceFilter, FindsWordsOfTheNameInAnyCase) {
    const Filtered f;
    EXPECT_THAT(f.names("FLASH"), ElementsAre("Flash_fwd kernel", "flash_bwd"));
    EXPECT_THAT(f.names("kernel flash"), ElementsAre("Flash_fwd kernel"));
    EXPECT_THAT(f.names("\"fwd kernel\""), ElementsAre("Flash_fwd kernel"));
    EXPECT_THAT(f.names("\">1\""), IsEmpty());
    EXPECT_THAT(f.names("none"), IsEmpty());
    EXPECT_EQ(f.names("").size(), 5U);
    EXPECT_TRUE(parseSliceFilter("  \"\" ").value().isEmpty());
}

TEST(SliceFilter, LimitsDurationsAndCategories) {
    const Filtered f;
    EXPECT_THAT(f.names(">1ms"), ElementsAre("sgemm_128"));
    EXPECT_THAT(f.names("> 1 cat:kernel <0.05ms"), ElementsAre("Flash_fwd kernel", "flash_bwd"));
    EXPECT_THAT(f.names(">3us flash"), ElementsAre("Flash_fwd kernel")) << "3 us are not longer than 3 us";
    EXPECT_THAT(f.names("cat:gemm"), ElementsAre("sgemm_128"));
    EXPECT_THAT(f.names("CAT: att"), ElementsAre("Flash_fwd kernel", "flash_bwd"));
    EXPECT_THAT(f.names("cat:op cat:attention"), ElementsAre("Flash_fwd kernel", "flash_bwd", "aten::mm"));
}

TEST(SliceFilter, SaysWhatItCannotRead) {
    const auto time = parseSliceFilter(">fast");
    ASSERT_FALSE(time.has_value());
    EXPECT_THAT(time.error().text(), HasSubstr("\"fast\" is no time"));
    EXPECT_FALSE(parseSliceFilter(">").has_value());
    const auto category = parseSliceFilter("cat:zebra");
    ASSERT_FALSE(category.has_value());
    EXPECT_THAT(category.error().text(), HasSubstr("zebra"));
    EXPECT_THAT(category.error().text(), HasSubstr("communication"));
}

TEST(TypedTime, HasAUnit) {
    EXPECT_EQ(typedTime("1.5ms"), 1'500'000);
    EXPECT_EQ(typedTime("50 us"), 50'000);
    EXPECT_EQ(typedTime("50 µs"), 50'000);
    EXPECT_EQ(typedTime("7ns"), 7);
    EXPECT_EQ(typedTime("2s"), 2'000'000'000);
    EXPECT_EQ(typedTime("3"), 3'000);
    EXPECT_EQ(typedTime("ms"), std::nullopt);
    EXPECT_EQ(typedTime("1 h"), std::nullopt);
}

}  // namespace
}  // namespace plumb::trace

// SPDX-License-Identifier: Apache-2.0
// With the real host library, which needs neither a GPU nor a driver. A toolkit that names a metric
// differently or schedules it otherwise is noticed here.
#include "kernels/cupti/metric_config.h"

#include "kernels/cupti/metric_table.h"
#include "tests/kernels/cupti/fake_cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plumb::cupti {
namespace {

using testing::HasSubstr;

class RealHost : public testing::Test {
protected:
    void SetUp() override {
        const auto loaded = loadCupti();
        if (!loaded.has_value()) GTEST_SKIP() << loaded.error().text();
        m_api = *loaded;
        std::uint32_t version = 0;
        ASSERT_EQ(m_api->cuptiGetVersion(&version), CUPTI_SUCCESS);
        // Later versions may need other passes; what they know is tested all the same.
        m_knownVersion = version == 130001;
    }
    [[nodiscard]] const CuptiApi& api() const { return *m_api; }

    /// A set of metrics of the test's own.
    [[nodiscard]] std::int64_t passes(const char* chip, const std::vector<std::string>& names) const {
        CounterSet set;
        set.chip = chip;
        for (const std::string& name : names) set.metrics.push_back({name, CounterKind::DramBytes, 1, ""});
        auto config = MetricConfig::create(api(), set);
        EXPECT_TRUE(config.has_value()) << chip << " " << config.error().text();
        return config.has_value() ? config->set().passes : -1;
    }
    [[nodiscard]] std::int64_t passes(const char* chip, Precision precision, CounterDetail detail) const {
        auto set = metricsFor(chip, precision, detail);
        EXPECT_TRUE(set.has_value()) << chip;
        auto config = MetricConfig::create(api(), *set);
        EXPECT_TRUE(config.has_value()) << chip << " " << config.error().text();
        return config.has_value() ? config->set().passes : -1;
    }
    bool m_knownVersion = false;

private:
    const CuptiApi* m_api = nullptr;
};

TEST_F(RealHost, EverySetExistsOnEveryChipThatIsListed) {
    const auto chips = supportedChips(api());
    ASSERT_TRUE(chips.has_value()) << chips.error().text();
    EXPECT_GE(chips->size(), 30U);
    int built = 0;
    for (const std::string& chip : *chips) {
        const auto family = familyOf(chip);
        if (!family.has_value()) {
            if (m_knownVersion) {
                EXPECT_THAT(family.error().text(), HasSubstr("Volta")) << chip;
            }
            continue;
        }
        for (const Precision precision : kAllPrecisions)
            for (const CounterDetail detail : kAllCounterDetails) {
                const auto config = MetricConfig::create(api(), *metricsFor(chip, precision, detail));
                ASSERT_TRUE(config.has_value()) << chip << ": " << config.error().text();
                EXPECT_GE(config->image().size(), 1000U) << chip;
                EXPECT_GE(config->set().passes, 1) << chip;
                EXPECT_LE(config->set().passes, 5) << chip;
                ++built;
            }
    }
    EXPECT_GE(built, 28 * 10);
}

TEST_F(RealHost, OurSetsTakeTheNumberOfPassesThatIsStated) {
    if (!m_knownVersion) GTEST_SKIP() << "another version of CUPTI may schedule otherwise";
    const auto expectPasses = [&](const char* chip, Precision precision, int quick, int full) {
        EXPECT_EQ(passes(chip, precision, CounterDetail::Quick), quick) << chip;
        EXPECT_EQ(passes(chip, precision, CounterDetail::Full), full) << chip;
    };
    expectPasses("GH100", Precision::Bf16, 1, 4);
    expectPasses("GH100", Precision::Tf32, 1, 4);
    expectPasses("GH100", Precision::Fp16, 1, 4);
    expectPasses("GH100", Precision::Fp8, 1, 4);
    expectPasses("GA100", Precision::Bf16, 1, 4);
    expectPasses("AD102", Precision::Bf16, 1, 4);
    expectPasses("GB100", Precision::Bf16, 1, 4);
    expectPasses("GB202", Precision::Bf16, 1, 4);
    expectPasses("TU104", Precision::Fp16, 1, 4);
}

const std::vector<std::string> kSass{
    "sm__sass_thread_inst_executed_op_fadd_pred_on.sum", "sm__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum", "sm__sass_thread_inst_executed_op_hadd_pred_on.sum",
    "sm__sass_thread_inst_executed_op_hmul_pred_on.sum", "sm__sass_thread_inst_executed_op_hfma_pred_on.sum",
    "sm__sass_thread_inst_executed_op_dadd_pred_on.sum", "sm__sass_thread_inst_executed_op_dmul_pred_on.sum",
    "sm__sass_thread_inst_executed_op_dfma_pred_on.sum"};

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

std::vector<std::string> tensor(std::initializer_list<const char*> types) {
    std::vector<std::string> names;
    for (const char* type : types) names.push_back("sm__ops_path_tensor_" + std::string(type) + ".sum");
    return names;
}

/// Time, DRAM, L2, L1, clocks and peaks, as the reference lists them.
std::vector<std::string> core(bool fabric) {
    std::vector<std::string> names{"gpu__time_duration.sum",
                                   "dram__bytes_read.sum",
                                   "dram__bytes_write.sum",
                                   "lts__t_bytes.sum",
                                   "lts__t_sectors_srcunit_tex.sum",
                                   "l1tex__t_bytes.sum",
                                   "sm__cycles_elapsed.max",
                                   "sm__cycles_elapsed.avg.per_second",
                                   "dram__cycles_elapsed.avg.per_second",
                                   "lts__cycles_elapsed.avg.per_second",
                                   "dram__bytes.sum.peak_sustained",
                                   "lts__t_bytes.sum.peak_sustained",
                                   "l1tex__t_bytes.sum.peak_sustained"};
    if (fabric) names.emplace_back("lts__t_sectors_srcunit_ltcfabric.sum");
    return names;
}

TEST_F(RealHost, TheReferenceSetsOfGh100TakeTheirPasses) {
    if (!m_knownVersion) GTEST_SKIP() << "another version of CUPTI may schedule otherwise";
    const auto h =
        joined(core(true),
               tensor({"op_hgmma_src_bf16_dst_fp32_sparsity_off", "op_hgmma_src_tf32_dst_fp32_sparsity_off",
                       "op_hgmma_src_fp16_sparsity_off", "op_hmma_src_bf16_dst_fp32_sparsity_off",
                       "op_hmma_src_tf32_dst_fp32_sparsity_off", "src_fp8_sparsity_off"}));
    EXPECT_EQ(h.size(), 20U);
    EXPECT_EQ(passes("GH100", h), 1);
    EXPECT_EQ(passes("GH100", joined(h, kSass)), 2);
    const auto all = joined(joined(h, kSass), tensor({"op_hmma_src_fp16_dst_fp16_sparsity_off",
                                                      "op_hmma_src_fp16_dst_fp32_sparsity_off", "src_fp64"}));
    EXPECT_EQ(passes("GH100", all), 3);
    const auto detailed =
        joined(all, {"l1tex__lsu_writeback_active_mem_lgds.sum",
                     "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "lts__lts2xbar_cycles_active.sum"});
    EXPECT_EQ(passes("GH100", detailed), 3);
    EXPECT_EQ(passes("GH100", joined(detailed, {"l1tex__m_xbar2l1tex_read_bytes.sum",
                                                "l1tex__m_l1tex2xbar_write_bytes.sum"})),
              5);
    EXPECT_EQ(passes("GH100",
                     joined(joined(core(true), kSass), tensor({"src_bf16_dst_fp32", "src_fp16",
                                                               "src_tf32_dst_fp32", "src_fp8", "src_fp64"}))),
              5)
        << "the aggregates are the naive choice";
}

TEST_F(RealHost, TheReferenceSetsOfOtherChipsTakeTheirPasses) {
    if (!m_knownVersion) GTEST_SKIP() << "another version of CUPTI may schedule otherwise";
    const auto dense = tensor({"src_bf16_dst_fp32_sparsity_off", "src_tf32_dst_fp32_sparsity_off"});
    EXPECT_EQ(passes("GA100", joined(joined(core(true), dense), kSass)), 2);
    for (const char* chip : {"AD102", "GA102"})
        EXPECT_EQ(passes(chip, joined(joined(core(false), dense), kSass)), 2) << chip;
    // With clocks and peaks, Turing needs a pass more.
    const auto turing = joined({"dram__bytes_read.sum", "dram__bytes_write.sum",
                                "lts__t_sectors_srcunit_tex.sum", "l1tex__t_bytes.sum"},
                               tensor({"src_fp16_bf16_tf32_dst_fp32", "src_fp16_dst_fp16"}));
    EXPECT_EQ(passes("TU104", turing), 1);
    EXPECT_EQ(passes("TU104", joined(turing, kSass)), 2);
    auto consumer = core(false);
    std::replace(consumer.begin(), consumer.end(), std::string("dram__bytes_read.sum"),
                 std::string("dram__bytes_op_read.sum"));
    std::replace(consumer.begin(), consumer.end(), std::string("dram__bytes_write.sum"),
                 std::string("dram__bytes_op_write.sum"));
    const auto hmma =
        tensor({"op_hmma_src_bf16_dst_fp32_sparsity_off", "op_hmma_src_tf32_dst_fp32_sparsity_off"});
    EXPECT_EQ(passes("GB202", joined(joined(consumer, hmma), kSass)), 2);
    const auto server =
        tensor({"op_utchmma_src_bf16_dst_fp32_sparsity_off", "op_hmma_src_bf16_dst_fp32_sparsity_off"});
    const std::vector<std::string> packed{"sm__sass_thread_inst_executed_op_fadd2_pred_on.sum",
                                          "sm__sass_thread_inst_executed_op_fmul2_pred_on.sum",
                                          "sm__sass_thread_inst_executed_op_ffma2_pred_on.sum"};
    EXPECT_EQ(passes("GB100", joined(joined(core(true), server), joined(kSass, packed))), 2);
}

TEST_F(RealHost, WhatIsUnknownIsNamed) {
    CounterSet set = *metricsFor("GH100", Precision::Bf16, CounterDetail::Quick);
    set.chip = "GX999";
    const auto chip = MetricConfig::create(api(), set);
    ASSERT_FALSE(chip.has_value());
    EXPECT_EQ(chip.error().code, ErrorCode::Unavailable);
    EXPECT_THAT(chip.error().text(), HasSubstr("newer than the CUPTI"));
    set.chip = "GH100";
    set.metrics.push_back({"dram__bytes_imagined.sum", CounterKind::DramBytes, 1, ""});
    EXPECT_THAT(MetricConfig::create(api(), set).error().text(),
                HasSubstr("dram__bytes_imagined.sum, GH100"));
    set.metrics.back().name = "dram__bytes_read";  // known, and without a roll-up no number
    EXPECT_FALSE(MetricConfig::create(api(), set).has_value());
    set.metrics.clear();
    EXPECT_FALSE(MetricConfig::create(api(), set).has_value()) << "nothing cannot be configured";
}

TEST_F(RealHost, AnImageOfZerosIsNoMeasurement) {
    const auto config =
        MetricConfig::create(api(), *metricsFor("GH100", Precision::Bf16, CounterDetail::Quick));
    ASSERT_TRUE(config.has_value()) << config.error().text();
    const std::vector<std::uint8_t> zeros(4096, 0);
    EXPECT_FALSE(config->evaluate(zeros, 0).has_value());
}

TEST(LoadCupti, SaysWhatIsMissing) {
    const std::vector<std::string> nowhere{"libcupti-that-is-not-there.so"};
    const auto missing = loadCuptiFrom(nowhere);
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::Unavailable);
    EXPECT_THAT(missing.error().text(), HasSubstr("CUPTI"));
}

TEST(LoadCupti, SaysWhichFunctionALibraryLacks) {
    const std::vector<std::string> other{"libm.so.6"};
    EXPECT_THAT(loadCuptiFrom(other).error().text(), HasSubstr("lacks a function (cuptiGetVersion)"));
}

TEST(MetricConfig, EveryFailureOfTheHostLibraryIsSaidAndClosesWhatWasOpened) {
    for (const std::string function :
         {"cuptiProfilerHostInitialize", "cuptiProfilerHostGetBaseMetrics",
          "cuptiProfilerHostConfigAddMetrics", "cuptiProfilerHostGetConfigImageSize",
          "cuptiProfilerHostGetConfigImage", "cuptiProfilerHostGetNumOfPasses"}) {
        FakeCupti fake;
        fake.cuptiFails[function] = CUPTI_ERROR_UNKNOWN;
        const auto config =
            MetricConfig::create(fake.api, *metricsFor("GH100", Precision::Bf16, CounterDetail::Quick));
        ASSERT_FALSE(config.has_value()) << function;
        EXPECT_THAT(config.error().text(), HasSubstr(function));
        EXPECT_EQ(std::count(fake.order.begin(), fake.order.end(), "host open"),
                  std::count(fake.order.begin(), fake.order.end(), "host close"))
            << function;
        fake.cuptiFails[function] = CUPTI_ERROR_NOT_INITIALIZED;
        EXPECT_THAT(
            MetricConfig::create(fake.api, *metricsFor("GH100", Precision::Bf16, CounterDetail::Quick))
                .error()
                .text(),
            HasSubstr("libnvperf_host.so"))
            << function;
    }
}

TEST(MetricConfig, IsClosedOnceHoweverOftenItMoves) {
    FakeCupti fake;
    {
        auto config =
            MetricConfig::create(fake.api, *metricsFor("GH100", Precision::Bf16, CounterDetail::Full));
        ASSERT_TRUE(config.has_value());
        const MetricConfig moved = std::move(config).value();
        EXPECT_EQ(moved.set().passes, 2);
    }
    EXPECT_THAT(fake.order, testing::ElementsAre("host open", "host close"));
}

}  // namespace
}  // namespace plumb::cupti

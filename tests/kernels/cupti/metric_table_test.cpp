// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/metric_table.h"

#include "tests/kernels/cupti/fake_cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace plumb::cupti {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kChips = knownChips();

CounterSet setOf(const std::string& chip, Precision precision, CounterDetail detail) {
    auto set = metricsFor(chip, precision, detail);
    EXPECT_TRUE(set.has_value()) << chip;
    return std::move(set).value();
}

TEST(MetricTable, KnowsEveryChipOfTheFamiliesThatCuptiCountsOn) {
    EXPECT_EQ(kChips.size(), 28U);
    EXPECT_EQ(std::set<std::string>(kChips.begin(), kChips.end()).size(), kChips.size());
}

TEST(MetricTable, EveryMetricHasAMeaningARollUpAndIsThereOnce) {
    for (const std::string& chip : kChips)
        for (const Precision precision : kAllPrecisions)
            for (const CounterDetail detail : kAllCounterDetails) {
                const CounterSet set = setOf(chip, precision, detail);
                std::set<std::string> names;
                for (const CounterMetric& metric : set.metrics) {
                    EXPECT_TRUE(metric.name.ends_with(".sum")) << metric.name;
                    EXPECT_FALSE(metric.meaning.empty()) << metric.name;
                    EXPECT_GT(metric.factor, 0) << metric.name;
                    EXPECT_TRUE(names.insert(metric.name).second)
                        << "a duplicate may cost a pass: " << metric.name;
                }
            }
}

TEST(MetricTable, WhatIsShownOfAKindNamesTheMetricsThatFeedItAndNoOthers) {
    for (const std::string& chip : kChips)
        for (const Precision precision : kAllPrecisions) {
            const CounterSet set = setOf(chip, precision, CounterDetail::Full);
            for (const CounterKind kind : kAllCounters) {
                // Each of them alone is named by its kind, and by no other.
                int feeding = 0;
                for (const CounterMetric& metric : set.metrics) {
                    CounterRun one;
                    one.metrics = {metric.name};
                    EXPECT_EQ(metricsText(kind, one), metric.feeds == kind ? metric.name : std::string())
                        << chip << " " << counterName(kind);
                    feeding += metric.feeds == kind ? 1 : 0;
                }
                CounterRun all;
                all.metrics = set.names();
                EXPECT_EQ(metricsText(kind, all).empty(), feeding == 0) << chip << " " << counterName(kind);
            }
        }
}

TEST(MetricTable, NoSetAddsAnAggregateToItsParts) {
    for (const std::string& chip : kChips)
        for (const Precision precision : kAllPrecisions)
            for (const CounterMetric& metric : setOf(chip, precision, CounterDetail::Full).metrics) {
                if (metric.feeds != CounterKind::TensorFlops) continue;
                EXPECT_EQ(metric.factor, 1) << "a multiply and an add are counted each: " << metric.name;
                EXPECT_TRUE(metric.name.find("sparsity_off") != std::string::npos || chip.starts_with("TU"))
                    << chip << " " << metric.name << " holds sparse work too";
            }
}

TEST(MetricTable, AFullSetFeedsEveryCountThatTheChipHas) {
    for (const std::string& chip : kChips) {
        const CounterSet set = setOf(chip, Precision::Bf16, CounterDetail::Full);
        std::set<CounterKind> fed;
        for (const CounterMetric& metric : set.metrics) fed.insert(metric.feeds);
        EXPECT_EQ(fed.size() + set.absent.size(), kCounterCount) << chip << ": what is not counted is said";
    }
    for (const char* chip : {"GA10B", "GB10B", "GB20B"})
        EXPECT_THAT(setOf(chip, Precision::Bf16, CounterDetail::Full).absent.at(0), HasSubstr("DRAM"));
    EXPECT_THAT(setOf("TU116", Precision::Fp32, CounterDetail::Full).absent.at(0),
                HasSubstr("no tensor cores"));
    EXPECT_TRUE(setOf("GH100", Precision::Bf16, CounterDetail::Full).absent.empty());
}

TEST(MetricTable, QuickIsAPartOfFullAndSaysWhatItLeavesOut) {
    const CounterSet quick = setOf("GH100", Precision::Fp16, CounterDetail::Quick);
    const CounterSet full = setOf("GH100", Precision::Fp16, CounterDetail::Full);
    for (const CounterMetric& metric : quick.metrics) EXPECT_THAT(full.metrics, testing::Contains(metric));
    EXPECT_LT(quick.metrics.size(), full.metrics.size());
    EXPECT_THAT(quick.absent.at(0), HasSubstr("CUDA-core"));
    for (const CounterMetric& metric : quick.metrics)
        EXPECT_THAT(metric.name, testing::Not(HasSubstr("sass"))) << "instrumented kernels are slow";
}

TEST(MetricTable, OtherChipsAreRefusedWithTheReason) {
    EXPECT_THAT(metricsFor("GV100", Precision::Bf16, CounterDetail::Quick).error().text(),
                HasSubstr("Volta"));
    const Error error = metricsFor("GX999", Precision::Bf16, CounterDetail::Quick).error();
    EXPECT_EQ(error.code, ErrorCode::Unavailable);
    EXPECT_THAT(error.text(), HasSubstr("GX999"));
}

/// The counts when one metric alone has a value.
OpCounters only(const CounterSet& set, const std::string& part, double value) {
    std::vector<double> values;
    bool found = false;
    for (const CounterMetric& metric : set.metrics) {
        const bool this1 = metric.name.find(part) != std::string::npos;
        found = found || this1;
        values.push_back(this1 ? value : 0);
    }
    EXPECT_TRUE(found) << part;
    return countersOf(set, values);
}

TEST(MetricTable, TheFactorsAreThoseOfTheReference) {
    const CounterSet set = setOf("GB100", Precision::Bf16, CounterDetail::Full);
    const std::pair<const char*, int> flops[] = {
        {"op_fadd_pred", 1}, {"op_fmul_pred", 1},  {"op_ffma_pred", 2},  {"op_hadd_pred", 2},
        {"op_hmul_pred", 2}, {"op_hfma_pred", 4},  {"op_dadd_pred", 1},  {"op_dmul_pred", 1},
        {"op_dfma_pred", 2}, {"op_fadd2_pred", 2}, {"op_fmul2_pred", 2}, {"op_ffma2_pred", 4}};
    for (const auto& [name, factor] : flops)
        EXPECT_EQ(only(set, name, 10)[CounterKind::CoreFlops]->value, 10 * factor) << name;
    EXPECT_EQ(only(set, "op_utchmma_src_bf16", 137438953472.0)[CounterKind::TensorFlops]->value,
              137438953472);
    EXPECT_EQ(only(set, "srcunit_tex", 3)[CounterKind::L2Bytes]->value, 96);
    EXPECT_EQ(only(set, "mem_shared", 3)[CounterKind::SharedBytes]->value, 384);
    EXPECT_EQ(only(set, "dram__bytes_read", 3)[CounterKind::DramBytes]->value, 3);
    EXPECT_EQ(only(set, "dram__bytes_write", 3)[CounterKind::DramBytes]->value, 3);
    EXPECT_EQ(only(setOf("GB202", Precision::Bf16, CounterDetail::Quick), "dram__bytes_op_read",
                   3)[CounterKind::DramBytes]
                  ->value,
              3);
}

TEST(MetricTable, AValueThatIsNoNumberLeavesItsCountUnknown) {
    const CounterSet set = setOf("GH100", Precision::Bf16, CounterDetail::Full);
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0, 1e300}) {
        const OpCounters counters = only(set, "dram__bytes_read", value);
        EXPECT_FALSE(counters[CounterKind::DramBytes]) << value;
        EXPECT_TRUE(counters[CounterKind::L2Bytes]) << "others stay";
    }
    EXPECT_TRUE(countersOf(set, {}).empty()) << "too few values are unknown ones";
}

}  // namespace
}  // namespace plumb::cupti

// SPDX-License-Identifier: Apache-2.0
#include "core/measure/counter_comparison.h"
#include "core/measure/reading_json.h"
#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace plumb {
namespace {

OpCounters allCounters(std::int64_t value) {
    OpCounters counters;
    for (const CounterKind kind : kAllCounters) counters[kind] = Counted{value, Source::Counter};
    return counters;
}

OpReading product(Flops flops, Bytes bytes) {
    return OpReading{
        .id = "p", .kind = std::string(kindName(OpKind::LayerForward)), .flops = flops, .bytes = bytes};
}

TEST(Counters, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names, labels;
    for (const CounterKind kind : kAllCounters) {
        names.insert(counterName(kind));
        labels.insert(counterLabel(kind));
        EXPECT_FALSE(counterUnit(kind).empty());
    }
    EXPECT_EQ(names.size(), kCounterCount);
    EXPECT_EQ(labels.size(), kCounterCount);
    for (const Source source : kAllSources) EXPECT_FALSE(sourceName(source).empty());
}

TEST(Counters, AreShownByTheVendorsNamesOfTheirMetrics) {
    CounterRun run;
    EXPECT_EQ(metricsText(CounterKind::DramBytes, run), "");
    run.metrics = {"sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum",
                   "sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32_sparsity_off.sum",
                   "dram__bytes_read.sum",
                   "dram__bytes_write.sum",
                   "lts__t_sectors_srcunit_tex.sum",
                   "lts__t_sectors_lookup_hit.sum",
                   "sm__sass_thread_inst_executed_op_fadd_pred_on.sum",
                   "sm__sass_thread_inst_executed_op_ffma_pred_on.sum",
                   "sm__sass_thread_inst_executed_op_dadd_pred_on.sum"};
    EXPECT_EQ(metricsText(CounterKind::DramBytes, run), "dram__bytes_{read,write}.sum");
    EXPECT_EQ(metricsText(CounterKind::L2Bytes, run), "lts__t_sectors_srcunit_tex.sum");
    EXPECT_EQ(metricsText(CounterKind::L2Hits, run), "lts__t_sectors_lookup_hit.sum");
    EXPECT_EQ(metricsText(CounterKind::L2Misses, run), "");
    EXPECT_EQ(metricsText(CounterKind::TensorFlops, run),
              "sm__ops_path_tensor_op_{hgmma,hmma}_src_bf16_dst_fp32_sparsity_off.sum");
    EXPECT_EQ(metricsText(CounterKind::CoreFlops, run),
              "sm__sass_thread_inst_executed_op_*_pred_on.sum (3 metrics)");
    // One name is all of what the other begins and ends with.
    run.metrics = {"dram__bytes_op_read.sum", "dram__bytes_op_op_read.sum"};
    EXPECT_EQ(metricsText(CounterKind::DramBytes, run),
              "dram__bytes_op_read.sum, dram__bytes_op_op_read.sum");
}

TEST(Counters, ExecutedFlopsNeedBothKindsOfCores) {
    OpCounters counters;
    EXPECT_TRUE(counters.empty());
    EXPECT_FALSE(counters.executedFlops());
    counters[CounterKind::TensorFlops] = Counted{70, Source::Counter};
    EXPECT_FALSE(counters.executedFlops()) << "an unknown half is not zero";
    counters[CounterKind::CoreFlops] = Counted{7, Source::Counter};
    EXPECT_EQ(counters.executedFlops(), 77);
    counters[CounterKind::CoreFlops] = Counted{INT64_MAX, Source::Counter};
    EXPECT_FALSE(counters.executedFlops()) << "63 bits do not hold it";
}

TEST(Counters, TheL1LevelIsLoadStorePathAndSharedMemory) {
    OpCounters counters;
    counters[CounterKind::L1Bytes] = Counted{100, Source::Counter};
    EXPECT_FALSE(counters.bytesAt(MemoryLevel::L1)) << "without shared memory it would be too small";
    counters[CounterKind::SharedBytes] = Counted{28, Source::Counter};
    EXPECT_EQ(counters.bytesAt(MemoryLevel::L1), 128);
    EXPECT_FALSE(counters.bytesAt(MemoryLevel::L2));
    EXPECT_FALSE(counters.bytesAt(MemoryLevel::Dram));
}

TEST(Counters, ASumLacksWhatOneOpLacks) {
    OpCounters a = allCounters(3), b = allCounters(4);
    b[CounterKind::L2Bytes].reset();
    const OpCounters sum = sumOf({&a, &b});
    EXPECT_EQ(sum[CounterKind::DramBytes], (Counted{7, Source::Counter}));
    EXPECT_FALSE(sum[CounterKind::L2Bytes]);
    EXPECT_TRUE(sumOf({}).empty());
    a[CounterKind::DramBytes]->value = INT64_MAX;
    EXPECT_FALSE(sumOf({&a, &b})[CounterKind::DramBytes]) << "an overflow is not known";
}

TEST(Counters, MakeRatiosWhereAllThatTheyNeedIsKnown) {
    OpCounters counters = allCounters(8);
    counters[CounterKind::L2Misses]->value = 24;
    counters[CounterKind::TensorCycles]->value = 2;
    const auto value = [&](CounterKind kind) -> std::optional<double> {
        const auto& counted = counters[kind];
        return counted ? std::optional(static_cast<double>(counted->value)) : std::nullopt;
    };
    const auto ratio = [&](std::string_view name) -> std::optional<double> {
        for (const CounterRatio& each : kCounterRatios)
            if (each.name == name) return ratioOf(each, value);
        ADD_FAILURE() << name;
        return std::nullopt;
    };
    EXPECT_DOUBLE_EQ(ratio("tensor_pipe").value_or(-1), 0.25);
    EXPECT_DOUBLE_EQ(ratio("l2_hits").value_or(-1), 0.25) << "hits / (hits + misses)";
    EXPECT_DOUBLE_EQ(ratio("warps_per_sm").value_or(-1), 1);
    counters[CounterKind::L2Misses].reset();
    EXPECT_FALSE(ratio("l2_hits").has_value());
    counters[CounterKind::SmCycles]->value = 0;
    EXPECT_FALSE(ratio("tensor_pipe").has_value()) << "an op in which no SM worked";
    for (const CounterRatio& each : kCounterRatios) EXPECT_FALSE(counterMetric(each.part).empty());
    EXPECT_EQ(mostWarps(90), 64);
    EXPECT_EQ(mostWarps(89), 48);
    EXPECT_FALSE(mostWarps(0).has_value());
}

TEST(CounterRatios, AreExecutedOverModelled) {
    const OpReading modelled = product(1000, 200);
    OpCounters counters;
    counters[CounterKind::TensorFlops] = Counted{1024, Source::Counter};
    EXPECT_DOUBLE_EQ(*compareCounters(modelled, counters).flops, 1.024)
        << "of a product the tensor cores alone say it";
    counters[CounterKind::CoreFlops] = Counted{76, Source::Counter};
    counters[CounterKind::DramBytes] = Counted{100, Source::Counter};
    counters[CounterKind::L2Bytes] = Counted{300, Source::Counter};
    const CounterRatios ratios = compareCounters(modelled, counters);
    EXPECT_DOUBLE_EQ(*ratios.flops, 1.1);
    EXPECT_DOUBLE_EQ(*ratios.dram, 0.5);
    EXPECT_DOUBLE_EQ(*ratios.l2, 1.5);
    EXPECT_FALSE(ratios.l1);
}

TEST(CounterRatios, OfOtherOpsNeedTheCudaCores) {
    OpReading optimizer = product(1000, 200);
    optimizer.kind = kindName(OpKind::OptimizerStep);
    OpCounters counters;
    counters[CounterKind::TensorFlops] = Counted{0, Source::Counter};
    EXPECT_FALSE(compareCounters(optimizer, counters).flops);
    counters[CounterKind::CoreFlops] = Counted{500, Source::Counter};
    EXPECT_DOUBLE_EQ(*compareCounters(optimizer, counters).flops, 0.5);
    optimizer.flops = 0;
    EXPECT_FALSE(compareCounters(optimizer, counters).flops) << "nothing is a multiple of zero";
    // A product whose tensor cores did nothing ran on the CUDA cores: without those there is nothing to say.
    counters[CounterKind::CoreFlops].reset();
    EXPECT_FALSE(compareCounters(product(1000, 200), counters).flops);
}

TEST(CounterRatios, OfTheStepAreThoseOfTheSums) {
    const Snapshot snapshot = sampleSnapshot();
    Reading measured = *snapshot.measured;
    const std::vector<OpCounters> counters(measured.ops.size(), allCounters(1000));
    applyCounters(measured, counters, CounterRun{});
    const auto count = static_cast<double>(measured.ops.size());
    const CounterRatios ratios = compareCounters(*snapshot.predicted, measured);
    EXPECT_DOUBLE_EQ(*ratios.flops, 2000 * count / static_cast<double>(*snapshot.predicted->totals.flops));
    EXPECT_DOUBLE_EQ(*ratios.l2, 1000 * count / static_cast<double>(*snapshot.predicted->totals.bytes));
    EXPECT_DOUBLE_EQ(*ratios.l1, 2 * *ratios.dram);
    measured.ops[3].counters[CounterKind::L2Bytes].reset();
    EXPECT_FALSE(compareCounters(*snapshot.predicted, measured).l2);
    measured.ops[0].id = "of another step";
    EXPECT_FALSE(compareCounters(*snapshot.predicted, measured).dram);
}

TEST(Counters, GoIntoAReadingAndOutAgain) {
    Reading measured = *sampleSnapshot().measured;
    const std::vector<OpCounters> counters(measured.ops.size(), allCounters(10));
    measured.countersAbsent = "nobody asked";
    applyCounters(measured, counters, CounterRun{"GH100", "", "", {}, 2, {}, {}});
    EXPECT_EQ(measured.ops[0].flops, 20);
    EXPECT_EQ(measured.ops[0].bytes, 10);
    EXPECT_EQ(measured.ops[0].source, Source::Clock) << "of the seconds, which stay";
    EXPECT_EQ(measured.totals.flops, 20 * static_cast<Flops>(measured.ops.size()));
    EXPECT_EQ(measured.counterRun->chip, "GH100");
    EXPECT_TRUE(measured.countersAbsent.empty());
    const auto read = fromJson<Reading>(toJson(measured));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    expectSameReading(*read, measured);

    dropCounters(measured, "the launch sequence changed");
    EXPECT_FALSE(measured.ops[0].flops);
    EXPECT_FALSE(measured.totals.bytes);
    EXPECT_FALSE(measured.counterRun);
    EXPECT_EQ(measured.countersAbsent, "the launch sequence changed");
}

TEST(Counters, OneOpWithoutACountLeavesTheTotalUnknown) {
    Reading measured = *sampleSnapshot().measured;
    std::vector<OpCounters> counters(measured.ops.size(), allCounters(10));
    counters[2][CounterKind::CoreFlops].reset();
    counters.pop_back();
    applyCounters(measured, counters, CounterRun{});
    EXPECT_FALSE(measured.totals.flops);
    EXPECT_FALSE(measured.totals.bytes);
    EXPECT_FALSE(measured.ops[2].flops);
    EXPECT_EQ(measured.ops[2].bytes, 10);
}

}  // namespace
}  // namespace plumb

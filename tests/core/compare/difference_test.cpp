// SPDX-License-Identifier: Apache-2.0
#include "core/compare/difference.h"

#include "core/compare/aligned_memory.h"
#include "core/compare/comparison_report.h"
#include "core/compare/shift.h"
#include "core/machine/hardware_database.h"
#include "tests/support/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace plumb {
namespace {

ComparedStep ours(std::int32_t layers, const std::function<void(RunConfig&)>& change = {}) {
    RunConfig config;
    config.dim = 32;
    config.layers = layers;
    config.batch = 16;
    config.microBatch = 16;
    if (change) change(config);
    return comparedStep(planOn(config, {HardwareDatabase::builtIn().find("H200 SXM").value(), {}}).value(),
                        "L" + std::to_string(layers));
}

ComparedStep decoder(const std::function<void(nlohmann::json&)>& change = {}) {
    nlohmann::json document = test::referenceFile("step/decoder.plumb");
    if (change) change(document);
    return comparedStep(parseStepFile(document.dump(), "it").value(), "decoder");
}

TEST(Differences, AddUpToTheDifferenceOfTheSteps) {
    const Comparison comparison = compare({ours(3), ours(5)});
    const auto sumOf = [&](DifferenceOf what) {
        double sum = 0;
        for (const DifferenceRow& row : differences(comparison, 1, what)) sum += row.difference().value();
        return sum;
    };
    const Step &a = *comparison.steps[0].step, &b = *comparison.steps[1].step;
    EXPECT_DOUBLE_EQ(sumOf(DifferenceOf::OpFlops), static_cast<double>(b.flops - a.flops));
    EXPECT_DOUBLE_EQ(sumOf(DifferenceOf::OpBytes), static_cast<double>(b.bytes - a.bytes));
}

TEST(Differences, WhatOneStepLacksIsSaidAndReal) {
    const Comparison comparison = compare({ours(5), ours(3)});
    int gone = 0;
    for (const DifferenceRow& row : differences(comparison, 1, DifferenceOf::Tensors)) {
        if (row.isInOther) continue;
        ++gone;
        EXPECT_TRUE(row.isReal()) << row.name;
        EXPECT_EQ(verdictOf(row), "only in the baseline");
        EXPECT_DOUBLE_EQ(*row.difference(), -*row.baseline);
    }
    EXPECT_GT(gone, 0);
    for (const DifferenceRow& row : differences(comparison, 0, DifferenceOf::Tensors))
        EXPECT_FALSE(row.isReal()) << "the baseline against itself: " << row.name;
}

TEST(Differences, OfThreeStepsAreEachAgainstTheBaseline) {
    const Comparison comparison = compare({ours(3), ours(3), ours(4)});
    for (const DifferenceOf what : {DifferenceOf::Figures, DifferenceOf::OpFlops, DifferenceOf::Tensors}) {
        const auto same = differences(comparison, 1, what), other = differences(comparison, 2, what);
        EXPECT_TRUE(std::ranges::none_of(same, &DifferenceRow::isReal));
        EXPECT_TRUE(std::ranges::any_of(other, &DifferenceRow::isReal));
    }
    for (const DifferenceRow& row : differences(comparison, 1, DifferenceOf::Tensors))
        EXPECT_TRUE(row.isInBoth()) << "a row of the third step alone: " << row.name;
}

TEST(Differences, AreWrittenAsCsv) {
    const Comparison comparison = compare({ours(3), ours(4)});
    const auto rows = differences(comparison, 1, DifferenceOf::OpFlops);
    const std::string csv = differencesCsv(rows);
    EXPECT_TRUE(
        csv.starts_with("name,phase,category,unit,baseline,other,difference,share,noise,verdict\r\n"));
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), rows.size() + 1);
}

TEST(Differences, OfTimesSayWhatNoiseMakesOfThem) {
    DifferenceRow row{.unit = "s", .baseline = 2.0, .other = 2.02};
    row.judgement = judgeTimes(RepeatedTime{2, 0.01, 20, 19}, RepeatedTime{2.02, 0.01, 20, 19});
    EXPECT_EQ(verdictOf(row), "no real change");
    EXPECT_NEAR(*row.noise(), 2 * *row.judgement.band, 1e-12);
    EXPECT_EQ(percentText(row.judgement), "+1.0 %");
    EXPECT_TRUE(differenceText(row.judgement).starts_with("+1.0 % ± ")) << differenceText(row.judgement);
    row.judgement.band = 1.699;
    EXPECT_EQ(differenceText(row.judgement), "+1.0 % ×/÷ 2.7, no real change");
    row.judgement.band.reset();
    row.judgement.change = Change::Unknown;
    EXPECT_EQ(verdictOf(row), "noise not known");
}

TEST(Change, ADisturbedMachineGivesNoVerdict) {
    // As found on two cores that several programs share: 10 %, median and 90 % of 20 steps, in ms.
    const auto quiet = repeatedTime(2.15e-3, Spread{2.02e-3, 2.27e-3}, 20);
    const auto shared = repeatedTime(7.61e-3, Spread{4.61e-3, 9.97e-3}, 20);
    EXPECT_FALSE(quiet.isDisturbed());
    EXPECT_TRUE(shared.isDisturbed());
    for (const auto& [a, b] : {std::pair(quiet, shared), std::pair(shared, quiet)}) {
        const Judgement judged = judgeTimes(a, b);
        EXPECT_FALSE(judged.isReal());
        EXPECT_TRUE(judged.change == Change::Disturbed || judged.change == Change::WithinNoise);
    }
    EXPECT_EQ(judgeTimes(quiet, shared).change, Change::Disturbed) << "3.5 times as long, and no verdict";
    std::vector<Seconds> bimodal;
    for (int i = 0; i < 20; ++i) bimodal.push_back(i % 3 == 0 ? 1.8e-3 : 6e-3 + 1e-5 * i);
    EXPECT_TRUE(repeatedTime(bimodal)->isDisturbed());
}

TEST(Comparison, RatesAreJudgedAsTheirTimesAre) {
    ComparedStep slow = decoder();
    const Seconds median = slow.stepTime->median;
    slow.stepTime = RepeatedTime{median, median * 0.01, 20, 19};
    ComparedStep fast = slow;
    fast.stepTime->median /= 2;
    auto reading = std::make_shared<Reading>(*fast.reading);
    reading->totals.samplesPerSecond = 2 * *slow.reading->totals.samplesPerSecond;
    fast.reading = reading;
    const Comparison comparison = compare({slow, fast});
    EXPECT_EQ(comparison.figures[0].judgements[1].change, Change::Less);
    EXPECT_EQ(comparison.figures[1].name, "samples per second");
    EXPECT_EQ(comparison.figures[1].judgements[1].change, Change::More);
    EXPECT_DOUBLE_EQ(*comparison.figures[1].judgements[1].ratio, 2);
}

TEST(AlignedMemory, OfTheSameStepIsItsCurveOpByOp) {
    const ComparedStep step = ours(4);
    const AlignedMemory memory = alignMemory(step, step);
    EXPECT_TRUE(memory.isByOp);
    EXPECT_EQ(memory.bytes[0], memory.bytes[1]);
    const std::vector<CategoryBytes> curve = curveOf(step);
    ASSERT_EQ(memory.bytes[0].size(), curve.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        EXPECT_DOUBLE_EQ(memory.bytes[0][i], static_cast<double>(total(curve[i])));
        EXPECT_DOUBLE_EQ(memory.edges[i + 1], static_cast<double>(i + 1));
    }
}

TEST(AlignedMemory, StretchesTheShorterOneAndLosesNoValue) {
    for (const auto& [a, b] : {std::pair(ours(2), ours(7)), std::pair(ours(7), decoder())}) {
        const AlignedMemory memory = alignMemory(a, b);
        ASSERT_EQ(memory.edges.size(), memory.bytes[0].size() + 1);
        ASSERT_EQ(memory.bytes[0].size(), memory.bytes[1].size());
        EXPECT_TRUE(std::ranges::is_sorted(memory.edges));
        EXPECT_EQ(std::ranges::adjacent_find(memory.edges), memory.edges.end()) << "an empty interval";
        for (std::size_t which = 0; which < 2; ++which) {
            double peak = 0;
            for (const CategoryBytes& bytes : curveOf(which == 0 ? a : b))
                peak = std::max(peak, static_cast<double>(total(bytes)));
            EXPECT_DOUBLE_EQ(*std::ranges::max_element(memory.bytes.at(which)), peak);
        }
        EXPECT_DOUBLE_EQ(memory.parts.front().from, 0);
        EXPECT_DOUBLE_EQ(memory.parts.back().to, memory.edges.back());
    }
    EXPECT_EQ(alignMemory(ours(2), ours(7)).parts.front().name, "forward");
}

TEST(RooflineShifts, JoinWhatBothStepsHave) {
    const Comparison comparison = compare({ours(3), ours(3, [](RunConfig& config) { config.dim = 64; })});
    const auto shifts = rooflineShifts(comparison, 1);
    ASSERT_FALSE(shifts.empty());
    EXPECT_TRUE(std::ranges::is_sorted(shifts, std::greater{}, &RooflineShift::seconds));
    for (const RooflineShift& shift : shifts) {
        const OpRow& row = comparison.ops[shift.row];
        EXPECT_DOUBLE_EQ(shift.other.intensity, static_cast<double>(*row.figures[1].flops) /
                                                    static_cast<double>(*row.figures[1].bytes));
        EXPECT_DOUBLE_EQ(shift.baseline.flopPerSecond,
                         static_cast<double>(*row.figures[0].flops) / row.figures[0].time->median);
    }
}

TEST(LossDifference, IsTakenAtStepsOfBoth) {
    const auto trained = [](const std::vector<std::pair<std::int64_t, double>>& losses) {
        ComparedStep step = ours(2);
        for (const auto& [at, loss] : losses) step.training.push_back({.step = at, .loss = loss});
        return step;
    };
    const ComparedStep baseline = trained({{0, 4}, {10, 2}, {20, 1}});
    const LossDifference found =
        lossDifference(baseline, trained({{0, 5}, {5, 4}, {15, NAN}, {20, 1}, {30, 0}}));
    EXPECT_EQ(found.steps, (std::vector<double>{0, 5, 20}));
    EXPECT_EQ(found.difference, (std::vector<double>{1, 1, 0})) << "3 at step 5, between 4 and 2";
    EXPECT_TRUE(lossDifference(ours(2), baseline).steps.empty());
}

TEST(ComparisonReport, IsTheSameTableInBothForms) {
    const Comparison comparison = compare({ours(3), ours(4)});
    const std::string markdown = comparisonReport(comparison, TableForm::Markdown, false);
    EXPECT_NE(markdown.find("| layers |"), std::string::npos);
    EXPECT_NE(markdown.find("### "), std::string::npos);
    EXPECT_EQ(comparisonReport(comparison, TableForm::Text, false).find("| layers |"), std::string::npos);
}

}  // namespace
}  // namespace plumb

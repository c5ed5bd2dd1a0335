// SPDX-License-Identifier: Apache-2.0
// What holds of the findings of any step: they have numbers, an order, and remedies that are possible.
#include "tests/core/findings/found.h"
#include "tests/support/random_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace plumb {
namespace {

using test::LookedAt;
using testing::HasSubstr;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Machine anyMachine(std::uint64_t seed) {
    Machine machine = test::tenFlopsAByte();
    machine.memoryBytes = static_cast<Bytes>(10'000 * (1 + seed * seed % 400));
    if (seed % 5 == 1) machine.perOpOverhead = 1e-4;
    if (seed % 5 == 2) machine.perOpOverhead.reset();
    if (seed % 7 == 3) machine.memoryBytes.reset();
    if (seed % 7 == 4) machine.bandwidthBytesPerSecond.reset();
    if (seed % 11 == 5) machine.peakFlopPerSecond.clear();
    if (seed % 11 == 6) return Machine{};
    return machine;
}

/// Numbers as a damaged or hostile file may have them.
void disturb(Reading& reading, std::uint64_t seed) {
    const double odd = seed % 3 == 0 ? kNaN : (seed % 3 == 1 ? std::numeric_limits<double>::infinity() : 0);
    for (std::size_t op = 0; op < reading.ops.size(); ++op) {
        if ((op + seed) % 4 == 0) reading.ops[op].seconds = odd;
        if ((op + seed) % 5 == 0) reading.ops[op].seconds.reset();
    }
    if (seed % 2 == 0) reading.totals.seconds = odd;
    reading.totals.spread = Spread{0, odd};
    reading.speed = MeasuredSpeed{{}, odd};
    reading.telemetry.emplace();
    reading.telemetry->samples = 1;
    reading.telemetry->smClockHz = SampledRange{odd, 0, odd};
    reading.telemetry->throttles = {{Throttle::Temperature, odd}};
    reading.memory->peakBytes = seed % 2 == 0 ? 0 : 12345;
}

void expectWhole(const Finding& finding) {
    SCOPED_TRACE(std::string(finding.rule));
    const std::string all = text(finding.sentence) + text(finding.remedy.advice) +
                            (finding.remedy.trial ? text(sentenceOf(*finding.remedy.trial)) : std::string());
    for (const char* none : {"nan", "inf", " – ", "%1", "%2", "%3", "%4", "%5", "%6"})
        EXPECT_THAT(all, Not(HasSubstr(none)));
    EXPECT_FALSE(finding.sentence.empty());
    EXPECT_FALSE(finding.remedy.advice.empty());
    EXPECT_FALSE(finding.figures.empty());
    EXPECT_FALSE(finding.view.empty());
    EXPECT_GE(finding.stake, 0);
    EXPECT_LE(finding.stake, 1);
    EXPECT_EQ(finding.remedy.changes.empty(), !finding.remedy.trial.has_value());
    for (const Figure& figure : finding.figures)
        EXPECT_TRUE(std::isfinite(figure.amount.value)) << figure.name;
}

TEST(Findings, OfAnyStepAreWhole) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        LookedAt looked(test::randomConfig(seed), anyMachine(seed));
        if (seed % 3 == 1) looked.measure();
        if (seed % 3 == 2) looked.measure([seed](Reading& reading) { disturb(reading, seed / 3); });
        const Findings findings = looked.all();
        EXPECT_EQ(findings.found.size() + findings.silent.size(), findingRules().size());
        for (std::size_t i = 0; i < findings.found.size(); ++i) {
            expectWhole(findings.found[i]);
            if (i == 0) continue;
            EXPECT_GE(findings.found[i - 1].severity, findings.found[i].severity);
        }
    }
}

TEST(Findings, RemediesOfAnyStepFitAndSayWhatPlanningSays) {
    int checked = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const LookedAt looked(test::randomConfig(seed), anyMachine(seed));
        for (const Finding& finding : looked.all().found) {
            if (finding.remedy.changes.empty()) continue;
            ++checked;
            RunConfig config = looked.planned.config();
            for (const auto& [option, value] : finding.remedy.changes)
                ASSERT_TRUE(setOption(config, option, value).has_value()) << finding.rule;
            const Result<PlannedStep> again = planOn(config, looked.planned.target);
            ASSERT_TRUE(again.has_value()) << finding.rule << " seed " << seed;
            EXPECT_EQ(finding.remedy.trial->peakAfter, again->prediction->memory.peakBytes);
            const auto& memory = looked.planned.machine().memoryBytes;
            if (!memory) continue;
            EXPECT_LE(finding.remedy.trial->peakAfter, *memory) << finding.rule << " seed " << seed;
        }
    }
    EXPECT_GT(checked, 50);
}

TEST(Findings, RulesHaveNamesOfTheirOwn) {
    std::set<std::string_view> ids;
    for (const RuleInfo& rule : findingRules()) {
        EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
        EXPECT_FALSE(rule.looksAt.empty());
    }
    EXPECT_GE(ids.size(), 14U);
}

TEST(Findings, ArePatternsWhoseArgumentsStandInAnyOrder) {
    EXPECT_EQ(filled("%1 达到其屋顶的 %2", {"权重梯度", "7 %"}), "权重梯度达到其屋顶的 7 %");
    EXPECT_EQ(filled("%1 达到其屋顶的 %2", {"add_", "7 %"}), "add_ 达到其屋顶的 7 %");
    EXPECT_EQ(filled("%2 of %1, 3 % and %3", {"a", "b"}), "b of a, 3 % and %3");
    EXPECT_EQ(text(Sentence{"%1 of %2", {Amount{0.5, "%"}, std::string("100 %1")}}), "50 % of 100 %1");
    EXPECT_EQ(text(Amount{4096, "#"}), "4\u2009096");
}

TEST(Findings, AreOfASceneOnlyWhatWasMeasuredOfThisStep) {
    RunConfig config;
    LookedAt looked(config);
    looked.measure();
    Scene scene{looked.planned, looked.measured};
    EXPECT_EQ(findableIn(scene).measured, &*scene.measured);
    config.batch *= 2;
    scene.whatIf = LookedAt(config).planned;
    EXPECT_EQ(findableIn(scene).measured, nullptr);
}

}  // namespace
}  // namespace plumb

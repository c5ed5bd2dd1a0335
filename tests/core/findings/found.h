// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/findings/findings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace plumb::test {

/// A calibrated machine: 10 FLOP a byte in fp32, 40 in bf16; 1 GB of memory.
inline Machine tenFlopsAByte() {
    return Machine{.id = "m",
                   .name = "M",
                   .backend = "cpu",
                   .memoryBytes = 1'000'000'000,
                   .bandwidthBytesPerSecond = 1e9,
                   .peakFlopPerSecond = {{Dtype::Fp32, 1e10}, {Dtype::Bf16, 4e10}},
                   .perOpOverhead = 1e-9,
                   .source = "calibrated"};
}

/// A step of ours, what is predicted of it and, after measure(), what was measured.
struct LookedAt {
    explicit LookedAt(const RunConfig& config, Machine machine = tenFlopsAByte())
        : planned(planOn(config, {std::move(machine), cpuTraits()}).value()) {}

    /// A measured reading that says what was predicted; `change` makes it say something else.
    LookedAt& measure(const std::function<void(Reading&)>& change = {}) {
        Reading reading = toReading(*planned.step, *planned.prediction);
        reading.source = Source::Clock;
        reading.memory->source = Source::Allocator;
        reading.stepsMeasured = 20;
        for (OpReading& op : reading.ops) {
            op.source = Source::Clock;
            op.tier = Tier::Measured;
            op.spread.reset();
            op.flops.reset();
            op.bytes.reset();
        }
        if (change) change(reading);
        measured.emplace(planned, std::make_shared<const Reading>(std::move(reading)));
        return *this;
    }

    [[nodiscard]] Findings all() const {
        return findingsOf({planned, measured ? &*measured : nullptr, training ? &*training : nullptr});
    }
    /// The finding of this rule; empty where it is silent.
    [[nodiscard]] std::optional<Finding> by(std::string_view rule) const {
        const Findings findings = all();
        const auto found = std::ranges::find(findings.found, rule, &Finding::rule);
        return found == findings.found.end() ? std::nullopt : std::optional(*found);
    }
    /// Why it is silent; None also where it speaks.
    [[nodiscard]] Lack lackOf(std::string_view rule) const {
        const Findings findings = all();
        const auto silent = std::ranges::find(findings.silent, rule, &SilentRule::id);
        return silent == findings.silent.end() ? Lack::None : silent->lack;
    }

    PlannedStep planned;
    std::optional<MeasuredStep> measured;
    std::optional<TrainingSeries> training;
};

/// The figure of this name; the test fails where there is none.
inline Figure figureOf(const Finding& finding, std::string_view name) {
    const auto found = std::ranges::find(finding.figures, name, &Figure::name);
    EXPECT_NE(found, finding.figures.end()) << name;
    return found == finding.figures.end() ? Figure{} : *found;
}

}  // namespace plumb::test

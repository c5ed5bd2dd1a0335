// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/findings/facts.h"

#include <optional>
#include <span>
#include <string_view>

namespace plumb {

/// What a rule says of a step: a finding, or that there is none, or what it would have to know.
struct Verdict {
    std::optional<Finding> finding;
    Lack lack = Lack::None;

    Verdict() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a rule returns either
    Verdict(Finding noticed) : finding(std::move(noticed)) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    Verdict(Lack missing) : lack(missing) {}
};

struct Rule {
    std::string_view id;
    std::string_view looksAt;
    Verdict (*apply)(const Facts& facts);
};

// By what they look at; a file each.
[[nodiscard]] std::span<const Rule> timeRules();
[[nodiscard]] std::span<const Rule> roofRules();
[[nodiscard]] std::span<const Rule> memoryRules();
[[nodiscard]] std::span<const Rule> deviceRules();
[[nodiscard]] std::span<const Rule> measurementRules();
[[nodiscard]] std::span<const Rule> trainingRules();
[[nodiscard]] std::span<const Rule> recordedRules();

/// A finding about time whose stake is the share of `group`, with that share and the number of ops as its
/// first figures; the longest of them shows it.
[[nodiscard]] Finding findingOf(const Facts& facts, const OpGroup& group, std::string_view view);
/// Names the op at this index as the one that shows the finding.
void setOp(Finding& finding, const Step& step, std::int64_t op);
[[nodiscard]] inline Amount amountOf(Bytes bytes) { return {static_cast<double>(bytes), "B"}; }
[[nodiscard]] inline Amount countOf(std::int64_t count) { return {static_cast<double>(count), "#"}; }
/// Advice that is a checked change of the configuration.
[[nodiscard]] Remedy remedyOf(Sentence advice, const TriedPlan& tried);

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"

#include <span>
#include <string>
#include <string_view>

namespace plumb::planner {

/// Whether a device holds its part of a training: without it no time means anything.
struct Verdict {
    Range needed;                     ///< bytes of the fullest stage; the ends as those of any answer
    double available = 0;             ///< bytes of a device, as labelled
    bool withoutActivations = false;  ///< a mere number of parameters has none
    [[nodiscard]] bool fits() const { return needed.expected <= available; }
    [[nodiscard]] std::string_view word() const { return fits() ? "fits" : "DOES NOT FIT"; }
};
/// Errors: those of Output::MemoryPerDevice; BadInput for a device of unknown memory.
[[nodiscard]] Result<Verdict> verdictOf(const Scenario& scenario);

/// "fits: 61.0 GB of 80.0 GB", "DOES NOT FIT: 95.0 GB of 80.0 GB", with what the ends of the assumptions say
/// where that is something else.
[[nodiscard]] std::string verdictText(const Verdict& verdict);
/// What has to stand beside a time, a price or another answer that takes it for granted that the training
/// runs.
inline constexpr std::string_view kDoesNotFit = "does not fit";
/// Answers that take it for granted.
[[nodiscard]] bool needsMemory(Output output);
/// The verdict that belongs to these answers: of the server where they are of one, else of the training.
/// Errors: those of verdictOf() and serverVerdict().
[[nodiscard]] Result<Verdict> verdictOf(std::span<const Output> outputs, const Scenario& scenario);
/// Whether a verdict belongs to these answers: one of them takes it for granted, or is the memory.
[[nodiscard]] bool wantsVerdict(std::span<const Output> outputs);

}  // namespace plumb::planner

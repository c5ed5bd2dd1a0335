// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compare/compared_step.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

// Values and judgements stand in the order of the compared steps; the first one is the baseline, which is
// judged against itself.

/// A fact in which steps differ; empty where a step does not have it.
struct FactRow {
    std::string name;
    std::vector<std::string> values;
    bool isEnvironment = false;  ///< StepFact::isEnvironment
};

/// A number of the whole step.
struct FigureRow {
    std::string name;       ///< "peak memory"
    std::string_view unit;  ///< as formatQuantity() takes it
    std::vector<std::optional<double>> values;
    std::vector<Judgement> judgements;
};

/// Ops of one phase, module and kind, which are matched by these.
struct OpRow {
    Phase phase{};
    std::string place;  ///< module, or layer of our own model; empty: none
    std::string kind;
    std::string kindLabel;  ///< what the kind is called in the first step that has it
    struct Figures {
        std::int64_t ops = 0;  ///< 0: the step has none
        std::optional<RepeatedTime> time;
        std::optional<Flops> flops;
        std::optional<Bytes> bytes;
    };
    std::vector<Figures> figures;
    std::vector<Judgement> times, flops, bytes;

    /// Whether the step at `index` really has something else there than the baseline.
    [[nodiscard]] bool differsAt(std::size_t index) const;
    [[nodiscard]] bool differs() const;  ///< in any step
    /// "backward · blocks.0.mlp · aten::mm".
    [[nodiscard]] std::string label() const;
};

/// Tensors of one name; their bytes together where a step has several.
struct TensorRow {
    std::string name;
    Category category{};  ///< in the first step that has it
    std::vector<std::optional<Bytes>> bytes;
    std::vector<Judgement> judgements;

    [[nodiscard]] bool differs() const;  ///< in any step, from the baseline
};

/// Steps of any origin side by side: what explains a difference first, then what differs.
struct Comparison {
    std::vector<ComparedStep> steps;  ///< two or more
    std::vector<double> drifts;       ///< machineDrift() of each from the baseline
    std::vector<FactRow> facts;       ///< only those in which steps differ
    std::vector<FigureRow> figures;
    std::vector<OpRow> ops;  ///< all, in the order of the first step that has them
    std::vector<TensorRow> tensors;

    /// Whether anything of the step at `index` is really other than of the baseline.
    [[nodiscard]] bool isChanged(std::size_t index) const;
};

/// Pre: there are two steps or more.
[[nodiscard]] Comparison compare(std::vector<ComparedStep> steps);

/// How a comparison of large steps is followed and given up.
struct CompareControl {
    std::stop_token stop;
    std::function<void(double share)> progress;  ///< from 0 to 1; may be empty
};
/// The same; absent when it was asked to stop.
[[nodiscard]] std::optional<Comparison> compare(std::vector<ComparedStep> steps,
                                                const CompareControl& control);
/// How much there is to compare: operations and tensors of all steps.
[[nodiscard]] std::size_t comparisonWork(std::span<const ComparedStep> steps);

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/compare/comparison.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// What stands where a number is not known.
inline constexpr std::string_view kNoNumber = "–";

/// What the rows of a table of differences are.
enum class DifferenceOf : std::uint8_t { Figures, OpTimes, OpFlops, OpBytes, Tensors };
constexpr DifferenceOf lastOf(DifferenceOf /*type*/) { return DifferenceOf::Tensors; }
inline constexpr auto kDifferenceNames = enumNames<DifferenceOf>({{DifferenceOf::Figures, "figure"},
                                                                  {DifferenceOf::OpTimes, "op time"},
                                                                  {DifferenceOf::OpFlops, "op flops"},
                                                                  {DifferenceOf::OpBytes, "op bytes"},
                                                                  {DifferenceOf::Tensors, "tensor"}});

/// One number of a step and the same of the baseline, whatever it is a number of.
struct DifferenceRow {
    std::string name;
    std::string_view unit;
    std::optional<Phase> phase;        ///< of operations
    std::optional<Category> category;  ///< of tensors
    bool isInBaseline = true;          ///< false: only the other step has such an operation or tensor
    bool isInOther = true;
    std::optional<double> baseline, other;
    Judgement judgement;

    [[nodiscard]] bool isInBoth() const { return isInBaseline && isInOther; }
    [[nodiscard]] bool isReal() const { return judgement.isReal() || isInBaseline != isInOther; }
    /// other - baseline, where what a step does not have counts as 0; absent where one is not known.
    [[nodiscard]] std::optional<double> difference() const;
    /// What noise makes of the difference, in the unit; absent of counts and where it is not known.
    [[nodiscard]] std::optional<double> noise() const;
};

/// The rows of the step at `index` against the baseline, in the order of the comparison.
/// Pre: index < comparison.steps.size().
[[nodiscard]] std::vector<DifferenceRow> differences(const Comparison& comparison, std::size_t index,
                                                     DifferenceOf what);

/// "+5.1 %", "12.3 ×" from ten times on, with the noise of a time "+5.1 % ± 1.9"; "same", and words where it
/// is no number or no real change.
[[nodiscard]] std::string differenceText(const Judgement& judged);
/// "+5.1 %" alone; "same", or "–" where the ratio is not known.
[[nodiscard]] std::string percentText(const Judgement& judged);
/// What became of the number, for people: "less", "no real change", "noise not known", "only in the
/// baseline".
[[nodiscard]] std::string_view verdictOf(const DifferenceRow& row);

/// RFC 4180, numbers in SI units; a difference as such and as a share of the baseline.
[[nodiscard]] std::string differencesCsv(std::span<const DifferenceRow> rows);
/// The same of every step against the baseline, with the step's label and kDifferenceNames in front: all
/// figures, and what really differs of operations and tensors; with `all` also what does not.
[[nodiscard]] std::string comparisonCsv(const Comparison& comparison, bool all);

}  // namespace plumb

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/operations_tree.h"

#include <QString>

namespace plumb::ui {

/// Columns of the operations table, in their order on screen.
enum class OperationColumn : std::uint8_t {
    Name,
    Flops,
    Bytes,
    Intensity,
    Predicted,
    Measured,
    Difference,
    Rate,
    Bandwidth,
    OfRoof,
    Bound,
    Executed,
    ExecutedRatio,
    DramBytes,
    DramRatio,
    L2Bytes,
    L1Bytes,
    DramShare,
    TensorPipe,  ///< of kCounterRatios, as those below, in their order
    Warps,
    L2Hits,
    MemoryStalls,
    BarrierStalls,
    MathStalls,
};
inline constexpr int kOperationColumns = 24;
/// Those that only hardware counters fill.
[[nodiscard]] constexpr bool needsCounters(OperationColumn column) {
    return column >= OperationColumn::Executed;
}

/// The ratio of counts that a column has; null for the other columns.
[[nodiscard]] constexpr const CounterRatio* ratioOfColumn(OperationColumn column) {
    if (column < OperationColumn::TensorPipe) return nullptr;
    return &kCounterRatios.at(static_cast<std::size_t>(column) -
                              static_cast<std::size_t>(OperationColumn::TensorPipe));
}

/// What stands for a value that is not known. Never a zero, never the other side's value.
[[nodiscard]] QString absentText();
[[nodiscard]] QString boundLabel(Bound bound);

/// "weight gradient ×32", "layer 3", "AdamW (fused, 537 M parameters)": short where the row above says the
/// rest.
[[nodiscard]] QString operationLabel(const OperationsTree& tree, const OperationsTree::Node& node);
/// The whole name, alone understandable: "layer 3 · backward · weight gradient".
[[nodiscard]] QString operationFullName(const OperationsTree& tree, const OperationsTree::Node& node);

/// Known of what ran and of nothing else: empty beside the plan of a what-if.
[[nodiscard]] bool isOfTheRunAlone(OperationColumn column);
/// "~" before a time that is not from this machine's calibration.
[[nodiscard]] QString tierMark(std::optional<Tier> tier);
/// Faster than memory delivers: a cache must have.
[[nodiscard]] bool servedByCache(const OperationFigures& figures);

/// Title of a column. In a what-if, predicted and measured are of different steps: "what-if" and "run".
[[nodiscard]] QString columnTitle(OperationColumn column, bool isWhatIf = false);
/// What the column means, with unit and definition.
[[nodiscard]] QString columnHelp(OperationColumn column, bool isWhatIf = false);

/// The cell as people read it, with unit unless the column's title has it.
[[nodiscard]] QString cellText(const OperationsTree& tree, const OperationsTree::Node& node,
                               OperationColumn column);
/// Plain text: the exact value, the formula with this row's numbers and where they come from, or why there is
/// none.
[[nodiscard]] QString cellToolTip(const OperationsTree& tree, const OperationsTree::Node& node,
                                  OperationColumn column);
/// A page of rich text that answers where the figure of a cell comes from: its value, what it means, the
/// formula with this row's numbers, source and tier.
[[nodiscard]] QString cellPage(const OperationsTree& tree, const OperationsTree::Node& node,
                               OperationColumn column);
/// The unrounded SI value behind a cell; empty when it is not known or the column is text.
[[nodiscard]] std::optional<double> cellValue(const OperationsTree::Node& node, OperationColumn column);

}  // namespace plumb::ui

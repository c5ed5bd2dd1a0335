// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/module_tree.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb::ui {

/// Columns of the table of modules, in their order.
enum class ModuleColumn : std::uint8_t {
    Name,
    Parameters,
    Flops,
    Predicted,
    Forward,
    Backward,
    Optimizer,
    Measured,
    Kept,
    Share
};
inline constexpr int kModuleColumns = 10;

[[nodiscard]] QString moduleColumnTitle(ModuleColumn column);
[[nodiscard]] QString moduleColumnHelp(ModuleColumn column);
/// As CSV names it: "forward_seconds".
[[nodiscard]] std::string_view moduleColumnKey(ModuleColumn column);

/// The number of a cell in SI units; of Share 0 to 1, of the measured time of the step, or of the predicted
/// one where nothing was measured. Absent where it is not known, and for the name.
[[nodiscard]] std::optional<double> moduleValue(const ModuleTree& tree, const ModuleNode& node,
                                                ModuleColumn column);
/// What the column is and, of a measured time, where it lies.
[[nodiscard]] QString moduleCellHelp(const ModuleNode& node, ModuleColumn column);
/// Of every column but the name.
[[nodiscard]] QString moduleText(const ModuleTree& tree, const ModuleNode& node, ModuleColumn column);
/// "mlp", or what the row is that has no name.
[[nodiscard]] QString moduleName(const Step& step, const ModuleNode& node);

}  // namespace plumb::ui

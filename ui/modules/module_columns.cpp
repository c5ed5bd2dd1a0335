// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/modules/module_columns.h"

#include "core/measure/known_sum.h"
#include "ui/theme/text.h"
#include "ui/workbench/spread_text.h"
#include "ui/workbench/step_text.h"

#include <QCoreApplication>

#include <array>

namespace plumb::ui {
namespace {

struct ColumnText {
    const char* title;
    const char* help;
    std::string_view key;
    std::string_view unit;
};
// In the order of ModuleColumn.
constexpr std::array<ColumnText, kModuleColumns> kColumns{
    {{QT_TRANSLATE_NOOP("plumb::ui", "Module"),
      QT_TRANSLATE_NOOP("plumb::ui", "Path of the module in the model"), "module", ""},
     {QT_TRANSLATE_NOOP("plumb::ui", "Params"),
      QT_TRANSLATE_NOOP("plumb::ui", "Bytes of its parameters and of all below, as they lie in memory"),
      "parameter_bytes", "B"},
     {QT_TRANSLATE_NOOP("plumb::ui", "FLOPs"),
      QT_TRANSLATE_NOOP("plumb::ui", "Of one step, all phases; empty where an operation has no formula"),
      "flops", "FLOP"},
     {QT_TRANSLATE_NOOP("plumb::ui", "Predicted"),
      QT_TRANSLATE_NOOP("plumb::ui", "Time of one step on the device above, by its ceilings"),
      "predicted_seconds", "s"},
     {QT_TRANSLATE_NOOP("plumb::ui", "Forward"),
      QT_TRANSLATE_NOOP("plumb::ui", "Measured time on the way forth, with data and loss"), "forward_seconds",
      "s"},
     {QT_TRANSLATE_NOOP("plumb::ui", "Backward"),
      QT_TRANSLATE_NOOP("plumb::ui", "Measured time on the way back, with what is recomputed there"),
      "backward_seconds", "s"},
     {QT_TRANSLATE_NOOP("plumb::ui", "Optimizer"),
      QT_TRANSLATE_NOOP("plumb::ui", "Measured time of the update of its parameters"), "optimizer_seconds",
      "s"},
     {QT_TRANSLATE_NOOP("plumb::ui", "Measured"),
      QT_TRANSLATE_NOOP("plumb::ui", "Measured time of one step, all phases"), "measured_seconds", "s"},
     {QT_TRANSLATE_NOOP("plumb::ui", "Kept"),
      QT_TRANSLATE_NOOP("plumb::ui",
                        "Bytes of activations that are kept from the way forth for the way back"),
      "kept_bytes", "B"},
     {QT_TRANSLATE_NOOP("plumb::ui", "Of the step"),
      QT_TRANSLATE_NOOP("plumb::ui",
                        "Its share of the times of all operations: measured, or predicted where nothing was "
                        "measured"),
      "share", "%"}}};

const ColumnText& textOf(ModuleColumn column) { return kColumns.at(static_cast<std::size_t>(column)); }

/// What the shares are of.
std::optional<Seconds> timeOf(const ModuleFigures& figures, bool isMeasured) {
    return isMeasured ? figures.measured() : figures.predicted;
}

}  // namespace

QString moduleColumnTitle(ModuleColumn column) { return tr(textOf(column).title); }
QString moduleColumnHelp(ModuleColumn column) { return tr(textOf(column).help); }
std::string_view moduleColumnKey(ModuleColumn column) { return textOf(column).key; }

std::optional<double> moduleValue(const ModuleTree& tree, const ModuleNode& node, ModuleColumn column) {
    const ModuleFigures& figures = node.figures;
    switch (column) {
    case ModuleColumn::Name:
        return std::nullopt;
    case ModuleColumn::Parameters:
        return static_cast<double>(figures.parameters);
    case ModuleColumn::Flops:
        return asDouble(figures.flops);
    case ModuleColumn::Predicted:
        return figures.predicted;
    case ModuleColumn::Forward:
        return figures.forward;
    case ModuleColumn::Backward:
        return figures.backward;
    case ModuleColumn::Optimizer:
        return figures.optimizer;
    case ModuleColumn::Measured:
        return figures.measured();
    case ModuleColumn::Kept:
        return static_cast<double>(figures.kept);
    case ModuleColumn::Share: {
        const ModuleFigures& all = tree.whole();
        const bool isMeasured = all.measured().has_value();
        const auto whole = timeOf(all, isMeasured), part = timeOf(figures, isMeasured);
        return whole && part && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
    }
    }
    return std::nullopt;
}

QString moduleCellHelp(const ModuleNode& node, ModuleColumn column) {
    const ModuleFigures& figures = node.figures;
    std::optional<Spread> spread;
    if (column == ModuleColumn::Forward) spread = figures.forwardSpread;
    if (column == ModuleColumn::Backward) spread = figures.backwardSpread;
    if (column == ModuleColumn::Optimizer) spread = figures.optimizerSpread;
    if (column == ModuleColumn::Measured) spread = figures.measuredSpread();
    // Where nothing ran in a phase there is no range.
    if (!spread || !(spread->high > 0)) return moduleColumnHelp(column);
    return moduleColumnHelp(column) + u'\n' + spreadSumText(*spread);
}

QString moduleText(const ModuleTree& tree, const ModuleNode& node, ModuleColumn column) {
    const std::optional<double> value = moduleValue(tree, node, column);
    if (!value) return QStringLiteral("–");
    return column == ModuleColumn::Share   ? tr("%1 %").arg(numberText(*value * 100, 'f', 1))
           : column == ModuleColumn::Flops ? quantityText(*value, "")  // the title has the unit
                                           : quantityText(*value, textOf(column).unit);
}

QString moduleName(const Step& step, const ModuleNode& node) {
    return node.path.empty() ? tr("outside of all modules") : modulePathText(step, node.name);
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/entry_at.h"
#include "core/measure/training_series.h"
#include "ui/charts/chart_style.h"

#include <array>

namespace plumb::ui {

/// Colours that a user gives to runs, chosen like those of categories to be told apart by colour-blind
/// readers.
inline constexpr std::array<Category, RunLook::kColors> kRunPalette{
    Category::Parameters, Category::Gradients,           Category::Activations, Category::OptimizerState,
    Category::Data,       Category::ActivationGradients, Category::Workspace,   Category::MasterParameters};

/// Pre: 1 to RunLook::kColors.
[[nodiscard]] inline ChartColor runColor(std::int64_t color) { return entryAt(kRunPalette, color - 1); }

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <QString>

#include <functional>

class QWidget;

namespace plumb::ui {

class Presets;

/// Asks for a name and keeps the configuration under it; where a preset has the name, asks whether it is to
/// be replaced. `told` gets the name, or why nothing was kept; nothing when the user cancels.
void askToSavePreset(QWidget& parent, Presets& presets, const RunConfig& config,
                     std::function<void(const Result<QString>&)> told);

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/config_fix.h"

#include <QString>

#include <optional>

namespace plumb::ui {

/// A remedy as a button says it.
struct OfferedFix {
    QString text;     ///< "Use 61 859", "Set Micro-batch b = 64"
    QString toolTip;  ///< what it changes, and what not
    QString setting;  ///< what changes, for the menu of undo
    RunConfig config;
};

/// The remedy of `error`, when that is why `config` is refused. `edited`: the
/// title of the control that the user changed, beside which its new value needs
/// no name.
[[nodiscard]] std::optional<OfferedFix> offeredFix(const Error& error, const RunConfig& config,
                                                   const BackendTraits& traits,
                                                   std::optional<Bytes> memoryBytes,
                                                   const QString& edited = {});

}  // namespace plumb::ui

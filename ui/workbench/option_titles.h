// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <QString>

#include <string_view>
#include <vector>

namespace plumb::ui {

/// What the window calls an option of a run: "Batch B", "Weight decay"; one that it has no title for by its
/// own name.
[[nodiscard]] QString optionTitle(std::string_view option);

/// What the window calls a word that is a value of an option: "constant" of the schedule; names of methods
/// and formats are the same everywhere.
[[nodiscard]] QString choiceTitle(std::string_view option, std::string_view value);

/// Options with their values: "Learning rate 0.001, Seed 0"; of more than two "2 more".
[[nodiscard]] QString optionsText(const RunConfig& config, const std::vector<std::string_view>& options);

/// A refusal of a configuration, as errorSentence(), in which options are called as their fields are: "β₁
/// cannot be used (2)".
[[nodiscard]] QString settingSentence(const Error& error);

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/run_config.h"

#include <QString>

#include <string_view>
#include <vector>

namespace plumb::ui {

/// A setting of the run panel, as it is called there.
struct RunSetting {
    std::string_view option;  ///< name on the command line: "micro-batch"
    QString title;            ///< "Micro-batch"
    QString value;            ///< as the command line writes it
};

/// Object name of the control of an option in the run panel, of which fields add "Field" or "Option".
[[nodiscard]] QString controlOf(std::string_view option);

/// Those that have a meaning in `config`, with the values in force.
[[nodiscard]] std::vector<RunSetting> runSettings(const RunConfig& config);

/// Those that `typed` names with a value that they can take: "batch 512", "precision bf16". Usually one, or
/// none. The value is read as the fields of the panel read it: "2,048", "2 048" and "0,005".
[[nodiscard]] std::vector<RunSetting> settingsWith(const RunConfig& config, const QString& typed);

}  // namespace plumb::ui

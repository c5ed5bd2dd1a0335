// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <filesystem>

namespace plumb {

/// Data files for steps that are to be measured with one: random rows in a folder of their own, which goes
/// away with this.
class CheckData {
public:
    CheckData() = default;
    CheckData(const CheckData&) = delete;
    CheckData& operator=(const CheckData&) = delete;
    ~CheckData();

    /// Writes features and targets for `config` (up to 16 MiB, at least a batch beside what is held out) in
    /// the place of those that were written before, and names them in it. Errors: Io.
    [[nodiscard]] Result<void> write(RunConfig& config);

private:
    std::filesystem::path m_folder;
};

}  // namespace plumb

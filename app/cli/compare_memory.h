// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compare/comparison_report.h"
#include "core/memory_snapshot/memory_groups.h"

#include <string>
#include <vector>

namespace plumb::cli {

/// How two memory snapshots are compared.
struct MemoryComparisonOptions {
    MemoryKey key = MemoryKey::Site;
    TableForm form = TableForm::Text;
    bool isJson = false;
    bool all = false;  ///< also what does not differ
};

/// What lives at the peak of each device of two memory snapshots, side by side. Errors: those of reading, and
/// BadInput for other than two files or files without a device in common.
[[nodiscard]] Result<std::string> compareMemorySnapshots(const std::vector<std::string>& paths,
                                                         const MemoryComparisonOptions& options);

}  // namespace plumb::cli

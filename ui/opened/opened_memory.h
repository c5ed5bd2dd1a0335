// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory_snapshot/opened_memory.h"
#include "ui/opened/opened_file.h"

#include <memory>

namespace plumb::ui {

/// A memory snapshot of PyTorch with all that a view asks of it. Immutable, shared with workers.
struct OpenedSnapshot {
    std::shared_ptr<const OpenedMemory> memory;  ///< never null
};

[[nodiscard]] Result<OpenedSnapshot> readOpenedSnapshot(const std::string& path, const ReadControl& control);

}  // namespace plumb::ui

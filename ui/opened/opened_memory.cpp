// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opened/opened_memory.h"

namespace plumb::ui {

Result<OpenedSnapshot> readOpenedSnapshot(const std::string& path, const ReadControl& control) {
    MemorySnapshotOptions options;
    options.stop = control.stop;
    if (control.progress)
        options.onProgress = [&control](std::uint64_t read, std::uint64_t total) {
            if (total > 0) control.progress(static_cast<double>(read) / static_cast<double>(total));
        };
    PLUMB_TRY(std::shared_ptr<const OpenedMemory> memory, OpenedMemory::open(path, options));
    return OpenedSnapshot{std::move(memory)};
}

}  // namespace plumb::ui

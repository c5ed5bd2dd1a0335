// SPDX-License-Identifier: Apache-2.0
#include "app/cli/step_files.h"

#include "core/io/file.h"
#include "core/opening/file_kind.h"

#include <fmt/format.h>

namespace plumb::cli {

Result<void> checkIsStep(const std::string& file) {
    PLUMB_TRY(const std::optional<FileKind> kind, fileKindAt(file));
    const auto refuse = [&](std::string_view what, std::string_view command) {
        return badInput(fmt::format("{:s} is {}, and no step", file, what), std::string(command));
    };
    if (!kind) return {};
    switch (*kind) {
    case FileKind::Trace: {
        // Any JSON may be a trace; one that is told by its words is.
        PLUMB_TRY(const std::string start, readFileStart(file, kFileKindBytes));
        if (start.starts_with('{') && start.find("\"traceEvents\"") == std::string::npos) return {};
        return refuse("a trace", "write a step of it first: plumbline-cli import FILE --out STEP.plumb");
    }
    case FileKind::MemorySnapshot:
        return refuse("a memory snapshot",
                      "write it as a step first: plumbline-cli import FILE --out STEP.plumb");
    case FileKind::NsysTrace:
        return refuse("a timeline of Nsight Systems", "look at it with plumbline-cli open");
    case FileKind::KernelReport:
        return refuse("a table of Nsight Compute", "look at it with plumbline-cli open");
    case FileKind::RecordedStep:
    case FileKind::Snapshot:
        return {};
    }
    return {};
}

}  // namespace plumb::cli

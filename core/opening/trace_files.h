// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/opening/file_kind.h"
#include "core/trace/trace_reader.h"

#include <string>
#include <vector>

namespace plumb {

[[nodiscard]] constexpr bool isTrace(FileKind kind) {
    return kind == FileKind::Trace || kind == FileKind::NsysTrace;
}

/// The trace in a file, of whichever of the kinds it is. Errors: those of the readers.
[[nodiscard]] Result<trace::Trace> readTraceFile(const std::string& path,
                                                 const trace::ReadOptions& options = {});

/// These files, and for a folder the traces in it by name: what ends with .json, .json.gz or .sqlite and is
/// surely a trace by its content. Errors: BadInput for a folder that holds none; Io for one that cannot be
/// read.
[[nodiscard]] Result<std::vector<std::string>> traceFilesOf(const std::vector<std::string>& paths);

/// Refuses a file that is no trace: only those of the ranks of one job open together.
[[nodiscard]] Result<void> checkRankFiles(const std::vector<std::string>& files);

}  // namespace plumb

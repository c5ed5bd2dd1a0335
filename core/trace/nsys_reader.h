// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace_reader.h"

namespace plumb::trace {

/// Whether a file that begins so is a database of SQLite.
[[nodiscard]] bool looksLikeSqlite(std::string_view start);

/// Reads what `nsys export --type sqlite` wrote: kernels, copies, memsets, calls of the CUDA runtime and NVTX
/// ranges. The file is opened for reading alone and nothing is made beside it. Tables and columns that are
/// not there are passed over; rows that cannot be used are counted in Trace::losses.
///
/// Errors: Io; BadInput for what is no database of SQLite, is damaged, or has none of these tables, and for
/// more slices than allowed; RunFailed when it was told to stop.
[[nodiscard]] Result<Trace> readNsysTrace(const std::string& path, const ReadOptions& options = {});

}  // namespace plumb::trace

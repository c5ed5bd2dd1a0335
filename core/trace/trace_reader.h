// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/trace/text_source.h"
#include "core/trace/trace.h"

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace plumb::trace {

struct ReadOptions {
    std::stop_token stop = {};
    std::function<void(double share)> progress = {};  ///< from 0 to 1, on the caller's thread, each megabyte
    std::size_t mostSlices = 50'000'000;              ///< of one trace: 2.5 GB in memory
    bool withTypes = false;                           ///< Slices::types too, 4 bytes for each slice
};

/// Reads a Kineto or Chrome trace, .json or .json.gz, an object or a bare array of events.
///
/// JSON that is broken costs the event in which it is: reading goes on with the next that begins like one.
/// What was lost or mended is in Trace::losses. Errors: Io; BadInput for a file without a single event, for
/// gzip that grows more than a trace does, and for more slices than allowed; RunFailed when it was told to
/// stop.
[[nodiscard]] Result<Trace> readTrace(const std::string& path, const ReadOptions& options = {});
/// The same of any text; `what` is its name in errors.
[[nodiscard]] Result<Trace> readTrace(TextSource& source, const std::string& what,
                                      const ReadOptions& options = {});

/// Whether a file that begins so is likely a trace: gzip, an array of objects, or an object.
[[nodiscard]] bool looksLikeTrace(std::string_view start);

}  // namespace plumb::trace

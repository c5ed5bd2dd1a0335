// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <string>

namespace plumb {

/// What a reader is told while it works on another thread than the one that waits for it.
struct ReadControl {
    std::stop_token stop = {};
    std::function<void(double share)> progress = {};  ///< from 0 to 1, on the reader's thread; may be empty

    [[nodiscard]] bool isStopped() const { return stop.stop_requested(); }
    void tell(double share) const {
        if (progress) progress(share);
    }
    /// That of a part of the work, whose own progress goes from `from` to `to` of the whole.
    [[nodiscard]] ReadControl part(double from, double to) const {
        if (!progress) return {stop, {}};
        return {stop, [whole = progress, from, to](double share) { whole(from + (to - from) * share); }};
    }
};

/// The error of a reader that was told to stop. Whoever told it knows, and shows it to nobody.
[[nodiscard]] inline Error readingStopped(const std::string& path) {
    return Error{ErrorCode::RunFailed, "reading " + path + " was stopped", "open it again"};
}

}  // namespace plumb

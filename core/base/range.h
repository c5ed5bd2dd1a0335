// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plumb {

/// A value with the ends that it may reasonably have; low <= expected <= high.
struct Range {
    double low = 0;
    double expected = 0;
    double high = 0;
    bool operator==(const Range&) const = default;
};

}  // namespace plumb

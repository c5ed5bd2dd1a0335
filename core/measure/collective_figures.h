// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/comm_call.h"
#include "core/measure/reading.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb {

/// What a collective took, as people compare it.
struct CollectiveFigures {
    std::optional<Seconds> seconds;   ///< its own, beside other ops too
    std::optional<Seconds> waited;    ///< what the step waited for it
    std::optional<double> bandwidth;  ///< busBandwidth(), bytes per second
    std::optional<double> exposed;    ///< waited / seconds
};

/// `waited`: the seconds of its op in the same reading. `kind`: that of the op. `ranks`: how many took part.
[[nodiscard]] inline CollectiveFigures figuresOf(const CollectiveReading& collective,
                                                 std::optional<Seconds> waited, std::string_view kind,
                                                 std::int64_t ranks) {
    CollectiveFigures figures{.seconds = collective.seconds, .waited = waited};
    if (!collective.seconds || *collective.seconds <= 0) return figures;
    if (const auto comm = kCommKindNames.find(kind))
        figures.bandwidth =
            busBandwidth(*comm, static_cast<double>(collective.bytes), *collective.seconds, ranks);
    if (waited) figures.exposed = *waited / *collective.seconds;
    return figures;
}

}  // namespace plumb

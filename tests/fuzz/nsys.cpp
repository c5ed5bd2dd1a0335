// SPDX-License-Identifier: Apache-2.0
#include "core/trace/nsys_reader.h"
#include "core/trace/trace_overview.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void nsys(std::string_view input) {
    const MemoryFile file(input);
    const auto read = trace::readNsysTrace(file.path(), {.mostSlices = 100'000});
    if (!isTaken(read)) return;
    require(static_cast<std::int64_t>(read->slices.size()) <= read->events, "a slice is a row");
    const trace::TraceOverview overview = trace::overviewOf(*read, trace::linkTrace(*read));
    for (const trace::DeviceFigures& device : overview.devices)
        require(device.busy >= 0 && device.busy + device.idle == device.end - device.begin,
                "busy and idle add up");
}

}  // namespace plumb::fuzz

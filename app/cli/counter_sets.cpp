// SPDX-License-Identifier: Apache-2.0
// The library with the counters' configurations is loaded when it is first asked, so that this program starts
// where it is not installed.
#include "app/cli/counter_sets.h"

#ifdef PLUMB_HAVE_CUPTI
#include "kernels/cupti/counter_support.h"
#include "kernels/cupti/metric_set_passes.h"
#include "kernels/cupti/metric_table.h"
#endif

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace plumb::cli {

#ifdef PLUMB_HAVE_CUPTI

Result<std::vector<std::string>> counterChips() { return cupti::knownChips(); }

Result<DescribedSet> describeCounters(std::string_view chip, Precision precision, CounterDetail detail) {
    DescribedSet described;
    PLUMB_TRY(described.set, cupti::metricsFor(chip, precision, detail));
    const auto passes = cupti::passesOf(described.set);
    if (!passes.has_value()) {
        described.passesUnknown = passes.error();
        return described;
    }
    described.set.passes = passes->passes;
    described.cupti = std::to_string(passes->cuptiVersion);
    return described;
}

CounterSupport counterSupport(int computeCapability) {
    // Asked with every list of devices, answered by a library that takes a while and does not change.
    static std::mutex mutex;
    static std::map<int, CounterSupport> known;
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(computeCapability); found != known.end()) return found->second;
    CounterSupport support = cupti::counterSupport(computeCapability);
    // A reason is looked at again: the user may have seen to it.
    if (support.available()) known.emplace(computeCapability, support);
    return support;
}

#else

namespace {

Error withoutCuda() {
    return {ErrorCode::Unavailable, "this version knows no GPU counters (built without the CUDA Toolkit 13)",
            "install the toolkit and build again"};
}

}  // namespace

Result<std::vector<std::string>> counterChips() { return withoutCuda(); }

Result<DescribedSet> describeCounters(std::string_view, Precision, CounterDetail) { return withoutCuda(); }

CounterSupport counterSupport(int) {
    CounterSupport support;
    support.absent = withoutCuda().text();
    return support;
}

#endif

}  // namespace plumb::cli

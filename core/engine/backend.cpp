// SPDX-License-Identifier: Apache-2.0
#include "core/engine/backend.h"

namespace plumb {

namespace {

Error onlyOnGpus(const char* what, const Machine& machine) {
    return {ErrorCode::Unavailable, std::string(what) + " on this backend (" + machine.backend + ")",
            "they exist on NVIDIA GPUs, use --backend cuda"};
}

}  // namespace

Result<std::unique_ptr<CounterCollector>> Backend::openCounters(CounterDetail) {
    return onlyOnGpus("there are no hardware counters", machine());
}

Result<std::unique_ptr<ActivityCollector>> Backend::openActivity() {
    return onlyOnGpus("there are no activity records", machine());
}

}  // namespace plumb

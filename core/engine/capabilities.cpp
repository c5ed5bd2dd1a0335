// SPDX-License-Identifier: Apache-2.0
#include "core/engine/capabilities.h"

#include <string>

namespace plumb {

namespace {

Error onlyOnGpus(const char* what, const Machine& machine) {
    return {ErrorCode::Unavailable, std::string(what) + " on this backend (" + machine.backend + ")",
            "they exist on NVIDIA GPUs, use --backend cuda"};
}

}  // namespace

Result<std::unique_ptr<CounterCollector>> openCounters(Backend& backend, CounterDetail detail) {
    if (ProfilingTools* tools = backend.capabilities().profiling) return tools->openCounters(detail);
    return onlyOnGpus("there are no hardware counters", backend.machine());
}

Result<std::unique_ptr<ActivityCollector>> openActivity(Backend& backend) {
    if (ProfilingTools* tools = backend.capabilities().profiling) return tools->openActivity();
    return onlyOnGpus("there are no activity records", backend.machine());
}

Result<std::optional<SpeedProbe>> probeSpeed(Backend& backend) {
    if (SpeedProber* prober = backend.capabilities().prober) return prober->probeSpeed();
    return std::optional<SpeedProbe>();
}

int hostThreads(Backend& backend) {
    const HostCores* const cores = backend.capabilities().hostCores;
    return cores == nullptr ? 1 : cores->threads();
}

}  // namespace plumb

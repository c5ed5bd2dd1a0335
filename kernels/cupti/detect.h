// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cupti/api.h"
#include "kernels/cupti/subscription.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// Whether this machine lets its GPU be profiled, asked in the one order in which no question crashes: several
// functions of CUPTI end the program where there is no driver or no context. Stops at the first "no".
namespace plumb::cupti {

/// The answer. Everything but Ready costs counters or the timeline, never the run.
enum class ProfilingState : std::uint8_t {
    Ready,
    NoDriver,      ///< libcuda.so.1 is not there
    StubDriver,    ///< the toolkit's stub is loaded in the driver's place
    DriverBroken,  ///< it does not start
    DriverTooOld,  ///< for CUPTI 13
    NoDevice,      ///< a driver without a GPU
    NoContext,     ///< nobody has started CUDA on this thread: a mistake of the program
    DeviceTooOld,  ///< compute capability below 7.5
    CuptiMissing,  ///< also where a part of it is, or in builds that cannot load it
    CuptiTooOld,
    CuptiTooNew,  ///< another major version: its structures may be others
    AnotherProfiler,
    UnknownChip,           ///< CUPTI has no metrics for it, or this version has no set
    ConfigurationRefused,  ///< virtual GPU, confidential computing, SLI, mining card, WSL
    PermissionRefused,
    HardwareBusy,
    Failed,  ///< what CUPTI or the driver calls an error otherwise
};
[[nodiscard]] const char* stateName(ProfilingState state);

/// Where the two libraries come from; tests put in others.
struct Libraries {
    std::function<Result<const DriverApi*>()> driver = loadDriver;
    std::function<Result<const CuptiApi*>()> cupti = loadCupti;
};

/// A GPU that answered.
struct Device {
    const DriverApi* driver = nullptr;
    const CuptiApi* cupti = nullptr;
    CUdevice device = 0;
    CUcontext context = nullptr;
    int driverVersion = 0;  ///< 13000 for 13.0
    std::uint32_t cuptiVersion = 0;
    std::string chip;                        ///< "GH100"; set by detectCounters()
    std::vector<std::uint8_t> availability;  ///< set by detectCounters()
    double smClockHz = 0;                    ///< rated; 0: not known
    double memoryClockHz = 0;

    [[nodiscard]] std::string driverText() const;  ///< "CUDA 13.0"
};

/// What was found. `error` says it in one sentence with the remedy; its code is Unavailable.
struct Detection {
    ProfilingState state = ProfilingState::Failed;
    Error error;
    Device device;
    [[nodiscard]] bool ready() const { return state == ProfilingState::Ready; }
};

/// Looks for what the timeline needs: driver, device, context of this thread, CUPTI and its version. Call on
/// the thread that runs the ops, with its context current.
[[nodiscard]] Detection detectActivity(const Libraries& libraries = {});

/// Looks for what counters need: the same, then whether another profiler is there, the device's
/// configuration, its chip, and the permission. `subscription` stays with the caller while counting goes on.
/// Pre: no activity kind is on.
[[nodiscard]] Detection detectCounters(const Libraries& libraries, CallbackSink* sink,
                                       std::unique_ptr<Subscription>& subscription);

// Two of the questions by themselves: neither needs a driver. Errors: Unavailable.

/// That this CUPTI is one that this program can use.
[[nodiscard]] Result<void> checkVersion(const CuptiApi& api);
/// That it profiles GPUs of this compute capability.
[[nodiscard]] Result<void> checkCapability(const CuptiApi& api, int major, int minor);

}  // namespace plumb::cupti

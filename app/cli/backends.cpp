// SPDX-License-Identifier: Apache-2.0
// The composition root: the only place that knows which backends there are.
#include "app/cli/backends.h"

#include "app/cli/counter_sets.h"
#include "app/cli/cuda_module.h"
#include "app/cli/for_people.h"
#include "core/machine/calibration_file.h"
#include "core/machine/hardware_database.h"
#include "core/machine/local_cpu.h"
#include "core/model/run_config.h"
#include "kernels/cpu/calibrate.h"
#include "kernels/cpu/cpu_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace plumb::cli {

namespace {

protocol::DeviceEntry cpuDevice() {
    protocol::DeviceEntry device;
    device.target.machine = localCpuCalibrated();
    device.target.traits = localCpuTraits();
    device.counters.absent = kOnlyNvidiaCounts;
    return device;
}

/// What stands in the list where no GPU is known by name.
protocol::DeviceEntry noGpu(const Error& error) {
    protocol::DeviceEntry device;
    device.target.machine.id = "cuda";
    device.target.machine.name = "NVIDIA GPU";
    device.target.machine.backend = "cuda";
    device.target.machine.source = "not available";
    device.target.traits.backend = "cuda";
    device.available = false;
    device.reason = device.counters.absent = error.text();
    return device;
}

/// Every GPU; those for which the CUDA backend has no code say so.
Result<std::vector<protocol::DeviceEntry>> gpus() {
    PLUMB_TRY(const cuda::Module* const module, cudaModule());
    PLUMB_TRY(std::vector<Machine> machines, module->devices());
    std::vector<protocol::DeviceEntry> devices;
    for (Machine& machine : machines) {
        protocol::DeviceEntry& device = devices.emplace_back();
        device.target.traits = traitsFor(machine.backend, machine.computeCapability);
        device.target.machine = calibrated(std::move(machine));
        const auto traits = cudaTraits(device.target.machine.computeCapability.value_or(0));
        device.available = traits.has_value();
        if (!traits.has_value()) device.reason = traits.error().text();
    }
    return devices;
}

/// "GPU 0 is NVIDIA H200 (GPU-8a1b...), GPU 1 is ...": what can be asked for.
std::string whatIsThere(const std::vector<protocol::DeviceEntry>& devices) {
    std::string text;
    for (const protocol::DeviceEntry& device : devices) {
        const Machine& machine = device.target.machine;
        text +=
            (text.empty() ? "" : ", ") + fmt::format(forPeople("GPU {} is {:s} ({:s})"),
                                                     machine.index.value_or(0), machine.name, machine.uuid);
    }
    return text;
}

bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Errors: BadInput for what is neither number nor UUID, Unavailable for one that is not there.
Result<protocol::DeviceEntry> gpuNamed(const std::string& name,
                                       const std::vector<protocol::DeviceEntry>& devices) {
    if (!namesGpu(name))
        return Error{ErrorCode::BadInput,
                     fmt::format("--device is neither the number nor the UUID of a GPU ({:s})", name),
                     fmt::format("choose one: {}", whatIsThere(devices))};
    const protocol::DeviceEntry* found = nullptr;
    for (const protocol::DeviceEntry& device : devices) {
        const Machine& machine = device.target.machine;
        const bool isIt = isNumber(name) ? std::to_string(machine.index.value_or(0)) == name
                                         : machine.uuid.starts_with(name);
        if (!isIt) continue;
        if (found != nullptr)
            return Error{ErrorCode::BadInput,
                         fmt::format("several GPUs have such a UUID (--device {:s})", name),
                         fmt::format("give more of it: {}", whatIsThere(devices))};
        found = &device;
    }
    if (found == nullptr)
        return Error{
            ErrorCode::Unavailable, fmt::format("this GPU is not there (--device {:s})", name),
            fmt::format("{}; CUDA_VISIBLE_DEVICES decides which ones a program sees", whatIsThere(devices))};
    return *found;
}

/// The GPU that steps run on. Errors: Unavailable with the reason that the list of devices gives; those of
/// gpuNamed().
Result<protocol::DeviceEntry> usableGpu(const std::string& name) {
    const auto unavailable = [](const std::string& reason) {
        return Error{ErrorCode::Unavailable, "the backend is not available (cuda)", reason};
    };
    const auto devices = gpus();
    if (!devices.has_value()) return unavailable(devices.error().text());
    if (!name.empty()) {
        PLUMB_TRY(protocol::DeviceEntry named, gpuNamed(name, *devices));
        if (named.available) return named;
        return Error{ErrorCode::Unavailable, fmt::format("this GPU cannot be used (--device {:s})", name),
                     named.reason};
    }
    for (const protocol::DeviceEntry& device : *devices)
        if (device.available) return device;
    return unavailable(devices->front().reason);
}

}  // namespace

OptionSpec deviceOption() {
    return {"device", "N|UUID", "which GPU, by its number or UUID in the list of devices (the first)"};
}

bool namesGpu(std::string_view text) {
    return isNumber(text) || text.starts_with("GPU-") || text.starts_with("MIG-");
}

std::vector<protocol::DeviceEntry> listDevices() {
    std::vector<protocol::DeviceEntry> devices;
    const auto found = gpus();
    if (found.has_value()) devices = *found;
    for (protocol::DeviceEntry& device : devices)
        device.counters = counterSupport(device.target.machine.computeCapability.value_or(0));
    // The best available one first.
    const auto cannot = std::stable_partition(
        devices.begin(), devices.end(), [](const protocol::DeviceEntry& device) { return device.available; });
    devices.insert(cannot, cpuDevice());
    if (!found.has_value()) devices.push_back(noGpu(found.error()));
    return devices;
}

std::vector<protocol::DeviceEntry> withLoss(std::vector<protocol::DeviceEntry> devices,
                                            const std::optional<Error>& loss) {
    if (!loss) return devices;
    for (protocol::DeviceEntry& device : devices) {
        // PyTorch is a process of its own.
        if (device.target.traits.backend != "cuda" || !device.available) continue;
        device.available = false;
        device.reason = device.counters.absent = loss->text();
    }
    std::stable_partition(devices.begin(), devices.end(), std::mem_fn(&protocol::DeviceEntry::available));
    return devices;
}

std::vector<Machine> knownMachines() {
    std::vector<Machine> known;
    for (const protocol::DeviceEntry& device : listDevices())
        if (device.available) known.push_back(device.target.machine);
    for (const Machine& sheet : HardwareDatabase::builtIn().machines)
        if (std::ranges::none_of(known, [&](const Machine& own) { return own.name == sheet.name; }))
            known.push_back(sheet);
    return known;
}

Result<protocol::DeviceEntry> localDevice(const DeviceWish& wish) {
    if (wish.backend == BackendChoice::Cpu && !wish.device.empty())
        return Error{ErrorCode::BadInput,
                     fmt::format("--device {:s} has no meaning on this backend (cpu)", wish.device),
                     "use --backend cuda, or leave --device out"};
    if (wish.backend == BackendChoice::Cpu) return cpuDevice();
    auto gpu = usableGpu(wish.device);
    if (!gpu.has_value() && wish.backend == BackendChoice::Auto && wish.device.empty()) return cpuDevice();
    return gpu;
}

Result<Machine> localMachine(const DeviceWish& wish) {
    PLUMB_TRY(const protocol::DeviceEntry device, localDevice(wish));
    return device.target.machine;
}

namespace {

/// `threads`: of a processor; 0 for all of its cores.
Result<std::unique_ptr<Backend>> makeBackend(const DeviceWish& wish, cuda::Tuning tuning, int threads) {
    PLUMB_TRY(const protocol::DeviceEntry device, localDevice(wish));
    if (device.target.machine.backend != "cuda") {
        if (tuning == cuda::Tuning::Off)
            return Error{
                ErrorCode::BadInput,
                fmt::format("--tune has no meaning on this backend ({:s})", device.target.machine.backend),
                "use --backend cuda, or leave --tune out"};
        return makeCpuBackend(threads);
    }
    PLUMB_TRY(const cuda::Module* const module, cudaModule());
    return module->makeBackend(device.target.machine, tuning);
}

}  // namespace

Result<std::unique_ptr<Backend>> makeBackend(const DeviceWish& wish, cuda::Tuning tuning) {
    return makeBackend(wish, tuning, 0);
}

Result<RunBackends> makeRunBackends(const RunConfig& config, const DeviceWish& wish, cuda::Tuning tuning) {
    const auto ranks = static_cast<int>(config.parallel.ranks());
    const int threads = threadsOfRank(ranks);
    RunBackends backends;
    PLUMB_TRY(backends.first, makeBackend(wish, tuning, threads));
    if (ranks > 1 && backends.first->machine().backend == "cpu")
        backends.others = [threads] { return makeCpuBackend(threads); };
    return backends;
}

Result<RunBackends> makeRunBackends(const DeviceWish& wish, cuda::Tuning tuning, std::int64_t ranksHere) {
    RunBackends backends;
    PLUMB_TRY(backends.first, makeBackend(wish, tuning, threadsOfRank(static_cast<int>(ranksHere))));
    return backends;
}

Result<cuda::Tuning> tuningFromName(std::string_view text) {
    if (text == "on") return cuda::Tuning::On;
    if (text == "off") return cuda::Tuning::Off;
    return Error{ErrorCode::BadInput, fmt::format("--tune is neither on nor off ({:s})", text),
                 "give --tune on or --tune off"};
}

namespace {

SurveyGrid gridOf(CalibrationSize size) {
    return size == CalibrationSize::Quick ? SurveyGrid::quick() : SurveyGrid::full();
}

}  // namespace

Result<Machine> calibrate(const DeviceWish& wish, const CalibrationProgress& progress, std::stop_token stop,
                          CalibrationSize size) {
    PLUMB_TRY(const protocol::DeviceEntry device, localDevice(wish));
    if (device.target.machine.backend != "cuda") return calibrateCpu(progress, std::move(stop), gridOf(size));
    PLUMB_TRY(const cuda::Module* const module, cudaModule());
    return module->calibrate(device.target.machine, progress, std::move(stop),
                             size == CalibrationSize::Quick);
}

Result<void> checkCanShare(const Machine& machine, std::int64_t ranks) {
    // Each has threads of its own, and times of more than the processor has cores say nothing of any other.
    const std::int64_t most = std::max(2, usableCores());
    if (machine.backend != "cpu")
        return Error{ErrorCode::BadInput, "ranks share a processor, and a GPU is of one rank (--ranks)",
                     "give --backend cpu, or leave --ranks out"};
    if (ranks > most)
        return Error{ErrorCode::BadInput,
                     fmt::format("the processor has no core for each of so many ranks (--ranks {})", ranks),
                     fmt::format("give --ranks {} at most", most)};
    return {};
}

Result<RankCosts> calibrateRanks(std::int64_t ranks, const CalibrationProgress& progress,
                                 std::stop_token stop, CalibrationSize size) {
    return calibrateCpuRanks(static_cast<int>(ranks), progress, std::move(stop), gridOf(size));
}

Result<BackendChoice> backendFromName(std::string_view text) {
    RunConfig config;
    PLUMB_CHECK(setOption(config, "backend", text));
    return config.backend;
}

}  // namespace plumb::cli

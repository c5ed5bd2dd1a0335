// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gpu_telemetry.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <unistd.h>
#include <utility>

namespace plumb::cuda {

namespace {

constexpr double kMega = 1e6;
constexpr double kMilli = 1e-3;
constexpr double kPerCent = 1e-2;

/// The bits of the library; that of an idle device (1) holds nothing down that anybody wants.
constexpr std::array<std::pair<unsigned long long, Throttle>, 8> kThrottleBits{
    {{0x2, Throttle::ClockSetting},
     {0x4, Throttle::PowerLimit},
     {0x8, Throttle::HardwareSlowdown},
     {0x10, Throttle::SyncBoost},
     {0x20, Throttle::Temperature},
     {0x40, Throttle::HardwareTemperature},
     {0x80, Throttle::PowerBrake},
     {0x100, Throttle::DisplayClock}}};
constexpr unsigned long long kIdleBit = 0x1;

/// This process by the driver's count, once it is known; the device stays in use until the process ends.
std::atomic<std::int64_t>& ownNumber() {
    static std::atomic<std::int64_t> number{0};
    return number;
}

bool has(const std::vector<DeviceProcess>& processes, std::int64_t pid) {
    return std::any_of(processes.begin(), processes.end(),
                       [&](const DeviceProcess& process) { return process.pid == pid; });
}

/// Puts a number into a sample, or why there is none.
template <class Number, class Value>
void take(DeviceSample& sample, std::optional<Value> DeviceSample::*member, const char* what,
          const Result<Number>& found, double unit) {
    if (found.has_value())
        sample.*member = static_cast<Value>(*found) * unit;
    else
        sample.absent.push_back({what, found.error().text()});
}
template <class Value>
void take(DeviceSample& sample, std::optional<Value> DeviceSample::*member, const char* what,
          const Result<Value>& found) {
    if (found.has_value())
        sample.*member = *found;
    else
        sample.absent.push_back({what, found.error().text()});
}

}  // namespace

GpuTelemetry::GpuTelemetry(const std::string& uuid, const std::string& file) {
    Result<Nvml> nvml = Nvml::open(file);
    if (!nvml.has_value()) {
        m_missing = nvml.error();
        return;
    }
    m_nvml.emplace(std::move(nvml).value());
    const Result<NvmlPlace> place = findDevice(*m_nvml, uuid);
    if (!place.has_value()) {
        m_missing = place.error();
        return;
    }
    m_place = *place;
    if (auto all = processes(); all.has_value()) m_before = *std::move(all);
}

void GpuTelemetry::knowSelf() {
    if (!m_missing.message.empty() || ownNumber() != 0) return;
    const auto all = processes();
    if (!all.has_value() || has(*all, getpid())) return;
    std::vector<std::int64_t> fresh;
    for (const DeviceProcess& process : *all)
        if (!has(m_before, process.pid)) fresh.push_back(process.pid);
    if (fresh.size() == 1) ownNumber() = fresh.front();
}

template <class Number, class Function, class... Arguments>
Result<Number> GpuTelemetry::ask(Function function, const char* name, Arguments... arguments) const {
    if (function == nullptr) return m_nvml->refused(kNvmlFunctionNotFound, name);
    Number number{};
    const int result = function(m_place.card, arguments..., &number);
    if (result != kNvmlSuccess) return m_nvml->refused(result, name);
    return number;
}

Result<std::vector<DeviceProcess>> GpuTelemetry::processes() const {
    constexpr const char* kName = "nvmlDeviceGetComputeRunningProcesses_v3";
    const auto list = m_nvml->api().nvmlDeviceGetComputeRunningProcesses_v3;
    if (list == nullptr) return m_nvml->refused(kNvmlFunctionNotFound, kName);
    // Others may start meanwhile.
    std::vector<NvmlProcess> found(16);
    int result = kNvmlTooSmall;
    unsigned count = 0;
    for (int attempt = 0; attempt < 3 && result == kNvmlTooSmall; ++attempt) {
        found.resize(std::max<std::size_t>(found.size(), count + std::size_t{16}));
        count = static_cast<unsigned>(found.size());
        result = list(m_place.device, &count, found.data());
    }
    if (result != kNvmlSuccess) return m_nvml->refused(result, kName);
    found.resize(std::min<std::size_t>(count, found.size()));
    std::vector<DeviceProcess> processes;
    processes.reserve(found.size());
    for (const NvmlProcess& process : found) {
        DeviceProcess& entry = processes.emplace_back();
        entry.pid = process.pid;
        if (process.bytes != kNvmlNoBytes) entry.bytes = static_cast<Bytes>(process.bytes);
    }
    return processes;
}

Result<std::vector<DeviceProcess>> GpuTelemetry::otherProcesses() const {
    if (!m_missing.message.empty()) return m_missing;
    PLUMB_TRY(std::vector<DeviceProcess> all, processes());
    const std::int64_t self = ownNumber() != 0 ? ownNumber().load() : getpid();
    std::erase_if(all, [&](const DeviceProcess& process) { return process.pid == self; });
    return all;
}

Result<std::vector<Throttle>> GpuTelemetry::throttles() const {
    PLUMB_TRY(const unsigned long long bits,
              ask<unsigned long long>(m_nvml->api().nvmlDeviceGetCurrentClocksEventReasons,
                                      "nvmlDeviceGetCurrentClocksEventReasons"));
    std::vector<Throttle> reasons;
    unsigned long long known = kIdleBit;
    for (const auto& [bit, reason] : kThrottleBits) {
        known |= bit;
        if ((bits & bit) != 0) reasons.push_back(reason);
    }
    if ((bits & ~known) != 0) reasons.push_back(Throttle::Other);
    return reasons;
}

DeviceSample GpuTelemetry::sample() {
    DeviceSample sample;
    if (!m_missing.message.empty()) {
        sample.absent.push_back(
            {"clocks, power, temperature, throttle reasons and other programs", m_missing.text()});
        return sample;
    }
    const NvmlApi& api = m_nvml->api();
    take(sample, &DeviceSample::smClockHz, "SM clock",
         ask<unsigned>(api.nvmlDeviceGetClockInfo, "nvmlDeviceGetClockInfo", kNvmlSmClock), kMega);
    take(sample, &DeviceSample::memoryClockHz, "memory clock",
         ask<unsigned>(api.nvmlDeviceGetClockInfo, "nvmlDeviceGetClockInfo", kNvmlMemoryClock), kMega);
    take(sample, &DeviceSample::powerWatts, "power",
         ask<unsigned>(api.nvmlDeviceGetPowerUsage, "nvmlDeviceGetPowerUsage"), kMilli);
    take(sample, &DeviceSample::powerLimitWatts, "power limit",
         ask<unsigned>(api.nvmlDeviceGetEnforcedPowerLimit, "nvmlDeviceGetEnforcedPowerLimit"), kMilli);
    const Result<double> joules = energy();
    take(sample, &DeviceSample::energyJoules, "energy", joules);
    if (m_place.isInstance())
        sample.absent.push_back({"power of this instance alone", joules.error().text()});
    take(sample, &DeviceSample::temperatureCelsius, "temperature",
         ask<unsigned>(api.nvmlDeviceGetTemperature, "nvmlDeviceGetTemperature", kNvmlDieTemperature), 1.0);
    const auto rates =
        ask<NvmlUtilization>(api.nvmlDeviceGetUtilizationRates, "nvmlDeviceGetUtilizationRates");
    take(sample, &DeviceSample::utilisation, "utilisation",
         rates.has_value() ? Result<unsigned>(rates->gpu) : Result<unsigned>(rates.error()), kPerCent);
    take(sample, &DeviceSample::throttles, "throttle reasons", throttles());
    take(sample, &DeviceSample::processes, "other programs", otherProcesses());
    return sample;
}

Result<double> GpuTelemetry::energy() {
    if (!m_missing.message.empty()) return m_missing;
    if (m_place.isInstance())
        return Error{
            ErrorCode::Unavailable,
            "this device is an instance (MIG) of a card, and the driver counts that of the whole card",
            "use a card without instances"};
    PLUMB_TRY(const unsigned long long millijoules,
              ask<unsigned long long>(m_nvml->api().nvmlDeviceGetTotalEnergyConsumption,
                                      "nvmlDeviceGetTotalEnergyConsumption"));
    return static_cast<double>(millijoules) * kMilli;
}

}  // namespace plumb::cuda

// SPDX-License-Identifier: Apache-2.0
// A management library for machines without an NVIDIA driver, loaded in place of the real one. What it says
// is read from the environment at each call:
//   FAKE_NVML_FAIL       results of functions: "nvmlDeviceGetPowerUsage=4,nvmlInit_v2=9"
//   FAKE_NVML_MIG        set: the device is an instance, which only its "MIG-" UUID finds
//   FAKE_NVML_NVLINK     set: NVLink joins every two devices
//   FAKE_NVML_CLOCK      of the multiprocessors, in MHz (1980)
//   FAKE_NVML_REASONS    bits of what holds the clocks down (0)
//   FAKE_NVML_PROCESSES  "pid:bytes,pid:bytes"; bytes may be "?" (none)
// Each look at the energy counter finds 100 J more. FAKE_NVML_IS_OLD: without what older drivers lack.
#include "kernels/cuda/nvml.h"

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

using plumb::cuda::NvmlDevice;

namespace {

int card = 0;
int instance = 0;
[[maybe_unused]] unsigned long long millijoules = 5'000'000;  // older drivers do not tell it

std::string text(const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr ? value : "";
}

/// The number that `digits` begins with, also a hexadecimal one; 0 without any.
unsigned long long numberIn(std::string_view digits) {
    const bool isHex = digits.substr(0, 2) == "0x";
    if (isHex) digits.remove_prefix(2);
    unsigned long long number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number, isHex ? 16 : 10);
    return number;
}

int resultOf(const std::string& function) {
    const std::string all = text("FAKE_NVML_FAIL");
    const std::size_t found = all.find(function + "=");
    if (found == std::string::npos) return 0;
    return static_cast<int>(numberIn(std::string_view(all).substr(found + function.size() + 1)));
}

/// Answers for the card alone, as most functions do.
template <class Number>
int answer(const char* function, const void* device, Number value, Number* into) {
    if (const int result = resultOf(function); result != 0) return result;
    if (device != &card) return plumb::cuda::kNvmlNotSupported;
    *into = value;
    return 0;
}

}  // namespace

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the names of the driver's library.
int nvmlInit_v2() { return resultOf("nvmlInit_v2"); }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int result) { return result == 9 ? "Driver Not Loaded" : "Unknown Error"; }

int nvmlDeviceGetHandleByUUID(const char* uuid, NvmlDevice* device) {
    if (const int result = resultOf("nvmlDeviceGetHandleByUUID"); result != 0) return result;
    const bool isInstance = !text("FAKE_NVML_MIG").empty();
    if (std::string(uuid).rfind(isInstance ? "MIG-" : "GPU-", 0) != 0) return 6;
    *device = isInstance ? &instance : &card;
    return 0;
}
int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(NvmlDevice device, NvmlDevice* of) {
    if (device != &instance) return 2;
    *of = &card;
    return 0;
}
int nvmlDeviceGetMemoryInfo(NvmlDevice /*device*/, plumb::cuda::NvmlMemory* memory) {
    if (const int result = resultOf("nvmlDeviceGetMemoryInfo"); result != 0) return result;
    *memory = {1ULL << 30U, 1ULL << 29U, 1ULL << 29U};
    return 0;
}
int nvmlDeviceGetClockInfo(NvmlDevice device, int clock, unsigned* megahertz) {
    const std::string set = text("FAKE_NVML_CLOCK");
    const unsigned sm = set.empty() ? 1980 : static_cast<unsigned>(numberIn(set));
    return answer("nvmlDeviceGetClockInfo", device, clock == plumb::cuda::kNvmlSmClock ? sm : 3201U,
                  megahertz);
}
int nvmlDeviceGetPowerUsage(NvmlDevice device, unsigned* milliwatts) {
    return answer("nvmlDeviceGetPowerUsage", device, 412'500U, milliwatts);
}
int nvmlDeviceGetEnforcedPowerLimit(NvmlDevice device, unsigned* milliwatts) {
    return answer("nvmlDeviceGetEnforcedPowerLimit", device, 700'000U, milliwatts);
}
int nvmlDeviceGetTemperature(NvmlDevice device, int /*sensor*/, unsigned* celsius) {
    return answer("nvmlDeviceGetTemperature", device, 62U, celsius);
}
int nvmlDeviceGetP2PStatus(NvmlDevice /*device*/, NvmlDevice /*peer*/, int way, int* status) {
    if (const int result = resultOf("nvmlDeviceGetP2PStatus"); result != 0) return result;
    const bool joined = way == plumb::cuda::kNvmlOverNvLink && !text("FAKE_NVML_NVLINK").empty();
    *status = joined ? plumb::cuda::kNvmlPeersOk : 4;
    return 0;
}
int nvmlDeviceGetUtilizationRates(NvmlDevice device, plumb::cuda::NvmlUtilization* rates) {
    return answer("nvmlDeviceGetUtilizationRates", device, plumb::cuda::NvmlUtilization{97, 40}, rates);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice device, unsigned long long* reasons) {
    return answer("nvmlDeviceGetCurrentClocksThrottleReasons", device, numberIn(text("FAKE_NVML_REASONS")),
                  reasons);
}
#if !defined(FAKE_NVML_IS_OLD)
int nvmlDeviceGetCurrentClocksEventReasons(NvmlDevice device, unsigned long long* reasons) {
    return answer("nvmlDeviceGetCurrentClocksEventReasons", device, numberIn(text("FAKE_NVML_REASONS")),
                  reasons);
}
int nvmlDeviceGetTotalEnergyConsumption(NvmlDevice device, unsigned long long* into) {
    millijoules += 100'000;
    return answer("nvmlDeviceGetTotalEnergyConsumption", device, millijoules, into);
}
#endif
int nvmlDeviceGetComputeRunningProcesses_v3(NvmlDevice /*device*/, unsigned* count,
                                            plumb::cuda::NvmlProcess* processes) {
    if (const int result = resultOf("nvmlDeviceGetComputeRunningProcesses_v3"); result != 0) return result;
    const unsigned room = *count;
    *count = 0;
    const std::string list = text("FAKE_NVML_PROCESSES");
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t colon = list.find(':', begin);
        if (*count < room) {
            plumb::cuda::NvmlProcess& process = processes[*count];
            process = {};
            process.pid = static_cast<unsigned>(numberIn(std::string_view(list).substr(begin)));
            process.bytes = list[colon + 1] == '?' ? plumb::cuda::kNvmlNoBytes
                                                   : numberIn(std::string_view(list).substr(colon + 1));
        }
        ++*count;
        const std::size_t comma = list.find(',', begin);
        begin = comma == std::string::npos ? list.size() : comma + 1;
    }
    return *count > room ? plumb::cuda::kNvmlTooSmall : 0;
}
// NOLINTEND(readability-identifier-naming)
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/machine/machine.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace plumb {

/// The machine that the program runs on: processor name, usable memory (limited by the control group if it
/// is), no ceilings yet.
[[nodiscard]] Machine localCpu();

/// Cores that this process may use, and threads that the CPU backend starts: logical processors of its
/// affinity mask, limited by the CPU quota of its control groups and by OMP_NUM_THREADS. How threads are
/// pinned (OMP_PROC_BIND, OMP_PLACES) is read by the OpenMP runtime when the program starts and cannot be
/// changed here.
[[nodiscard]] int usableCores();

/// What tells one processor from another, as far as ceilings go.
struct CpuIdentity {
    std::string model;  ///< "Intel(R) Xeon(R) Processor"; "unknown processor" where nothing says it
    std::string flags;  ///< instruction sets, as the system lists them
    /// Those of usableCores(). Ceilings measured with one count say nothing of another.
    std::int64_t usableCores = 1;
    bool operator==(const CpuIdentity&) const = default;
};

/// Model and flags of the first processor in the text of /proc/cpuinfo (x86 and ARM spellings).
[[nodiscard]] CpuIdentity parseCpuInfo(std::string_view text);
[[nodiscard]] CpuIdentity localCpuIdentity();

/// The smallest memory limit that the control groups (version 1 and 2) of this process set, from
/// proc/self/cgroup and sys/fs/cgroup under `root`; absent when there is none.
[[nodiscard]] std::optional<Bytes> controlGroupMemoryLimit(const std::filesystem::path& root);

/// Bytes that this process can still get without anything being swapped out or ended: what the system calls
/// available in proc/meminfo, at most what the memory limits of its control groups leave. Absent where
/// nothing says it. `root` as above.
[[nodiscard]] std::optional<Bytes> availableMemory(const std::filesystem::path& root);

/// The smallest CPU quota that the control groups (version 2) of this process set, in whole cores, rounded
/// up; absent when there is none. `root` as above.
[[nodiscard]] std::optional<std::int64_t> controlGroupCpuLimit(const std::filesystem::path& root);

/// Programs besides this one that want to run at this moment, per usable core: 0 on an idle machine. Absent
/// where the system does not tell.
[[nodiscard]] std::optional<double> otherLoad();

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace plumb {

/// What tells one processor from another, as far as ceilings go.
struct CpuIdentity {
    std::string model;  ///< "Intel(R) Xeon(R) Processor"; "unknown processor" where nothing says it
    std::string flags;  ///< instruction sets, as the system lists them
    std::int64_t usableCores = 1;  ///< logical processors that this process may run on
    bool operator==(const CpuIdentity&) const = default;
};

/// Model and flags of the first processor in the text of /proc/cpuinfo (x86 and ARM spellings).
[[nodiscard]] CpuIdentity parseCpuInfo(std::string_view text);
[[nodiscard]] CpuIdentity localCpuIdentity();

/// The smallest memory limit that the control groups (version 1 and 2) of this process set, from
/// proc/self/cgroup and sys/fs/cgroup under `root`; absent when there is none.
[[nodiscard]] std::optional<Bytes> controlGroupMemoryLimit(const std::filesystem::path& root);

}  // namespace plumb

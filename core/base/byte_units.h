// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace plumb {

/// In which prefixes sizes in bytes are written for people: MB of 10^6 or MiB of 2^20. Rates and ratios keep
/// those of 10, as data sheets do. The command line and all files write Si on every machine alike.
enum class ByteUnits { Si, Binary };

inline constexpr double kBinaryStep = 1024;
inline constexpr std::array<std::string_view, 9> kBinaryPrefixes{"",   "Ki", "Mi", "Gi", "Ti",
                                                                 "Pi", "Ei", "Zi", "Yi"};

/// The units that the whole process writes in. Any thread.
[[nodiscard]] ByteUnits byteUnits();
/// From now on; texts that were made keep theirs. Any thread.
void setByteUnits(ByteUnits units);

/// Whether a quantity of this unit takes the prefixes of 1024.
[[nodiscard]] inline bool takesBinaryPrefixes(std::string_view unit) {
    return unit == "B" && byteUnits() == ByteUnits::Binary;
}

}  // namespace plumb

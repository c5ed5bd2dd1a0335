// SPDX-License-Identifier: Apache-2.0
// What Nsight Compute counted of single kernels, as points of a roofline.
#pragma once

#include "core/base/enum_names.h"
#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

enum class ReportLevel : std::uint8_t { Dram, L2, L1 };
inline constexpr std::size_t kReportLevels = 3;
inline constexpr auto kReportLevelNames =
    enumNames<ReportLevel>({{ReportLevel::Dram, "dram"}, {ReportLevel::L2, "l2"}, {ReportLevel::L1, "l1"}});

/// One kernel as it was profiled; what the report does not count is absent.
struct ReportedKernel {
    std::string id;    ///< the number of the launch in the report
    std::string name;  ///< with its parameters
    std::string device;
    std::optional<double> seconds;
    std::optional<double> coreFlops;    ///< of the CUDA cores
    std::optional<double> tensorFlops;  ///< of the tensor cores, dense
    std::array<std::optional<double>, kReportLevels> bytes;
    /// What is missing for a place in the roofline, "tensor-core FLOPs (sm__ops_path_tensor_*.sum)".
    std::vector<std::string> missing;

    /// Those of both kinds that were counted; absent where neither was. A lower bound with one missing.
    [[nodiscard]] std::optional<double> flops() const;
    /// FLOPs a second.
    [[nodiscard]] std::optional<double> rate() const;
    /// FLOPs for each byte through a level.
    [[nodiscard]] std::optional<double> intensity(ReportLevel level) const;
    /// Bytes a second through a level.
    [[nodiscard]] std::optional<double> bandwidth(ReportLevel level) const;
};

struct KernelReport {
    static constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
    static constexpr std::size_t kMostKernels = 200'000;

    bool isRawPage = false;  ///< a row for each kernel; else one for each metric
    bool hasDecimalComma = false;
    std::vector<ReportedKernel> kernels;  ///< in the order of the report
    std::int64_t lostRows = 0;            ///< that do not fit the header, or begin no kernel
    std::int64_t lostValues = 0;          ///< that are no number, are negative, or have an unknown unit

    /// A sentence for each kind of loss.
    [[nodiscard]] std::vector<std::string> losses() const;
};

/// All launches of one kernel on one device that have a place in a roofline, as one point of it.
struct KernelPoint {
    std::string name;
    std::string device;  ///< its number
    std::size_t launches = 0;
    double seconds = 0;  ///< of all launches, as the other sums
    double flops = 0;
    double bytes = 0;      ///< through the level that was asked for
    bool isLeast = false;  ///< FLOPs of one kind of cores were not counted: at least these
    [[nodiscard]] double intensity() const { return flops / bytes; }
    [[nodiscard]] double rate() const { return flops / seconds; }
};
struct KernelPoints {
    std::vector<KernelPoint> points;  ///< the longest in all first
    std::size_t withoutPlace = 0;     ///< launches that lack time, FLOPs or bytes, or have none of them
};
[[nodiscard]] KernelPoints kernelPoints(const KernelReport& report, ReportLevel level);

/// Reads what `ncu --csv` printed with `--page details` or `--page raw`, whatever stands before it. Errors:
/// BadInput for a text without the header of such a table, and for numbers whose decimal signs contradict
/// each other.
[[nodiscard]] Result<KernelReport> parseKernelReport(std::string_view text, const std::string& path);
/// The same of a file. Errors: Io and the limit of size too.
[[nodiscard]] Result<KernelReport> readKernelReport(const std::string& path);
/// Whether a file that begins so is one.
[[nodiscard]] bool looksLikeKernelReport(std::string_view start);

}  // namespace plumb

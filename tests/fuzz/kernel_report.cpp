// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_report/kernel_report.h"

#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void kernel_report(std::string_view input) {
    const auto report = parseKernelReport(input, "report.csv");
    if (!isTaken(report)) return;
    require(report->lostRows >= 0 && report->lostValues >= 0, "losses are counted");
    for (const ReportedKernel& kernel : report->kernels) {
        require(!kernel.seconds || *kernel.seconds >= 0, "a time is not negative");
        require(!kernel.flops() || *kernel.flops() >= 0, "FLOPs are not negative");
        for (const auto& bytes : kernel.bytes) require(!bytes || *bytes >= 0, "bytes are not negative");
        require(kernel.seconds.has_value() || !kernel.rate(), "no rate without a time");
    }
    for (const auto& [level, name] : kReportLevelNames) {
        const KernelPoints all = kernelPoints(*report, level);
        std::size_t launches = all.withoutPlace;
        for (const KernelPoint& point : all.points) {
            require(point.rate() > 0 && point.intensity() > 0, "a point has a place", name);
            launches += point.launches;
        }
        require(launches == report->kernels.size(), "each launch is in a point or has no place", name);
    }
}

}  // namespace plumb::fuzz

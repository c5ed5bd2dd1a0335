// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_report/kernel_report.h"

#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void kernel_report(std::string_view input) {
    const auto report = parseKernelReport(input, "report.csv");
    if (!report.has_value()) return;
    require(report->lostRows >= 0 && report->lostValues >= 0, "losses are counted");
    for (const ReportedKernel& kernel : report->kernels) {
        require(!kernel.seconds || *kernel.seconds >= 0, "a time is not negative");
        require(!kernel.flops() || *kernel.flops() >= 0, "FLOPs are not negative");
        for (const auto& bytes : kernel.bytes) require(!bytes || *bytes >= 0, "bytes are not negative");
        require(kernel.seconds.has_value() || !kernel.rate(), "no rate without a time");
    }
}

}  // namespace plumb::fuzz

// SPDX-License-Identifier: Apache-2.0
// `open` of a table of Nsight Compute: its kernels as points of a roofline.
#include "app/cli/console.h"
#include "app/cli/open_formats.h"
#include "core/base/quantity.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/kernel_report/kernel_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace plumb::cli {

namespace {

using nlohmann::json;

json orNull(const std::optional<double>& value) { return value ? numberJson(*value) : json(); }

std::string quantityText(const std::optional<double>& value, const char* unit) {
    return value ? formatQuantity(*value, unit) : "-";
}

json kernelJson(const ReportedKernel& kernel) {
    json levels = json::object();
    for (const auto& [level, name] : kReportLevelNames)
        levels[std::string(name)] = {{"bytes", orNull(kernel.bytes[static_cast<std::size_t>(level)])},
                                     {"intensity", orNull(kernel.intensity(level))},
                                     {"bytes_per_second", orNull(kernel.bandwidth(level))}};
    return {{"id", kernel.id},
            {"name", kernel.name},
            {"device", kernel.device},
            {"seconds", orNull(kernel.seconds)},
            {"flops", orNull(kernel.flops())},
            {"core_flops", orNull(kernel.coreFlops)},
            {"tensor_flops", orNull(kernel.tensorFlops)},
            {"flops_per_second", orNull(kernel.rate())},
            {"levels", std::move(levels)},
            {"missing", kernel.missing}};
}

std::string reportJson(const KernelReport& report) {
    json kernels = json::array();
    for (const ReportedKernel& kernel : report.kernels) kernels.push_back(kernelJson(kernel));
    const json document{{"format", "nsight-compute-csv"},
                        {"page", report.isRawPage ? "raw" : "details"},
                        {"decimal_sign", report.hasDecimalComma ? "," : "."},
                        {"lost_rows", report.lostRows},
                        {"lost_values", report.lostValues},
                        {"losses", report.losses()},
                        {"kernels", std::move(kernels)}};
    return dumpJson(document, 1) + "\n";
}

std::string reportText(const KernelReport& report, const OpenRequest& request) {
    std::string text = fmt::format("{}: {} page of Nsight Compute, {} kernels\n", request.file,
                                   report.isRawPage ? "raw" : "details", report.kernels.size());
    for (const std::string& loss : report.losses()) text += "  " + loss + "\n";
    std::vector<const ReportedKernel*> longest;
    for (const ReportedKernel& kernel : report.kernels) longest.push_back(&kernel);
    std::ranges::stable_sort(longest, std::ranges::greater(),
                             [](const auto* kernel) { return kernel->seconds.value_or(0); });
    longest.resize(std::min(longest.size(), static_cast<std::size_t>(request.top)));
    Table table;
    table.add({fmt::format("Kernel ({} of {})", longest.size(), report.kernels.size()), "time", "FLOPs",
               "FLOP/s", "FLOP/B DRAM", "L2", "L1", "B/s DRAM", "L2", "L1"});
    for (const ReportedKernel* kernel : longest) {
        std::vector<std::string> row{
            kernel->name.size() > 48 ? kernel->name.substr(0, 45) + "..." : kernel->name,
            quantityText(kernel->seconds, "s"), quantityText(kernel->flops(), "FLOP"),
            quantityText(kernel->rate(), "FLOP/s")};
        for (const auto& [level, name] : kReportLevelNames) {
            const auto intensity = kernel->intensity(level);
            row.push_back(intensity ? fmt::format("{:.3g}", *intensity) : "-");
        }
        for (const auto& [level, name] : kReportLevelNames)
            row.push_back(quantityText(kernel->bandwidth(level), "B/s"));
        table.add(std::move(row));
    }
    text += "\n" + table.text();
    std::map<std::string, std::size_t> missing;
    for (const ReportedKernel& kernel : report.kernels)
        for (const std::string& what : kernel.missing) ++missing[what];
    for (const auto& [what, kernels] : missing)
        text += fmt::format("not counted for {} of {} kernels: {}\n", kernels, report.kernels.size(), what);
    return text;
}

}  // namespace

Result<void> openKernelReport(const OpenRequest& request) {
    PLUMB_TRY(const KernelReport report, readKernelReport(request.file));
    return print(request.json ? reportJson(report) : reportText(report, request));
}

}  // namespace plumb::cli

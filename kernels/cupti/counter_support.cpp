// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/counter_support.h"

#include "core/model/names.h"
#include "kernels/cupti/detect.h"
#include "kernels/cupti/metric_config.h"
#include "kernels/cupti/metric_table.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

namespace plumb::cupti {

namespace {

std::string contentOf(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What stands behind "name:" in a text of such lines.
std::string_view fieldOf(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (!line.starts_with(name) || line.substr(name.size(), 1) != ":") continue;
        std::string_view value = line.substr(name.size() + 1);
        while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
        return value;
    }
    return {};
}

/// The passes of every precision and amount that there is a set for.
Result<std::vector<CounterSupport::Passes>> passesOf(const CuptiApi& api, std::string_view chip) {
    std::vector<CounterSupport::Passes> passes;
    for (const auto& [precision, name] : kPrecisionNames)
        for (const CounterDetail detail : kAllCounterDetails) {
            PLUMB_TRY(CounterSet set, metricsFor(chip, precision, detail));
            PLUMB_TRY(const MetricConfig config, MetricConfig::create(api, std::move(set)));
            passes.push_back({precision, detail, config.set().passes});
        }
    return passes;
}

}  // namespace

std::string_view chipOfCapability(int computeCapability) {
    switch (computeCapability) {
    case 75:
        return "TU104";
    case 80:
        return "GA100";
    case 86:
        return "GA102";
    case 87:
        return "GA10B";
    case 89:
        return "AD102";
    case 90:
        return "GH100";
    case 100:
        return "GB100";
    case 103:
        return "GB110";
    case 110:
        return "GB10B";
    case 120:
        return "GB202";
    case 121:
        return "GB20B";
    default:
        return {};
    }
}

Result<void> countingPermitted(std::string_view driverParameters, std::string_view processStatus) {
    if (fieldOf(driverParameters, "RmProfilingAdminOnly") != "1") return {};
    // What the driver asks of the process: CAP_SYS_ADMIN (21), newer ones also take CAP_PERFMON (38).
    constexpr std::uint64_t kEnough = (std::uint64_t{1} << 21U) | (std::uint64_t{1} << 38U);
    const std::string_view mask = fieldOf(processStatus, "CapEff");
    std::uint64_t capabilities = 0;
    const auto [end, failure] =
        std::from_chars(mask.data(), mask.data() + mask.size(), capabilities, 16);  // NOLINT(*-pointer-*)
    if (failure != std::errc() || (capabilities & kEnough) != 0) return {};
    return cuptiError(CuptiApi{}, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "");
}

CounterSupport counterSupport(int computeCapability, const Result<const CuptiApi*>& cupti,
                              const Result<void>& permitted) {
    CounterSupport support;
    const auto find = [&]() -> Result<void> {
        PLUMB_TRY(const CuptiApi* const api, cupti);
        PLUMB_CHECK(checkVersion(*api));
        PLUMB_CHECK(checkCapability(*api, computeCapability / 10, computeCapability % 10));
        if (!permitted.has_value()) return permitted.error();
        support.chip = chipOfCapability(computeCapability);
        if (support.chip.empty())
            return Error{ErrorCode::Unavailable,
                         fmt::format("no set of counters is known for this GPU (compute capability {}.{})",
                                     computeCapability / 10, computeCapability % 10),
                         "go on with timing only"};
        support.rangesAtOnce = static_cast<std::int64_t>(kMostRanges);
        PLUMB_TRY(support.passes, passesOf(*api, support.chip));
        return {};
    };
    const Result<void> found = find();
    if (!found.has_value()) support = CounterSupport{};
    support.absent = found.has_value() ? "" : found.error().text();
    return support;
}

CounterSupport counterSupport(int computeCapability) {
    return counterSupport(
        computeCapability, loadCupti(),
        countingPermitted(contentOf("/proc/driver/nvidia/params"), contentOf("/proc/self/status")));
}

}  // namespace plumb::cupti

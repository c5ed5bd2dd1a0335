// SPDX-License-Identifier: Apache-2.0
#include "core/compare/budget.h"

#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/io/json_inspector.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace plumb {
namespace {

constexpr std::size_t kMostBudgetBytes = std::size_t{1} << 20U;  ///< of the file, and of it in memory

struct Limit {
    std::string_view key;
    std::string_view unit;
    std::optional<double> Budget::*member;
};
constexpr std::array kLimits{Limit{"peak_bytes", "B", &Budget::peakBytes},
                             Limit{"device_bytes", "B", &Budget::deviceBytes},
                             Limit{"step_seconds", "s", &Budget::stepSeconds},
                             Limit{"flops", "FLOP", &Budget::flops},
                             Limit{"bytes", "B", &Budget::bytes},
                             Limit{"peak_bytes_growth", "%", &Budget::peakBytesGrowth},
                             Limit{"step_seconds_growth", "%", &Budget::stepSecondsGrowth},
                             Limit{"flops_growth", "%", &Budget::flopsGrowth}};

/// A limit that is there twice would hold only once, and nobody sees which.
class BudgetInspector final : public JsonInspector {
public:
    using JsonInspector::JsonInspector;
    bool key(string_t& text) override {
        if (depth() == 1 && !m_limits.insert(text).second)
            return refuse(fmt::format("has the limit {:.40} more than once", text), "keep one of them");
        return JsonInspector::key(text);
    }

private:
    std::set<std::string> m_limits;
};

std::string knownLimits() {
    std::string list;
    for (const Limit& limit : kLimits) list += (list.empty() ? "" : ", ") + std::string(limit.key);
    return list;
}

Result<double> limitOf(const nlohmann::json& value, const Limit& limit, const std::string& path) {
    const std::string shown = dumpJson(value).substr(0, 40);
    const std::string hint =
        limit.unit == "%"
            ? "give a share of 1 or a text such as \"1.5 %\""
            : fmt::format("give a number in {:s} or a text such as \"1.5 {:s}\"", limit.unit, limit.unit);
    double number = 0;
    if (value.is_number()) {
        number = value.get<double>();
    } else if (value.is_string()) {
        const auto parsed = parseQuantity(value.get_ref<const std::string&>(), limit.unit);
        if (!parsed.has_value())
            return badFile(path,
                           fmt::format("has {:s} {:s}, which is no quantity of this unit", limit.key, shown),
                           hint);
        number = *parsed;
    } else {
        return badFile(
            path, fmt::format("has {:s} {:s}, which is neither a number nor a text", limit.key, shown), hint);
    }
    if (!std::isfinite(number) || number < 0)
        return badFile(path, fmt::format("has {:s} {:s}, which is below 0", limit.key, shown), hint);
    return number;
}

BudgetLine overCount(std::string name, std::string_view unit, double limit,
                     const std::optional<std::int64_t>& value) {
    BudgetLine line{std::move(name), unit, limit, std::nullopt, false, {}};
    if (value) {
        line.value = static_cast<double>(*value);
        line.isKept = *line.value <= limit;
    } else {
        line.note = "the file does not say";
    }
    return line;
}

BudgetLine growth(std::string name, double limit, const Judgement& judged) {
    BudgetLine line{std::move(name), "%", limit, std::nullopt, false, {}};
    if (!judged.ratio) {
        line.isKept = judged.change == Change::None;
        line.note = "one of the two files does not say";
        return line;
    }
    line.value = *judged.ratio - 1;
    const double noise = judged.band.value_or(0);
    line.isKept = *line.value <= limit + noise;
    if (line.isKept && *line.value > limit)
        line.note = fmt::format("over it by no more than the noise of ± {:.1f} %", noise * 100);
    if (!line.isKept && judged.change == Change::Disturbed)
        line.note = "the machine was disturbed while one of the two was measured: measure again";
    return line;
}

std::optional<std::int64_t> peakOf(const ComparedStep& step) {
    return step.reading->memory ? std::optional(step.reading->memory->peakBytes) : std::nullopt;
}
std::optional<std::int64_t> flopsOf(const ComparedStep& step) {
    return step.step->hasAllFlops ? std::optional(step.step->flops) : std::nullopt;
}

BudgetLine timeLine(double limit, const ComparedStep& step) {
    BudgetLine line{"step time", "s", limit, std::nullopt, false, {}};
    if (!step.stepTime) {
        line.note = "the file does not say";
        return line;
    }
    line.value = step.stepTime->median;
    const double noise = 2 * step.stepTime->error.value_or(0);
    line.isKept = *line.value <= limit + noise;
    if (line.isKept && *line.value > limit)
        line.note = fmt::format("over it by no more than the noise of ± {}", formatQuantity(noise, "s"));
    else if (!step.isMeasured())
        line.note = "predicted";
    return line;
}

}  // namespace

Result<Budget> parseBudget(std::string_view text, const std::string& path) {
    BudgetInspector inspector(path, kMostBudgetBytes);
    nlohmann::json document;
    PLUMB_CHECK(inspector.inspect(text, {}, document));
    if (!document.is_object())
        return badFile(path, "is not a budget, which is one JSON object",
                       fmt::format("write {:s}", R"({"peak_bytes": "80 GB"})"));
    Budget budget;
    for (const auto& item : document.items()) {
        const auto* const limit =
            std::ranges::find_if(kLimits, [&](const Limit& each) { return each.key == item.key(); });
        if (limit == kLimits.end())
            return badFile(path, fmt::format("has a limit that is not known ({:.40})", item.key()),
                           fmt::format("the limits are {:s}", knownLimits()));
        PLUMB_TRY(budget.*(limit->member), limitOf(item.value(), *limit, path));
    }
    if (document.empty())
        return badFile(path, "has no limit", fmt::format("the limits are {:s}", knownLimits()));
    return budget;
}

Result<Budget> readBudget(const std::string& path) {
    PLUMB_TRY(const std::string text, readFile(path, kMostBudgetBytes));
    return parseBudget(text, path);
}

std::vector<BudgetLine> checkBudget(const Budget& budget, const ComparedStep& step,
                                    const ComparedStep* baseline) {
    std::vector<BudgetLine> lines;
    if (budget.peakBytes) lines.push_back(overCount("peak memory", "B", *budget.peakBytes, peakOf(step)));
    if (budget.deviceBytes)
        lines.push_back(overCount("memory of the device", "B", *budget.deviceBytes, step.deviceBytes));
    if (budget.stepSeconds) lines.push_back(timeLine(*budget.stepSeconds, step));
    if (budget.flops) lines.push_back(overCount("FLOPs", "FLOP", *budget.flops, flopsOf(step)));
    if (budget.bytes)
        lines.push_back(overCount("bytes moved", "B", *budget.bytes, std::optional(step.step->bytes)));
    if (baseline == nullptr) return lines;
    if (budget.peakBytesGrowth)
        lines.push_back(growth("peak memory over the baseline", *budget.peakBytesGrowth,
                               judgeCounts(peakOf(*baseline), peakOf(step))));
    if (budget.stepSecondsGrowth)
        lines.push_back(
            growth("step time over the baseline", *budget.stepSecondsGrowth,
                   judgeTimes(baseline->stepTime, step.stepTime, 1, machineDrift(*baseline, step))));
    if (budget.flopsGrowth)
        lines.push_back(growth("FLOPs over the baseline", *budget.flopsGrowth,
                               judgeCounts(flopsOf(*baseline), flopsOf(step))));
    return lines;
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_sharding.h"

#include "app/cli/console.h"
#include "app/cli/planner_report.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/planner/sweep.h"
#include "core/planner/work.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

json layoutParts(const ShardingOption& option, double available) {
    const ParallelLayout& p = option.layout;
    json parts = json::object();
    for (std::size_t i = 0; i < kStepParts.size(); ++i)
        parts[std::string(kStepParts[i].key)] = option.parts[i];
    return {{"devices", option.devices},
            {"tensor", p.tensor},
            {"pipeline", p.pipeline},
            {"chunks", p.chunks},
            {"context", p.context},
            {"expert", p.expert},
            {"zero", static_cast<int>(p.sharding)},
            {"shard_group", p.shardGroup > 0 ? json(p.shardGroup) : json()},
            {"micro_batch", p.microBatch},
            {"recompute", name(option.recompute)},
            {"memory_bytes", numberJson(option.memoryBytes, "B")},
            {"missing_bytes", numberJson(option.fits ? 0 : option.memoryBytes - available, "B")},
            {"step_seconds", option.stepSeconds},
            {"parts", parts},
            {"step_cost_dollars", option.stepDollars},
            {"mfu", option.mfu},
            {"fits", option.fits},
            {"why", option.why.empty() ? json() : json(option.why)}};
}

json optionsJson(const std::vector<ShardingOption>& options, const ShardingSearch& search) {
    json list = json::array();
    for (const ShardingOption& option : options) {
        json entry = layoutParts(option, search.available);
        entry["cost_dollars"] = search.steps > 0 ? json(option.stepDollars * search.steps) : json();
        list.push_back(std::move(entry));
    }
    return list;
}

/// Price of the whole training, or of a step where its tokens are not known.
double paidFor(const ShardingOption& option, const ShardingSearch& search) {
    return option.stepDollars * (search.steps > 0 ? search.steps : 1);
}

/// With several numbers of devices each has its own, and what it costs.
std::string optionsTable(const std::vector<ShardingOption>& options, const ShardingSearch& search,
                         bool isPriced) {
    Table table(2);
    std::vector<std::string> heading{"plan", "recomputation", "memory", "step time", "MFU"};
    if (isPriced) {
        heading.emplace_back("devices");
        heading.emplace_back(search.steps > 0 ? "cost" : "cost of a step");
    }
    heading.emplace_back("");
    table.add(std::move(heading));
    for (const ShardingOption& option : options) {
        std::vector<std::string> row{layoutText(option.layout), std::string(name(option.recompute)),
                                     formatQuantity(option.memoryBytes, "B"),
                                     formatOutput(Output::StepSeconds, option.stepSeconds),
                                     fmt::format("{:.1f} %", 100 * option.mfu)};
        if (isPriced) {
            row.push_back(fmt::format("{}", option.devices));
            row.push_back(formatOutput(Output::Cost, paidFor(option, search)));
        }
        row.push_back(option.why.empty() ? "fits, the fastest" : option.why);
        table.add(std::move(row));
    }
    return table.text();
}

/// What several numbers of devices are asked for: time against price of what fits, the cheapest first.
std::string frontText(const ShardingSearch& search) {
    std::vector<ShardingOption> shown = search.front;
    std::erase_if(shown, [](const ShardingOption& option) { return !option.fits; });
    if (shown.empty()) return {};
    std::ranges::stable_sort(shown, {}, &ShardingOption::stepDollars);
    double fastest = std::numeric_limits<double>::infinity();
    std::erase_if(shown, [&](const ShardingOption& option) {
        const bool isBeaten = option.stepSeconds >= fastest;
        fastest = std::min(fastest, option.stepSeconds);
        return isBeaten;
    });
    for (ShardingOption& option : shown) option.why = " ";
    shown.front().why = "the cheapest";
    return "\nOf what fits, nothing beats these in time and price:\n" + optionsTable(shown, search, true) +
           fmt::format("\n{} of a device: {}\n", formatInput(Input::DevicePrice, search.dollarsPerHour),
                       search.priceSource);
}

/// What stands for the number of devices, where that is several.
std::string sweptDevices(const Arguments& arguments) {
    for (const char* const option : {"devices", "gpus"}) {
        std::string text = arguments.text(option);
        if (text.find("..") != std::string::npos || text.find(',') != std::string::npos) return text;
    }
    return {};
}

}  // namespace

bool sweepsDevices(const Arguments& arguments) { return !sweptDevices(arguments).empty(); }

Arguments withFirstDevices(Arguments arguments) {
    const std::string text = sweptDevices(arguments);
    if (text.empty()) return arguments;
    const std::string first = text.substr(0, std::min(text.find(".."), text.find(',')));
    for (const char* const option : {"devices", "gpus"})
        if (arguments.has(option)) arguments.set(option, first);
    return arguments;
}

json layoutJson(const ShardingOption& option, double available) { return layoutParts(option, available); }

Result<ShardingSearch> searchForReply(const Arguments& arguments, const Scenario& scenario) {
    PLUMB_TRY(const std::int64_t keep, arguments.countOr("keep", 1, 10));
    std::vector<std::int64_t> counts{scenario.cluster.devices};
    if (const std::string text = sweptDevices(arguments); !text.empty()) {
        constexpr std::size_t kMostCounts = 32;
        PLUMB_TRY(const Axis axis, sweepAxis(scenario, Input::Devices, text));
        if (axis.values.size() > kMostCounts)
            return Error{
                ErrorCode::BadInput,
                fmt::format("{} numbers of devices are too many (--devices {:s})", axis.values.size(), text),
                fmt::format("give at most {}", kMostCounts)};
        counts.clear();
        for (const double value : axis.values) counts.push_back(static_cast<std::int64_t>(value));
    }
    const Interrupt interrupt;
    ProgressLine line;
    PLUMB_TRY(
        ShardingSearch search,
        searchDevices(scenario, counts, static_cast<std::size_t>(keep), interrupt.token(), [&](double done) {
            if (line.due()) line.show(fmt::format("trying plans: {:.0f} %", 100 * done));
        }));
    line.clear();
    if (interrupt.token().stop_requested())
        return Error{ErrorCode::RunFailed, "the search was stopped", "start it again"};
    return search;
}

std::string shardingText(const ShardingSearch& search) {
    const auto differs = [&](const ShardingOption& option) {
        return option.devices != search.front.front().devices;
    };
    const bool isPriced =
        std::ranges::any_of(search.front, differs) || std::ranges::any_of(search.plans, differs);
    std::string text = search.fits() ? "" : "No plan fits; these need the least memory.\n";
    text += optionsTable(search.plans, search, isPriced);
    if (!search.tooLarge.empty())
        text +=
            "\nThese would be faster, and do not fit:\n" + optionsTable(search.tooLarge, search, isPriced);
    if (isPriced) text += frontText(search);
    return text + fmt::format("\n{} plans tried, batch {}, {} of memory\n", search.tried, search.batch,
                              formatQuantity(search.available, "B"));
}

json shardingJson(const ShardingSearch& search) {
    return {{"fits", search.fits()},
            {"batch", search.batch},
            {"tried", search.tried},
            {"available_bytes", numberJson(search.available, "B")},
            {"dollars_per_hour", search.dollarsPerHour},
            {"price_source", search.priceSource},
            {"plans", optionsJson(search.plans, search)},
            {"too_large", optionsJson(search.tooLarge, search)},
            {"front", optionsJson(search.front, search)}};
}

Result<void> replyWithSearch(const Arguments& arguments, std::string_view question,
                             const Scenario& scenario) {
    PLUMB_TRY(const ShardingSearch search, searchForReply(arguments, scenario));
    PLUMB_TRY(const Work work, workPerToken(scenario));  // the same share is skipped by every layout
    const std::string note = search.plans.empty() ? "" : skippedPairsNote(work, search.plans.front().mfu);
    if (!arguments.json())
        return print(shardingText(search) + (note.empty() ? "" : "\n" + note + " (first plan)\n"));
    json document = shardingJson(search);
    document["question"] = question;
    document["notes"] = note.empty() ? json::array() : json::array({note});
    return print(dumpJson(document, 1) + "\n");
}

}  // namespace plumb::cli

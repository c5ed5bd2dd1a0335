// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_sharding.h"

#include "app/cli/console.h"
#include "app/cli/planner_report.h"
#include "core/base/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

json optionJson(const ShardingOption& option, double available) {
    const ParallelLayout& p = option.layout;
    json parts = json::object();
    for (std::size_t i = 0; i < kStepParts.size(); ++i)
        parts[std::string(kStepParts[i].key)] = option.parts[i];
    return {{"tensor", p.tensor},
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
            {"mfu", option.mfu},
            {"fits", option.fits},
            {"why", option.why.empty() ? json() : json(option.why)}};
}

json optionsJson(const std::vector<ShardingOption>& options, double available) {
    json list = json::array();
    for (const ShardingOption& option : options) list.push_back(optionJson(option, available));
    return list;
}

std::string optionsTable(const std::vector<ShardingOption>& options) {
    Table table(2);
    table.add({"plan", "recomputation", "memory", "step time", "MFU", ""});
    for (const ShardingOption& option : options)
        table.add({layoutText(option.layout), std::string(name(option.recompute)),
                   formatQuantity(option.memoryBytes, "B"),
                   formatOutput(Output::StepSeconds, option.stepSeconds),
                   fmt::format("{:.1f} %", 100 * option.mfu),
                   option.why.empty() ? "fits, the fastest" : option.why});
    return table.text();
}

}  // namespace

Result<ShardingSearch> searchForReply(const Arguments& arguments, const Scenario& scenario) {
    PLUMB_TRY(const std::int64_t keep, arguments.countOr("keep", 1, 10));
    const Interrupt interrupt;
    ProgressLine line;
    PLUMB_TRY(ShardingSearch search,
              searchShardings(scenario, static_cast<std::size_t>(keep), interrupt.token(), [&](double done) {
                  if (line.due()) line.show(fmt::format("trying plans: {:.0f} %", 100 * done));
              }));
    line.clear();
    if (interrupt.token().stop_requested())
        return Error{ErrorCode::RunFailed, "the search was stopped", "start it again"};
    return search;
}

std::string shardingText(const ShardingSearch& search) {
    std::string text = search.fits() ? "" : "No plan fits; these need the least memory.\n";
    text += optionsTable(search.plans);
    if (!search.tooLarge.empty())
        text += "\nThese would be faster, and do not fit:\n" + optionsTable(search.tooLarge);
    return text + fmt::format("\n{} plans tried, batch {}, {} of memory\n", search.tried, search.batch,
                              formatQuantity(search.available, "B"));
}

json shardingJson(const ShardingSearch& search) {
    return {{"fits", search.fits()},
            {"batch", search.batch},
            {"tried", search.tried},
            {"available_bytes", numberJson(search.available, "B")},
            {"plans", optionsJson(search.plans, search.available)},
            {"too_large", optionsJson(search.tooLarge, search.available)},
            {"front", optionsJson(search.front, search.available)}};
}

}  // namespace plumb::cli

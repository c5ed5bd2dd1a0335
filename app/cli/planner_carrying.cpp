// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_carrying.h"

#include "app/cli/console.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/planner/carrying.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

constexpr std::array kCarried{Carry::Batch, Carry::Layout, Carry::Sequence, Carry::Model, Carry::Device};

json pairJson(const Evidence& evidence, const CarriedPair& pair) {
    return {{"from", pair.from->id},
            {"to", pair.to->id},
            {"source", evidence.sources[pair.to->source].id},
            {"carried", name(pair.carry)},
            {"published_seconds", pair.to->step->seconds},
            {"from_published_seconds", pair.from->step->seconds},
            {"assumed_seconds", pair.assumed},
            {"seconds", {pair.seconds.low, pair.seconds.expected, pair.seconds.high}},
            {"factor", pair.factor},
            {"error", pair.error()},
            {"assumed_error", pair.assumedError()},
            {"held", pair.held()}};
}

}  // namespace

Result<void> printCarrying(const Arguments& arguments, const Evidence& evidence,
                           const std::function<bool(const PublishedTraining&)>& takes) {
    json document{{"question", "validate"}}, list = json::array();
    std::string text;
    for (const bool fits : {false, true}) {
        const std::string use = fits ? "fit" : "validate";
        const std::vector<CarriedPair> pairs = carriedPairs(evidence, [&](const PublishedTraining& row) {
            return takes(row) && evidence.sources[row.source].fits == fits;
        });
        Table table;
        table.add({use, "pairs", "median error", "90 % within", "bias", "range holds", "assumed: median",
                   "90 % within"});
        for (const Carry carry : kCarried) {
            const ErrorSummary found = summarise(pairs, carry), assumed = summariseAssumed(pairs, carry);
            if (found.rows == 0) continue;
            const CarryRule rule = ruleOf(carry);
            document[use][std::string(name(carry))] = {{"pairs", found.rows},
                                                       {"median_error", found.median},
                                                       {"ninetieth_error", found.ninetieth},
                                                       {"bias", found.bias},
                                                       {"held", found.held},
                                                       {"assumed_median_error", assumed.median},
                                                       {"assumed_ninetieth_error", assumed.ninetieth},
                                                       {"share", rule.share},
                                                       {"low", rule.low},
                                                       {"high", rule.high}};
            const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
            table.add({std::string(describe(carry)), fmt::format("{}", found.rows), percent(found.median),
                       percent(found.ninetieth), fmt::format("{:+.3f}", found.bias),
                       fmt::format("{:.0f} %", 100 * found.held), percent(assumed.median),
                       percent(assumed.ninetieth)});
        }
        if (!pairs.empty()) text += (text.empty() ? "" : "\n") + table.text();
        for (const CarriedPair& pair : pairs) list.push_back(pairJson(evidence, pair));
    }
    if (!arguments.json()) return print(text);
    document["rows"] = std::move(list);
    return print(dumpJson(document, 1) + "\n");
}

}  // namespace plumb::cli

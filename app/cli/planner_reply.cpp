// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_reply.h"

#include "app/cli/console.h"
#include "app/cli/planner_report.h"
#include "app/cli/planner_sweep.h"
#include "core/io/json_fields.h"
#include "core/planner/verdict.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

/// Says behind the answers which of them could not be given.
std::string addMissing(const std::vector<std::string>& missing, json* document) {
    std::string text;
    for (const std::string& note : missing) {
        if (document != nullptr) (*document)["notes"].push_back(note);
        text += "\n" + note;
    }
    return text.empty() ? text : text + "\n";
}

}  // namespace

Result<void> reply(const Arguments& arguments, const Scenario& s, const Asked& asked) {
    if (arguments.has("sweep")) {
        std::vector<Output> outputs = asked.outputs;
        outputs.insert(outputs.end(), asked.ifKnown.begin(), asked.ifKnown.end());
        return runSweep(arguments, asked.question, s, std::move(outputs));
    }
    if (arguments.has("csv"))
        return Error{ErrorCode::BadInput, "CSV is of a sweep (--csv)", "give --sweep, or leave it out"};
    PlannerReply reply{asked.question, s, {}, {}};
    for (const Output output : asked.outputs) {
        PLUMB_TRY(Answer found, answer(output, s));
        reply.answers.push_back(std::move(found));
    }
    std::vector<std::string> missing;
    for (const Output output : asked.ifKnown) {
        auto found = answer(output, s);
        if (found.has_value())
            reply.answers.push_back(*std::move(found));
        else
            missing.push_back(fmt::format("{} is not known: {}", info(output).label, found.error().text()));
    }
    if (wantsVerdict(asked.outputs)) {
        if (auto verdict = verdictOf(asked.outputs, s); verdict.has_value())
            reply.verdict = *verdict;
        else
            missing.push_back(fmt::format("whether it fits is not known: {}", verdict.error().text()));
    }
    json document;
    if (arguments.json()) document = plannerJson(reply);
    std::string text;
    if (asked.extra) {
        PLUMB_TRY(text, asked.extra(s, arguments.json() ? &document : nullptr));
    }
    text += addMissing(missing, arguments.json() ? &document : nullptr);
    return print(arguments.json() ? dumpJson(document, 1) + "\n"
                                  : plannerText(reply) + text + conventionsText(reply));
}

json timedOpsJson(const std::vector<TimedOp>& ops) {
    json list = json::array();
    for (const TimedOp& op : ops)
        list.push_back({{"label", op.label},
                        {"flops", op.flops},
                        {"bytes", numberJson(op.bytes, "B")},
                        {"seconds", op.seconds},
                        {"bound", boundName(op.bound)}});
    return list;
}

}  // namespace plumb::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_choice.h"

#include "app/cli/console.h"
#include "app/cli/for_people.h"
#include "app/cli/planner_report.h"
#include "app/cli/planner_sharding.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/machine/own_devices.h"
#include "core/planner/device_choice.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

constexpr std::string_view kForm =
    forPeople("give COUNTxDEVICE or COUNTxDEVICE:PRICE, such as 2xh200-sxm,8xa100-sxm4-80gb:1.8");

Error notACandidate(std::string_view text, std::string hint) {
    return {ErrorCode::BadInput, fmt::format("--candidates cannot be used ({:s})", text), std::move(hint)};
}

/// "8xa100-sxm4-80gb:1.8".
Result<DeviceCandidate> candidateFrom(std::string_view text, const KnownDevices& known) {
    constexpr std::int64_t kMostDevices = 10'000'000;
    const std::size_t times = text.find('x');
    if (times == std::string_view::npos) return notACandidate(text, std::string(kForm));
    const auto count = parseSize(text.substr(0, times));
    if (!count.has_value() || *count < 1 || *count > kMostDevices)
        return notACandidate(text, std::string(kForm));
    std::string_view name = text.substr(times + 1);
    DeviceCandidate candidate;
    candidate.devices = *count;
    if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) {
        const auto price = parseValue(name.substr(colon + 1), "$/h");
        const auto plain = parseQuantity(name.substr(colon + 1), "");
        const double dollars = price.has_value() ? *price : plain.has_value() ? *plain : -1;
        if (!(dollars >= 0)) return notACandidate(text, std::string(kForm));
        candidate.dollarsPerHour = dollars;
        name = name.substr(0, colon);
    }
    PLUMB_TRY(candidate.device, known.find(name));
    return candidate;
}

json rangeOrNull(const std::optional<Range>& range, std::string_view unit) {
    return range ? rangeJson(*range, unit) : json();
}

json planJson(const CandidatePlan& plan) {
    json entry{{"device", plan.candidate.device.name},
               {"devices", plan.candidate.devices},
               {"problem", plan.problem.empty() ? json() : json(plan.problem)}};
    if (!plan.problem.empty()) return entry;
    entry["layout"] = plan.layout ? layoutJson(*plan.layout, plan.availableBytes) : json();
    entry["fits"] = plan.fits;
    entry["needed_bytes"] = numberJson(plan.neededBytes, "B");
    entry["available_bytes"] = numberJson(plan.availableBytes, "B");
    entry["days"] = rangeJson(plan.days, "d");
    entry["device_hours"] = rangeJson(plan.deviceHours, "h");
    entry["dollars_per_hour"] = plan.dollarsPerHour ? json(*plan.dollarsPerHour) : json();
    entry["cost_dollars"] = rangeOrNull(plan.dollars, "$");
    entry["energy_joules"] = rangeOrNull(plan.energyJoules, "J");
    entry["mfu"] = plan.mfu;
    entry["why"] = plan.why;
    return entry;
}

std::string ends(const Range& range, Output output) {
    return fmt::format("{} ({} to {})", formatOutput(output, range.expected), formatOutput(output, range.low),
                       formatOutput(output, range.high));
}

std::string choiceText(const DeviceChoice& choice) {
    Table table(2);
    table.add({"devices", "layout", "time", "device hours", "price", "cost", "energy", "MFU", ""});
    for (const CandidatePlan& plan : choice.plans) {
        const std::string name = fmt::format("{} x {}", plan.candidate.devices, plan.candidate.device.name);
        if (!plan.problem.empty()) {
            table.add({name, "–", "–", "–", "–", "–", "–", "–", plan.problem});
            continue;
        }
        table.add({name, plan.layout ? layoutText(plan.layout->layout) : "–", ends(plan.days, Output::Days),
                   formatOutput(Output::DeviceHours, plan.deviceHours.expected),
                   plan.dollarsPerHour ? formatInput(Input::DevicePrice, *plan.dollarsPerHour) : "–",
                   plan.dollars ? ends(*plan.dollars, Output::Cost) : "–",
                   plan.energyJoules ? formatOutput(Output::Energy, plan.energyJoules->expected) : "–",
                   fmt::format("{:.1f} %", 100 * plan.mfu), plan.why});
    }
    std::string text = table.text() + fmt::format("\n{} tokens", formatInput(Input::Tokens, choice.tokens));
    if (choice.batch > 0) text += fmt::format(", a batch of {} sequences on each", choice.batch);
    for (const std::string& note : choice.notes) text += "\n" + note;
    return text + "\n";
}

}  // namespace

OptionSpec candidatesOption() {
    return {"candidates", "COUNTxDEVICE[:PRICE],...",
            "which of these is cheapest or fastest, with a price per device hour each"};
}

Result<void> runDeviceChoice(const Arguments& arguments, const Scenario& scenario) {
    const std::string text = arguments.text("candidates");
    const KnownDevices known = KnownDevices::load();
    std::vector<DeviceCandidate> candidates;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        PLUMB_TRY(DeviceCandidate candidate,
                  candidateFrom(std::string_view(text).substr(begin, end - begin), known));
        candidates.push_back(std::move(candidate));
        begin = end + 1;
    }
    const Interrupt interrupt;
    ProgressLine line;
    PLUMB_TRY(const DeviceChoice choice,
              chooseDevices(scenario, candidates, interrupt.token(), [&](double done) {
                  if (line.due()) line.show(fmt::format("trying devices: {:.0f} %", 100 * done));
              }));
    line.clear();
    if (interrupt.token().stop_requested())
        return Error{ErrorCode::RunFailed, "the search was stopped", "start it again"};
    if (!arguments.json()) return print(choiceText(choice));
    json list = json::array();
    for (const CandidatePlan& plan : choice.plans) list.push_back(planJson(plan));
    return print(dumpJson(json{{"question", "devices"},
                               {"tokens", choice.tokens},
                               {"batch", choice.batch > 0 ? json(choice.batch) : json()},
                               {"priced", choice.priced},
                               {"candidates", std::move(list)},
                               {"notes", choice.notes}},
                          1) +
                 "\n");
}

}  // namespace plumb::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_rates.h"

#include "core/base/quantity.h"
#include "core/base/table.h"
#include "core/planner/answer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace plumb::cli {

using namespace planner;
using nlohmann::json;

OptionSpec rateOfDeviceOption() {
    return {
        "tflops-per-device", "X",
        "instead of a throughput: TFLOP/s of one device, by the model's own FLOPs over all query-key pairs, "
        "without recomputation"};
}

Result<void> setRateOfDevice(const Arguments& arguments, Scenario& scenario) {
    constexpr std::string_view kOption = "tflops-per-device";
    constexpr double kTera = 1e12;
    if (!arguments.has(kOption)) return {};
    const std::string text = arguments.text(kOption);
    const auto rate = parseQuantity(text, "");
    if (!rate.has_value() || !(*rate > 0))
        return badInput(fmt::format("--tflops-per-device cannot be used ({:s})", text),
                        "give a number above 0, such as 412");
    return setInput(scenario, Input::FlopsPerDevice, kTera * *rate);
}

std::string countedText(const std::vector<CountedRate>& rates) {
    Table table(2);
    const bool isGiven = rates.front().mfuIfGivenSo.has_value();
    std::vector<std::string> heading{"counted by", "", "per token", "per device", "of the peak"};
    if (isGiven) heading.emplace_back("MFU if the rate was counted so");
    table.add(std::move(heading));
    for (const CountedRate& rate : rates) {
        std::vector<std::string> row{rate.causal ? "pairs that are not masked" : "all query-key pairs",
                                     rate.recomputed ? "with what runs again" : "the model's own",
                                     formatQuantity(rate.flopsPerToken, "FLOP"),
                                     formatQuantity(rate.flopsPerDevice, "FLOP/s"),
                                     formatValue(rate.utilisation, "1")};
        if (isGiven) row.push_back(formatValue(*rate.mfuIfGivenSo, "1"));
        table.add(std::move(row));
    }
    return table.text();
}

json countedJson(const std::vector<CountedRate>& rates) {
    json list = json::array();
    for (const CountedRate& rate : rates)
        list.push_back({{"pairs", rate.causal ? "causal" : "all"},
                        {"recomputation", rate.recomputed},
                        {"flops_per_token", rate.flopsPerToken},
                        {"flops_per_device", rate.flopsPerDevice},
                        {"utilisation", rate.utilisation},
                        {"mfu_if_given_so", rate.mfuIfGivenSo ? json(*rate.mfuIfGivenSo) : json()}});
    return list;
}

}  // namespace plumb::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_serving.h"

#include "app/cli/planner_reply.h"
#include "app/cli/planner_report.h"
#include "app/cli/planner_scenario.h"
#include "app/cli/planner_sweep.h"
#include "core/planner/serving.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

/// Formats by what people call them.
struct FormatOption {
    std::string_view option;
    Input input;
    std::string_view names;
};
constexpr std::array kFormats{FormatOption{"weights", Input::WeightBits, "bf16|fp8|int4"},
                              FormatOption{"cache", Input::CacheBits, "bf16|fp8"}};

std::string_view bitsOf(std::string_view format) {
    if (format == "bf16" || format == "fp16") return "16";
    if (format == "fp8" || format == "int8") return "8";
    return format == "int4" ? "4" : "";
}

/// The scenario of the options, of which a server has a few of its own.
Result<Scenario> servedScenario(const Arguments& arguments) {
    PLUMB_TRY(Scenario s, plannerScenario(arguments));
    const auto isTwice = [&](std::string_view option, Input input) {
        return arguments.has(option) && arguments.has(info(input).key);
    };
    const auto twice = [&](std::string_view option, Input input) {
        const std::string_view key = info(input).key;
        return Error{ErrorCode::BadInput,
                     fmt::format("--{:s} is given twice, --{:s} is the same ({:s} and {:s})", key, option,
                                 arguments.text(key), arguments.text(option)),
                     "leave one of them out"};
    };
    if (isTwice("batch", Input::Requests)) return twice("batch", Input::Requests);
    for (const FormatOption& each : kFormats) {
        if (!arguments.has(each.option)) continue;
        if (isTwice(each.option, each.input)) return twice(each.option, each.input);
        const std::string text = arguments.text(each.option);
        const std::string_view bits = bitsOf(text);
        if (bits.empty())
            return Error{ErrorCode::BadInput, fmt::format("--{:s} cannot be used ({:s})", each.option, text),
                         fmt::format("give {:s}", each.names)};
        PLUMB_CHECK(setInput(s, each.input, bits));
    }
    if (arguments.has("batch")) PLUMB_CHECK(setInput(s, Input::Requests, arguments.text("batch")));
    return s;
}

json passJson(const ForwardTime& time) {
    return {{"ops", timedOpsJson(time.ops)}, {"all_reduce_seconds", time.traffic}};
}

Result<std::string> serverParts(const Scenario& s, json* document) {
    if (document == nullptr) return std::string();
    PLUMB_TRY(const Server server, serverOf(s));
    PLUMB_TRY(const StageMemory memory, serverMemory(server));
    json parts = json::array();
    for (const MemoryPart& part : memory.parts)
        parts.push_back(
            {{"label", part.label}, {"bytes", numberJson(part.bytes, "B")}, {"formula", part.formula}});
    (*document)["memory_parts"] = std::move(parts);
    (*document)["server"] = {{"devices", server.devices},
                             {"context_length", server.context},
                             {"requests", server.requests},
                             {"prompt", server.prompt},
                             {"weight_bits", server.weightBits},
                             {"cache_bits", 8 * server.cacheBytes},
                             {"compute", dtypeName(computeDtype(server.scenario))}};
    // Without a device there is memory, and no time.
    if (const auto time = promptTime(server); time.has_value()) (*document)["prompt_pass"] = passJson(*time);
    if (const auto time = outputTime(server); time.has_value()) (*document)["output_pass"] = passJson(*time);
    return std::string();
}

Result<void> runServe(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, servedScenario(arguments));
    return reply(
        arguments, s,
        {"serve",
         {Output::CacheBytesPerToken, Output::CacheBytesPerRequest, Output::ServerMemory},
         {Output::LargestRequests, Output::LongestContext, Output::FirstTokenSeconds,
          Output::OutputTokenSeconds, Output::RequestTokensPerSecond, Output::DeviceOutputTokensPerSecond,
          Output::DevicePromptTokensPerSecond, Output::ComputeBoundRequests},
         serverParts});
}

}  // namespace

json besideJson(const Scenario& scenario) {
    const auto beside = besideTraining(scenario);
    if (!beside.has_value()) return {};
    return {{"left_bytes", numberJson(beside->left, "B")},
            {"server_weights_bytes", numberJson(beside->weights, "B")},
            {"longest_context", beside->longestContext},
            {"requests", 1}};
}

std::string besideLine(const Scenario& scenario) {
    const auto beside = besideTraining(scenario);
    return beside.has_value() ? "\n" + besideText(*beside, scenario) + "\n" : std::string();
}

CommandSpec plannerServing() {
    using enum Input;
    std::vector<OptionSpec> options = plannerOptions(
        {true, false},
        {ContextLength,    Requests,        Prompt,     WeightBits,          CacheBits,      Tensor,
         DevicesPerNode,   Memory,          Peak,       Bandwidth,           LinkBandwidth,  MatmulEfficiency,
         MemoryEfficiency, PassFactor,      Sustained,  AttentionEfficiency, OpOverhead,     LinkEfficiency,
         Latency,          ExpertImbalance, LogitBytes, ActivationFactor,    DeviceOverhead, BufferBytes,
         Fragmentation});
    options.push_back({"batch", "X", "the same as --requests"});
    for (const FormatOption& each : kFormats)
        options.push_back({std::string(each.option), std::string(each.names),
                           fmt::format("the same as --{}", info(each.input).key)});
    options.push_back({"software", "eager|compiled|fused|xla", "what runs the model (compiled)"});
    return CommandSpec{
        .name = "serve",
        .help = "answering requests: cache, what fits, time to the first token and of each further one",
        .options = withSweep(std::move(options)),
        .examples = "Examples:\n  plumbline-cli plan serve --model llama-3-8b --device h100-sxm "
                    "--context-length 8192 --batch 16 --prompt 1024\n  plumbline-cli plan serve --model "
                    "llama-3-70b --device h100-sxm --tensor 4 --weights fp8 --sweep requests=1..256:x2",
        .run = runServe};
}

}  // namespace plumb::cli

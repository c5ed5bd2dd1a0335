// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_serving.h"

#include "app/cli/console.h"
#include "app/cli/planner_report.h"
#include "app/cli/planner_scenario.h"
#include "app/cli/planner_sweep.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
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
    for (const FormatOption& each : kFormats) {
        if (!arguments.has(each.option)) continue;
        const std::string text = arguments.text(each.option);
        const std::string_view bits = bitsOf(text);
        if (bits.empty())
            return Error{ErrorCode::BadInput, fmt::format("--{} cannot be used ({})", each.option, text),
                         fmt::format("give {}", each.names)};
        PLUMB_CHECK(setInput(s, each.input, bits));
    }
    if (arguments.has("batch")) PLUMB_CHECK(setInput(s, Input::Requests, arguments.text("batch")));
    return s;
}

const std::vector<Output>& servedOutputs() {
    static const std::vector<Output> kOutputs{Output::CacheBytesPerToken,
                                              Output::CacheBytesPerRequest,
                                              Output::ServerMemory,
                                              Output::LargestRequests,
                                              Output::LongestContext,
                                              Output::FirstTokenSeconds,
                                              Output::OutputTokenSeconds,
                                              Output::RequestTokensPerSecond,
                                              Output::DeviceOutputTokensPerSecond,
                                              Output::DevicePromptTokensPerSecond,
                                              Output::ComputeBoundRequests};
    return kOutputs;
}

json opsJson(const ForwardTime& time) {
    json ops = json::array();
    for (const TimedOp& op : time.ops)
        ops.push_back({{"label", op.label},
                       {"flops", op.flops},
                       {"bytes", numberJson(op.bytes, "B")},
                       {"seconds", op.seconds},
                       {"bound", boundName(op.bound)}});
    return {{"ops", std::move(ops)}, {"all_reduce_seconds", time.traffic}};
}

Result<void> addParts(const Scenario& s, json& document) {
    PLUMB_TRY(const Server server, serverOf(s));
    PLUMB_TRY(const StageMemory memory, serverMemory(server));
    json parts = json::array();
    for (const MemoryPart& part : memory.parts)
        parts.push_back(
            {{"label", part.label}, {"bytes", numberJson(part.bytes, "B")}, {"formula", part.formula}});
    document["memory_parts"] = std::move(parts);
    document["server"] = {{"devices", server.devices},
                          {"context_length", server.context},
                          {"requests", server.requests},
                          {"prompt", server.prompt},
                          {"weight_bits", server.weightBits},
                          {"cache_bits", 8 * server.cacheBytes},
                          {"compute", dtypeName(computeDtype(server.scenario))}};
    // Without a device there is memory, and no time.
    if (const auto time = promptTime(server); time.has_value()) document["prompt_pass"] = opsJson(*time);
    if (const auto time = outputTime(server); time.has_value()) document["output_pass"] = opsJson(*time);
    return {};
}

Result<void> runServe(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, servedScenario(arguments));
    if (arguments.has("sweep")) return runSweep(arguments, "serve", s, servedOutputs());
    PLUMB_TRY(const Server server, serverOf(s));
    PlannerReply reply{"serve", s, {}, {}};
    std::vector<std::string> missing;
    for (const Output output : servedOutputs()) {
        auto found = answer(output, s);
        if (found.has_value())
            reply.answers.push_back(*std::move(found));
        else
            missing.push_back(fmt::format("{} is not known: {}", info(output).label, found.error().text()));
    }
    if (auto verdict = serverVerdict(s); verdict.has_value()) reply.verdict = *verdict;
    if (!arguments.json()) {
        std::string notes;
        for (const std::string& note : missing) notes += "\n" + note;
        return print(plannerText(reply) + (notes.empty() ? "" : notes + "\n") + conventionsText(reply));
    }
    json document = plannerJson(reply);
    for (const std::string& note : missing) document["notes"].push_back(note);
    PLUMB_CHECK(addParts(s, document));
    return print(dumpJson(document, 1) + "\n");
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
    options.push_back({"batch", "X", "as --requests"});
    for (const FormatOption& each : kFormats)
        options.push_back({std::string(each.option), std::string(each.names),
                           fmt::format("as --{}", info(each.input).key)});
    options.push_back({"software", "eager|compiled|fused|xla", "what runs the model (compiled)"});
    return CommandSpec{
        .name = "serve",
        .help = "answering requests: cache, what fits, time to the first token and of each further one",
        .options = withSweep(std::move(options)),
        .examples = "\nExamples:\n  plumbline-cli plan serve --model llama-3-8b --device h100-sxm "
                    "--context-length 8192 --batch 16 --prompt 1024\n  plumbline-cli plan serve --model "
                    "llama-3-70b --device h100-sxm --tensor 4 --weights fp8 --sweep requests=1..256:x2",
        .run = runServe};
}

}  // namespace plumb::cli

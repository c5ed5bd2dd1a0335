// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/planner_choice.h"
#include "app/cli/planner_questions.h"
#include "app/cli/planner_report.h"
#include "app/cli/planner_scenario.h"
#include "app/cli/planner_sharding.h"
#include "core/base/nearest.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/machine/own_devices.h"
#include "core/planner/explore.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

Result<void> printJson(const json& document) { return print(dumpJson(document, 1) + "\n"); }

Result<void> runBatch(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    PLUMB_TRY(const std::vector<BatchOption> options, largestMicroBatches(s));
    json list = json::array();
    Table table;
    table.add({"recomputation", "largest micro-batch", "memory", "tokens per second"});
    for (const BatchOption& option : options) {
        list.push_back(
            {{"recompute", name(option.recompute)},
             {"micro_batch", option.microBatch},
             {"memory_bytes", numberJson(option.memoryBytes, "B")},
             {"tokens_per_second", option.tokensPerSecond > 0 ? json(option.tokensPerSecond) : json()}});
        table.add({option.label, option.microBatch > 0 ? fmt::format("{}", option.microBatch) : "none fits",
                   formatQuantity(option.memoryBytes, "B"),
                   option.tokensPerSecond > 0 ? formatQuantity(option.tokensPerSecond, "/s") : "–"});
    }
    return arguments.json() ? printJson({{"question", "batch"}, {"options", list}}) : print(table.text());
}

Result<void> runShard(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(withFirstDevices(arguments)));
    return replyWithSearch(arguments, "shard", s);
}

Result<void> runBestDevices(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    if (s.model.parameters() <= 0)
        return Error{ErrorCode::BadInput, "no model is given",
                     "give --parameters, or --model with a preset or a config.json"};
    if (arguments.has("candidates")) return runDeviceChoice(arguments, s);
    const KnownDevices known = KnownDevices::load();
    std::vector<Machine> machines = known.all();
    if (s.cluster.device) machines = {*s.cluster.device};
    json list = json::array();
    Table table;
    table.add({"device", "to hold it", fmt::format("days on {}", s.cluster.devices),
               s.workload.days > 0
                   ? fmt::format("for {:g} {}", s.workload.days, s.workload.days == 1 ? "day" : "days")
                   : "",
               "energy", "FLOP/B"});
    for (const DeviceOption& option : compareDevices(s, machines)) {
        const auto orNull = [](const std::optional<double>& value) { return value ? json(*value) : json(); };
        if (!option.problem.empty()) {
            list.push_back({{"device", option.device.name}, {"problem", option.problem}});
            table.add({option.device.name, "–", "–", "", "–", "–"});
            continue;
        }
        list.push_back({{"device", option.device.name},
                        {"devices_to_hold", option.devicesToHold},
                        {"days", orNull(option.days)},
                        {"fits", option.fits ? json(*option.fits) : json()},
                        {"devices_for_days", orNull(option.devicesForDays)},
                        {"energy_joules", orNull(option.energyJoule)},
                        {"intensity", option.intensity}});
        table.add({option.device.name, fmt::format("{:g}", option.devicesToHold),
                   (option.days ? formatOutput(Output::Days, *option.days) : "–") +
                       (option.days && option.fits == false ? " ×" : ""),
                   option.devicesForDays ? fmt::format("{:g}", *option.devicesForDays) : "",
                   option.energyJoule ? formatOutput(Output::Energy, *option.energyJoule) : "–",
                   fmt::format("{:.1f}", option.intensity)});
    }
    if (arguments.json()) return printJson({{"question", "devices"}, {"devices", list}});
    return print(
        table.text() +
        fmt::format("\n–: the record has no {} peak, memory or power; ×: does not fit as it is spread; "
                    "FLOP/B: where products stop being limited by memory\n",
                    dtypeName(computeDtype(s))));
}

Result<Output> outputOf(const Arguments& arguments) {
    const std::string key = arguments.text("output", "days");
    if (const auto output = outputFromKey(key)) return *output;
    std::vector<std::string> keys;
    keys.reserve(kEnumCount<Output>);
    for (const Output output : kEnumerators<Output>) keys.emplace_back(info(output).key);
    return Error{ErrorCode::BadInput, fmt::format("no answer is called '{:s}'", key),
                 didYouMean(key, keys, fmt::format("the answers are {:s}", fmt::join(keys, ", ")))};
}

/// Whether it fits, where the answer takes that for granted and it is known.
std::optional<Verdict> verdictBeside(Output output, const Scenario& s) {
    if (!needsMemory(output)) return std::nullopt;
    auto verdict = verdictOf(std::array{output}, s);
    return verdict.has_value() ? std::optional(*std::move(verdict)) : std::nullopt;
}

Result<void> runSolve(const Arguments& arguments) {
    PLUMB_TRY(Scenario s, plannerScenario(arguments));
    PLUMB_TRY(const Output output, outputOf(arguments));
    if (!arguments.has("for") || !arguments.has("target"))
        return Error{ErrorCode::BadInput, "what to solve for is not said",
                     "give --for NUMBER and --target VALUE, such as --for devices --target 30"};
    PLUMB_TRY(const Input unknown, plannerInput(arguments.text("for")));
    PLUMB_TRY(const double target, parseValue(arguments.text("target"), info(output).unit));
    PLUMB_TRY(const Solution solved, solveFor(s, output, target, unknown));
    PLUMB_CHECK(setInput(s, unknown, solved.value));
    PLUMB_TRY(Answer there, answer(output, s));
    constexpr std::string_view kSolved = "solved for";  // nobody has given it
    for (Term& term : there.explanation.terms)
        if (term.input == unknown) term.source = kSolved;
    const PlannerReply reply{"solve", s, {there}, verdictBeside(output, s)};
    if (arguments.json()) {
        json document = plannerJson(reply);
        if (json& assumed = document["assumptions"]; assumed.contains(info(unknown).key)) {
            assumed[std::string(info(unknown).key)]["source"] = kSolved;
            assumed[std::string(info(unknown).key)]["given"] = false;
        }
        document["for"] = info(unknown).key;
        document["output"] = info(output).key;
        document["target"] = target;
        document["solution"] = numberJson(solved.value, info(unknown).unit);
        if (!solved.note.empty()) document["notes"].push_back(solved.note);
        return printJson(document);
    }
    return print(fmt::format("{}  {}\n{}\n{}", info(unknown).label, formatInput(unknown, solved.value),
                             solved.note.empty() ? "" : solved.note + "\n",
                             plannerText(reply) + conventionsText(reply)));
}

Result<void> runSensitivity(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    PLUMB_TRY(const Output output, outputOf(arguments));
    PLUMB_TRY(const double expected, evaluate(output, s));
    PLUMB_TRY(const std::vector<Bar> bars, sensitivity(s, output));
    json list = json::array();
    Table table;
    table.add({"input", "from", "to", fmt::format("{} then", info(output).label), "and", ""});
    const double widest = bars.empty() ? 1 : bars.front().width();
    for (const Bar& bar : bars) {
        const InputInfo& about = info(bar.input);
        list.push_back({{"input", about.key},
                        {"from", bar.inputRange.low},
                        {"to", bar.inputRange.high},
                        {"at_low", bar.atLow},
                        {"at_high", bar.atHigh}});
        std::string picture;
        for (int i = 0; i < static_cast<int>(std::lround(20 * bar.width() / widest)); ++i) picture += "█";
        table.add({std::string(about.label), formatInput(bar.input, bar.inputRange.low),
                   formatInput(bar.input, bar.inputRange.high), formatOutput(output, bar.atLow),
                   formatOutput(output, bar.atHigh), picture});
    }
    const std::optional<Verdict> verdict = verdictBeside(output, s);
    if (arguments.json()) {
        json document{{"question", "sensitivity"},
                      {"output", info(output).key},
                      {"expected", expected},
                      {"bars", list}};
        if (needsMemory(output)) addVerdict(document, verdict);
        return printJson(document);
    }
    return print(fmt::format("{}{}  {}{}\n\n{}", verdict ? verdictText(*verdict) + "\n\n" : "",
                             info(output).label, formatOutput(output, expected),
                             verdict && !verdict->fits() ? fmt::format("  {}", kDoesNotFit) : "",
                             table.text()));
}

/// "devices=8:1024:8" or "micro-batch=1:16:5:even": from, to and how many values.
Result<Axis> axisFrom(const Arguments& arguments, const char* option, const char* otherwise) {
    const std::string text = arguments.text(option, otherwise);
    const auto refuse = [&] {
        return Error{ErrorCode::BadInput, fmt::format("--{:s} cannot be used ({:s})", option, text),
                     "give NUMBER=FROM:TO:COUNT, such as devices=8:1024:8, with :even for equal steps"};
    };
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return refuse();
    PLUMB_TRY(const Input input, plannerInput(text.substr(0, equals)));
    std::vector<std::string> parts(1);
    for (const char c : text.substr(equals + 1)) {
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    const bool even = parts.size() == 4 && parts.back() == "even";
    if (parts.size() != 3 && !even) return refuse();
    const auto from = parseQuantity(parts[0], ""), to = parseQuantity(parts[1], "");
    const auto count = parseSize(parts[2]);
    constexpr std::int64_t kMostValues = 200;
    if (!from.has_value() || !to.has_value() || !count.has_value() || *count < 1 || *count > kMostValues ||
        *from < 0)
        return refuse();
    return axisOf(input, *from, *to, static_cast<std::size_t>(*count), !even);
}

Result<void> runMap(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    PLUMB_TRY(Axis x, axisFrom(arguments, "x", "micro-batch=1:16:5"));
    PLUMB_TRY(Axis y, axisFrom(arguments, "y", "devices=8:1024:8"));
    const Interrupt interrupt;
    ProgressLine line;
    PLUMB_TRY(const Map map, makeMap(s, std::move(x), std::move(y), interrupt.token(), [&](double done) {
                  if (line.due()) line.show(fmt::format("mapping: {:.0f} %", 100 * done));
              }));
    line.clear();
    if (!map.complete) return Error{ErrorCode::RunFailed, "the map was stopped", "start it again"};
    const std::size_t width = map.x.values.size();
    json cells = json::array();
    Table table;
    std::vector<std::string> heading{
        fmt::format("{} \\ {}", info(map.y.input).label, info(map.x.input).label)};
    for (const double value : map.x.values) heading.push_back(formatInput(map.x.input, value));
    table.add(std::move(heading));
    std::string problem;
    const bool timed = s.model.count() == nullptr;  // a mere number of parameters has memory alone
    for (std::size_t row = 0; row < map.y.values.size(); ++row) {
        std::vector<std::string> texts{formatInput(map.y.input, map.y.values[row])};
        for (std::size_t column = 0; column < width; ++column) {
            const MapCell& cell = map.cells[row * width + column];
            cells.push_back({{"x", map.x.values[column]},
                             {"y", map.y.values[row]},
                             {"fits", cell.fits},
                             {"step_seconds", cell.stepSeconds > 0 ? json(cell.stepSeconds) : json()},
                             {"batch", cell.possible ? json(cell.batch) : json()},
                             {"memory_bytes", cell.possible ? numberJson(cell.memoryBytes, "B") : json()},
                             {"problem", cell.possible ? json() : json(cell.problem)}});
            if (!cell.possible && problem.empty()) problem = cell.problem;
            const std::string value =
                timed ? formatQuantity(cell.stepSeconds, "s") : formatQuantity(cell.memoryBytes, "B");
            texts.push_back(!cell.possible ? "–" : value + (cell.fits ? "" : " ×"));
        }
        table.add(std::move(texts));
    }
    if (arguments.json())
        return printJson({{"question", "map"},
                          {"x", info(map.x.input).key},
                          {"y", info(map.y.input).key},
                          {"cells", cells}});
    // The smallest and the largest, since a batch that was not given follows devices and micro-batch.
    std::int64_t least = 0, most = 0;
    for (const MapCell& cell : map.cells) {
        if (!cell.possible || cell.batch == 0) continue;
        least = least == 0 ? cell.batch : std::min(least, cell.batch);
        most = std::max(most, cell.batch);
    }
    const std::string batches = least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
    return print(fmt::format(
        "{}\n{}{}; ×: does not fit{}\n", table.text(), timed ? "step time" : "memory per device",
        timed && most > 0 ? " of batch " + batches : "", problem.empty() ? "" : "; –: " + problem));
}

Result<void> runModels(const Arguments& arguments) {
    json list = json::array();
    Table table(2);
    table.add({"name", "model", "parameters", "active", "source"});
    for (const ModelPreset& preset : modelPresets()) {
        const ParameterCounts n = countParameters(*preset.model.transformer());
        list.push_back({{"key", preset.key},
                        {"label", preset.label},
                        {"group", preset.group},
                        {"parameters", n.total},
                        {"active", n.active},
                        {"source", preset.source}});
        table.add({preset.key, preset.label, formatExact(n.total, ""),
                   n.active == n.total ? "" : formatExact(n.active, ""), preset.source});
    }
    return arguments.json() ? printJson({{"models", list}}) : print(table.text());
}

CommandSpec question(std::string name, std::string help, std::vector<OptionSpec> options,
                     std::string examples, Result<void> (*run)(const Arguments&)) {
    return CommandSpec{.name = std::move(name),
                       .help = std::move(help),
                       .options = std::move(options),
                       .examples = std::move(examples),
                       .run = run};
}

std::vector<OptionSpec> with(std::vector<OptionSpec> more, std::vector<OptionSpec> options) {
    options.insert(options.begin(), more.begin(), more.end());
    return options;
}

}  // namespace

std::vector<CommandSpec> plannerSearchQuestions() {
    using enum Input;
    const PlannerTopics all{true, true};
    const std::vector<Input> layout =
        joined({plannerLayoutInputs(), plannerMemoryInputs(), plannerStepInputs()});
    std::vector<Input> everything;
    for (const InputInfo& about : allInputs()) everything.push_back(about.input);
    const OptionSpec output{"output", "KEY",
                            "which answer: days (default), parameters, memory_bytes, step_seconds, ..."};
    return {
        question("batch", "the largest micro-batch that fits, by recomputation", plannerOptions(all, layout),
                 "Example:\n  plumbline-cli plan batch --model llama-3-8b --devices 8 --device \"H100 SXM\" "
                 "--sequence 8192",
                 runBatch),
        question("shard", "tries ways to spread the work: what fits, the fastest first",
                 with({{"keep", "N", "how many to show (10)"}},
                      plannerOptions(all, joined({layout, {Tokens, Goodput, DevicePrice}}))),
                 "Example:\n  plumbline-cli plan shard --model llama-3-70b --devices 256 --device \"H100 "
                 "SXM\" --batch 1024 "
                 "--sequence 8192\n  plumbline-cli plan shard --model llama-3-8b --device h100-sxm --devices "
                 "8..64:x2 --batch 64 --tokens 1T",
                 runShard),
        question("devices", "what each kind of device would need",
                 with({candidatesOption()},
                      plannerOptions(all, joined({{Parameters, Tokens, Devices, Days, Mfu, Goodput, Sequence,
                                                   BytesPerParameter, UsableMemory, PowerShare, HostPower,
                                                   Pue, Batch, DevicePrice},
                                                  plannerMemoryInputs(),
                                                  plannerStepInputs()}))),
                 "Examples:\n  plumbline-cli plan devices --model llama-3-70b --tokens 15T --devices 1024 "
                 "--days 60\n  plumbline-cli plan devices --model llama-3-8b --tokens 1e9 --candidates "
                 "2xh200-sxm:3.5,8xa100-sxm4-80gb:1.6",
                 runBestDevices),
        question("solve", "any number from the answer that it should give",
                 with({output,
                       {"target", "VALUE", "what the answer should be"},
                       {"for", "NUMBER", "which number to find"}},
                      plannerOptions(all, everything)),
                 "Examples:\n  plumbline-cli plan solve --output days --target 30 --for devices --parameters "
                 "70e9 --tokens 15T "
                 "--device h100-sxm\n  plumbline-cli plan solve --output parameters --target 70e9 --for "
                 "memory --devices 8",
                 runSolve),
        question("sensitivity", "which number matters most", with({output}, plannerOptions(all, everything)),
                 "Example:\n  plumbline-cli plan sensitivity --output days --model llama-3-8b --tokens 15T "
                 "--devices 512 "
                 "--device h100-sxm",
                 runSensitivity),
        question("map", "step time and memory over two numbers",
                 with({{"x", "NUMBER=FROM:TO:COUNT", "across (micro-batch=1:16:5)"},
                       {"y", "NUMBER=FROM:TO:COUNT", "down (devices=8:1024:8)"}},
                      plannerOptions(all, layout)),
                 "Example:\n  plumbline-cli plan map --model llama-3-8b --device h100-sxm --x "
                 "micro-batch=1:8:4 --y "
                 "devices=8:512:7",
                 runMap),
        question("models", "the presets and their parameters", {}, "", runModels),
    };
}

}  // namespace plumb::cli

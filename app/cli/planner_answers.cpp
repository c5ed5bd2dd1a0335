// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/planner_questions.h"
#include "app/cli/planner_rates.h"
#include "app/cli/planner_reply.h"
#include "app/cli/planner_report.h"
#include "app/cli/planner_scenario.h"
#include "app/cli/planner_serving.h"
#include "app/cli/planner_sharding.h"
#include "app/cli/planner_sweep.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/measure/mfu_judgement.h"
#include "core/planner/memory.h"
#include "core/planner/scaling.h"
#include "core/planner/step_ceiling.h"
#include "core/planner/step_parts.h"
#include "core/planner/verdict.h"
#include "core/planner/work.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

Result<void> runTime(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    return reply(
        arguments, s,
        {"time", {Output::Days, Output::TrainingFlops, Output::DeviceHours, Output::TokensPerSecond}});
}

/// The fastest layout that fits, where there is something to spread.
Result<void> runFit(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(withFirstDevices(arguments)));
    if (sweepsDevices(arguments)) return replyWithSearch(arguments, "fit", s);
    Asked asked{"fit", {Output::LargestModel}};
    if (s.model.parameters() > 0) asked.outputs.push_back(Output::DevicesToHold);
    const bool spreads = s.model.transformer() != nullptr && numberOf(s, Input::Peak).has_value();
    if (spreads)
        asked.extra = [&arguments](const Scenario& scenario, json* document) -> Result<std::string> {
            PLUMB_TRY(const ShardingSearch search, searchForReply(arguments, scenario));
            if (document == nullptr) return "\n" + shardingText(search);
            (*document)["sharding"] = shardingJson(search);
            return std::string();
        };
    return reply(arguments, s, asked);
}

Result<std::string> memoryParts(const Scenario& s, json* document) {
    PLUMB_TRY(const planner::DeviceMemory memory, memoryPerDevice(s));
    if (document != nullptr) {
        json stages = json::array();
        for (const StageMemory& stage : memory.stages) {
            json parts = json::array(), categories = json::object();
            for (const MemoryPart& part : stage.parts)
                parts.push_back({{"category", categoryName(part.category)},
                                 {"label", part.label},
                                 {"bytes", numberJson(part.bytes, "B")},
                                 {"formula", part.formula}});
            const CategoryBytes bytes = stage.byCategory();
            for (const Category category : kAllCategories)
                categories[std::string(categoryName(category))] = bytes[category];
            stages.push_back({{"stage", stage.stage},
                              {"bytes", numberJson(stage.total(), "B")},
                              {"by_category", categories},
                              {"parts", parts}});
        }
        (*document)["stages"] = stages;
        (*document)["beside"] = besideJson(s);
        return std::string();
    }
    if (memory.stages.size() == 1) return besideLine(s);
    std::string text = fmt::format("\nstage {} is the fullest:", memory.worst().stage);
    for (const StageMemory& stage : memory.stages)
        text += fmt::format(" stage {} {};", stage.stage, formatQuantity(stage.total(), "B"));
    return text + "\n" + besideLine(s);
}

Result<void> runMemory(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    return reply(arguments, s, {"memory", {Output::MemoryPerDevice}, {}, memoryParts});
}

/// Peak over bandwidth of the device.
Result<double> balanceOf(const Scenario& s) {
    PLUMB_TRY(const double peak, numberOf(s, Input::Peak));
    PLUMB_TRY(const double bandwidth, numberOf(s, Input::Bandwidth));
    return peak / bandwidth;
}

std::string mfuLines(const Scenario& s, double mfu) {
    std::string text;
    for (const std::string& line : judgeStepMfu(s, mfu)) text += line + "\n";
    return text;
}

void addStepParts(json& document, const StepTime& time) {
    json traffic = json::array();
    for (const StepTraffic& t : time.traffic)
        traffic.push_back({{"axis", t.axis},
                           {"label", t.label},
                           {"devices", t.devices},
                           {"leaves_node", t.leavesNode},
                           {"bytes", numberJson(t.bytes, "B")},
                           {"seconds", t.seconds},
                           {"exposed_seconds", t.exposed},
                           {"formula", t.formula}});
    for (const StepPart& part : kStepParts) document["parts"][std::string(part.key)] = time.*(part.seconds);
    document["ops"] = timedOpsJson(time.ops);
    document["traffic"] = traffic;
    document["tokens_per_step"] = time.tokens;
    document["model_flops_per_step"] = time.modelFlops;
    document["hardware_flops_per_step"] = time.hardwareFlops;
}

std::string longestOps(std::vector<TimedOp> ops, const Result<double>& balance) {
    std::stable_sort(ops.begin(), ops.end(),
                     [](const TimedOp& a, const TimedOp& b) { return a.seconds > b.seconds; });
    constexpr std::size_t kShown = 12;
    Table table;
    table.add({fmt::format("longest of {} operations", ops.size()), "time", "FLOPs", "bytes", "bound by",
               "MFU at most"});
    const auto highestOf = [&](const TimedOp& op) {
        // Passes run at the fp32 peak of the vector units, which has a balance of its own.
        if (!balance.has_value() || !op.product || op.bytes <= 0) return std::string("–");
        return fmt::format("{:.1f} %", 100 * highestMfu(op.flops / op.bytes, *balance));
    };
    for (std::size_t i = 0; i < std::min(ops.size(), kShown); ++i)
        table.add({ops[i].label, formatQuantity(ops[i].seconds, "s"), formatQuantity(ops[i].flops, "FLOP"),
                   formatQuantity(ops[i].bytes, "B"), std::string(boundName(ops[i].bound)),
                   highestOf(ops[i])});
    return table.text();
}

std::string trafficTable(const std::vector<StepTraffic>& traffic) {
    Table links;
    links.add({"traffic", "devices", "over", "bytes", "time", "exposed"});
    for (const StepTraffic& t : traffic)
        links.add({fmt::format("{}: {}", t.axis, t.label), fmt::format("{}", t.devices),
                   t.leavesNode ? "network" : "links", formatQuantity(t.bytes, "B"),
                   formatQuantity(t.seconds, "s"), formatQuantity(t.exposed, "s")});
    return links.text();
}

Result<std::string> stepParts(const Scenario& s, json* document) {
    PLUMB_TRY(const StepTime time, stepTime(s));
    if (document != nullptr) {
        addStepParts(*document, time);
        (*document)["beside"] = besideJson(s);
        return std::string();
    }
    const Result<double> balance = balanceOf(s);
    std::string text = "\n" + longestOps(time.ops, balance);
    if (balance.has_value())
        text += fmt::format("MFU at most: min(1, intensity / balance), the balance being {:.4g} FLOP/B\n",
                            *balance);
    if (time.mfu > 0) text += mfuLines(s, time.mfu);
    if (!time.traffic.empty()) text += "\n" + trafficTable(time.traffic);
    return text + besideLine(s);
}

Result<void> runStep(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    Asked asked{"step",
                {Output::StepSeconds, Output::MemoryPerDevice},
                {Output::StepMfu, Output::StepHfu},
                stepParts};
    if (s.workload.tokens > 0) {
        asked.outputs.push_back(Output::StepDays);
        for (const Output output : {Output::FailuresPerDay, Output::ExpectedGoodput})
            asked.ifKnown.push_back(output);
    }
    return reply(arguments, s, asked);
}

Result<void> runCost(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    return reply(arguments, s,
                 {"cost",
                  {Output::ModelParameters, Output::MemoryPerDevice, Output::TrainingFlops, Output::Days,
                   Output::DeviceHours, Output::Cost},
                  {Output::Energy, Output::EnergyCost, Output::Co2, Output::CheckpointBytes,
                   Output::CheckpointInterval, Output::FailuresPerDay, Output::ExpectedGoodput}});
}

Result<void> runOptimal(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    return reply(arguments, s,
                 {"optimal",
                  {Output::OptimalParameters, Output::OptimalTokens, Output::Budget},
                  {},
                  [](const Scenario&, json* document) -> Result<std::string> {
                      if (document != nullptr) {  // under the names of the other questions, too
                          (*document)["parameters"] = (*document)["optimal_parameters"];
                          (*document)["tokens"] = (*document)["optimal_tokens"];
                      }
                      return std::string();
                  }});
}

/// The loss by each law at tokens around those of the training; what a law was not fitted on has a mark.
Result<std::string> lossCurve(const Scenario& s, json* document) {
    json curve = json::array();
    Table table;
    table.add({"tokens", "Hoffmann et al.", "Besiroglu et al.", "Kaplan et al."});
    for (double factor = 0.125; factor <= 8; factor *= 2) {
        Scenario at = s;
        at.workload.tokens = s.workload.tokens * factor;
        json point{{"tokens", at.workload.tokens}};
        std::vector<std::string> row{formatInput(Input::Tokens, at.workload.tokens)};
        for (const LossLaw& law : lossLaws()) {
            PLUMB_TRY(const double loss, evaluate(law.output, at));
            const bool extrapolated = !scalingNotes(law.output, at).empty();
            point[std::string(law.key)] = {{"loss", loss}, {"extrapolated", extrapolated}};
            row.push_back(fmt::format("{:.3f}{}", loss, extrapolated ? " *" : ""));
        }
        curve.push_back(std::move(point));
        table.add(std::move(row));
    }
    if (document == nullptr)
        return "\n" + table.text() +
               "* extrapolation: beyond the sizes or tokens that the law was fitted on\n";
    (*document)["curve"] = std::move(curve);
    for (const LossLaw& law : lossLaws())
        (*document)["laws"][std::string(law.key)] = {
            {"form", law.form},
            {"source", law.source},
            {"parameters", {law.parameters.low, law.parameters.high}},
            {"tokens", {law.tokens.low, law.tokens.high}}};
    return std::string();
}

Result<void> runLoss(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    return reply(arguments, s,
                 {"loss",
                  {Output::LossHoffmann, Output::LossBesiroglu, Output::LossKaplan, Output::CriticalBatch},
                  {Output::TrainingSteps, Output::LeastSteps, Output::LeastTokens, Output::HoffmannParameters,
                   Output::HoffmannTokens, Output::BesirogluParameters, Output::BesirogluTokens},
                  lossCurve});
}

Result<void> runMfu(const Arguments& arguments) {
    PLUMB_TRY(Scenario s, plannerScenario(arguments));
    PLUMB_CHECK(setRateOfDevice(arguments, s));
    return reply(arguments, s,
                 {"mfu",
                  {Output::MeasuredMfu, Output::MeasuredHfu},
                  {},
                  [](const Scenario& asked, json* document) -> Result<std::string> {
                      PLUMB_TRY(const double mfu, evaluate(Output::MeasuredMfu, asked));
                      PLUMB_TRY(const Work work, workPerToken(asked));
                      PLUMB_TRY(const std::vector<CountedRate> rates, countedRates(asked));
                      if (document != nullptr) {
                          (*document)["grade"] = plumb::name(gradeOf(mfu * (1 - work.skippedShare())));
                          (*document)["counted"] = countedJson(rates);
                      }
                      return "\n" + mfuLines(asked, mfu) + "\n" + countedText(rates);
                  }});
}

CommandSpec question(std::string name, std::string help, const PlannerTopics& topics,
                     const std::vector<Input>& inputs, std::string examples,
                     Result<void> (*run)(const Arguments&)) {
    std::vector<OptionSpec> options = plannerOptions(topics, inputs);
    if (name == "fit") options.push_back({"keep", "N", "how many layouts to show (10)"});
    if (name == "mfu") options.push_back(rateOfDeviceOption());
    return CommandSpec{.name = std::move(name),
                       .help = std::move(help),
                       .options = withSweep(std::move(options)),
                       .examples = std::move(examples),
                       .run = run};
}

}  // namespace

std::vector<Input> plannerTimeInputs() {
    using enum Input;
    return {Parameters, Tokens, Devices, Mfu, Goodput, Sequence, Peak};
}
std::vector<Input> plannerLayoutInputs() {
    using enum Input;
    return {Devices, DevicesPerNode, Sequence, Batch,      MicroBatch,        Tensor,    Pipeline, Chunks,
            Context, Expert,         Zero,     ShardGroup, RecomputeInterval, LossChunks};
}
std::vector<Input> plannerMemoryInputs() {
    using enum Input;
    return {Parameters, Memory,         BytesPerParameter, ActivationFactor,
            LogitBytes, DeviceOverhead, BufferBytes,       Fragmentation};
}
std::vector<Input> plannerStepInputs() {
    using enum Input;
    return {Peak,
            Bandwidth,
            LinkBandwidth,
            MatmulEfficiency,
            AttentionEfficiency,
            MemoryEfficiency,
            PassFactor,
            Sustained,
            Contention,
            Straggling,
            LinkEfficiency,
            NetworkBandwidth,
            Latency,
            NetworkLatency,
            OpOverhead,
            DataOverlap,
            TensorOverlap,
            PipelineOverlap,
            ContextOverlap,
            ExpertOverlap,
            ExpertImbalance,
            StepFactor,
            HostBandwidth,
            HostMemoryBandwidth,
            HostOverlap};
}

std::vector<CommandSpec> plannerAnswerQuestions() {
    using enum Input;
    const std::vector<Input> cost{DevicePower,         PowerShare,       HostPower,   Pue,
                                  GridIntensity,       DevicePrice,      EnergyPrice, DeviceMtbf,
                                  CheckpointBandwidth, StorageBandwidth, RestartTime, CheckpointEvery};
    return {
        question("time", "how long training takes, and whether it fits", {true, true},
                 joined({plannerTimeInputs(), plannerLayoutInputs(), plannerMemoryInputs()}),
                 "Examples:\n  plumbline-cli plan time --parameters 70e9 --tokens 15e12 --devices 1024 "
                 "--device \"H100 SXM\" "
                 "--mfu 0.5\n  plumbline-cli plan time --model llama-3-8b --tokens 15T --devices 512 "
                 "--device h200 --mfu "
                 "0.35:0.4:0.45",
                 runTime),
        question(
            "fit", "the largest model that fits; of a given model the fastest layout that does", {true, true},
            joined({{Parameters, Devices, Memory, BytesPerParameter, UsableMemory, Zero, Tensor, Pipeline},
                    plannerLayoutInputs(),
                    plannerMemoryInputs(),
                    plannerStepInputs(),
                    {Tokens, Goodput, DevicePrice}}),
            "Examples:\n  plumbline-cli plan fit --devices 8 --memory 80GB --bytes-per-parameter 16\n  "
            "plumbline-cli plan "
            "fit --devices 8 --device \"H100 SXM\" --recipe bf16-adamw\n  plumbline-cli plan fit --model "
            "llama-3-70b --devices 256 --device h100-sxm --batch 1024",
            runFit),
        question("memory", "what each device holds, part by part", {true, true},
                 joined({plannerMemoryInputs(), plannerLayoutInputs(), {WeightBits, CacheBits}}),
                 "Example:\n  plumbline-cli plan memory --model llama-3-70b --devices 64 --device h100-sxm "
                 "--tensor 8 "
                 "--sequence 8192 --recompute full",
                 runMemory),
        question(
            "step", "one optimizer step: compute, communication, pipeline bubble", {true, true},
            joined({plannerLayoutInputs(), plannerStepInputs(), plannerMemoryInputs(), {Tokens, Goodput}}),
            "Example:\n  plumbline-cli plan step --model llama-3-70b --devices 512 --device \"H100 "
            "SXM\" --tensor 8 "
            "--batch 1024 --sequence 8192 --tokens 15T",
            runStep),
        question("cost", "memory, FLOPs, days, energy and money", {true, true},
                 joined({plannerTimeInputs(), plannerLayoutInputs(), plannerMemoryInputs(), cost}),
                 "Example:\n  plumbline-cli plan cost --model gpt3-175b --tokens 300e9 --devices 1024 "
                 "--device \"A100 SXM4 "
                 "80\" --device-price 1.8",
                 runCost),
        question("optimal", "compute-optimal model and tokens for a budget", {false, false},
                 {Budget, Devices, Days, Mfu, Goodput, Peak, TokensPerParameter},
                 "Examples:\n  plumbline-cli plan optimal --budget 1e21\n  plumbline-cli plan optimal "
                 "--devices 64 --days 30 "
                 "--device h100-sxm",
                 runOptimal),
        question(
            "loss", "loss by published laws, critical batch, what the batch costs", {true, false},
            joined({{Parameters, Tokens, Sequence, Batch, MicroBatch, Budget, Days, Mfu, Goodput, Peak},
                    plannerLayoutInputs()}),
            "Examples:\n  plumbline-cli plan loss --parameters 70e9 --tokens 1.4T --sequence 2048 --batch "
            "1536\n  plumbline-cli plan loss --model llama-3-8b --tokens 15T --sweep "
            "tokens=1e12..16e12:x2 --csv > loss.csv",
            runLoss),
        question("mfu", "utilisation of a measured throughput", {true, true},
                 {Parameters, TokensPerSecond, FlopsPerDevice, Devices, Sequence, Peak},
                 "Example:\n  plumbline-cli plan mfu --model llama-3-8b --tokens-per-second 95e3 --devices 8 "
                 "--device \"H100 "
                 "SXM\" --sequence 8192\n  plumbline-cli plan mfu --model llama-3-70b --tflops-per-device "
                 "412 --device "
                 "h100-sxm",
                 runMfu),
    };
}

}  // namespace plumb::cli

// SPDX-License-Identifier: Apache-2.0
#include "core/planner/conventions.h"

#include "core/base/quantity.h"
#include "core/planner/holding.h"
#include "core/planner/measured.h"
#include "core/planner/serving.h"
#include "core/planner/verdict.h"
#include "core/planner/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace plumb::planner {

namespace {

/// What an answer is made of, as far as something is taken for granted of it.
struct Basis {
    bool layout = false;       ///< how weights and work are spread
    bool activations = false;  ///< batch and sequence
    bool flops = false;        ///< of a token
    bool stepModel = false;    ///< times of operations
    bool days = false;
    bool money = false;
    bool optimal = false;
    bool loss = false;
    bool stored = false;  ///< all parameters, of experts too
    bool server = false;
    bool failures = false;
    bool statesAlone = false;  ///< what is kept of parameters, and nothing else
};

Basis basisOf(Output output, const Scenario& s) {
    Basis basis;
    basis.layout = basis.activations = basis.stored =
        wantsVerdict(std::span(&output, 1)) && !isOfServer(output);
    switch (output) {
    case Output::LargestModel:
        basis.layout = basis.statesAlone = true;
        break;
    case Output::DevicesToHold:
        basis.stored = basis.statesAlone = true;
        break;
    case Output::CheckpointBytes:
    case Output::CheckpointInterval:
    case Output::CheckpointSeconds:
        basis.stored = true;
        break;
    case Output::ExpectedGoodput:
        basis.stored = basis.failures = true;
        break;
    case Output::StepSeconds:
    case Output::StepMfu:
    case Output::StepHfu:
        basis.flops = basis.stepModel = true;
        break;
    case Output::StepDays:
        basis.flops = basis.stepModel = basis.days = true;
        break;
    case Output::TrainingFlops:
    case Output::TokensPerSecond:
    case Output::MeasuredMfu:
    case Output::MeasuredHfu:
        basis.flops = true;
        break;
    case Output::Days:
    case Output::DeviceHours:
    case Output::Energy:
        basis.flops = basis.days = true;
        break;
    case Output::Cost:
    case Output::EnergyCost:
    case Output::Co2:
        basis.flops = basis.days = basis.money = true;
        break;
    case Output::Budget:
        basis.days = s.workload.budgetFlops == 0;
        break;
    case Output::OptimalParameters:
    case Output::OptimalTokens:
        basis.optimal = true;
        break;
    case Output::LossHoffmann:
    case Output::LossBesiroglu:
    case Output::LossKaplan:
    case Output::HoffmannParameters:
    case Output::HoffmannTokens:
    case Output::BesirogluParameters:
    case Output::BesirogluTokens:
    case Output::CriticalBatch:
        basis.loss = true;
        break;
    case Output::TrainingSteps:
    case Output::LeastSteps:
    case Output::LeastTokens:
        basis.loss = basis.activations = true;  // the batch follows the layout
        break;
    case Output::MemoryPerDevice:
    case Output::ModelParameters:
    case Output::TrainedParameters:
        break;
    case Output::FailuresPerDay:
        basis.failures = true;
        break;
    default:  // of a server
        basis.server = true;
        break;
    }
    return basis;
}

std::string layoutConvention(const Scenario& s) {
    const ParallelLayout& p = s.parallel;
    constexpr std::array kShared{"a whole copy on each device (ZeRO 0)", "states shared (ZeRO 1)",
                                 "states and gradients shared (ZeRO 2)",
                                 "weights, gradients and states shared (ZeRO 3, FSDP)"};
    std::string text;
    const auto layout = resolve(s);
    const std::int64_t data = layout.has_value() ? layout->data : 1;
    for (const auto& [degree, name] :
         {std::pair{data, "data"}, std::pair{p.tensor, "tensor"}, std::pair{p.pipeline, "pipeline"},
          std::pair{p.context, "context"}, std::pair{p.expert, "expert"}})
        if (degree > 1 || std::string_view(name) == "data")
            text += fmt::format("{}{} {}", text.empty() ? "" : " x ", name, degree);
    if (data * p.context > 1) text += fmt::format(", {}", kShared[static_cast<std::size_t>(p.sharding)]);
    if (p.sharding != Sharding::None && layout.has_value() && layout->shardGroup < data * p.context)
        text += fmt::format(" by groups of {}", layout->shardGroup);
    return "spread: " + text;
}

std::string workConvention(const Scenario& s) {
    if (s.model.count() != nullptr) return "6 FLOPs per parameter and token, attention left out";
    if (s.model.linear() != nullptr) return "FLOPs of the matrix products of the plan";
    return "model FLOPs count all query-key pairs (the full square, not the causal half) and no "
           "recomputation";
}

/// What is left out, as far as it follows from the number of devices.
std::string expectedGoodputText(const Scenario& s) {
    const auto share = evaluate(Output::ExpectedGoodput, s);
    const auto failures = evaluate(Output::FailuresPerDay, s);
    if (!share.has_value() || !failures.has_value()) return {};
    return fmt::format(", though {:.2g} failures a day, restarts and checkpoints would leave {:.3g} %",
                       *failures, 100 * *share);
}

std::string bytesConvention(const Scenario& s) {
    const Recipe recipe = effectiveRecipe(s);
    if (s.adaptation.trainsAll()) return fmt::format("{:.4g} B per parameter", recipe.bytesPerParameter());
    if (s.adaptation.method != FineTuning::QLora)
        return fmt::format("{:.4g} B per trained parameter, {:.4g} B per frozen one",
                           recipe.bytesPerParameter(), recipe.weightBytes);
    return fmt::format(
        "{:.4g} B per trained parameter, {:.4g} B per frozen one and {:.4g} B per one in 4 bits ({}); "
        "embeddings, norms, router and head stay in {} bits",
        recipe.bytesPerParameter(), recipe.weightBytes, quantisedBytes(s.adaptation),
        s.adaptation.doubleQuantised ? "NF4, blocks of 64, constants in 8 bits"
                                     : "NF4, blocks of 64, fp32 constants",
        8 * recipe.weightBytes);
}

void addTraining(std::vector<std::string>& said, const Scenario& s, const Transformer& m,
                 const Basis& basis) {
    const Holding all = holdingOf(s);
    said.push_back(fmt::format("{}: {} of {} parameters are trained", adaptationText(s.adaptation),
                               formatExact(static_cast<std::int64_t>(all.trained), ""),
                               formatExact(static_cast<std::int64_t>(all.parameters), "")));
    if (s.adaptation.hasAdapters())
        said.emplace_back(
            "queries, keys and values have an adapter each, each expert its own; scaling by alpha "
            "costs nothing, adapters have no dropout");
    if (basis.flops)
        said.emplace_back(
            "frozen matrices have no weight gradient (4 FLOPs instead of 6), and below the first "
            "trained layer nothing runs backward");
    const bool uneven = m.experts && m.experts->layers < m.layers;
    if (uneven && s.adaptation.frozenLayers > 0)
        said.emplace_back("frozen layers have experts as often as the others");
}

std::string parametersConvention(const Transformer& model, const Basis& basis) {
    const ParameterCounts n = countParameters(model);
    const std::string both = fmt::format("{} of {}", formatExact(n.active, ""), formatExact(n.total, ""));
    if (basis.flops && basis.stored)
        return fmt::format("FLOPs of the active parameters ({}), memory of all", both);
    return basis.flops ? fmt::format("FLOPs of the active parameters ({})", both)
                       : fmt::format("memory of all parameters, of which {} are active", both);
}

}  // namespace

std::vector<std::string> conventionsOf(std::span<const Output> outputs, const Scenario& s) {
    Basis basis;
    for (const Output output : outputs) {
        const Basis more = basisOf(output, s);
        for (const auto member : {&Basis::layout, &Basis::activations, &Basis::flops, &Basis::stepModel,
                                  &Basis::days, &Basis::money, &Basis::optimal, &Basis::loss, &Basis::stored,
                                  &Basis::server, &Basis::failures, &Basis::statesAlone})
            basis.*member = basis.*member || more.*member;
    }
    std::vector<std::string> said;
    if (basis.layout) said.push_back(layoutConvention(s));
    const Transformer* model = s.model.transformer();
    if (basis.activations && model != nullptr) {
        if (s.workload.sequence == 0)
            said.push_back(
                fmt::format("sequences of {}, the model's longest but at most 8192", sequenceOf(s)));
        if (const auto layout = resolve(s); s.workload.batch == 0 && layout.has_value())
            said.push_back(fmt::format("a batch of {}, which follows the layout", layout->batch));
    }
    if (model != nullptr && model->encoder && (basis.activations || basis.flops))
        said.push_back(fmt::format("a sequence is {} tokens of the decoder and {} of the encoder; tokens are "
                                   "counted by those of the decoder",
                                   sequenceOf(s), encoderTokens(*model, sequenceOf(s))));
    if (basis.stored || basis.layout) said.push_back(bytesConvention(s));
    if (basis.statesAlone)
        said.emplace_back(
            "room for weights, gradients and states alone: activations, buffers and overheads are left out");
    if (basis.activations && s.model.count() != nullptr)
        said.emplace_back("activations left out, which a mere number of parameters does not have");
    if (basis.flops) said.push_back(workConvention(s));
    if (!s.adaptation.trainsAll() && model != nullptr) addTraining(said, s, *model, basis);
    if (model != nullptr && model->experts && (basis.flops || basis.stored))
        said.push_back(parametersConvention(*model, basis));
    if (basis.stepModel && model != nullptr && s.recipe.fusedAttention)
        said.emplace_back("the step's time is that of the causal half, which the kernel executes");
    const bool timed = basis.stepModel || basis.days || basis.money;
    if (timed && restsOnMeasurement(s))
        said.push_back(
            fmt::format("efficiency {}, {}", s.measured->source(), describe(carryOf(*s.measured->in, s))));
    if (basis.days) {
        const auto goodput = numberOf(s, Input::Goodput);
        said.push_back(
            goodput.has_value() && *goodput < 1
                ? fmt::format("a day is 24 h, of which {:.4g} % train", 100 * *goodput)
                : "a day is 24 h of training: restarts, evaluation and stalls are left out (goodput 1)" +
                      expectedGoodputText(s));
    }
    if (basis.optimal)
        said.emplace_back("a dense model, 6 FLOPs per parameter and token, each token seen once");
    if (basis.failures)
        said.emplace_back(
            "any device that fails stops all of them, and the training waits while a checkpoint is written");
    if (basis.server) said.push_back(serverConvention(s));
    if (basis.loss)
        said.emplace_back(
            "laws of dense models, each token seen once, learning rate fitted to the length; nats "
            "per token of their own text, which another tokenizer or text changes");
    if (basis.money) said.emplace_back("prices leave out storage, network and people");
    for (const std::string& remark : s.model.remarks) said.push_back("of the model: " + remark);
    return said;
}

std::string conventionsLine(std::span<const Output> outputs, const Scenario& scenario,
                            std::string_view where) {
    std::string line;
    for (const std::string& each : conventionsOf(outputs, scenario))
        line +=
            (line.empty() ? fmt::format("conventions{}{}: ", where.empty() ? "" : " ", where) : "; ") + each;
    return line;
}

}  // namespace plumb::planner

// SPDX-License-Identifier: Apache-2.0
#include "core/planner/memory.h"

#include "core/base/quantity.h"
#include "core/measure/plain_memory.h"
#include "core/measure/reading.h"
#include "core/planner/holding.h"
#include "core/planner/inputs.h"
#include "core/planner/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

std::string countText(double value) { return fmt::format("{:.4g}", value); }

/// Puts the parts of one stage together.
class StageBuilder {
public:
    StageBuilder(const Scenario& scenario, const ResolvedLayout& layout, StageMemory& stage)
        : m_scenario(scenario), m_recipe(effectiveRecipe(scenario)), m_plan(layout), m_stage(stage) {}

    void add(Category category, std::string label, std::string formula, double bytes) {
        if (bytes > 0) m_stage.parts.push_back({category, std::move(label), std::move(formula), bytes});
    }

    /// Weights, gradients, master copy and states of `dense` and `expert` parameters of this device. Frozen
    /// ones have weights alone.
    void addModel(const Holding& dense, const Holding& expert) {
        const ParallelLayout& p = m_scenario.parallel;
        const auto group = static_cast<double>(m_plan.shardGroup);
        const double expertGroup = group / static_cast<double>(p.expert);
        const auto held = [&](Category category, const char* label, double bytes, Sharding from,
                              double ofDense, double ofExpert) {
            const bool spread = p.sharding >= from;
            const double total =
                bytes * (ofDense / (spread ? group : 1) + ofExpert / (spread ? expertGroup : 1));
            std::string formula = fmt::format("{:.4g} B · {}", bytes, countText(ofDense + ofExpert));
            if (spread && group > 1) formula += fmt::format(" / {:g}", group);
            add(category, label, std::move(formula), total);
        };
        held(Category::Parameters, "weights in 4 bits", quantisedBytes(m_scenario.adaptation),
             Sharding::Weights, dense.quantised, expert.quantised);
        held(Category::Parameters, "weights", m_recipe.weightBytes, Sharding::Weights,
             dense.parameters - dense.quantised, expert.parameters - expert.quantised);
        const auto trained = [&](Category category, const char* label, double bytes, Sharding from) {
            held(category, label, bytes, from, dense.trained, expert.trained);
        };
        trained(Category::MasterParameters, "fp32 master copy", m_recipe.masterBytes, Sharding::State);
        trained(Category::OptimizerState, "optimizer state", m_recipe.stateBytes, Sharding::State);
        trained(Category::Gradients, "gradients", m_recipe.gradientBytes, Sharding::Gradients);
    }

    /// What is kept in 4 bits is multiplied with in 16: a matrix at a time, the largest at the peak.
    void addDequantised(const Transformer& m) {
        if (m_scenario.adaptation.method != FineTuning::QLora) return;
        Adaptation everywhere = m_scenario.adaptation;
        everywhere.targets = Adaptation::all(true);
        const auto t = static_cast<double>(m_scenario.parallel.tensor);
        double largest = 0;
        for (const Adapter& matrix : adaptersOf(m, everywhere))
            largest = std::max(largest, matrix.inOf(t) * matrix.outOf(t));
        add(Category::Workspace, "a matrix out of its 4 bits",
            fmt::format("{:g} B · {}", m_recipe.activationBytes, countText(largest)),
            m_recipe.activationBytes * largest);
    }

    /// With full sharding one layer is there as a whole, and the next one is being gathered.
    void addGathered(const Holding& layer, double layers) {
        if (m_scenario.parallel.sharding != Sharding::Weights || m_plan.shardGroup == 1) return;
        const double gathered = std::min(layers, 2.0);
        const double bytes = weightBytes(layer, m_recipe, m_scenario.adaptation);
        add(Category::Workspace, fmt::format("gathered weights of {:g} layers", gathered),
            fmt::format("{:g} · {:.4g} B · {}", gathered, bytes / layer.parameters,
                        countText(layer.parameters)),
            gathered * bytes);
        add(Category::Gradients, "gradients of one layer before they are spread",
            fmt::format("{:g} B · {}", m_recipe.gradientBytes, countText(layer.trained)),
            m_recipe.gradientBytes * layer.trained);
    }

    Result<void> addOverheads() { return planner::addOverheads(m_scenario, m_stage); }

    const Recipe& recipe() const { return m_recipe; }

private:
    const Scenario& m_scenario;
    Recipe m_recipe;
    const ResolvedLayout& m_plan;
    StageMemory& m_stage;
};

Result<void> addActivations(StageBuilder& builder, const Scenario& s, const Transformer& m,
                            const ResolvedLayout& layout, const Stage& stage, const TrainedLayers& trained) {
    PLUMB_TRY(const double factor, numberOf(s, Input::ActivationFactor));
    PLUMB_TRY(const double logitBytes, numberOf(s, Input::LogitBytes));
    const ParallelLayout& p = s.parallel;
    const Recipe& recipe = builder.recipe();
    const auto t = static_cast<double>(p.tensor);
    const double tokens = static_cast<double>(layout.sequence) * static_cast<double>(p.microBatch) /
                          static_cast<double>(p.context);
    // A block of hidden width, as a stage gets it from the one before.
    const double block =
        recipe.activationBytes * tokens * static_cast<double>(m.hidden) / (p.sequence ? t : 1);
    const double flying = microBatchesInFlight(p, layout.microBatches, stage.index);
    const auto ofLayer = [&](bool expertLayer, bool frozenLayer) {
        return activationBytesPerLayer(m, recipe, p, layout.sequence, expertLayer,
                                       keptInputs(m, s.adaptation, expertLayer, frozenLayer));
    };
    // Layers that the backward pass does not reach keep nothing; frozen ones between trained ones keep less.
    const double reached = trained.backward, open = std::min(trained.trainable, reached);
    const double dense = ofLayer(false, false), sparse = ofLayer(true, false);
    const auto mean = [&](bool expertLayer, double ofTrained) {
        if (reached <= open) return ofTrained;
        return (open * ofTrained + (reached - open) * ofLayer(expertLayer, true)) / reached;
    };
    const double layers = reached * stage.layers();
    const double perStage =
        reached * (mean(false, dense) * stage.denseLayers + mean(true, sparse) * stage.expertLayers);
    const double answers = m.patch > 0 ? tokens / static_cast<double>(layout.sequence) : tokens;
    const double logits =
        stage.last ? logitBytes * answers * static_cast<double>(m.vocabulary) / t + 2 * block : 0;
    const std::string logitText =
        fmt::format("{:g} B · {:g} {} · {} {} / {:g} + final norm", logitBytes, answers,
                    m.patch > 0 ? "images" : "tokens", m.vocabulary, m.patch > 0 ? "classes" : "words", t);
    const double inFull = recipe.recompute == Recompute::Full ? 1 - recipe.recomputeShare : 1;
    if (inFull > 0 && layers > 0)
        builder.add(Category::Activations, "activations of the layers",
                    fmt::format("{} per layer · {:g} layers · {:.3g} micro-batches · {:g}",
                                bytesText(perStage / layers), inFull * layers, flying, factor),
                    inFull * perStage * flying * factor);
    if (recipe.recompute != Recompute::Full || layers <= 0) {
        builder.add(Category::Activations, "logits and final norm", logitText, logits);
    } else {
        const auto interval = std::min(static_cast<double>(recipe.recomputeInterval), layers);
        const double kept = std::ceil((1 - inFull) * layers / interval) * block * flying;
        const double live = std::max(dense, stage.expertLayers > 0 ? sparse : 0.0) * interval * factor;
        builder.add(Category::Activations, "kept layer inputs",
                    fmt::format("{} · {:g} of {:g} layers · {:.3g} micro-batches", bytesText(block),
                                std::ceil((1 - inFull) * layers / interval), layers, flying),
                    kept);
        // The logits are gone before the first layer runs again.
        if (live >= logits)
            builder.add(Category::Activations, fmt::format("activations of {:g} live layers", interval),
                        fmt::format("{} per layer · {:g}", bytesText(live / interval), interval), live);
        else
            builder.add(Category::Activations, "logits and final norm", logitText, logits);
    }
    if (stage.first && recipe.dropout)
        builder.add(
            Category::Activations, "dropout mask of the embedding",
            fmt::format("{} · {:.3g} micro-batches", bytesText(block / recipe.activationBytes), flying),
            block / recipe.activationBytes * flying);
    builder.add(Category::ActivationGradients, "gradients between layers",
                fmt::format("2 · {}", bytesText(block)), 2 * block);
    if (m.patch > 0 && stage.first) {
        const double numbers = (tokens - answers) * static_cast<double>(m.patch);
        builder.add(Category::Data, "patches of the images",
                    fmt::format("{:g} B · {:g} numbers", recipe.activationBytes, numbers),
                    recipe.activationBytes * numbers);
    } else if (m.patch == 0) {
        builder.add(Category::Data, "token ids and targets", fmt::format("2 · 8 B · {:g} tokens", tokens),
                    16 * tokens);
    }
    return {};
}

/// The sum on a napkin, parameters + gradients + optimizer states + activations, and what it leaves out.
std::string plainSumOf(const StageMemory& stage) {
    std::string in, out;
    double sum = 0;
    const auto add = [](std::string& text, std::string_view between, std::string_view label, double bytes) {
        text += fmt::format("{}{} {}", text.empty() ? "" : between, label, bytesText(bytes));
    };
    for (const Category category :
         {Category::Parameters, Category::Gradients, Category::OptimizerState, Category::Activations}) {
        double bytes = 0;
        for (const MemoryPart& part : stage.parts)
            if (part.category == category) bytes += part.bytes;
        if (bytes <= 0) continue;
        add(in, " + ", categoryLabel(category), bytes);
        sum += bytes;
    }
    for (const MemoryPart& part : stage.parts)
        if (part.category != Category::Parameters && part.category != Category::Gradients &&
            part.category != Category::OptimizerState && part.category != Category::Activations)
            add(out, ", ", part.label, part.bytes);
    return fmt::format("plain sum: {} = {}; the peak has {} more: {}", in, bytesText(sum),
                       bytesText(stage.total() - sum), out);
}

Result<DeviceMemory> memoryOfTransformer(const Scenario& s, const Transformer& m) {
    PLUMB_TRY(const ResolvedLayout layout, resolve(s));
    DeviceMemory result;
    for (const Stage& stage : stagesOf(m, s.parallel, s.adaptation)) {
        const StageHolding held = holdingOf(s, m, stage);
        StageMemory& memory = result.stages.emplace_back();
        memory.stage = stage.index;
        StageBuilder builder(s, layout, memory);
        builder.addModel(held.dense, held.experts);
        builder.addGathered(held.layer, stage.layers());
        builder.addDequantised(m);
        PLUMB_CHECK(addActivations(builder, s, m, layout, stage, held.layers));
        PLUMB_CHECK(builder.addOverheads());
    }
    for (std::size_t i = 1; i < result.stages.size(); ++i)
        if (result.stages[i].total() > result.stages[result.fullest].total()) result.fullest = i;
    if (m.predictionLayers > 0)
        result.notes.push_back(
            fmt::format("{} layers that predict further tokens are left out", m.predictionLayers));
    if (m.layers % s.parallel.pipeline != 0)
        result.notes.push_back(fmt::format("{} layers over {} stages: the fuller ones are shown", m.layers,
                                           s.parallel.pipeline));
    return result;
}

/// The plan of one device's share of the batch.
Result<StepPlan> planOfDevice(const Scenario& s, RunConfig config) {
    PLUMB_TRY(const ResolvedLayout layout, resolve(s));
    config.batch = layout.batch / layout.data;
    return planStep(config, traitsOf(s));
}

/// The peak of that plan.
Result<DeviceMemory> memoryOfLinear(const Scenario& s, const RunConfig& config) {
    PLUMB_TRY(const StepPlan step, planOfDevice(s, config));
    const MemoryReading reading = summariseCurve(memoryCurve(step));
    DeviceMemory result;
    StageMemory& memory = result.stages.emplace_back();
    for (const Category category : kAllCategories) {
        const Bytes bytes = reading.atPeak[category];
        if (bytes > 0)
            memory.parts.push_back(
                {category, std::string(categoryLabel(category)),
                 fmt::format("the step's plan, during {}", opName(step, step.op(reading.peakOp))),
                 static_cast<double>(bytes)});
    }
    result.notes.emplace_back(
        "exact: every tensor of the step's plan; context and fragmentation are left out");
    return result;
}

Result<DeviceMemory> ofCount(const Scenario& s) {
    const double parameters = s.model.parameters();
    if (!(parameters > 0))
        return Error{ErrorCode::BadInput, "no model is given",
                     "give a number of parameters, a preset or a config.json"};
    PLUMB_TRY(const ResolvedLayout layout, resolve(s));
    DeviceMemory result;
    StageMemory& memory = result.stages.emplace_back();
    StageBuilder builder(s, layout, memory);
    builder.addModel(allTrained(parameters / static_cast<double>(s.parallel.tensor * s.parallel.pipeline)),
                     {});
    PLUMB_CHECK(builder.addOverheads());
    result.notes.emplace_back("a mere number of parameters has no layers: activations are left out");
    return result;
}

}  // namespace

Result<void> addOverheads(const Scenario& scenario, StageMemory& memory) {
    PLUMB_TRY(const double fragmentation, numberOf(scenario, Input::Fragmentation));
    PLUMB_TRY(const double buffers, numberOf(scenario, Input::BufferBytes));
    PLUMB_TRY(const double context, numberOf(scenario, Input::DeviceOverhead));
    const double tensors = memory.total();
    const auto add = [&](std::string label, std::string formula, double bytes) {
        if (bytes > 0)
            memory.parts.push_back({Category::Workspace, std::move(label), std::move(formula), bytes});
    };
    add("fragmentation", fmt::format("{:g} · {}", fragmentation, bytesText(tensors)),
        fragmentation * tensors);
    if (scenario.cluster.devices > 1) add("communication buffers", "assumption", buffers);
    add("context and kernels", "assumption", context);
    return {};
}

BackendTraits traitsOf(const Scenario& scenario) {
    if (!scenario.cluster.device) return cpuTraits();
    return traitsFor(scenario.cluster.device->backend, scenario.cluster.device->computeCapability);
}

Result<std::vector<std::string>> plainSumNotes(const Scenario& scenario, const DeviceMemory& memory) {
    if (scenario.model.count() != nullptr) return std::vector<std::string>{};
    const RunConfig* config = scenario.model.linear();
    if (config == nullptr) return std::vector<std::string>{plainSumOf(memory.worst())};
    PLUMB_TRY(const StepPlan step, planOfDevice(scenario, *config));
    const PlainMemory plain = plainMemory(step, summariseCurve(memoryCurve(step)));
    return std::vector<std::string>{"plain sum: " + plain.sumText(), plain.differenceText()};
}

double StageMemory::total() const {
    double sum = 0;
    for (const MemoryPart& part : parts) sum += part.bytes;
    return sum;
}

CategoryBytes StageMemory::byCategory() const {
    EnumArray<Category, double> sums{};
    for (const MemoryPart& part : parts) sums[part.category] += part.bytes;
    CategoryBytes bytes{};
    for (const Category category : kAllCategories)
        bytes[category] = static_cast<Bytes>(std::min(std::ceil(sums[category]), 9e18));
    return bytes;
}

Result<DeviceMemory> memoryPerDevice(const Scenario& scenario) {
    if (const Transformer* model = scenario.model.transformer()) return memoryOfTransformer(scenario, *model);
    if (const RunConfig* config = scenario.model.linear()) return memoryOfLinear(scenario, *config);
    return ofCount(scenario);
}

}  // namespace plumb::planner

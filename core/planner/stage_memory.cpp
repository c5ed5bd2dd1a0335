// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"
#include "core/planner/inputs.h"
#include "core/planner/memory.h"
#include "core/planner/priors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

std::string countText(double value) { return fmt::format("{:.4g}", value); }

/// Bytes of a gradient as it is summed over devices: in fp32 where anything of the recipe is.
double reducedBytes(const Recipe& recipe) {
    return recipe.masterBytes > 0 ? 4 : std::min(recipe.gradientBytes, 4.0);
}

/// Products in fp8 take their operands along the summed axis alone up to compute capability 9, so that
/// weights that are stored in fp8 lie there a second time, transposed (Transformer Engine).
bool keepsTransposed(const Scenario& s, const Recipe& recipe) {
    if (recipe.compute != Dtype::Fp8E4M3 || recipe.weightBytes > 1 || !s.cluster.device) return false;
    const Generation its = generationOf(*s.cluster.device);
    return its == Generation::Hopper || its == Generation::Ada;
}

using Parts = std::vector<MemoryPart>;

double sumOf(const Parts& parts) {
    double sum = 0;
    for (const MemoryPart& part : parts) sum += part.bytes;
    return sum;
}

/// Puts the parts of one stage together.
class StageBuilder {
public:
    StageBuilder(const Scenario& scenario, const ResolvedLayout& layout)
        : m_scenario(scenario), m_recipe(effectiveRecipe(scenario)), m_layout(layout) {}

    void add(Category category, std::string label, std::string formula, double bytes) {
        if (bytes > 0) m_stage.parts.push_back({category, std::move(label), std::move(formula), bytes});
    }

    /// Weights, gradients, master copy and states of `dense` and `expert` parameters of this device.
    void addModel(double dense, double expert) {
        const Offload& away = m_recipe.offload;
        held(Category::Parameters, "weights", away.parameters ? 0 : m_recipe.weightBytes, Sharding::Weights,
             dense, expert);
        if (keepsTransposed(m_scenario, m_recipe))
            held(Category::Parameters, "transposed copy of fp8 weights",
                 away.parameters ? 0 : m_recipe.weightBytes, Sharding::Weights, dense, expert);
        held(Category::MasterParameters, "fp32 master copy", away.optimizer ? 0 : m_recipe.masterBytes,
             Sharding::State, dense, expert);
        held(Category::OptimizerState, "optimizer state", away.optimizer ? 0 : m_recipe.stateBytes,
             Sharding::State, dense, expert);
        // An optimizer on the host takes gradients as they come.
        held(Category::Gradients, "gradients", away.optimizer ? 0 : m_recipe.gradientBytes,
             Sharding::Gradients, dense, expert);
    }

    /// Weights that are there as a whole for a while: with full sharding those of one layer while the next is
    /// gathered, embedding and head until the end of the step (the root of PyTorch's FSDP). A pipeline
    /// gathers once a step and sums gradients of its micro-batches in fp32 before it spreads them.
    void addGathered(const Stage& stage) {
        if (!isGathered()) return;
        const double bytes = m_recipe.weightBytes;
        if (staysGathered()) {
            const double all = stage.denseParameters + stage.expertParameters;
            add(Category::Workspace, "gathered weights of the stage",
                fmt::format("{:g} B · {}", bytes, countText(all)), bytes * all);
            if (m_layout.microBatches > 1)
                add(Category::Gradients, "sums of gradients before they are spread",
                    fmt::format("{:g} B · {}", reducedBytes(m_recipe), countText(all)),
                    reducedBytes(m_recipe) * all);
            return;
        }
        const double gathered = std::min(stage.layers(), 2.0);
        add(Category::Workspace, fmt::format("gathered weights of {:g} layers", gathered),
            fmt::format("{:g} · {:g} B · {}", gathered, bytes, countText(stage.largestLayer)),
            gathered * bytes * stage.largestLayer);
        add(Category::Workspace, "gathered embedding and head",
            fmt::format("{:g} B · {}", bytes, countText(stage.outside)), bytes * stage.outside);
    }

    /// Gradients that are not spread, or not on their way to the host, before the backward pass is over.
    [[nodiscard]] Parts gradientsOnTheWay(const Stage& stage) const {
        Parts parts;
        if (staysGathered() || !(isGathered() || m_recipe.offload.optimizer)) return parts;
        const double each = m_recipe.weightBytes + reducedBytes(m_recipe);
        parts.push_back({Category::Gradients, "gradients of one layer before they are spread",
                         fmt::format("({:g} + {:g}) B · {}", m_recipe.weightBytes, reducedBytes(m_recipe),
                                     countText(stage.largestLayer)),
                         each * stage.largestLayer});
        if (stage.outside > 0)
            parts.push_back({Category::Gradients, "gradients of embedding and head",
                             fmt::format("{:g} B · {}", m_recipe.weightBytes, countText(stage.outside)),
                             m_recipe.weightBytes * stage.outside});
        return parts;
    }

    /// Of two moments the one that holds more.
    void addFuller(Parts one, Parts other) {
        Parts& fuller = sumOf(one) >= sumOf(other) ? one : other;
        for (MemoryPart& part : fuller)
            if (part.bytes > 0) m_stage.parts.push_back(std::move(part));
    }

    Result<void> addOverheads() {
        PLUMB_TRY(const double fragmentation, numberOf(m_scenario, Input::Fragmentation));
        PLUMB_TRY(const double buffers, numberOf(m_scenario, Input::BufferBytes));
        PLUMB_TRY(const double context, numberOf(m_scenario, Input::DeviceOverhead));
        const double tensors = m_stage.total();
        add(Category::Workspace, "fragmentation", fmt::format("{:g} · {}", fragmentation, bytesText(tensors)),
            fragmentation * tensors);
        if (m_scenario.cluster.devices > 1)
            add(Category::Workspace, "communication buffers", "assumption", buffers);
        add(Category::Workspace, "context and kernels", "assumption", context);
        return {};
    }

    [[nodiscard]] const Recipe& recipe() const { return m_recipe; }
    [[nodiscard]] StageMemory result() && { return std::move(m_stage); }

private:
    [[nodiscard]] bool isGathered() const {
        return (m_scenario.parallel.sharding == Sharding::Weights && m_layout.shardGroup > 1) ||
               m_recipe.offload.parameters;
    }
    [[nodiscard]] bool staysGathered() const {
        return isGathered() && m_scenario.parallel.pipeline > 1 && !m_recipe.offload.parameters;
    }
    void held(Category category, const char* label, double bytes, Sharding from, double dense,
              double expert) {
        const ParallelLayout& p = m_scenario.parallel;
        const auto group = static_cast<double>(m_layout.shardGroup);
        const double expertGroup = group / static_cast<double>(p.expert);
        const bool spread = p.sharding >= from;
        const double total = bytes * (dense / (spread ? group : 1) + expert / (spread ? expertGroup : 1));
        std::string formula = fmt::format("{:g} B · {}", bytes, countText(dense + expert));
        if (spread && group > 1) formula += fmt::format(" / {:g}", group);
        add(category, label, std::move(formula), total);
    }

    const Scenario& m_scenario;
    Recipe m_recipe;
    const ResolvedLayout& m_layout;
    StageMemory m_stage;
};

/// Activations of one stage and what comes and goes with them.
class ActivationParts {
public:
    ActivationParts(const Scenario& s, const Transformer& m, const ResolvedLayout& layout, const Stage& stage,
                    const Recipe& recipe, double factor)
        : m_s(s),
          m_model(m),
          m_layout(layout),
          m_stage(stage),
          m_recipe(recipe),
          m_factor(factor),
          m_tokens(static_cast<double>(layout.sequence) * static_cast<double>(s.parallel.microBatch) /
                   static_cast<double>(s.parallel.context)),
          m_flying(layersInFlight(s.parallel, layout.microBatches, stage) / stage.layers()),
          m_dense(activationBytesPerLayer(m, recipe, s.parallel, layout.sequence, false, s.software)),
          m_sparse(activationBytesPerLayer(m, recipe, s.parallel, layout.sequence, true, s.software)) {}

    void addKept(StageBuilder& builder) const {
        const bool away = m_recipe.offload.activations;
        const double inFull = fullShare();
        const double perStage = m_dense * m_stage.denseLayers + m_sparse * m_stage.expertLayers;
        const double mean = perStage / m_stage.layers();
        const double whole = (1 - inFull) * m_stage.layers();
        if (whole > 0 && !away)
            builder.add(Category::Activations, "activations of the layers",
                        fmt::format("{} per layer · {:g} layers · {:.3g} micro-batches · {:g}",
                                    bytesText(mean), whole, m_flying, m_factor),
                        whole * mean * m_flying * m_factor);
        else if (whole > 0)
            builder.add(Category::Activations, "activations of 2 layers, the others on the host",
                        fmt::format("{} per layer · {:g}", bytesText(mean), std::min(whole, 2.0)),
                        std::min(whole, 2.0) * mean * m_factor);
        if (inFull > 0 && !away)
            builder.add(Category::Activations, "kept layer inputs",
                        fmt::format("{} · {:g} of {:g} layers · {:.3g} micro-batches", bytesText(block()),
                                    keptInputs(), m_stage.layers(), m_flying),
                        keptInputs() * block() * m_flying);
        else if (inFull > 0)
            builder.add(Category::Activations, "2 layer inputs, the others on the host",
                        fmt::format("2 · {}", bytesText(block())), std::min(keptInputs(), 2.0) * block());
        if (m_stage.first && m_recipe.dropout)
            builder.add(Category::Activations, "dropout mask of the embedding",
                        fmt::format("{} · {:.3g} micro-batches",
                                    bytesText(block() / m_recipe.activationBytes), m_flying),
                        block() / m_recipe.activationBytes * m_flying);
    }

    /// Of one micro-batch.
    [[nodiscard]] double keptBytes() const {
        const double perStage = m_dense * m_stage.denseLayers + m_sparse * m_stage.expertLayers;
        return (1 - fullShare()) * perStage * m_factor + keptInputs() * block();
    }

    /// When the loss is known: logits and what is made of them.
    [[nodiscard]] Parts ofLoss(double logitBytes) const {
        if (!m_stage.last) return {};
        const double answers = this->answers(), t = tensor();
        const auto chunks = static_cast<double>(std::max<std::int64_t>(m_recipe.lossChunks, 1));
        const double logits = logitBytes * answers * static_cast<double>(m_model.vocabulary) / t / chunks;
        std::string formula = fmt::format("{:g} B · {:g} {} · {} {} / {:g}", logitBytes, answers,
                                          m_model.patch > 0 ? "images" : "tokens", m_model.vocabulary,
                                          m_model.patch > 0 ? "classes" : "words", t);
        if (chunks > 1) formula += fmt::format(" / {:g} chunks", chunks);
        return {{Category::Activations, "logits and final norm", formula + " + final norm",
                 logits + 2 * block()}};
    }

    /// While a layer's backward pass runs: what of it was made again, and gradients within it.
    [[nodiscard]] Parts ofLayer() const {
        Parts parts;
        if (m_recipe.recompute == Recompute::Full) {
            const double interval =
                std::min(static_cast<double>(m_recipe.recomputeInterval), m_stage.layers());
            const double layer = std::max(m_dense, m_stage.expertLayers > 0 ? m_sparse : 0.0) * m_factor;
            parts.push_back({Category::Activations, fmt::format("activations of {:g} live layers", interval),
                             fmt::format("{} per layer · {:g}", bytesText(layer), interval),
                             layer * interval});
        }
        double inner = static_cast<double>(m_model.inner);
        if (m_model.experts && m_stage.expertLayers > 0)
            inner = std::max(inner, static_cast<double>(m_model.experts->active * m_model.experts->hidden +
                                                        m_model.experts->sharedHidden));
        const double widths = m_model.gated ? 3 : 2;
        parts.push_back({Category::ActivationGradients, "gradients within a layer",
                         fmt::format("{:g} B · {:g} tokens · {:g} · {:g} / {:g}", m_recipe.activationBytes,
                                     m_tokens, widths, inner, tensor()),
                         m_recipe.activationBytes * m_tokens * widths * inner / tensor()});
        return parts;
    }

    void addFlows(StageBuilder& builder) const {
        builder.add(Category::ActivationGradients, "gradients between layers",
                    fmt::format("2 · {}", bytesText(block())), 2 * block());
        if (m_s.parallel.tensor > 1 && m_s.parallel.sequence) {
            const double whole = block() * tensor();
            builder.add(Category::Workspace, "gathered sequence of tensor parallelism",
                        fmt::format("2 · {}", bytesText(whole)), 2 * whole);
        }
        if (m_model.patch > 0 && m_stage.first) {
            const double numbers = (m_tokens - answers()) * static_cast<double>(m_model.patch);
            builder.add(Category::Data, "patches of the images",
                        fmt::format("{:g} B · {:g} numbers", m_recipe.activationBytes, numbers),
                        m_recipe.activationBytes * numbers);
        } else if (m_model.patch == 0) {
            builder.add(Category::Data, "token ids and targets",
                        fmt::format("2 · 8 B · {:g} tokens", m_tokens), 16 * m_tokens);
        }
    }

private:
    [[nodiscard]] double tensor() const { return static_cast<double>(m_s.parallel.tensor); }
    /// A block of hidden width, as a stage gets it from the one before.
    [[nodiscard]] double block() const {
        return m_recipe.activationBytes * m_tokens * static_cast<double>(m_model.hidden) /
               (m_s.parallel.sequence ? tensor() : 1);
    }
    [[nodiscard]] double answers() const {
        return m_model.patch > 0 ? m_tokens / static_cast<double>(m_layout.sequence) : m_tokens;
    }
    [[nodiscard]] double fullShare() const {
        return m_recipe.recompute == Recompute::Full ? m_recipe.recomputeShare : 0;
    }
    [[nodiscard]] double keptInputs() const {
        const double interval = std::min(static_cast<double>(m_recipe.recomputeInterval), m_stage.layers());
        return std::ceil(fullShare() * m_stage.layers() / interval);
    }

    const Scenario& m_s;
    const Transformer& m_model;
    const ResolvedLayout& m_layout;
    const Stage& m_stage;
    const Recipe& m_recipe;
    double m_factor;
    double m_tokens;  ///< of a micro-batch on one device
    double m_flying;  ///< micro-batches whose activations are held
    double m_dense;   ///< bytes of a layer
    double m_sparse;
};

}  // namespace

Result<StageMemory> stageMemory(const Scenario& s, const Transformer& m, const ResolvedLayout& layout,
                                const Stage& stage) {
    PLUMB_TRY(const double factor, numberOf(s, Input::ActivationFactor));
    PLUMB_TRY(const double logitBytes, numberOf(s, Input::LogitBytes));
    StageBuilder builder(s, layout);
    builder.addModel(stage.denseParameters, stage.expertParameters);
    builder.addGathered(stage);
    const ActivationParts activations(s, m, layout, stage, builder.recipe(), factor);
    activations.addKept(builder);
    Parts backward = activations.ofLayer();
    for (MemoryPart& part : builder.gradientsOnTheWay(stage)) backward.push_back(std::move(part));
    builder.addFuller(activations.ofLoss(logitBytes), std::move(backward));
    activations.addFlows(builder);
    PLUMB_CHECK(builder.addOverheads());
    StageMemory memory = std::move(builder).result();
    memory.stage = stage.index;
    return memory;
}

Result<double> keptActivationBytes(const Scenario& s, const Transformer& m, const ResolvedLayout& layout,
                                   const Stage& stage) {
    PLUMB_TRY(const double factor, numberOf(s, Input::ActivationFactor));
    const Recipe recipe = effectiveRecipe(s);
    return ActivationParts(s, m, layout, stage, recipe, factor).keptBytes();
}

Result<StageMemory> countMemory(const Scenario& s, const ResolvedLayout& layout, double parameters) {
    StageBuilder builder(s, layout);
    builder.addModel(parameters, 0);
    PLUMB_CHECK(builder.addOverheads());
    return std::move(builder).result();
}

}  // namespace plumb::planner

// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"
#include "core/planner/holding.h"
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

    /// Weights, gradients, master copy and states of `dense` and `expert` parameters of this device. Frozen
    /// ones have weights alone.
    void addModel(const Holding& dense, const Holding& expert) {
        const Offload& away = m_recipe.offload;
        const double weights = away.parameters ? 0 : m_recipe.weightBytes;
        if (!away.parameters)
            held(Category::Parameters, "weights in 4 bits", quantisedBytes(m_scenario.adaptation),
                 Sharding::Weights, dense.quantised, expert.quantised);
        const double plainDense = dense.parameters - dense.quantised;
        const double plainExpert = expert.parameters - expert.quantised;
        held(Category::Parameters, "weights", weights, Sharding::Weights, plainDense, plainExpert);
        if (keepsTransposed(m_scenario, m_recipe))
            held(Category::Parameters, "transposed copy of fp8 weights", weights, Sharding::Weights,
                 plainDense, plainExpert);
        // An optimizer on the host takes gradients as they come.
        const auto trained = [&](Category category, const char* label, double bytes, Sharding from) {
            held(category, label, away.optimizer ? 0 : bytes, from, dense.trained, expert.trained);
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

    /// Weights that are there as a whole for a while: with full sharding those of one layer while the next is
    /// gathered, embedding and head until the end of the step (the root of PyTorch's FSDP). A pipeline
    /// gathers once a step and sums gradients of its micro-batches in fp32 before it spreads them.
    void addGathered(const Stage& stage, const StageHolding& held) {
        if (!isGathered()) return;
        if (staysGathered()) {
            Holding all = held.dense;
            all += held.experts;
            const double bytes = weightBytes(all, m_recipe, m_scenario.adaptation);
            add(Category::Workspace, "gathered weights of the stage",
                fmt::format("{:.4g} B · {}", bytes / all.parameters, countText(all.parameters)), bytes);
            if (m_layout.microBatches > 1)
                add(Category::Gradients, "sums of gradients before they are spread",
                    fmt::format("{:g} B · {}", reducedBytes(m_recipe), countText(all.trained)),
                    reducedBytes(m_recipe) * all.trained);
            return;
        }
        const double gathered = std::min(stage.layers(), 2.0);
        const double ofLayer = weightBytes(held.layer, m_recipe, m_scenario.adaptation);
        add(Category::Workspace, fmt::format("gathered weights of {:g} layers", gathered),
            fmt::format("{:g} · {:.4g} B · {}", gathered, ofLayer / held.layer.parameters,
                        countText(held.layer.parameters)),
            gathered * ofLayer);
        add(Category::Workspace, "gathered embedding and head",
            fmt::format("{:g} B · {}", m_recipe.weightBytes, countText(stage.outside)),
            m_recipe.weightBytes * stage.outside);
    }

    /// Gradients that are not spread, or not on their way to the host, before the backward pass is over.
    [[nodiscard]] Parts gradientsOnTheWay(const Stage& stage, const StageHolding& held) const {
        Parts parts;
        if (staysGathered() || !(isGathered() || m_recipe.offload.optimizer)) return parts;
        const double each = m_recipe.weightBytes + reducedBytes(m_recipe);
        parts.push_back({Category::Gradients, "gradients of one layer before they are spread",
                         fmt::format("({:g} + {:g}) B · {}", m_recipe.weightBytes, reducedBytes(m_recipe),
                                     countText(held.layer.trained)),
                         each * held.layer.trained});
        const Adaptation& a = m_scenario.adaptation;
        const double outside = (trains(a, ModelPart::Embeddings) ? stage.sizes[ModelPart::Embeddings] : 0) +
                               (trains(a, ModelPart::Head) ? stage.sizes[ModelPart::Head] : 0) +
                               (trains(a, ModelPart::Norms) ? stage.outerNorms : 0);
        if (outside > 0)
            parts.push_back({Category::Gradients, "gradients of embedding and head",
                             fmt::format("{:g} B · {}", m_recipe.weightBytes, countText(outside)),
                             m_recipe.weightBytes * outside});
        return parts;
    }

    /// Of two moments the one that holds more.
    void addFuller(Parts one, Parts other) {
        Parts& fuller = sumOf(one) >= sumOf(other) ? one : other;
        for (MemoryPart& part : fuller)
            if (part.bytes > 0) m_stage.parts.push_back(std::move(part));
    }

    Result<void> addOverheads() { return planner::addOverheads(m_scenario, m_stage); }

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
                    const Recipe& recipe, const TrainedLayers& trained, double factor)
        : m_s(s),
          m_model(m),
          m_layout(layout),
          m_stage(stage),
          m_recipe(recipe),
          m_factor(factor),
          m_tokens(static_cast<double>(layout.sequence) * static_cast<double>(s.parallel.microBatch) /
                   static_cast<double>(s.parallel.context)),
          m_flying(layersInFlight(s.parallel, layout.microBatches, stage) / stage.layers()),
          m_trained(trained),
          m_dense(ofLayer(false, false)),
          m_sparse(ofLayer(true, false)) {
        if (!m.encoder) return;
        const std::int64_t tokens = encoderTokens(m, layout.sequence);
        m_encoder.layers = static_cast<double>(m.encoder->layers);
        m_encoder.tokens = static_cast<double>(tokens * s.parallel.microBatch);
        m_encoder.block = recipe.activationBytes * m_encoder.tokens * static_cast<double>(m.hidden);
        m_encoder.layer =
            activationBytesPerLayer(encoderStack(m), recipe, s.parallel, tokens, false, s.software);
    }

    void addKept(StageBuilder& builder) const {
        const bool away = m_recipe.offload.activations;
        const double inFull = fullShare();
        if (layers() <= 0) return;
        const double mean = perStage() / layers();
        const double whole = (1 - inFull) * layers();
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
                                    keptInputs(), layers(), m_flying),
                        keptInputs() * block() * m_flying);
        else if (inFull > 0)
            builder.add(Category::Activations, "2 layer inputs, the others on the host",
                        fmt::format("2 · {}", bytesText(block())), std::min(keptInputs(), 2.0) * block());
        if (m_stage.first && m_recipe.dropout)
            builder.add(Category::Activations, "dropout mask of the embedding",
                        fmt::format("{} · {:.3g} micro-batches",
                                    bytesText(block() / m_recipe.activationBytes), m_flying),
                        block() / m_recipe.activationBytes * m_flying);
        if (m_model.encoder) addEncoder(builder);
    }

    /// Of one micro-batch.
    [[nodiscard]] double keptBytes() const {
        return (1 - fullShare()) * perStage() * m_factor + keptInputs() * block();
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
    [[nodiscard]] Parts ofLayerBackward() const {
        Parts parts;
        if (layers() <= 0) return parts;
        if (m_recipe.recompute == Recompute::Full) {
            const double interval = std::min(static_cast<double>(m_recipe.recomputeInterval), layers());
            const double layer =
                std::max({m_dense, m_stage.expertLayers > 0 ? m_sparse : 0.0, m_encoder.layer}) * m_factor;
            parts.push_back({Category::Activations, fmt::format("activations of {:g} live layers", interval),
                             fmt::format("{} per layer · {:g}", bytesText(layer), interval),
                             layer * interval});
        }
        auto inner = static_cast<double>(m_model.inner);
        if (m_model.experts && m_stage.expertLayers > 0)
            inner = std::max(inner, static_cast<double>(m_model.experts->active * m_model.experts->hidden +
                                                        m_model.experts->sharedHidden));
        const double widths = m_model.gated ? 3 : 2;
        if (m_model.encoder) {  // of either stack
            const double wide =
                std::max(m_tokens * inner, m_encoder.tokens * static_cast<double>(m_model.encoder->inner));
            parts.push_back(
                {Category::ActivationGradients, "gradients within a layer",
                 fmt::format("{:g} B · {:g} · {:.4g} elements", m_recipe.activationBytes, widths, wide),
                 m_recipe.activationBytes * widths * wide});
            return parts;
        }
        parts.push_back({Category::ActivationGradients, "gradients within a layer",
                         fmt::format("{:g} B · {:g} tokens · {:g} · {:g} / {:g}", m_recipe.activationBytes,
                                     m_tokens, widths, inner, tensor()),
                         m_recipe.activationBytes * m_tokens * widths * inner / tensor()});
        return parts;
    }

    void addFlows(StageBuilder& builder) const {
        const double between = std::max(block(), m_encoder.block);
        builder.add(Category::ActivationGradients, "gradients between layers",
                    fmt::format("2 · {}", bytesText(between)), 2 * between);
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
        if (!m_model.encoder) return;
        builder.add(Category::ActivationGradients, "gradient of the encoder's result",
                    bytesText(m_encoder.block), m_encoder.block);
        const double frame = 2 * static_cast<double>(m_model.encoder->frame) * m_recipe.activationBytes;
        const double each = frame > 0 ? frame : 8;
        builder.add(Category::Data, frame > 0 ? "frames of sound" : "token ids of the encoder",
                    fmt::format("{:g} B · {:g} tokens", each, m_encoder.tokens), each * m_encoder.tokens);
    }

private:
    /// Of one micro-batch on one device; zeros without an encoder.
    struct EncoderSizes {
        double layers = 0;
        double tokens = 0;
        double block = 0;  ///< bytes of hidden width
        double layer = 0;  ///< bytes that a layer keeps
    };
    /// What its layers keep, and its result, which all decoder layers read.
    void addEncoder(StageBuilder& builder) const {
        const double whole = (1 - fullShare()) * m_encoder.layers;
        builder.add(
            Category::Activations, "activations of the encoder's layers",
            fmt::format("{} per layer · {:g} layers · {:g}", bytesText(m_encoder.layer), whole, m_factor),
            whole * m_encoder.layer * m_factor);
        const double interval = std::min(static_cast<double>(m_recipe.recomputeInterval), m_encoder.layers);
        const double inputs = std::ceil(fullShare() * m_encoder.layers / interval);
        builder.add(Category::Activations, "kept inputs of the encoder's layers",
                    fmt::format("{} · {:g}", bytesText(m_encoder.block), inputs), inputs * m_encoder.block);
        const double blocks = m_model.finalNorm ? 2 : 1;
        builder.add(Category::Activations, "result of the encoder",
                    fmt::format("{:g} · {}", blocks, bytesText(m_encoder.block)), blocks * m_encoder.block);
        // Two frames for each token before and behind their activation, and the tokens before theirs.
        if (m_model.encoder->frame > 0)
            builder.add(Category::Activations, "activations of the convolutions",
                        fmt::format("5 · {}", bytesText(m_encoder.block)), 5 * m_encoder.block);
        if (m_recipe.dropout)
            builder.add(Category::Activations, "dropout mask of the encoder's embedding",
                        bytesText(m_encoder.block / m_recipe.activationBytes),
                        m_encoder.block / m_recipe.activationBytes);
    }
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
        if (layers() <= 0) return 0;
        const double interval = std::min(static_cast<double>(m_recipe.recomputeInterval), layers());
        return std::ceil(fullShare() * layers() / interval);
    }

    /// Layers that the backward pass reaches; the others keep nothing.
    [[nodiscard]] double layers() const { return m_trained.backward * m_stage.layers(); }
    [[nodiscard]] double ofLayer(bool expertLayer, bool frozenLayer) const {
        return activationBytesPerLayer(
            m_model, m_recipe, m_s.parallel, m_layout.sequence, expertLayer, m_s.software,
            planner::keptInputs(m_model, m_s.adaptation, expertLayer, frozenLayer));
    }
    /// Of one micro-batch, all layers that are reached; frozen ones between trained ones keep less.
    [[nodiscard]] double perStage() const {
        const double reached = m_trained.backward, open = std::min(m_trained.trainable, reached);
        const auto mean = [&](bool expertLayer, double ofTrained) {
            if (reached <= open) return ofTrained;
            return (open * ofTrained + (reached - open) * ofLayer(expertLayer, true)) / reached;
        };
        return reached *
               (mean(false, m_dense) * m_stage.denseLayers + mean(true, m_sparse) * m_stage.expertLayers);
    }

    const Scenario& m_s;
    const Transformer& m_model;
    const ResolvedLayout& m_layout;
    const Stage& m_stage;
    const Recipe& m_recipe;
    double m_factor;
    double m_tokens;  ///< of a micro-batch on one device
    double m_flying;  ///< micro-batches whose activations are held
    TrainedLayers m_trained;
    double m_dense;  ///< bytes of a layer
    double m_sparse;
    EncoderSizes m_encoder;
};

}  // namespace

Result<StageMemory> stageMemory(const Scenario& s, const Transformer& m, const ResolvedLayout& layout,
                                const Stage& stage) {
    PLUMB_TRY(const double factor, numberOf(s, Input::ActivationFactor));
    PLUMB_TRY(const double logitBytes, numberOf(s, Input::LogitBytes));
    StageBuilder builder(s, layout);
    const StageHolding held = holdingOf(s, m, stage);
    builder.addModel(held.dense, held.experts);
    builder.addGathered(stage, held);
    builder.addDequantised(m);
    const ActivationParts activations(s, m, layout, stage, builder.recipe(), held.layers, factor);
    activations.addKept(builder);
    Parts backward = activations.ofLayerBackward();
    for (MemoryPart& part : builder.gradientsOnTheWay(stage, held)) backward.push_back(std::move(part));
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
    const StageHolding held = holdingOf(s, m, stage);
    return ActivationParts(s, m, layout, stage, recipe, held.layers, factor).keptBytes();
}

Result<StageMemory> countMemory(const Scenario& s, const ResolvedLayout& layout, double parameters) {
    StageBuilder builder(s, layout);
    builder.addModel(allTrained(parameters), {});
    PLUMB_CHECK(builder.addOverheads());
    return std::move(builder).result();
}

}  // namespace plumb::planner

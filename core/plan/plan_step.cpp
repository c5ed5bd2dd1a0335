// SPDX-License-Identifier: Apache-2.0
#include "core/base/entry_at.h"
#include "core/model/names.h"
#include "core/plan/library_scratch.h"
#include "core/plan/matrix_tensors.h"
#include "core/plan/plan_builder.h"
#include "core/plan/recompute_schedule.h"
#include "core/plan/shards.h"
#include "core/plan/state_tensors.h"
#include "core/plan/traffic_ops.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb {
namespace {

constexpr TensorId kNone = -1;
constexpr std::size_t kOpsPerLayer = 4;  // forward, recompute, two gradients

std::size_t passes(const RunConfig& config) { return config.microBatches() > 1 ? 2 : 1; }

/// Whether no layer is recomputed without a collective.
bool recomputesByLinks(const RunConfig& config) {
    return config.parallel.shares(Zero::Weights) || config.parallel.tensor > 1;
}

/// What ranks that share gradients or weights, or divide matrices, have besides in each pass: the collectives
/// of each layer, and what is recomputed link by link.
std::size_t mostShared(const RunConfig& config, const RecomputeSchedule& schedule) {
    if (!config.parallel.shares(Zero::Gradients) && config.parallel.tensor == 1) return 0;
    const std::size_t links =
        recomputesByLinks(config) ? static_cast<std::size_t>(schedule.recomputedLayers()) : 0;
    return 3 * passes(config) * (static_cast<std::size_t>(config.layers) + 2 + links);
}

std::size_t mostOps(const RunConfig& config, const RecomputeSchedule& schedule) {
    constexpr std::size_t kAroundUpdate = 6;  // norm, loss, scales, norms
    const std::size_t layers = static_cast<std::size_t>(config.layers) + 2;
    const std::size_t traffic = config.parallel.ranks() > 1 ? 2 * layers + kAroundUpdate : 0;
    return passes(config) * kOpsPerLayer * layers + traffic + mostShared(config, schedule);
}

std::size_t mostTensors(const RunConfig& config, const RecomputeSchedule& schedule,
                        std::size_t scratchPerOp) {
    constexpr std::size_t kStatesPerLayer = 6;
    constexpr std::size_t kTensorsPerLayer = 6;  // h, h again, a mask of each, chain buffer, g
    constexpr std::size_t kControlTensors = 12;  // the buffers of exchanges among them
    return (static_cast<std::size_t>(config.layers) + 2) *
               (kStatesPerLayer + passes(config) * (kTensorsPerLayer + kOpsPerLayer * scratchPerOp)) +
           kControlTensors + (1 + scratchPerOp) * mostShared(config, schedule);
}

/// What a product of a layer needs beside its tensors: copies that a library can read, and room for it.
class ProductScratch {
public:
    ProductScratch(const RunConfig& config, const BackendTraits& traits)
        : m_casts(config.precision != Precision::Fp32 && traits.castsProducts),
          m_castsFp8Results(config.precision == Precision::Fp8 && traits.castsFp8Results),
          m_transposesFp8(config.precision == Precision::Fp8 && traits.transposesFp8),
          m_libraryColumns(libraryScratchFloats(config, traits)) {}

    /// Of one op.
    [[nodiscard]] std::size_t mostTensors() const {
        return (m_casts || m_castsFp8Results || m_transposesFp8 ? 3U : 0U) + (m_libraryColumns > 0 ? 1U : 0U);
    }

    /// Scratch of a layer's product, whose operands have the shapes that its kind has. A result that is fp32
    /// needs no copy.
    void add(PlanBuilder& builder, Op& op, Dtype result) const {
        const RunConfig& config = builder.config();
        const auto addOne = [&](TensorRole role, Dtype dtype, std::int64_t rows, std::int64_t columns) {
            builder.append(op.scratch, oneTensor(builder.addTensor(role, Category::Workspace, dtype, op.layer,
                                                                   rows, columns)));
        };
        const std::int64_t rows = op.batchRows;
        const bool isOfWeight = op.kind == OpKind::WeightGradient;
        const bool isOfInput = op.kind == OpKind::InputGradient;
        const std::int64_t rowsResult = isOfWeight ? op.in : rows;
        const std::int64_t columnsResult = isOfInput ? op.in : op.out;
        if (m_casts) {
            addOne(TensorRole::CastA, Dtype::Fp32, rows, isOfInput ? op.out : op.in);
            addOne(TensorRole::CastB, Dtype::Fp32, isOfWeight ? rows : op.in, op.out);
            if (result != Dtype::Fp32) addOne(TensorRole::CastResult, Dtype::Fp32, rowsResult, columnsResult);
        }
        if (m_transposesFp8 && isOfWeight) {
            addOne(TensorRole::CastA, config.activationDtype(), op.in, rows);
            addOne(TensorRole::CastB, config.activationGradientDtype(), op.out, rows);
        }
        if (m_castsFp8Results && dtypeSize(result) == 1)
            addOne(TensorRole::CastResult, Dtype::Bf16, rowsResult, columnsResult);
        if (m_libraryColumns > 0) addOne(TensorRole::LibraryScratch, Dtype::Fp32, 1, m_libraryColumns);
    }

private:
    bool m_casts;
    bool m_castsFp8Results;
    bool m_transposesFp8;
    std::int64_t m_libraryColumns;
};

/// Appends the ops of one step in the order of execution.
class Planner {
public:
    Planner(const RunConfig& config, const BackendTraits& traits, const Place& place,
            RecomputeSchedule schedule)
        : m_schedule(std::move(schedule)),
          m_depth(static_cast<std::int32_t>(config.layers)),
          m_rows(config.microBatchSize()),
          m_relu(config.activation == Activation::Relu),
          m_masks(m_relu && traits.reluMasks && config.precision != Precision::Fp8),
          m_scratch(config, traits),
          m_builder(config, traits, place, mostOps(config, m_schedule),
                    mostTensors(config, m_schedule, m_scratch.mostTensors())),
          m_traffic(m_builder),
          m_matrices(m_builder, m_traffic, m_state) {}

    /// Errors: as PlanBuilder::take().
    Result<StepPlan> build(Bytes sharedScratch) && {
        m_state = addStateTensors(m_builder, sharedScratch);
        addPass(0, 1);
        StepPlan& plan = m_builder.plan();
        if (config().microBatches() > 1)
            addPass(1, config().microBatches() - 1);
        else
            plan.passBegin[1] = plan.passEnd[1] = plan.passEnd[0];
        addOptimizer();
        return std::move(m_builder).take();
    }

private:
    [[nodiscard]] const RunConfig& config() const { return m_builder.config(); }
    [[nodiscard]] std::int64_t dim() const { return config().dim; }
    [[nodiscard]] std::int64_t outputs() const { return config().outputWidth(); }

    TensorId addActivation(std::int32_t layer) {
        return m_builder.addTensor(TensorRole::Activation, Category::Activations, config().activationDtype(),
                                   layer, m_rows, widthOf(config(), layer));
    }
    /// What the backward pass of the layer above reads instead of h_layer.
    TensorId addMask(std::int32_t layer) {
        const TensorId mask = m_builder.addTensor(TensorRole::ReluMask, Category::Activations, Dtype::Fp32,
                                                  layer, m_rows, (widthOf(config(), layer) + 127) / 128 * 4);
        entryAt(m_maskOf, layer) = mask;
        return mask;
    }
    /// A product writes it, of a layer that is whole then.
    [[nodiscard]] bool needsMask(std::int32_t layer) const {
        return m_masks && layer < m_depth && !isSummed(layer);
    }
    TensorId addActivationGradient(std::int32_t layer) {
        return m_builder.addTensor(TensorRole::ActivationGradient, Category::ActivationGradients,
                                   config().activationGradientDtype(), layer, m_rows,
                                   widthOf(config(), layer));
    }

    [[nodiscard]] bool shares(Zero what) const { return config().parallel.shares(what); }
    /// Whether each rank's forward product of the layer is a part of a sum.
    [[nodiscard]] bool isSummed(std::int32_t layer) const {
        return splitOf(config(), layer) == MatrixSplit::Rows;
    }

    Op& newOp(OpKind kind, Phase phase, std::int32_t layer) {
        Op& op = m_builder.newOp(kind, phase);
        op.layer = layer;
        op.batchRows = m_rows;
        const MatrixPart part = partOf(config(), layer);
        op.in = part.rows;
        op.isHead = layer > m_depth;
        op.out = part.columns;
        return op;
    }

    void addPass(std::int32_t pass, std::int64_t executions) {
        m_builder.beginPass(pass, executions);
        m_kept.assign(static_cast<std::size_t>(m_depth) + 1, kNone);
        m_maskOf.assign(static_cast<std::size_t>(m_depth) + 1, kNone);
        m_matrices.beginPass(m_schedule);
        addBatch();
        m_kept[0] = m_features;
        addForward();
        addBackward(!config().head                                 ? addLossOfChain()
                    : fusesHead(config(), m_builder.plan().traits) ? addHeadPass()
                                                                   : addHeadAndLoss());
        m_traffic.endPass();
        m_builder.endPass();
    }

    /// The micro-batch, and the op that loads it where it does not stay from step to step.
    void addBatch() {
        if (config().keepsBatch()) {
            m_features = m_builder.plan().residentFeatures;
            m_targets = m_builder.plan().residentTargets;
            return;
        }
        m_features = m_builder.addTensor(TensorRole::Features, Category::Data, config().activationDtype(), 0,
                                         m_rows, dim());
        m_targets =
            m_builder.addTensor(TensorRole::Targets, Category::Data, Dtype::Fp32, 0, m_rows, outputs());
        Op& load = newOp(OpKind::LoadBatch, Phase::Data, 0);
        load.out = outputs();
        load.writes = {oneTensor(m_features), oneTensor(m_targets)};
        m_builder.finishOp();
    }

    /// Appends the layers' products. Leaves in m_kept what the backward pass finds.
    void addForward() {
        TensorId input = m_features;
        for (std::int32_t layer = 1; layer <= m_depth; ++layer) {
            const TensorRange weights = m_matrices.weightsForward(layer, 1);
            const TensorId output = addActivation(layer);
            Op& op = newOp(OpKind::LayerForward, Phase::Forward, layer);
            op.isPartial = isSummed(layer);
            op.fusedActivation = m_relu && !op.isPartial;
            op.reads = {oneTensor(input), weights};
            op.writes = {oneTensor(output)};
            const bool keeps = entryAt(m_schedule.keeps, layer);
            if (keeps && needsMask(layer)) m_builder.append(op.writes, oneTensor(addMask(layer)));
            m_scratch.add(m_builder, op, config().activationDtype());
            m_matrices.finishProduct();
            if (isSummed(layer)) addSum(Phase::Forward, layer, 0, output);
            if (keeps) entryAt(m_kept, layer) = output;
            input = output;
        }
    }

    /// Makes h of a layer whole, of which each rank has a part of the sum, and what follows of it.
    void addSum(Phase phase, std::int32_t layer, std::int32_t forLayer, TensorId h) {
        m_traffic.sumParts(phase, layer, forLayer, oneTensor(h));
        if (!m_relu) return;
        Op& op = newOp(OpKind::Activation, phase, layer);
        op.forLayer = forLayer;
        op.in = op.out;
        op.reads = {oneTensor(h)};
        op.writes = {oneTensor(h)};
        m_builder.finishOp();
    }

    /// Returns g_L; without a head h_L is the output, which holds the mask of its ReLU already.
    TensorId addLossOfChain() {
        const TensorRange last = oneTensor(entryAt(m_kept, m_depth));
        const TensorId gradient = addActivationGradient(m_depth);
        Op& loss = newOp(OpKind::LossGradient, Phase::Loss, 0);
        loss.accumulates = m_builder.pass() > 0;
        loss.fusedActivation = m_relu;
        loss.reads = {last, oneTensor(m_targets)};
        if (loss.accumulates) loss.reads[2] = oneTensor(m_state.loss);
        loss.writes = {oneTensor(gradient), oneTensor(m_state.loss)};
        m_builder.finishOp();
        m_traffic.sendLoss(m_state.loss);
        return gradient;
    }

    /// Head, loss and the head's gradients; returns g_L, which nobody reads where there are no layers.
    TensorId addHeadAndLoss() {
        const std::int32_t head = m_depth + 1;
        const TensorRange last = oneTensor(entryAt(m_kept, m_depth));
        const TensorRange weights = m_matrices.weight(head);
        const TensorId y = m_builder.addTensor(TensorRole::HeadOutput, Category::Workspace, Dtype::Fp32, head,
                                               m_rows, outputs());
        Op& forward = newOp(OpKind::HeadForward, Phase::Forward, head);
        forward.isPartial = isSummed(head);
        forward.reads = {last, weights};
        forward.writes = {oneTensor(y)};
        m_matrices.finishProduct();
        if (isSummed(head)) m_traffic.sumParts(Phase::Forward, head, 0, oneTensor(y));

        const TensorId dy = m_builder.addTensor(TensorRole::HeadGradient, Category::Workspace,
                                                config().activationGradientDtype(), head, m_rows, outputs());
        Op& loss = newOp(OpKind::LossGradient, Phase::Loss, 0);
        loss.out = outputs();
        loss.accumulates = m_builder.pass() > 0;
        loss.reads = {oneTensor(y), oneTensor(m_targets)};
        if (loss.accumulates) loss.reads[2] = oneTensor(m_state.loss);
        loss.writes = {oneTensor(dy), oneTensor(m_state.loss)};
        m_builder.finishOp();
        m_traffic.sendLoss(m_state.loss);

        addWeightGradient(head, last, oneTensor(dy));
        return m_depth > 0 ? addInputGradient(head, last, oneTensor(dy)) : kNone;
    }

    /// The same as one op.
    TensorId addHeadPass() {
        const std::int32_t head = m_depth + 1;
        const TensorRange weights = m_matrices.weight(head);
        Op& op = newOp(OpKind::HeadPass, Phase::Loss, head);
        op.accumulates = m_builder.pass() > 0;
        op.fusedActivation = m_relu && m_depth > 0;
        op.reads = {oneTensor(entryAt(m_kept, m_depth)), weights, oneTensor(m_targets)};
        if (op.accumulates) {
            m_builder.append(op.reads, oneTensor(m_state.loss));
            m_builder.append(op.reads, m_matrices.gradient(head));
        }
        const TensorId y = m_builder.addTensor(TensorRole::HeadOutput, Category::Workspace, Dtype::Fp32, head,
                                               m_rows, outputs());
        const TensorId dy = m_builder.addTensor(TensorRole::HeadGradient, Category::Workspace,
                                                config().activationGradientDtype(), head, m_rows, outputs());
        op.writes = {m_matrices.gradient(head), oneTensor(m_state.loss), oneTensor(y), oneTensor(dy)};
        const TensorId inputGradient = m_depth > 0 ? addActivationGradient(m_depth) : kNone;
        if (inputGradient != kNone) m_builder.append(op.writes, oneTensor(inputGradient));
        m_builder.finishOp();
        m_traffic.sendLoss(m_state.loss);
        m_traffic.sendGradient(head, m_matrices.gradient(head), m_matrices.gradient(head));
        return inputGradient;
    }

    void addWeightGradient(std::int32_t layer, TensorRange input, TensorRange outputGradient) {
        const TensorRange whole = m_matrices.wholeGradient(layer);
        Op& op = newOp(OpKind::WeightGradient, Phase::Backward, layer);
        // Where ranks share gradients, what travels is that of one micro-batch.
        op.accumulates = m_builder.pass() > 0 && !shares(Zero::Gradients);
        op.reads = {input, outputGradient};
        if (op.accumulates) op.reads[2] = whole;
        op.writes = {whole};
        if (!op.isHead) m_scratch.add(m_builder, op, config().parameterGradientDtype());
        m_builder.finishOp();
        m_traffic.sendGradient(layer, whole, m_matrices.gradient(layer));
    }

    /// Returns the gradient of the layer below. `input` is what `layer` read, and holds the mask of a ReLU.
    TensorId addInputGradient(std::int32_t layer, TensorRange input, TensorRange outputGradient) {
        const TensorRange weights = m_matrices.weight(layer);
        const TensorId inputGradient = addActivationGradient(layer - 1);
        Op& op = newOp(OpKind::InputGradient, Phase::Backward, layer);
        op.isPartial = splitOf(config(), layer) == MatrixSplit::Columns;
        op.fusedActivation = m_relu;  // of a part of a sum too: what is 0 in all of them is 0 in the sum
        op.reads = {outputGradient, weights};
        const TensorId mask = entryAt(m_maskOf, layer - 1);
        if (m_relu) op.reads[2] = mask != kNone ? oneTensor(mask) : input;
        op.writes = {oneTensor(inputGradient)};
        if (!op.isHead) m_scratch.add(m_builder, op, config().activationGradientDtype());
        const bool isPartial = op.isPartial;
        m_matrices.finishProduct();
        if (isPartial) m_traffic.sumParts(Phase::Backward, layer - 1, 0, oneTensor(inputGradient));
        return inputGradient;
    }

    void addBackward(TensorId gradientOfLast) {
        TensorId outputGradient = gradientOfLast;
        for (std::int32_t layer = m_depth; layer >= 1; --layer) {
            const auto at = static_cast<std::size_t>(layer);
            for (std::int32_t i = m_schedule.firstStretch[at + 1]; i < m_schedule.firstStretch[at]; ++i) {
                const RecomputeStretch& stretch = entryAt(m_schedule.stretches, i);
                entryAt(m_kept, stretch.to) = recomputesByLinks(config())
                                                  ? addLinks(stretch.from, stretch.to, layer)
                                                  : addChain(stretch.from, stretch.to);
            }
            const TensorRange input = oneTensor(m_kept[at - 1]);
            const TensorRange gradient = oneTensor(outputGradient);
            // What travels does so beside the gradient of the weights.
            const bool travels = splitOf(config(), layer) == MatrixSplit::Columns;
            if (!travels) addWeightGradient(layer, input, gradient);
            // The gradient of x has no reader.
            if (layer > 1) outputGradient = addInputGradient(layer, input, gradient);
            if (travels) addWeightGradient(layer, input, gradient);
        }
    }

    /// Layers start+1..layer in a row; returns h_layer.
    TensorId addChain(std::int32_t start, std::int32_t layer) {
        const TensorId output = addActivation(layer);
        Op& op = newOp(OpKind::RecomputeChain, Phase::Recompute, layer);
        op.fusedActivation = m_relu;
        op.repeat = layer - start;
        op.reads = {oneTensor(entryAt(m_kept, start)), m_matrices.weightsForward(start + 1, op.repeat)};
        op.writes = {oneTensor(output)};
        if (op.repeat >= 2)
            m_builder.append(
                op.writes, oneTensor(m_builder.addTensor(TensorRole::ChainBuffer, Category::Activations,
                                                         config().activationDtype(), layer, m_rows, dim())));
        if (needsMask(layer)) m_builder.append(op.writes, oneTensor(addMask(layer)));
        m_scratch.add(m_builder, op, config().activationDtype());
        m_builder.finishOp();
        return output;
    }

    /// The same one by one, each with the weights that were gathered for it, or summed over ranks; for the
    /// backward of `forLayer`.
    TensorId addLinks(std::int32_t start, std::int32_t last, std::int32_t forLayer) {
        TensorId input = entryAt(m_kept, start);
        for (std::int32_t layer = start + 1; layer <= last; ++layer) {
            const TensorRange weights = m_matrices.weightsForward(layer, 1);
            const TensorId output = addActivation(layer);
            Op& op = newOp(OpKind::RecomputeChain, Phase::Recompute, layer);
            op.forLayer = forLayer;
            op.isPartial = isSummed(layer);
            op.fusedActivation = m_relu && !op.isPartial;
            op.reads = {oneTensor(input), weights};
            op.writes = {oneTensor(output)};
            if (layer == last && needsMask(layer)) m_builder.append(op.writes, oneTensor(addMask(layer)));
            m_scratch.add(m_builder, op, config().activationDtype());
            m_matrices.finishProduct();
            if (isSummed(layer)) addSum(Phase::Recompute, layer, forLayer, output);
            input = output;
        }
        return input;
    }

    void addOptimizer() {
        const auto fill = [this](auto& ranges, std::initializer_list<TensorRange> candidates) {
            for (const TensorRange& range : candidates)
                if (range.count > 0) m_builder.append(ranges, range);
        };
        if (needsNormFirst(config())) {
            fill(m_builder.newOp(OpKind::GradientNorm, Phase::Optimizer).reads,
                 {m_state.gradients, oneTensor(m_state.loss)});
            m_builder.finishOp();
            m_traffic.sendNorm(m_state.loss);
        }
        Op& op = m_builder.newOp(OpKind::OptimizerStep, Phase::Optimizer);
        const TensorRange updated = m_state.masters.count > 0 ? m_state.masters : m_state.weights;
        fill(op.reads, {m_state.gradients, updated, m_state.moments[0], m_state.moments[1],
                        m_state.moments[2], oneTensor(m_state.loss)});
        fill(op.writes, {m_state.weights, m_state.masters, m_state.moments[0], m_state.moments[1],
                         m_state.moments[2], m_state.transposed});
        m_builder.finishOp();
        m_traffic.sendUpdated(m_state.weights, m_state.loss);
    }

    RecomputeSchedule m_schedule;
    std::int32_t m_depth;
    std::int64_t m_rows;
    bool m_relu;
    bool m_masks;
    ProductScratch m_scratch;
    PlanBuilder m_builder;
    TrafficOps m_traffic;
    StateTensors m_state;
    MatrixTensors m_matrices;

    // Belong to the pass that is being appended.
    TensorId m_features = kNone;
    TensorId m_targets = kNone;
    std::vector<TensorId> m_maskOf;  ///< of h_l, by l; kNone: the backward pass reads h_l itself
    std::vector<TensorId> m_kept;    ///< h_l that the backward pass can read, by l; kNone: to be recomputed
};

}  // namespace

Result<StepPlan> planStep(const RunConfig& config, const BackendTraits& traits, const Place& place) {
    PLUMB_CHECK(validate(config));
    const Parallel& parallel = config.parallel;
    if (place.data < 0 || place.data >= parallel.data || place.tensor < 0 || place.tensor >= parallel.tensor)
        return internalError(fmt::format("there is no rank at {}, {} of {} by {}", place.data, place.tensor,
                                         parallel.data, parallel.tensor));
    PLUMB_CHECK(checkTraits(traits));
    PLUMB_CHECK(checkFp8Shape(config, traits));
    if (config.parallel.shares(Zero::States) && config.precision == Precision::Fp8 && traits.transposesFp8)
        return badInput(
            fmt::format("the {} backend keeps the weights of fp8 transposed too, and ranks do not "
                        "share those (zero {:s})",
                        traits.backend, kZeroNames.name(config.parallel.zero)),
            "use zero 0, or --precision bf16");
    PLUMB_TRY(RecomputeSchedule schedule, recomputeSchedule(config, traits));
    PLUMB_TRY(const SharedScratch shared, sharedScratch(config, traits));
    return Planner(config, traits, place, std::move(schedule)).build(shared.all());
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/plan/control_tensors.h"
#include "core/plan/library_scratch.h"
#include "core/plan/op_cost.h"
#include "core/plan/recompute_schedule.h"
#include "core/plan/step_plan.h"

#include <algorithm>

namespace plumb {
namespace {

constexpr TensorId kNone = -1;

TensorRange one(TensorId id) { return TensorRange{id, 1}; }

/// Appends the ops of one step in execution order. Lifetimes follow from the ops alone: a tensor is resident
/// from the first op that names it to the last one. So freeing early is a matter of not naming a tensor
/// again, and a backend that frees after the last use has the same curve.
class Planner {
public:
    Planner(const RunConfig& config, const BackendTraits& traits, RecomputeSchedule schedule,
            Bytes sharedScratch)
        : m_sharedScratch(sharedScratch),
          m_schedule(std::move(schedule)),
          m_depth(static_cast<std::int32_t>(config.layers)),
          m_rows(config.microBatchSize()),
          m_products(config) {
        m_plan.config = config;
        m_plan.traits = traits;
        m_plan.samples = config.batch;
        m_plan.productDtype = config.computeDtype();
        m_relu = config.activation == Activation::Relu;
        m_casts = config.precision != Precision::Fp32 && traits.castsProducts;
        const bool fp8 = config.precision == Precision::Fp8;
        m_masks = m_relu && traits.reluMasks && !fp8;
        m_castsFp8Results = fp8 && traits.castsFp8Results;
        m_transposesFp8 = fp8 && traits.transposesFp8;
        m_libraryColumns = libraryScratchFloats(config, traits);
        reserve();
    }

    /// Errors: BadInput when the tensors are larger than 63 bits count, Internal for an op that names more
    /// than it has room for and for a tensor that no op names.
    Result<StepPlan> build() && {
        addParameters();
        addPass(0, 1);
        if (m_plan.config.microBatches() > 1)
            addPass(1, m_plan.config.microBatches() - 1);
        else
            m_plan.passBegin[1] = m_plan.passEnd[1] = m_plan.passEnd[0];
        addOptimizer();
        const auto end = static_cast<std::int32_t>(m_plan.ops.size());
        Bytes sum = 0;
        for (Tensor& each : m_plan.tensors) {
            if (each.persistent()) each.lastOp = end;
            if (each.firstOp == kNotYetNamed) m_isBroken = true;
            sum = addOrOverflow(sum, each.bytes());
        }
        if (m_isBroken)
            return Error{ErrorCode::Internal, "the plan of the step is broken",
                         "please report it with its options"};
        if (sum < 0)
            return Error{ErrorCode::BadInput,
                         "one step has more bytes of tensors and scratch than 63 bits hold",
                         "make dim, layers or batch smaller"};
        return std::move(m_plan);
    }

private:
    Tensor& tensor(TensorId id) { return m_plan.tensor(id); }
    [[nodiscard]] std::int64_t dim() const { return m_plan.config.dim; }
    [[nodiscard]] std::int64_t outputs() const { return m_plan.config.outputWidth(); }

    /// Room for the largest plan of this depth, so that building one never moves what is there.
    void reserve() {
        constexpr std::size_t kOpsPerLayer = 4;      // forward, recompute, two gradients
        constexpr std::size_t kTensorsPerLayer = 6;  // h, h again, a mask of each, chain buffer, g
        constexpr std::size_t kControlTensors = 7;
        const std::size_t passes = m_plan.config.microBatches() > 1 ? 2 : 1;
        const auto layers = static_cast<std::size_t>(m_depth) + 2;
        const std::size_t scratchPerOp =
            (m_casts || m_castsFp8Results || m_transposesFp8 ? 3U : 0U) + (m_libraryColumns > 0 ? 1U : 0U);
        m_plan.ops.reserve(passes * kOpsPerLayer * layers);
        m_plan.tensors.reserve(layers * (6 + passes * (kTensorsPerLayer + kOpsPerLayer * scratchPerOp)) +
                               kControlTensors);
    }

    TensorId addTensor(TensorRole role, Category category, Dtype dtype, std::int32_t layer, std::int64_t rows,
                       std::int64_t columns) {
        const auto id = static_cast<TensorId>(m_plan.tensors.size());
        Tensor& added = m_plan.tensors.emplace_back();
        added.role = role;
        added.category = category;
        added.dtype = dtype;
        added.layer = layer;
        added.rows = rows;
        added.columns = columns;
        added.firstOp = kNotYetNamed;
        return id;
    }

    TensorId addActivation(std::int32_t layer) {
        return addTensor(TensorRole::Activation, Category::Activations, m_plan.config.activationDtype(),
                         layer, m_rows, dim());
    }
    /// What the backward pass of the layer above reads instead of h_layer.
    TensorId addMask(std::int32_t layer) {
        const TensorId mask = addTensor(TensorRole::ReluMask, Category::Activations, Dtype::Fp32, layer,
                                        m_rows, (dim() + 127) / 128 * 4);
        m_maskOf[static_cast<std::size_t>(layer)] = mask;
        return mask;
    }
    [[nodiscard]] bool needsMask(std::int32_t layer) const { return m_masks && layer < m_depth; }
    TensorId addActivationGradient(std::int32_t layer) {
        return addTensor(TensorRole::ActivationGradient, Category::ActivationGradients,
                         m_plan.config.activationGradientDtype(), layer, m_rows, dim());
    }

    /// One tensor per parameter matrix, layers first, then the head.
    TensorRange addPerMatrix(TensorRole role, Category category, Dtype dtype, bool persistent) {
        const auto matrices = static_cast<std::int32_t>(m_plan.config.matrices());
        const TensorRange range{static_cast<TensorId>(m_plan.tensors.size()), matrices};
        for (std::int32_t layer = 1; layer <= matrices; ++layer) {
            const TensorId id =
                addTensor(role, category, dtype, layer, dim(), m_plan.config.columnsOf(layer));
            if (persistent) tensor(id).firstOp = -1;
        }
        return range;
    }

    /// The weights of the layers once more, as a forward product reads them.
    void addTransposedWeights() {
        m_transposed = TensorRange{static_cast<TensorId>(m_plan.tensors.size()), m_depth};
        for (std::int32_t layer = 1; layer <= m_depth; ++layer) {
            const TensorId id = addTensor(TensorRole::TransposedWeight, Category::Workspace,
                                          m_plan.config.weightDtype(), layer, dim(), dim());
            tensor(id).firstOp = -1;
        }
    }

    /// The rule's states: of the matrix' shape, or with one entry per row or column.
    void addStates() {
        constexpr std::array kRoles{TensorRole::Moment1, TensorRole::Moment2, TensorRole::Moment3};
        const OptimizerStates states = optimizerStates(m_plan.config);
        for (std::size_t i = 0; i < states.count; ++i) {
            m_moments[i] = addPerMatrix(kRoles[i], Category::OptimizerState, Dtype::Fp32, true);
            for (std::int32_t matrix = 0; matrix < m_moments[i].count; ++matrix) {
                Tensor& state = tensor(m_moments[i].first + matrix);
                if (states.kind[i] == OptimizerState::RowMeanSquare) state.columns = 1;
                if (states.kind[i] == OptimizerState::ColumnMeanSquare) state.rows = 1;
            }
        }
    }

    TensorId addControl(TensorRole role, Category category, Dtype dtype, std::int64_t rows,
                        std::int64_t columns) {
        const TensorId id = addTensor(role, category, dtype, 0, rows, columns);
        tensor(id).firstOp = -1;
        return id;
    }

    void addParameters() {
        const RunConfig& config = m_plan.config;
        m_weights = addPerMatrix(TensorRole::Weight, Category::Parameters, config.weightDtype(), true);
        if (m_transposesFp8) addTransposedWeights();
        if (config.hasMasterCopy())
            m_masters = addPerMatrix(TensorRole::Master, Category::MasterParameters, Dtype::Fp32, true);
        addStates();
        const std::int64_t slots = statisticsSlots(config);
        m_plan.statistics =
            addControl(TensorRole::Statistics, Category::Workspace, Dtype::Fp64, slots, kStatisticCount);
        if (config.scalesLoss())
            m_plan.lossScale =
                addControl(TensorRole::LossScale, Category::Workspace, Dtype::Fp64, 1, kLossScaleColumns);
        if (config.precision == Precision::Fp8)
            m_plan.scales =
                addControl(TensorRole::Scales, Category::Workspace, Dtype::Fp32, slots, kScalesColumns);
        if (config.readsFiles())
            m_plan.staging = addControl(TensorRole::Staging, Category::Data, Dtype::Fp32, 2 * m_rows,
                                        config.dim + outputs());
        if (m_plan.traits.replaysSteps)
            m_plan.stepControl = addControl(TensorRole::StepControl, Category::Workspace, Dtype::Fp64, 1,
                                            stepControlColumns(config).count);
        if (m_sharedScratch > 0)
            m_plan.sharedScratch = addControl(TensorRole::SharedScratch, Category::Workspace, Dtype::Fp32, 1,
                                              m_sharedScratch / 4 + (m_sharedScratch % 4 > 0 ? 1 : 0));
        m_gradients =
            addPerMatrix(TensorRole::Gradient, Category::Gradients, config.parameterGradientDtype(), false);
        m_loss = addTensor(TensorRole::Loss, Category::Workspace, Dtype::Fp64, 0, 1, kLossColumns);
        m_plan.loss = m_loss;
    }

    [[nodiscard]] TensorRange weight(std::int32_t layer) const { return one(m_weights.first + layer - 1); }
    /// As the forward products of `count` layers from `layer` on read them.
    [[nodiscard]] TensorRange weightsForward(std::int32_t layer, std::int32_t count) const {
        return {(m_transposesFp8 ? m_transposed.first : m_weights.first) + layer - 1, count};
    }
    [[nodiscard]] TensorRange gradient(std::int32_t layer) const {
        return one(m_gradients.first + layer - 1);
    }

    /// Ops are made in their place and finished there: a plan has thousands of them.
    Op& newOp(OpKind kind, Phase phase, std::int32_t layer) {
        Op& op = m_plan.ops.emplace_back();
        op.kind = kind;
        op.phase = phase;
        op.layer = layer;
        op.pass = m_pass;
        op.executions = m_executions;
        op.batchRows = m_rows;
        op.in = dim();
        op.isHead = layer > m_depth;
        op.out = op.isHead ? outputs() : dim();
        return op;
    }

    /// Puts a range behind those that the op names already.
    template <std::size_t kCount>
    void append(std::array<TensorRange, kCount>& ranges, TensorRange range) {
        const auto place = std::ranges::find(ranges, 0, &TensorRange::count);
        if (place != ranges.end())
            *place = range;
        else
            m_isBroken = true;
    }

    /// Names the tensors of the next op: the only place where lifetimes are made.
    void use(const TensorRange& range, std::int32_t opIndex) {
        if (tensor(range.first).persistent())
            return;  // ranges are of one role, so the first tensor speaks for all
        for (std::int32_t i = 0; i < range.count; ++i) {
            Tensor& used = tensor(range.first + i);
            used.firstOp = std::min(used.firstOp, opIndex);
            used.lastOp = opIndex;
        }
    }

    /// Finishes the op that newOp() made last.
    void finish() {
        Op& op = m_plan.ops.back();
        const auto index = static_cast<std::int32_t>(m_plan.ops.size()) - 1;
        const auto useAll = [&](const auto& ranges) {
            for (const TensorRange& range : ranges) {
                if (range.count == 0) break;
                use(range, index);
            }
        };
        useAll(op.reads);
        useAll(op.writes);
        useAll(op.scratch);
        setCosts(op, m_plan, m_products);
        m_plan.matmulFlops += op.matmulFlops;
        m_plan.recomputedFlops += op.phase == Phase::Recompute ? op.matmulFlops : 0;
        m_plan.flops += op.flops;
        m_plan.bytes += op.bytes;
    }

    /// Scratch of a D x D product whose second operand and result have these row counts; the first is [b, D].
    /// A result that is fp32 needs no copy.
    void addScratch(Op& op, std::int64_t rowsB, std::int64_t rowsResult, Dtype result) {
        const auto add = [&](TensorRole role, Dtype dtype, std::int64_t rows, std::int64_t columns) {
            append(op.scratch, one(addTensor(role, Category::Workspace, dtype, op.layer, rows, columns)));
        };
        if (m_casts) {
            add(TensorRole::CastA, Dtype::Fp32, m_rows, dim());
            add(TensorRole::CastB, Dtype::Fp32, rowsB, dim());
            if (result != Dtype::Fp32) add(TensorRole::CastResult, Dtype::Fp32, rowsResult, dim());
        }
        if (m_transposesFp8 && op.kind == OpKind::WeightGradient) {
            add(TensorRole::CastA, m_plan.config.activationDtype(), dim(), m_rows);
            add(TensorRole::CastB, m_plan.config.activationGradientDtype(), dim(), m_rows);
        }
        if (m_castsFp8Results && dtypeSize(result) == 1)
            add(TensorRole::CastResult, Dtype::Bf16, rowsResult, dim());
        if (m_libraryColumns > 0) add(TensorRole::LibraryScratch, Dtype::Fp32, 1, m_libraryColumns);
    }

    void addPass(std::int32_t pass, std::int64_t executions) {
        m_pass = pass;
        m_executions = executions;
        const auto at = static_cast<std::size_t>(pass);
        m_plan.passBegin[at] = static_cast<std::int32_t>(m_plan.ops.size());
        m_kept.assign(static_cast<std::size_t>(m_depth) + 1, kNone);
        m_maskOf.assign(static_cast<std::size_t>(m_depth) + 1, kNone);
        m_features = addTensor(TensorRole::Features, Category::Data, m_plan.config.activationDtype(), 0,
                               m_rows, dim());
        m_kept[0] = m_features;
        addForward();
        addBackward(!m_plan.config.head                       ? addLossOfChain()
                    : fusesHead(m_plan.config, m_plan.traits) ? addHeadPass()
                                                              : addHeadAndLoss());
        m_plan.passEnd[at] = static_cast<std::int32_t>(m_plan.ops.size());
    }

    /// Loads the batch and appends the layers' products. Leaves in m_kept what the backward pass finds.
    void addForward() {
        m_targets = addTensor(TensorRole::Targets, Category::Data, Dtype::Fp32, 0, m_rows, outputs());
        Op& load = newOp(OpKind::LoadBatch, Phase::Data, 0);
        load.out = outputs();
        load.writes = {one(m_features), one(m_targets)};
        finish();

        TensorId input = m_features;
        for (std::int32_t layer = 1; layer <= m_depth; ++layer) {
            const TensorId output = addActivation(layer);
            Op& op = newOp(OpKind::LayerForward, Phase::Forward, layer);
            op.fusedActivation = m_relu;
            op.reads = {one(input), weightsForward(layer, 1)};
            op.writes = {one(output)};
            const bool keeps = m_schedule.keeps[static_cast<std::size_t>(layer)];
            if (keeps && needsMask(layer)) append(op.writes, one(addMask(layer)));
            addScratch(op, dim(), m_rows, m_plan.config.activationDtype());
            finish();
            if (keeps) m_kept[static_cast<std::size_t>(layer)] = output;
            input = output;
        }
    }

    /// Returns g_L; without a head h_L is the output, which holds the mask of its ReLU already.
    TensorId addLossOfChain() {
        const TensorRange last = one(m_kept[static_cast<std::size_t>(m_depth)]);
        const TensorId gradient = addActivationGradient(m_depth);
        Op& loss = newOp(OpKind::LossGradient, Phase::Loss, 0);
        loss.accumulates = m_pass > 0;
        loss.fusedActivation = m_relu;
        loss.reads = {last, one(m_targets)};
        if (loss.accumulates) loss.reads[2] = one(m_loss);
        loss.writes = {one(gradient), one(m_loss)};
        finish();
        return gradient;
    }

    /// Head, loss and the head's gradients; returns g_L, which nobody reads where there are no layers.
    TensorId addHeadAndLoss() {
        const std::int32_t head = m_depth + 1;
        const TensorRange last = one(m_kept[static_cast<std::size_t>(m_depth)]);
        const TensorId y =
            addTensor(TensorRole::HeadOutput, Category::Workspace, Dtype::Fp32, head, m_rows, outputs());
        Op& forward = newOp(OpKind::HeadForward, Phase::Forward, head);
        forward.reads = {last, weight(head)};
        forward.writes = {one(y)};
        finish();

        const TensorId dy = addTensor(TensorRole::HeadGradient, Category::Workspace,
                                      m_plan.config.activationGradientDtype(), head, m_rows, outputs());
        Op& loss = newOp(OpKind::LossGradient, Phase::Loss, 0);
        loss.out = outputs();
        loss.accumulates = m_pass > 0;
        loss.reads = {one(y), one(m_targets)};
        if (loss.accumulates) loss.reads[2] = one(m_loss);
        loss.writes = {one(dy), one(m_loss)};
        finish();

        addWeightGradient(head, last, one(dy));
        return m_depth > 0 ? addInputGradient(head, last, one(dy)) : kNone;
    }

    /// The same as one op.
    TensorId addHeadPass() {
        const std::int32_t head = m_depth + 1;
        Op& op = newOp(OpKind::HeadPass, Phase::Loss, head);
        op.accumulates = m_pass > 0;
        op.fusedActivation = m_relu && m_depth > 0;
        op.reads = {one(m_kept[static_cast<std::size_t>(m_depth)]), weight(head), one(m_targets)};
        if (op.accumulates) {
            append(op.reads, one(m_loss));
            append(op.reads, gradient(head));
        }
        const TensorId y =
            addTensor(TensorRole::HeadOutput, Category::Workspace, Dtype::Fp32, head, m_rows, outputs());
        const TensorId dy = addTensor(TensorRole::HeadGradient, Category::Workspace,
                                      m_plan.config.activationGradientDtype(), head, m_rows, outputs());
        op.writes = {gradient(head), one(m_loss), one(y), one(dy)};
        const TensorId inputGradient = m_depth > 0 ? addActivationGradient(m_depth) : kNone;
        if (inputGradient != kNone) append(op.writes, one(inputGradient));
        finish();
        return inputGradient;
    }

    void addWeightGradient(std::int32_t layer, TensorRange input, TensorRange outputGradient) {
        Op& op = newOp(OpKind::WeightGradient, Phase::Backward, layer);
        op.accumulates = m_pass > 0;
        op.reads = {input, outputGradient};
        if (op.accumulates) op.reads[2] = gradient(layer);
        op.writes = {gradient(layer)};
        if (!op.isHead) addScratch(op, m_rows, dim(), m_plan.config.parameterGradientDtype());
        finish();
    }

    /// Returns the gradient of the layer below. `input` is what `layer` read, and holds the mask of a ReLU.
    TensorId addInputGradient(std::int32_t layer, TensorRange input, TensorRange outputGradient) {
        const TensorId inputGradient = addActivationGradient(layer - 1);
        Op& op = newOp(OpKind::InputGradient, Phase::Backward, layer);
        op.fusedActivation = m_relu;
        op.reads = {outputGradient, weight(layer)};
        const TensorId mask = m_maskOf[static_cast<std::size_t>(layer) - 1];
        if (m_relu) op.reads[2] = mask != kNone ? one(mask) : input;
        op.writes = {one(inputGradient)};
        if (!op.isHead) addScratch(op, dim(), m_rows, m_plan.config.activationGradientDtype());
        finish();
        return inputGradient;
    }

    void addBackward(TensorId gradientOfLast) {
        TensorId outputGradient = gradientOfLast;
        for (std::int32_t layer = m_depth; layer >= 1; --layer) {
            const auto at = static_cast<std::size_t>(layer);
            for (std::int32_t i = m_schedule.firstStretch[at + 1]; i < m_schedule.firstStretch[at]; ++i) {
                const RecomputeStretch& stretch = m_schedule.stretches[static_cast<std::size_t>(i)];
                m_kept[static_cast<std::size_t>(stretch.to)] = addChain(stretch.from, stretch.to);
            }
            const TensorRange input = one(m_kept[at - 1]);
            addWeightGradient(layer, input, one(outputGradient));
            // The gradient of x has no reader.
            if (layer > 1) outputGradient = addInputGradient(layer, input, one(outputGradient));
        }
    }

    /// Layers start+1..layer in a row; returns h_layer.
    TensorId addChain(std::int32_t start, std::int32_t layer) {
        const TensorId output = addActivation(layer);
        Op& op = newOp(OpKind::RecomputeChain, Phase::Recompute, layer);
        op.fusedActivation = m_relu;
        op.repeat = layer - start;
        op.reads = {one(m_kept[static_cast<std::size_t>(start)]), weightsForward(start + 1, op.repeat)};
        op.writes = {one(output)};
        if (op.repeat >= 2)
            append(op.writes, one(addTensor(TensorRole::ChainBuffer, Category::Activations,
                                            m_plan.config.activationDtype(), layer, m_rows, dim())));
        if (needsMask(layer)) append(op.writes, one(addMask(layer)));
        addScratch(op, dim(), m_rows, m_plan.config.activationDtype());
        finish();
        return output;
    }

    void addOptimizer() {
        const auto addOp = [this](OpKind kind) -> Op& {
            Op& op = m_plan.ops.emplace_back();
            op.kind = kind;
            op.phase = Phase::Optimizer;
            return op;
        };
        const auto fill = [this](auto& ranges, std::initializer_list<TensorRange> candidates) {
            for (const TensorRange& range : candidates)
                if (range.count > 0) append(ranges, range);
        };
        if (m_plan.config.clipNorm > 0) {
            fill(addOp(OpKind::GradientNorm).reads, {m_gradients, one(m_loss)});
            finish();
        }
        Op& op = addOp(OpKind::OptimizerStep);
        const TensorRange updated = m_masters.count > 0 ? m_masters : m_weights;
        fill(op.reads, {m_gradients, updated, m_moments[0], m_moments[1], m_moments[2], one(m_loss)});
        fill(op.writes, {m_weights, m_masters, m_moments[0], m_moments[1], m_moments[2], m_transposed});
        finish();
    }

    static constexpr std::int32_t kNotYetNamed = INT32_MAX;

    StepPlan m_plan;
    bool m_isBroken = false;  ///< a mistake of ours: more ranges than an op has room for
    Bytes m_sharedScratch;
    RecomputeSchedule m_schedule;
    std::int32_t m_depth;
    std::int64_t m_rows;
    ProductFlops m_products;
    bool m_relu = false;
    bool m_casts = false;
    bool m_masks = false;
    bool m_castsFp8Results = false;
    bool m_transposesFp8 = false;
    std::int64_t m_libraryColumns = 0;

    TensorRange m_weights;
    TensorRange m_transposed;
    TensorRange m_masters;
    std::array<TensorRange, 3> m_moments{};
    TensorRange m_gradients;
    TensorId m_loss = kNone;

    // Index of the pass that is being appended.
    std::int32_t m_pass = 0;
    std::int64_t m_executions = 1;
    TensorId m_features = kNone;
    TensorId m_targets = kNone;
    std::vector<TensorId> m_maskOf;  ///< of h_l, by l; kNone: the backward pass reads h_l itself
    std::vector<TensorId> m_kept;    ///< h_l that the backward pass can read, by l; kNone: to be recomputed
};

}  // namespace

Result<StepPlan> planStep(const RunConfig& config, const BackendTraits& traits) {
    PLUMB_CHECK(validate(config));
    PLUMB_CHECK(checkTraits(traits));
    PLUMB_CHECK(checkFp8Shape(config, traits));
    PLUMB_TRY(RecomputeSchedule schedule, recomputeSchedule(config, traits));
    PLUMB_TRY(const SharedScratch shared, sharedScratch(config, traits));
    return Planner(config, traits, std::move(schedule), shared.all()).build();
}

}  // namespace plumb

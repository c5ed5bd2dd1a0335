// SPDX-License-Identifier: Apache-2.0
#include "core/plan/library_scratch.h"
#include "core/plan/op_cost.h"
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
    Planner(const RunConfig& config, const BackendTraits& traits)
        : m_depth(static_cast<std::int32_t>(config.layers)),
          m_rows(config.microBatchSize()),
          m_products(config) {
        m_plan.config = config;
        m_plan.traits = traits;
        m_relu = config.activation == Activation::Relu;
        m_casts = config.precision == Precision::Bf16 && traits.castsBf16Products;
        m_libraryColumns = libraryScratchFloats(config, traits);
        reserve();
    }

    StepPlan build() && {
        addParameters();
        addPass(0, 1);
        if (m_plan.config.microBatches() > 1)
            addPass(1, m_plan.config.microBatches() - 1);
        else
            m_plan.passBegin[1] = m_plan.passEnd[1] = m_plan.passEnd[0];
        addOptimizer();
        const auto end = static_cast<std::int32_t>(m_plan.ops.size());
        for (TensorId id = 0; id < m_gradients.first; ++id) tensor(id).lastOp = end;
        return std::move(m_plan);
    }

private:
    Tensor& tensor(TensorId id) { return m_plan.tensors[static_cast<std::size_t>(id)]; }
    [[nodiscard]] std::int64_t dim() const { return m_plan.config.dim; }
    [[nodiscard]] std::int64_t outputs() const { return m_plan.config.outputs; }
    [[nodiscard]] Dtype compute() const { return m_plan.config.computeDtype(); }

    /// Room for the largest plan of this depth, so that building one never moves what is there.
    void reserve() {
        constexpr std::size_t kOpsPerLayer = 4;      // forward, recompute, two gradients
        constexpr std::size_t kTensorsPerLayer = 4;  // h, h again, chain buffer, g
        const std::size_t passes = m_plan.config.microBatches() > 1 ? 2 : 1;
        const auto layers = static_cast<std::size_t>(m_depth) + 2;
        const std::size_t scratchPerOp = (m_casts ? 3U : 0U) + (m_libraryColumns > 0 ? 1U : 0U);
        m_plan.ops.reserve(passes * kOpsPerLayer * layers);
        m_plan.tensors.reserve(layers * (5 + passes * (kTensorsPerLayer + kOpsPerLayer * scratchPerOp)));
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
        return addTensor(TensorRole::Activation, Category::Activations, compute(), layer, m_rows, dim());
    }
    TensorId addActivationGradient(std::int32_t layer) {
        return addTensor(TensorRole::ActivationGradient, Category::ActivationGradients, compute(), layer,
                         m_rows, dim());
    }

    /// One tensor per parameter matrix, layers first, then the head.
    TensorRange addPerMatrix(TensorRole role, Category category, Dtype dtype, bool persistent) {
        const TensorRange range{static_cast<TensorId>(m_plan.tensors.size()), m_depth + 1};
        for (std::int32_t layer = 1; layer <= m_depth + 1; ++layer) {
            const TensorId id =
                addTensor(role, category, dtype, layer, dim(), layer > m_depth ? outputs() : dim());
            if (persistent) tensor(id).firstOp = -1;
        }
        return range;
    }

    void addParameters() {
        const RunConfig& config = m_plan.config;
        m_weights = addPerMatrix(TensorRole::Weight, Category::Parameters, compute(), true);
        if (config.hasMasterCopy())
            m_masters = addPerMatrix(TensorRole::Master, Category::MasterParameters, Dtype::Fp32, true);
        if (config.optimizer != Optimizer::Sgd)
            m_moments1 = addPerMatrix(TensorRole::Moment1, Category::OptimizerState, Dtype::Fp32, true);
        if (config.optimizer == Optimizer::AdamW)
            m_moments2 = addPerMatrix(TensorRole::Moment2, Category::OptimizerState, Dtype::Fp32, true);
        m_gradients = addPerMatrix(TensorRole::Gradient, Category::Gradients, compute(), false);
        m_loss = addTensor(TensorRole::Loss, Category::Workspace, Dtype::Fp64, 0, 1, 1);
    }

    [[nodiscard]] TensorRange weight(std::int32_t layer) const { return one(m_weights.first + layer - 1); }
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

    /// Of the op that newOp() made last.
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
    void addScratch(Op& op, std::int64_t rowsB, std::int64_t rowsResult) {
        if (m_casts) {
            op.scratch[0] = one(addScratchTensor(TensorRole::CastA, op.layer, m_rows, dim()));
            op.scratch[1] = one(addScratchTensor(TensorRole::CastB, op.layer, rowsB, dim()));
            op.scratch[2] = one(addScratchTensor(TensorRole::CastResult, op.layer, rowsResult, dim()));
        }
        if (m_libraryColumns > 0)
            op.scratch[m_casts ? 3 : 0] =
                one(addScratchTensor(TensorRole::LibraryScratch, op.layer, 1, m_libraryColumns));
    }
    TensorId addScratchTensor(TensorRole role, std::int32_t layer, std::int64_t rows, std::int64_t columns) {
        return addTensor(role, Category::Workspace, Dtype::Fp32, layer, rows, columns);
    }

    void addPass(std::int32_t pass, std::int64_t executions) {
        m_pass = pass;
        m_executions = executions;
        const auto at = static_cast<std::size_t>(pass);
        m_plan.passBegin[at] = static_cast<std::int32_t>(m_plan.ops.size());
        m_kept.assign(static_cast<std::size_t>(m_depth) + 1, kNone);
        m_features = addTensor(TensorRole::Features, Category::Data, compute(), 0, m_rows, dim());
        m_kept[0] = m_features;
        addForward();
        addBackward(addHeadAndLoss());
        m_plan.passEnd[at] = static_cast<std::int32_t>(m_plan.ops.size());
    }

    /// Whether h_layer stays after the forward pass for the backward pass to read.
    [[nodiscard]] bool keeps(std::int32_t layer) const {
        const CheckpointPolicy& policy = m_plan.config.checkpoint;
        switch (policy.kind) {
        case CheckpointPolicy::Kind::All:
            return true;
        case CheckpointPolicy::Kind::None:
            return layer == m_depth;
        case CheckpointPolicy::Kind::Every:
            return layer % policy.interval == 0 || layer > lastSegmentStart();
        }
        return true;
    }
    /// Layers before the last segment of `every k`, which needs no recomputation.
    [[nodiscard]] std::int64_t lastSegmentStart() const {
        const std::int64_t interval = m_plan.config.checkpoint.interval;
        return (m_depth - 1) / interval * interval;
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
            op.reads = {one(input), weight(layer)};
            op.writes = {one(output)};
            addScratch(op, dim(), m_rows);
            finish();
            if (keeps(layer)) m_kept[static_cast<std::size_t>(layer)] = output;
            input = output;
        }
    }

    /// Head, loss and the head's gradients; returns g_L.
    TensorId addHeadAndLoss() {
        const std::int32_t head = m_depth + 1;
        const TensorRange last = one(m_kept[static_cast<std::size_t>(m_depth)]);
        const TensorId y =
            addTensor(TensorRole::HeadOutput, Category::Workspace, Dtype::Fp32, head, m_rows, outputs());
        Op& forward = newOp(OpKind::HeadForward, Phase::Forward, head);
        forward.reads = {last, weight(head)};
        forward.writes = {one(y)};
        finish();

        const TensorId dy =
            addTensor(TensorRole::HeadGradient, Category::Workspace, compute(), head, m_rows, outputs());
        Op& loss = newOp(OpKind::LossGradient, Phase::Loss, 0);
        loss.out = outputs();
        loss.accumulates = m_pass > 0;
        loss.reads = {one(y), one(m_targets)};
        if (loss.accumulates) loss.reads[2] = one(m_loss);
        loss.writes = {one(dy), one(m_loss)};
        finish();

        addWeightGradient(head, last, one(dy));
        return addInputGradient(head, last, one(dy));
    }

    void addWeightGradient(std::int32_t layer, TensorRange input, TensorRange outputGradient) {
        Op& op = newOp(OpKind::WeightGradient, Phase::Backward, layer);
        op.accumulates = m_pass > 0;
        op.reads = {input, outputGradient};
        if (op.accumulates) op.reads[2] = gradient(layer);
        op.writes = {gradient(layer)};
        if (!op.isHead) addScratch(op, m_rows, dim());
        finish();
    }

    /// Returns the gradient of the layer below. `input` is what `layer` read, and holds the mask of a ReLU.
    TensorId addInputGradient(std::int32_t layer, TensorRange input, TensorRange outputGradient) {
        const TensorId inputGradient = addActivationGradient(layer - 1);
        Op& op = newOp(OpKind::InputGradient, Phase::Backward, layer);
        op.fusedActivation = m_relu;
        op.reads = {outputGradient, weight(layer)};
        if (m_relu) op.reads[2] = input;
        op.writes = {one(inputGradient)};
        if (!op.isHead) addScratch(op, dim(), m_rows);
        finish();
        return inputGradient;
    }

    void addBackward(TensorId gradientOfLast) {
        TensorId outputGradient = gradientOfLast;
        for (std::int32_t layer = m_depth; layer >= 1; --layer) {
            if (m_kept[static_cast<std::size_t>(layer) - 1] == kNone) addRecompute(layer - 1);
            const TensorRange input = one(m_kept[static_cast<std::size_t>(layer) - 1]);
            addWeightGradient(layer, input, one(outputGradient));
            // The gradient of x has no reader.
            if (layer > 1) outputGradient = addInputGradient(layer, input, one(outputGradient));
        }
    }

    /// Makes h_layer (and with `every k` all of its segment before it) again.
    void addRecompute(std::int32_t layer) {
        if (m_plan.config.checkpoint.kind == CheckpointPolicy::Kind::None) {
            m_kept[static_cast<std::size_t>(layer)] = addChain(0, layer);
            return;
        }
        std::int32_t start = layer;
        while (m_kept[static_cast<std::size_t>(start)] == kNone) --start;
        for (std::int32_t next = start + 1; next <= layer; ++next)
            m_kept[static_cast<std::size_t>(next)] = addChain(next - 1, next);
    }

    /// Layers start+1..layer in a row; returns h_layer.
    TensorId addChain(std::int32_t start, std::int32_t layer) {
        const TensorId output = addActivation(layer);
        Op& op = newOp(OpKind::RecomputeChain, Phase::Recompute, layer);
        op.fusedActivation = m_relu;
        op.repeat = layer - start;
        op.reads = {one(m_kept[static_cast<std::size_t>(start)]),
                    TensorRange{m_weights.first + start, op.repeat}};
        op.writes = {one(output)};
        if (op.repeat >= 2)
            op.writes[1] = one(
                addTensor(TensorRole::ChainBuffer, Category::Activations, compute(), layer, m_rows, dim()));
        addScratch(op, dim(), m_rows);
        finish();
        return output;
    }

    void addOptimizer() {
        Op& op = m_plan.ops.emplace_back();
        op.kind = OpKind::OptimizerStep;
        op.phase = Phase::Optimizer;
        const auto add = [](auto& ranges, std::initializer_list<TensorRange> candidates) {
            std::size_t count = 0;
            for (const TensorRange& range : candidates) {
                if (range.count > 0) ranges[count++] = range;
            }
        };
        add(op.reads,
            {m_gradients, m_masters.count > 0 ? m_masters : m_weights, m_moments1, m_moments2, one(m_loss)});
        add(op.writes, {m_weights, m_masters, m_moments1, m_moments2});
        finish();
    }

    static constexpr std::int32_t kNotYetNamed = INT32_MAX;

    StepPlan m_plan;
    std::int32_t m_depth;
    std::int64_t m_rows;
    ProductFlops m_products;
    bool m_relu = false;
    bool m_casts = false;
    std::int64_t m_libraryColumns = 0;

    TensorRange m_weights;
    TensorRange m_masters;
    TensorRange m_moments1;
    TensorRange m_moments2;
    TensorRange m_gradients;
    TensorId m_loss = kNone;

    // Of the pass that is being appended.
    std::int32_t m_pass = 0;
    std::int64_t m_executions = 1;
    TensorId m_features = kNone;
    TensorId m_targets = kNone;
    std::vector<TensorId> m_kept;  ///< h_l that the backward pass can read, by l; kNone: to be recomputed
};

}  // namespace

Result<StepPlan> planStep(const RunConfig& config, const BackendTraits& traits) {
    PLUMB_CHECK(validate(config));
    PLUMB_CHECK(checkTraits(traits));
    return Planner(config, traits).build();
}

}  // namespace plumb

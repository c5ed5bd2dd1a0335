// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/entry_at.h"
#include "core/base/enum_names.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/model/matrix_part.h"
#include "core/model/run_config.h"
#include "core/plan/optimizer_rule.h"
#include "core/plan/step.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

enum class OpKind : std::uint8_t {
    LoadBatch,       ///< fills x and t of the next micro-batch; none where the batch stays
    LayerForward,    ///< h_l = act(h_{l-1} W_l)
    HeadForward,     ///< y = h_L W_head
    LossGradient,    ///< loss += sum (y-t)^2 / (B K) and dy = 2 (y-t) / (B K), one pass
    HeadPass,        ///< y, loss, dy, the gradient of the head's weights and g_L, in one pass over h_L
    WeightGradient,  ///< dW_l (+)= h_{l-1}^T g_l; the head's too
    InputGradient,   ///< g_{l-1} = (g_l W_l^T) masked by act'(h_{l-1}); the head's writes g_L
    RecomputeChain,  ///< h_n again from an earlier h: `repeat` layers in a row, at most two alive at once
    Activation,      ///< the ReLU of a layer, in place, where ranks make a sum of its product first
    GradientNorm,    ///< sum of squares of all gradients, where they are clipped by their norm
    AllReduce,       ///< what ranks have of a sum (gradients, loss, products of matrices that they divide) or
                     ///< of amaxes becomes one, the same on all
    ReduceScatter,   ///< the same of gradients, and each rank has its own slice of it
    AllGather,       ///< of weights, of which each rank has its own slice, all on every rank
    OptimizerStep,   ///< all parameters in one pass
};

/// The named-dimension expression of a matrix product op; empty view for element-wise ops. The two backward
/// expressions are *derived* from the forward one by Einsum::backward(), once.
[[nodiscard]] std::string_view einsumText(OpKind kind);

/// Whether a branch beside the rest is what the op runs in, where steps have one (BackendTraits::sideBranch):
/// little waits for the gradient of a weight.
[[nodiscard]] constexpr bool runsBeside(OpKind kind) { return kind == OpKind::WeightGradient; }

/// What a tensor is, so that its name and its look-up are derived and never stored as text.
enum class TensorRole : std::uint8_t {
    Weight,  // this and what follows of it may be the own slice alone, [1, shard] (core/plan/shards.h), or a
             // part of rows or columns (core/model/matrix_part.h), with h and g as wide as that
    TransposedWeight,  // fp8: of a layer, for products that read it so; follows Weight at the end of a step
    Master,
    Moment1,  // the states of optimizerStates(), in its order
    Moment2,
    Moment3,
    Gradient,
    Features,
    Targets,             // x [b,D] and t [b,K]
    Activation,          // h_l [b,D]
    ChainBuffer,         // second buffer of a RecomputeChain
    ActivationGradient,  // g_l [b,D]
    HeadOutput,
    HeadGradient,  // y [b,K], dy [b,K]
    Loss,  // fp64 [1, 4]: loss, sums of squares of the gradients, of the updates and of the weights before
    Statistics,   // fp64 [statisticsSlots(), 4], see statisticsSlot(); control tensors from here on ...
    LossScale,    // fp64 [1, 6], fp16: scale, growth tracker, skipped, good steps, not finite in this step, -
    Scales,       // fp32 [statisticsSlots(), 17], fp8, by statisticsSlot(): scale, 16 amaxes by step
    Staging,      // fp32 [2 * b, D + K], data from a file: two micro-batches, one read, one being filled
    StepControl,  // fp64 [1, stepControlColumns()]: what changes while a device replays steps
    SharedScratch,  // scratch that all ops of a step use in turn, as BackendTraits declares
    ReluMask,  // a bit per element of h_l, as the matrix library lays it out: fp32 [b, ceil(D / 128) * 4]
    CastA,
    CastB,
    CastResult,
    LibraryScratch,  // scratch of one matrix product, as BackendTraits declares
    ExchangeBuffer,  // fp32 [1, bytes / 4]: where slices of other ranks wait to be reduced; of its layer
                     // where ranks divide matrices
    GatheredWeight,  // [in, out] of a layer, as long as products read it, where Weight is a slice
    WholeGradient,   // [in, out] of one micro-batch, until it was reduced, where Gradient is a slice
};

/// Index into optimizerStates() of Moment1 to Moment3.
[[nodiscard]] constexpr std::size_t stateIndex(TensorRole moment) {
    return static_cast<std::size_t>(moment) - static_cast<std::size_t>(TensorRole::Moment1);
}

struct Tensor : StepTensor {
    TensorRole role{};
    std::int32_t layer = 0;  ///< 1..L; L+1 is the head, where there is one; 0 where there is no layer
    std::int64_t rows = 0;   ///< shape [rows, columns]
    std::int64_t columns = 0;
    std::int64_t padding = 0;  ///< elements behind those, so that all ranks have equal slices

    [[nodiscard]] std::int64_t elements() const { return rows * columns; }
    [[nodiscard]] Bytes bytes() const { return (elements() + padding) * dtypeSize(dtype); }
};

/// One operation. Its matrix dimensions, tensors and repetition say all; costs are derived from them.
///
/// Operands (operands.h) says which place of `reads` and `writes` holds what. GradientNorm and OptimizerStep
/// name the loss because they add the step's norms to it; that counts as no traffic. Control tensors
/// (StepPlan::statistics, ...) are open to every op, are not named, and count as no traffic either.
struct Op : StepOp {
    OpKind kind{};
    /// WeightGradient, LossGradient, ReduceScatter of a later micro-batch: adds to what is there.
    bool accumulates = false;
    bool fusedActivation = false;  ///< forward ReLU or its backward mask folded into the product, or the loss
    bool isPartial = false;  ///< its result is this rank's part of a sum, which a collective makes whole
    bool isHead = false;     ///< product with the head's weights; its layer is L+1
    std::int32_t layer = 0;  ///< 1..L, L+1 for the head, 0 for none; RecomputeChain: the last layer it makes
    std::int32_t pass = 0;   ///< 0: first micro-batch; 1: the later ones, `executions` of them; optimizer 0
    RankAxis axis = RankAxis::Data;  ///< Traffic: the ranks along it take part
    /// Traffic: the op that waits for its end, until which all that it names stays; -1 while there is none.
    std::int32_t joinedBy = -1;
    bool joinedAfter = false;      ///< the wait comes after that op, the last of its pass or of the step
    std::int32_t forLayer = 0;     ///< of a recomputation link by link: the layer whose backward needs it
    std::int32_t firstColumn = 0;  ///< AllReduce of the loss: which of its columns ...
    std::int32_t columns = 0;      ///< ... and how many
    std::array<TensorRange, 6> reads{};  ///< unused entries have count 0, at the end
    std::array<TensorRange, 6> writes{};
    std::array<TensorRange, 4> scratch{};  ///< CastA, CastB, CastResult, LibraryScratch, those that there are
                                           ///< in this order without gaps; resident during this op only
};

/// What a backend does differently, as data: an input of planStep(), so that its steps are predicted
/// exactly without the device being there.
struct BackendTraits {
    std::string backend = "cpu";
    /// Operands of products that are not plain fp32, and results that are not fp32, go through fp32 copies in
    /// scratch (with tf32 the operands, rounded).
    bool castsProducts = true;
    Bytes libraryScratchBytes = 0;  ///< upper bound handed to the matrix library at each D x D product ...
    double libraryScratchPerByte =
        0;  ///< ... min(libraryScratchBytes, libraryScratchBase + this * operand bytes)
    Bytes libraryScratchBase = 0;
    /// Scratch that is there throughout, one for all ops in turn: that of the matrix library, and partial
    /// sums.
    Bytes sharedScratchBytes = 0;
    /// It is larger where partial sums of these need more: the gradient of the head's weights is summed in so
    /// many parts of the batch, and Adafactor's columns in parts of so many rows, all matrices at once. 0:
    /// they need none.
    std::int64_t headParts = 0;
    std::int64_t adafactorRows = 0;
    /// Head, loss and the gradients of both are one op (HeadPass) where the head has at most so many outputs.
    /// Its partial sums are in four times as many parts (headParts) over the outputs.
    std::int64_t fusedHeadOutputs = 0;
    /// A layer's forward product leaves a bit per element that says whether its ReLU let the number pass, and
    /// the product of the gradient below reads that instead of h. Not in fp8, nor of the last layer, since
    /// h_L is there for the head anyway.
    bool reluMasks = false;
    /// fp8 results go through a bf16 copy in scratch, because their scale has to be known before they are
    /// rounded.
    bool castsFp8Results = false;
    /// Products of fp8 read both operands along the dimension that they sum over, so that weights are kept
    /// transposed too, for the forward product, and both operands of a weight gradient are transposed into
    /// scratch first.
    bool transposesFp8 = false;
    /// What dim and the rows of a micro-batch must be multiples of in fp8.
    std::int64_t fp8Multiple = 1;
    bool lacksFp8 = false;  ///< there are no products of fp8 at all
    /// Collectives are exchanges (core/comm/exchange.h), whose scratch is the step's; else a library's own.
    bool exchanges = false;
    /// Steps are captured once and replayed: what changes between them lies in device memory.
    bool replaysSteps = false;
    /// In a step that is replayed the gradients of weights run in a branch beside the rest, as far as nobody
    /// waits for them; it has scratch of its own, as much as the shared one without Adafactor's part.
    bool sideBranch = false;
    /// The numbers of these formats are the format's own, but no unit of the processor computes in it: what
    /// is measured says nothing about the speed of the format.
    bool emulatesTf32 = false;
    bool emulatesFp8 = false;
    /// Products of bf16 are the processor's own although others are cast. The copies are planned all the
    /// same: what is tallied goes through them.
    bool multipliesBf16 = false;
    bool operator==(const BackendTraits&) const = default;
};
/// Whether the step has one HeadPass instead of four ops.
[[nodiscard]] inline bool fusesHead(const RunConfig& config, const BackendTraits& traits) {
    // It adds to the gradient of a head that stays, and its loss is that of a whole y.
    return config.head && config.outputs <= traits.fusedHeadOutputs &&
           !config.parallel.shares(Zero::Gradients) &&
           splitOf(config, config.layers + 1) == MatrixSplit::None;
}
/// Bytes of scratch that each part of a HeadPass takes besides its sums of the weight gradient.
inline constexpr Bytes kHeadPassSums = 128;
/// The CPU backend's traits on any processor; kernels/cpu asserts that it needs exactly these. What the one
/// at hand does in formats of its own comes on top (localCpuTraits() in kernels/cpu).
[[nodiscard]] BackendTraits cpuTraits();
/// Those of the CUDA backend on a GPU of this compute capability (10 * major + minor: 90 for 9.0). Errors:
/// Unavailable for one that it has no code for.
[[nodiscard]] Result<BackendTraits> cudaTraits(int computeCapability);
/// Those of the backend that would run steps on a machine of `backend` ("cpu", "cuda") with this compute
/// capability; one unknown to our backends multiplies its own formats and needs nothing besides.
[[nodiscard]] BackendTraits traitsFor(std::string_view backend, std::optional<int> computeCapability);
/// One line for people: "tf32 emulated on the CPU: operands rounded to 10 bits, products in fp32"; empty
/// when the backend computes in the configuration's precision itself.
[[nodiscard]] std::string precisionNote(const RunConfig& config, const BackendTraits& traits);

/// Every operation and every tensor of one optimizer step, in execution order: the only description of it.
///
/// Pass 0 is the first micro-batch, pass 1 (there if A > 1) stands for the A - 1 later ones, which run it
/// `microBatches - 1` times, its collectives in the last one alone unless ranks share gradients; the
/// optimizer comes last. Tensors resident across the step are first.
class StepPlan final : public Step {
public:
    RunConfig config;
    BackendTraits traits;
    Place place;  ///< of the rank whose step this is
    std::vector<Tensor> tensors;
    std::vector<Op> ops;
    std::array<std::int32_t, 2> passBegin{};  ///< index of the first op of pass 0 and 1 ...
    std::array<std::int32_t, 2> passEnd{};    ///< ... and one past the last; equal when the pass is absent
    // Control tensors; -1 where there is none.
    TensorId loss = -1;
    TensorId statistics = -1;
    TensorId lossScale = -1;
    TensorId scales = -1;
    TensorId staging = -1;
    TensorId residentFeatures = -1;  ///< x and t where the batch stays from step to step (no LoadBatch then)
    TensorId residentTargets = -1;
    TensorId stepControl = -1;
    TensorId sharedScratch = -1;

    [[nodiscard]] std::string title() const override;
    [[nodiscard]] std::int32_t opCount() const override { return static_cast<std::int32_t>(ops.size()); }
    [[nodiscard]] std::int32_t tensorCount() const override {
        return static_cast<std::int32_t>(tensors.size());
    }
    [[nodiscard]] std::vector<PassRange> passes() const override;

    [[nodiscard]] const Op& op(std::int64_t index) const override { return entryAt(ops, index); }
    [[nodiscard]] std::string opName(std::int64_t index) const override;
    [[nodiscard]] std::string opId(std::int64_t index) const override;
    [[nodiscard]] std::string_view opKind(std::int64_t index) const override;
    [[nodiscard]] std::string_view opGroup(std::int64_t index) const override;
    [[nodiscard]] std::string groupLabel(std::int64_t index) const override;
    [[nodiscard]] std::string opLabel(std::int64_t index) const override;
    [[nodiscard]] std::string placeInGroup(std::int64_t index) const override;
    [[nodiscard]] std::string opModule(std::int64_t index) const override;
    [[nodiscard]] std::int32_t opLayer(std::int64_t index) const override { return op(index).layer; }
    [[nodiscard]] std::optional<std::pair<std::int32_t, std::int32_t>>
    opLayers(std::int64_t index) const override;
    [[nodiscard]] std::string_view opExpression(std::int64_t index) const override;
    [[nodiscard]] std::span<const TensorRange> opReads(std::int64_t index) const override {
        return op(index).reads;
    }
    [[nodiscard]] std::span<const TensorRange> opWrites(std::int64_t index) const override {
        return op(index).writes;
    }
    [[nodiscard]] std::span<const TensorRange> opScratch(std::int64_t index) const override {
        return op(index).scratch;
    }

    [[nodiscard]] const Tensor& tensor(TensorId id) const override { return entryAt(tensors, id); }
    [[nodiscard]] Tensor& tensor(TensorId id) { return entryAt(tensors, id); }
    [[nodiscard]] std::string tensorName(TensorId id) const override;
    [[nodiscard]] std::vector<std::int64_t> tensorShape(TensorId id) const override {
        return {tensor(id).rows, tensor(id).columns};
    }
    [[nodiscard]] Bytes tensorBytes(TensorId id) const override { return tensor(id).bytes(); }
    [[nodiscard]] std::string tensorModule(TensorId id) const override;
    [[nodiscard]] std::int64_t tensorOrder(TensorId id) const override;

    [[nodiscard]] bool isSameStep(const Step& other) const override;
    [[nodiscard]] bool hasSameOps(const Step& other) const override;
    [[nodiscard]] bool hasSameTensors(const Step& other) const override;

    /// Of this rank.
    [[nodiscard]] Flops ruleOfThumbFlops() const;
};

/// "D 64 · L 8 · B 64 · fp32 · Adam".
[[nodiscard]] std::string titleOf(const RunConfig& config);

/// Columns of TensorRole::Statistics.
enum class Statistic : std::uint8_t { SumOfSquares, Amax, Overflowed, Underflowed };
inline constexpr std::int64_t kStatisticCount = 4;
/// Entries of the amax history from which an fp8 scale is made.
inline constexpr std::int64_t kAmaxHistory = 16;
/// Row of a tensor in Statistics and Scales; -1 for a role that is not tracked. Tracked are features (layer
/// 0) and activations, weights, gradients of the parameters, and gradients of the activations with that of
/// the output (layer L + 1).
[[nodiscard]] std::int64_t statisticsSlot(const RunConfig& config, TensorRole role, std::int32_t layer);
[[nodiscard]] std::int64_t statisticsSlots(const RunConfig& config);  ///< 4 * (matrices() + 1)

/// The step of the rank at `place`, which is within the configuration's ranks. Pure function of its
/// arguments; under 1 ms for L = 512. Errors: those of validate(), and BadInput for traits that checkTraits()
/// refuses, for tensors and scratch that 63 bits do not count, and for a budget that no schedule fits.
[[nodiscard]] Result<StepPlan> planStep(const RunConfig& config, const BackendTraits& traits,
                                        const Place& place = {});

/// "layer 3 · backward · weight gradient", "layers 1–3 · recompute", "AdamW", "loss and gradient"; pass 1
/// adds " · micro-batches 2–8".
[[nodiscard]] std::string opName(const StepPlan& plan, const Op& op);
/// Stable text id: "m1.layer3.backward.weight", "optimizer"; unique in a plan, the same in any plan that has
/// the same op, so that a selection survives a slider move.
[[nodiscard]] std::string opId(const Op& op);
[[nodiscard]] std::string tensorName(const StepPlan& plan, const Tensor& tensor);

inline constexpr auto kOpKindNames = enumNames<OpKind>({{OpKind::LoadBatch, "load_batch"},
                                                        {OpKind::LayerForward, "layer_forward"},
                                                        {OpKind::HeadForward, "head_forward"},
                                                        {OpKind::LossGradient, "loss_gradient"},
                                                        {OpKind::HeadPass, "head_pass"},
                                                        {OpKind::WeightGradient, "weight_gradient"},
                                                        {OpKind::InputGradient, "input_gradient"},
                                                        {OpKind::RecomputeChain, "recompute_chain"},
                                                        {OpKind::Activation, "activation"},
                                                        {OpKind::GradientNorm, "gradient_norm"},
                                                        {OpKind::AllReduce, "all_reduce"},
                                                        {OpKind::ReduceScatter, "reduce_scatter"},
                                                        {OpKind::AllGather, "all_gather"},
                                                        {OpKind::OptimizerStep, "optimizer_step"}});
[[nodiscard]] constexpr std::string_view kindName(OpKind value) {
    return kOpKindNames.name(value);
}  ///< "layer_forward", ...
/// The kind that this name of files is, where it multiplies matrices; absent for others.
[[nodiscard]] std::optional<OpKind> productKind(std::string_view kind);
/// The kind as people read it: "layer forward"; one that is not ours as it is.
[[nodiscard]] std::string_view kindLabel(std::string_view kind);

}  // namespace plumb

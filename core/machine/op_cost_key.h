// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/machine.h"
#include "core/plan/step_plan.h"

#include <array>
#include <string>
#include <string_view>

namespace plumb {

/// What makes two ops the same for calibration but for their sizes, read off the plan: the kind, the element
/// types that it reads and writes, the casts on the way. Recipes and optimizers that are added to the planner
/// need nothing here.
struct OpSignature {
    static constexpr std::size_t kMostRanges = 12;
    OpKind kind{};
    bool isHead = false;
    bool fusedActivation = false;
    bool accumulates = false;
    bool fromFile = false;   ///< whether a LoadBatch takes rows of a file, gathered by the prefetch thread
    Optimizer optimizer{};   ///< rule of an OptimizerStep
    std::uint8_t casts = 0;  ///< bits 0 to 2: CastA, CastB, CastResult
    std::uint8_t reads = 0;  ///< entries of `types` that are read; the others are written
    std::uint8_t ranges = 0;
    std::array<Dtype, kMostRanges> types{};
    bool operator==(const OpSignature&) const = default;

    /// "weight_gradient fp32 fp32 > fp32", "layer_forward bf16 bf16 > bf16 relu casts abr",
    /// "optimizer_step adamw fp32 fp32 fp32 fp32 > fp32 fp32 fp32".
    [[nodiscard]] std::string text() const;
    /// The forward op that each link of a chain is.
    [[nodiscard]] OpSignature link() const;
    /// The plain op that this one is a variant of: all fp32, nothing cast, fused or added to, no weights in a
    /// narrower format beside those that an optimizer updates.
    [[nodiscard]] OpSignature plain() const;
};

/// `op` is one of `plan`.
[[nodiscard]] OpSignature signatureOf(const StepPlan& plan, const Op& op);

/// The sizes that one execution of `op` (of a chain: one link) is looked up by:
///
///   products of a layer    row: batch    column: sqrt(in * out)    work: batch * in * out / threads
///   products of the head, HeadPass   row: batch    column: in    plane: out    work: batch * in * out
///   LoadBatch              row: batch    column: in    plane: out    work: batch * (in + out)
///   LoadBatch of a file    row: batch    column: in + out            work: batch * (in + out)
///   LossGradient           row: elements of y   column: in      work: row
///   OptimizerStep, GradientNorm   row: parameters that the rank has of them   column: batch   work: row
///   collectives            row: bytes that are reduced, gathered or scattered    work: row
///   all others             row: elements of the first tensors that it reads    work: row
///
/// The work of a layer's product is that of one thread, of the `threads` that share it where there is enough
/// of it: the rate of a thread goes on where a second one begins, that of the product leaps.
[[nodiscard]] CostPoint costPoint(const StepPlan& plan, const Op& op, int threads);

/// The more layers a step has, the less of what an op needs is still in the caches when its turn comes.
/// Tables are of steps of at most kShallowLayers. Those with this ending are of the same plain ops, and of
/// those that add up, in steps of kDeepLayers; between the two numbers of layers the logarithm of the time is
/// interpolated.
inline constexpr std::string_view kDeepEnding = " deep";
inline constexpr std::int64_t kShallowLayers = 3;
inline constexpr std::int64_t kDeepLayers = 24;
/// Tables with these endings are of plain ops of ranks while all-reduces go on beside them, and right before
/// that: what lies between the two is how much slower traffic makes an op.
inline constexpr std::string_view kBesideTrafficEnding = " beside traffic";
inline constexpr std::string_view kWithoutTrafficEnding = " without traffic";
/// And this one is that of all-reduces while the ranks compute.
inline constexpr std::string_view kBesideProductsEnding = " beside products";
/// "all_reduce bf16": the table of such collectives of numbers in this format, from the moment when it is
/// their turn. Nothing is added where something is gathered, so that bytes are bytes: fp32 is timed for all.
[[nodiscard]] std::string trafficTable(OpKind kind, Dtype dtype);

/// The measured times that hold where so many ranks share the machine: those of the machine as a whole, or of
/// as many. Null where there are none.
[[nodiscard]] const CostTables* costsOf(const Machine& machine, std::int64_t ranksOfMachine);

/// How far a step of so many layers lies between the two: 0 to 1.
[[nodiscard]] double depthOf(std::int64_t layers);

/// The table of what the prefetch thread takes to gather the rows of one micro-batch, by the sizes of their
/// LoadBatch. Where there is none the step gathers them itself, as part of its LoadBatch.
inline constexpr std::string_view kGatherTable = "gather rows";

/// What a step takes after each of its ops, until the next one begins, where its ops have the times of the
/// tables. Of a step that is replayed the time between two nodes, less what timing an op by itself adds to
/// its time; that can be below 0.
[[nodiscard]] Seconds secondsAfterOp(const CostTables& costs, const BackendTraits& traits);

/// The part of a probe (SpeedProbe) that the time of an op follows when the machine's speed changes: products
/// the product; passes over more than the caches hold, and products that wait for so much, the copy;
/// everything else, products of one thread too, the loop.
[[nodiscard]] double RelativeSpeed::*speedPartOf(const Op& op);

}  // namespace plumb

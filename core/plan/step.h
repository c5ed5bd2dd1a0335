// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/enum_array.h"
#include "core/base/enum_names.h"
#include "core/base/quantity.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

/// What a byte in memory is for; the names in files are categoryName()'s ("master_parameters", ...).
enum class Category : std::uint8_t {
    Parameters,           ///< the copy used in matrix products
    MasterParameters,     ///< fp32 copy that the optimizer updates
    OptimizerState,       ///< moments
    Gradients,            ///< gradients of the parameters
    Activations,          ///< h_1..h_L, kept or recomputed
    ActivationGradients,  ///< dLoss/dz_l
    Data,                 ///< x and targets of the micro-batch
    Workspace,            ///< head output, its gradient, casts, library scratch, control tensors
    Communication,        ///< what other ranks send, until it is put where it belongs
};
constexpr Category lastOf(Category /*type*/) { return Category::Communication; }
inline constexpr std::size_t kCategoryCount = kEnumCount<Category>;
inline constexpr auto kAllCategories = kEnumerators<Category>;
using CategoryBytes = EnumArray<Category, Bytes>;
[[nodiscard]] constexpr Bytes total(const CategoryBytes& bytes) {
    Bytes sum = 0;
    for (const Bytes value : bytes) sum += value;
    return sum;
}

enum class Phase : std::uint8_t { Data, Forward, Loss, Recompute, Backward, Optimizer };
constexpr Phase lastOf(Phase /*type*/) { return Phase::Optimizer; }

/// What an op keeps busy: the units of its device, or the way to other devices, beside which those go on.
enum class Lane : std::uint8_t { Compute, Traffic };

using TensorId = std::int32_t;

/// A run of consecutive tensors, as in "all gradients"; most ranges hold one tensor.
struct TensorRange {
    TensorId first = -1;
    std::int32_t count = 0;
    bool operator==(const TensorRange&) const = default;
};

/// What an op of any step costs. Step has its texts.
struct StepOp {
    Phase phase{};
    bool isProduct =
        false;  ///< whether it multiplies matrices, [batchRows, in] x [in, out] or a transposed form of it
    Dtype units = Dtype::Fp32;    ///< the format whose peak its FLOPs count against
    std::int64_t executions = 1;  ///< how often the op runs in one step
    std::int32_t repeat = 1;      ///< how many equal kernels one execution is; 1 but for recomputed chains
    std::int64_t batchRows = 0;   ///< b, and the einsum's "batch"
    std::int64_t in = 0;          ///< "in"
    std::int64_t out = 0;         ///< "out"
    Flops matmulFlops = 0;        ///< FLOPs of one step: all executions
    Flops flops = 0;              ///< matmulFlops and the element-wise work (docs/accounting.md)
    Bytes bytes = 0;  ///< compulsory traffic of one step: distinct inputs read once, outputs written once
    Lane lane = Lane::Compute;
    Bytes wireBytes = 0;   ///< Traffic: bytes that the device sends to others in one step
    bool hasFlops = true;  ///< false: no formula is known for its kind, and both FLOPs are 0

    [[nodiscard]] std::optional<Flops> knownFlops() const {
        return hasFlops ? std::optional(flops) : std::nullopt;
    }
    /// A trace without shapes says neither FLOPs nor bytes of what it ran; 0 bytes of a known op are a
    /// view's.
    [[nodiscard]] std::optional<Bytes> knownBytes() const {
        return hasFlops || bytes > 0 ? std::optional(bytes) : std::nullopt;
    }
    /// Whether it only says otherwise what lies in memory, as a transposed view does: nothing runs.
    [[nodiscard]] bool isView() const { return flops == 0 && bytes == 0 && hasFlops; }
};

/// Where a tensor of any step lies, and how long.
struct StepTensor {
    Category category{};
    Dtype dtype{};
    std::int32_t firstOp = 0;  ///< index of the first op during which it is resident; -1: before the step
    std::int32_t lastOp =
        0;  ///< index of the last one; -1: it goes before the first; opCount(): beyond the step

    [[nodiscard]] bool persistent() const { return firstOp < 0; }
};

/// A stretch of ops that runs for some of the step's micro-batches, the loss and its backward included.
struct PassRange {
    std::int32_t begin = 0;            ///< its first op ...
    std::int32_t end = 0;              ///< ... and one past its last
    std::int64_t firstMicroBatch = 1;  ///< counted from 1
    std::int64_t lastMicroBatch = 1;   ///< all of them run the same ops
};

/// One training step as what it is, whoever runs it: ops in the order of execution, tensors with category
/// and lifetime, and what it all costs. Views, exporters and comparisons need no more. The deep linear
/// model's StepPlan is one; what depends on its RunConfig (sliders, recompute lab, capacity planner) asks for
/// that.
///
/// Texts are made when they are asked for, since a slider makes a new step at each move.
class Step {
public:
    virtual ~Step() = default;

    /// "D 64 · L 8 · B 64 · fp32 · Adam".
    [[nodiscard]] virtual std::string title() const = 0;
    [[nodiscard]] virtual std::int32_t opCount() const = 0;
    [[nodiscard]] virtual std::int32_t tensorCount() const = 0;
    [[nodiscard]] virtual std::vector<PassRange> passes() const = 0;

    /// Index of the op with this id, or -1.
    [[nodiscard]] std::int32_t findOp(std::string_view id) const;

    // The op at an index, 0 to opCount() - 1.
    [[nodiscard]] virtual const StepOp& op(std::int64_t index) const = 0;
    /// "layer 3 · backward · weight gradient".
    [[nodiscard]] virtual std::string opName(std::int64_t index) const = 0;
    /// Unique in the step, and the same in any step that has the same op: "m1.layer3.backward.weight".
    [[nodiscard]] virtual std::string opId(std::int64_t index) const = 0;
    /// As in files: "weight_gradient", "aten::mm".
    [[nodiscard]] virtual std::string_view opKind(std::int64_t index) const = 0;
    /// Ops of one phase and group are alike but for where they stand: the kind, and what else tells them from
    /// others ("weight_gradient/head").
    [[nodiscard]] virtual std::string_view opGroup(std::int64_t index) const = 0;
    /// What the group is called: "head weight gradient".
    [[nodiscard]] virtual std::string groupLabel(std::int64_t index) const = 0;
    /// What the op is called among those of its phase: "layer 3 · forward", "loss and gradient".
    [[nodiscard]] virtual std::string opLabel(std::int64_t index) const = 0;
    /// Where in its group the op stands: "layer 3 · micro-batches 2–8". Empty where it stands alone.
    [[nodiscard]] virtual std::string placeInGroup(std::int64_t index) const = 0;
    /// Path of the module that the op belongs to, parts between dots: "blocks.0.mlp", "layer 3". Empty: the
    /// model itself, several modules or none.
    [[nodiscard]] virtual std::string opModule(std::int64_t /*index*/) const { return {}; }
    /// As in files: counted from 1 where the step has layers that are alike; 0 for none.
    [[nodiscard]] virtual std::int32_t opLayer(std::int64_t index) const = 0;
    /// The layers that the op works on, first and last, among those that are alike; absent for others.
    [[nodiscard]] virtual std::optional<std::pair<std::int32_t, std::int32_t>>
    opLayers(std::int64_t index) const = 0;
    /// "batch in, in out -> batch out"; empty for what is no product.
    [[nodiscard]] virtual std::string_view opExpression(std::int64_t index) const = 0;
    /// Used entries come first; those after them have count 0.
    [[nodiscard]] virtual std::span<const TensorRange> opReads(std::int64_t index) const = 0;
    [[nodiscard]] virtual std::span<const TensorRange> opWrites(std::int64_t index) const = 0;
    [[nodiscard]] virtual std::span<const TensorRange> opScratch(std::int64_t index) const = 0;

    // The tensor of an id, 0 to tensorCount() - 1.
    [[nodiscard]] virtual const StepTensor& tensor(TensorId id) const = 0;
    [[nodiscard]] virtual std::string tensorName(TensorId id) const = 0;
    [[nodiscard]] virtual std::vector<std::int64_t> tensorShape(TensorId id) const = 0;
    [[nodiscard]] virtual Bytes tensorBytes(TensorId id) const = 0;
    /// Path of the module that has or makes the tensor, as opModule() says it.
    [[nodiscard]] virtual std::string tensorModule(TensorId /*id*/) const { return {}; }
    /// Sorts by what the tensors are, and then by where they stand.
    [[nodiscard]] virtual std::int64_t tensorOrder(TensorId id) const { return id; }

    /// Whether both are the same step: what was measured of one holds for the other.
    [[nodiscard]] virtual bool isSameStep(const Step& other) const { return this == &other; }
    /// Whether both have the same ops (opId()), or tensors, in the same order, whatever they cost.
    [[nodiscard]] virtual bool hasSameOps(const Step& other) const;
    [[nodiscard]] virtual bool hasSameTensors(const Step& other) const;

    std::int64_t samples = 0;          ///< that one step trains on
    Dtype productDtype = Dtype::Fp32;  ///< the format whose peak an MFU is a share of
    Flops matmulFlops = 0;
    Flops recomputedFlops = 0;  ///< the part of matmulFlops that the phase Recompute repeats
    Flops flops = 0;
    Bytes bytes = 0;
    Bytes wireBytes = 0;
    /// Ranks that take this step at the same time on one machine, this one included: each has a part of it.
    std::int64_t ranksOfMachine = 1;
    bool hasAllFlops = true;  ///< false: `flops` leaves out the ops that have none

protected:
    Step() = default;
    Step(const Step&) = default;
    Step(Step&&) = default;
    Step& operator=(const Step&) = default;
    Step& operator=(Step&&) = default;
};

/// Whether a step says anything of memory: one without tensors, of a trace without allocations, does not.
[[nodiscard]] inline bool saysMemory(const Step& step) { return step.tensorCount() > 0; }
/// Live bytes by category during each op (one entry per op, plus nothing else), from the tensors' lifetimes.
[[nodiscard]] std::vector<CategoryBytes> memoryCurve(const Step& step);

inline constexpr auto kCategoryNames =
    enumNames<Category>({{Category::Parameters, "parameters"},
                         {Category::MasterParameters, "master_parameters"},
                         {Category::OptimizerState, "optimizer_state"},
                         {Category::Gradients, "gradients"},
                         {Category::Activations, "activations"},
                         {Category::ActivationGradients, "activation_gradients"},
                         {Category::Data, "data"},
                         {Category::Workspace, "workspace"},
                         {Category::Communication, "communication"}});
static_assert(kCategoryNames.size() == kEnumCount<Category>);
/// Whether files of the first versions have the category: where one is not named, it has no bytes.
[[nodiscard]] constexpr bool isInEveryFile(Category value) { return value != Category::Communication; }
/// As in files: "activation_gradients".
[[nodiscard]] constexpr std::string_view categoryName(Category value) { return kCategoryNames.name(value); }
/// The category as people read it: "activation gradients".
[[nodiscard]] std::string_view categoryLabel(Category category);
inline constexpr auto kPhaseNames = enumNames<Phase>({{Phase::Data, "data"},
                                                      {Phase::Forward, "forward"},
                                                      {Phase::Loss, "loss"},
                                                      {Phase::Recompute, "recompute"},
                                                      {Phase::Backward, "backward"},
                                                      {Phase::Optimizer, "optimizer"}});
static_assert(kPhaseNames.size() == kEnumCount<Phase>);
/// "forward", ...
[[nodiscard]] constexpr std::string_view phaseName(Phase value) { return kPhaseNames.name(value); }

}  // namespace plumb

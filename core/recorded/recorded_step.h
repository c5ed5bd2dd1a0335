// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/entry_at.h"
#include "core/plan/step.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

/// An op of a step that another program ran and wrote down.
struct RecordedOp : StepOp {
    std::string id;        ///< unique in the step: "backward.blocks.0.mlp.mm"
    std::string kind;      ///< "aten::mm"
    std::string overload;  ///< of the kind; empty: the default one
    std::string module;    ///< "blocks.0.mlp"; empty: the model itself, or none
    std::string name;      ///< for people; empty: module and kind
    std::vector<std::vector<std::int64_t>> inputShapes;
    std::vector<TensorRange> reads;
    std::vector<TensorRange> writes;
    std::optional<Seconds> seconds;  ///< of its call in the step that was written down; absent: not measured
    std::optional<Seconds> start;    ///< of that call since the beginning of the step
};

/// A storage of such a step.
struct RecordedTensor : StepTensor {
    std::string name;         ///< "blocks.0.mlp.weight"
    std::string role;         ///< finer than the category: "optimizer state exp_avg"; may be empty
    std::string module;       ///< that has or made it; empty: none
    std::string elementType;  ///< as the program calls it: "int64", which `dtype` cannot say
    std::vector<std::int64_t> shape;
    Bytes bytes = 0;
    std::int32_t madeBy = -1;   ///< index of the op; -1: none of the step
    std::int32_t freedBy = -1;  ///< index of the op after which it died; -1: none of the step
};

/// A training step that another program ran and wrote down: lists and texts of its own.
class RecordedStep final : public Step {
public:
    std::string stepTitle;
    std::vector<RecordedOp> ops;
    std::vector<RecordedTensor> tensors;

    /// Makes the sums of the step from its ops.
    void addUp();

    [[nodiscard]] std::string title() const override { return stepTitle; }
    [[nodiscard]] std::int32_t opCount() const override { return static_cast<std::int32_t>(ops.size()); }
    [[nodiscard]] std::int32_t tensorCount() const override {
        return static_cast<std::int32_t>(tensors.size());
    }
    [[nodiscard]] std::vector<PassRange> passes() const override { return {{0, opCount(), 1, 1}}; }

    [[nodiscard]] const RecordedOp& op(std::int64_t index) const override { return entryAt(ops, index); }
    [[nodiscard]] std::string opName(std::int64_t index) const override;
    [[nodiscard]] std::string opId(std::int64_t index) const override { return op(index).id; }
    [[nodiscard]] std::string_view opKind(std::int64_t index) const override { return op(index).kind; }
    [[nodiscard]] std::string_view opGroup(std::int64_t index) const override { return op(index).kind; }
    [[nodiscard]] std::string groupLabel(std::int64_t index) const override { return op(index).kind; }
    [[nodiscard]] std::string opLabel(std::int64_t index) const override;
    [[nodiscard]] std::string placeInGroup(std::int64_t index) const override { return op(index).module; }
    [[nodiscard]] std::string opModule(std::int64_t index) const override { return op(index).module; }
    [[nodiscard]] std::int32_t opLayer(std::int64_t /*index*/) const override { return 0; }
    [[nodiscard]] std::optional<std::pair<std::int32_t, std::int32_t>>
    opLayers(std::int64_t /*index*/) const override {
        return std::nullopt;
    }
    [[nodiscard]] std::string_view opExpression(std::int64_t /*index*/) const override { return {}; }
    [[nodiscard]] std::span<const TensorRange> opReads(std::int64_t index) const override {
        return op(index).reads;
    }
    [[nodiscard]] std::span<const TensorRange> opWrites(std::int64_t index) const override {
        return op(index).writes;
    }
    [[nodiscard]] std::span<const TensorRange> opScratch(std::int64_t /*index*/) const override { return {}; }

    [[nodiscard]] const RecordedTensor& tensor(TensorId id) const override { return entryAt(tensors, id); }
    [[nodiscard]] std::string tensorName(TensorId id) const override { return tensor(id).name; }
    [[nodiscard]] std::vector<std::int64_t> tensorShape(TensorId id) const override {
        return tensor(id).shape;
    }
    [[nodiscard]] Bytes tensorBytes(TensorId id) const override { return tensor(id).bytes; }
    [[nodiscard]] std::string tensorModule(TensorId id) const override { return tensor(id).module; }
};

/// A name of an op, a tensor or a module in the language of the process: of a recorded step, whose names are
/// others' own, its phases alone.
[[nodiscard]] std::string nameInWords(const Step& step, std::string_view name);

}  // namespace plumb

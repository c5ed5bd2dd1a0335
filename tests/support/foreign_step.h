// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step.h"

#include <cstddef>
#include <string>
#include <vector>

namespace plumb::test {

/// A step of another trainer: what a profile of one holds, in lists and texts of its own.
class ForeignStep final : public Step {
public:
    struct ForeignOp : StepOp {
        std::string id;
        std::string name;
        std::string kind;
        std::string module;
        std::vector<TensorRange> reads;
        std::vector<TensorRange> writes;
    };
    struct ForeignTensor : StepTensor {
        std::string name;
        std::vector<std::int64_t> shape;
    };

    std::vector<ForeignOp> ops;
    std::vector<ForeignTensor> tensors;

    /// A block of attention: two projections and a softmax forward, one product backward, an update.
    static ForeignStep attention() {
        ForeignStep step;
        const auto tensor = [&](Category category, std::string name, std::vector<std::int64_t> shape,
                                std::int32_t first, std::int32_t last) {
            ForeignTensor& added = step.tensors.emplace_back();
            added.category = category;
            added.dtype = Dtype::Bf16;
            added.name = std::move(name);
            added.shape = std::move(shape);
            added.firstOp = first;
            added.lastOp = last;
            return static_cast<TensorId>(step.tensors.size()) - 1;
        };
        const TensorId weights = tensor(Category::Parameters, "attn.qkv.weight", {64, 192}, -1, 5);
        const TensorId query = tensor(Category::Activations, "attn.q", {2, 4, 16, 16}, 0, 3);
        const TensorId scores = tensor(Category::Activations, "attn.scores", {2, 4, 16, 16}, 1, 3);
        const TensorId gradient = tensor(Category::Gradients, "attn.qkv.weight.grad", {64, 192}, 3, 4);
        const auto op = [&](Phase phase, std::string kind, std::string module, Flops flops, Bytes bytes,
                            std::vector<TensorRange> reads, std::vector<TensorRange> writes) {
            ForeignOp& added = step.ops.emplace_back();
            added.phase = phase;
            added.id = std::to_string(step.ops.size()) + '/' + kind;
            added.name = module.empty() ? kind : module + " · " + kind;
            added.isProduct = kind == "aten::mm";
            added.units = added.isProduct ? Dtype::Bf16 : Dtype::Fp32;
            added.kind = std::move(kind);
            added.module = std::move(module);
            added.flops = flops;
            added.matmulFlops = added.isProduct ? flops : 0;
            added.bytes = bytes;
            added.reads = std::move(reads);
            added.writes = std::move(writes);
        };
        op(Phase::Forward, "aten::mm", "attn.qkv", 786'432, 32'768, {{weights, 1}}, {{query, 1}});
        op(Phase::Forward, "aten::mm", "attn.out", 262'144, 16'384, {{query, 1}}, {{scores, 1}});
        op(Phase::Forward, "aten::_softmax", "attn", 10'240, 8'192, {{scores, 1}}, {{scores, 1}});
        op(Phase::Backward, "aten::mm", "attn.qkv", 786'432, 32'768, {{query, 2}}, {{gradient, 1}});
        op(Phase::Optimizer, "aten::_foreach_add_", "", 24'576, 73'728, {{weights, 1}}, {{weights, 1}});
        step.samples = 32;
        step.productDtype = Dtype::Bf16;
        for (const ForeignOp& each : step.ops) {
            step.flops += each.flops;
            step.matmulFlops += each.matmulFlops;
            step.bytes += each.bytes;
        }
        return step;
    }

    [[nodiscard]] std::string title() const override { return "attention.py"; }
    [[nodiscard]] std::int32_t opCount() const override { return static_cast<std::int32_t>(ops.size()); }
    [[nodiscard]] std::int32_t tensorCount() const override {
        return static_cast<std::int32_t>(tensors.size());
    }
    [[nodiscard]] std::vector<PassRange> passes() const override { return {{0, 4, 1, 1}}; }
    [[nodiscard]] const ForeignOp& op(std::int64_t index) const override {
        return ops[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] std::string opName(std::int64_t index) const override { return op(index).name; }
    [[nodiscard]] std::string opId(std::int64_t index) const override { return op(index).id; }
    [[nodiscard]] std::string_view opKind(std::int64_t index) const override { return op(index).kind; }
    [[nodiscard]] std::string_view opGroup(std::int64_t index) const override { return op(index).kind; }
    [[nodiscard]] std::string groupLabel(std::int64_t index) const override { return op(index).kind; }
    [[nodiscard]] std::string opLabel(std::int64_t index) const override { return op(index).name; }
    [[nodiscard]] std::string placeInGroup(std::int64_t index) const override { return op(index).module; }
    [[nodiscard]] std::int32_t opLayer(std::int64_t) const override { return 0; }
    [[nodiscard]] std::optional<std::pair<std::int32_t, std::int32_t>> opLayers(std::int64_t) const override {
        return std::nullopt;
    }
    [[nodiscard]] std::string_view opExpression(std::int64_t) const override { return {}; }
    [[nodiscard]] std::span<const TensorRange> opReads(std::int64_t index) const override {
        return op(index).reads;
    }
    [[nodiscard]] std::span<const TensorRange> opWrites(std::int64_t index) const override {
        return op(index).writes;
    }
    [[nodiscard]] std::span<const TensorRange> opScratch(std::int64_t) const override { return {}; }
    [[nodiscard]] const ForeignTensor& tensor(TensorId id) const override {
        return tensors[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] std::string tensorName(TensorId id) const override { return tensor(id).name; }
    [[nodiscard]] std::vector<std::int64_t> tensorShape(TensorId id) const override {
        return tensor(id).shape;
    }
    [[nodiscard]] Bytes tensorBytes(TensorId id) const override {
        Bytes sum = dtypeSize(tensor(id).dtype);
        for (const std::int64_t size : tensor(id).shape) sum *= size;
        return sum;
    }
};

}  // namespace plumb::test

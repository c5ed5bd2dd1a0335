// SPDX-License-Identifier: Apache-2.0
#include "core/lab/einsum_cost.h"

#include "core/base/dtype_bytes.h"
#include "core/lab/tensor_layout.h"
#include "core/machine/attainable.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace plumb::lab {

namespace {

using Names = std::vector<std::string>;

Error bad(const EinsumExpression& expression, std::string_view why, std::string_view hint) {
    return Error{ErrorCode::BadInput, fmt::format("einsum \"{:s}\" {}", expression.text(), why),
                 std::string(hint)};
}

std::string productText(const Names& names) {
    return names.empty() ? "1" : fmt::format("{}", fmt::join(names, " · "));
}

std::string numbersText(const Names& names, const DimensionSizes& sizes) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : " · ") + std::to_string(sizes.find(name)->second);
    return text.empty() ? "1" : text;
}

/// A number of a loop as people wrote it.
Names shown(Names names) {
    for (std::string& name : names) name = name.substr(0, name.find('#'));
    return names;
}

/// Whether a rearrangement of a contiguous tensor is a matter of strides.
bool needsOnlyStrides(const EinsumExpression& expression, const DimensionSizes& sizes) {
    std::vector<std::int64_t> shape;
    const Names& names = expression.loops.inputs().front();
    for (const std::string& name : names) shape.push_back(sizes.find(name)->second);
    const std::vector<std::int64_t> strides = contiguousStrides(shape);
    TensorLayout layout;
    for (const std::string& name : expression.loops.output()) {
        const auto from =
            static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        layout.shape.push_back(shape[from]);
        layout.strides.push_back(strides[from]);
    }
    std::vector<std::int64_t> merged;
    for (const AxisGroup& group : expression.output) {
        std::int64_t size = 1;
        for (const Axis& axis : group) size *= axis.number != 0 ? axis.number : sizes.find(axis.name)->second;
        merged.push_back(size);
    }
    return viewStrides(layout, merged).has_value();
}

struct Count {
    Flops flops = 0;
    Flops exact = 0;
    std::string formula;
};

Result<Count> countElements(const EinsumExpression& expression, const DimensionSizes& all,
                            std::int64_t points) {
    const ElementFunction* const function = findElementFunction(expression.function);
    Count count;
    count.flops = mulOrOverflow(points, function->flopsPerElement);
    if (count.flops < 0)
        return bad(expression, "needs more than 63 bits to count", "make a dimension smaller");
    count.exact = count.flops;
    const Names& names = expression.loops.output();
    if (function->fewerPerRow != 0 && !names.empty())
        count.exact -= points / all.find(names.back())->second * function->fewerPerRow;
    count.formula = fmt::format("{} · {} = {} · {}", function->flopsPerElement, productText(shown(names)),
                                function->flopsPerElement, numbersText(names, all));
    return count;
}

Result<Count> countLoops(const EinsumExpression& expression, const DimensionSizes& all) {
    Count count;
    if (expression.kind == ExpressionKind::Rearrange || expression.kind == ExpressionKind::Repeat) {
        count.formula = "nothing is computed";
        return count;
    }
    PLUMB_TRY(count.flops, einsumFlops(expression.loops, all));
    PLUMB_TRY(count.exact, einsumExactFlops(expression.loops, all));
    if (expression.function == "mean") {  // the division
        PLUMB_TRY(const std::int64_t outputs,
                  einsumElements(expression.loops, expression.loops.output(), all));
        count.exact += outputs;
    }
    const Names names = expression.loops.dimensions();
    const std::size_t perPoint = expression.loops.inputs().size() - 1 + (expression.loops.sums() ? 1 : 0);
    count.formula = perPoint == 0 ? "nothing is computed"
                                  : fmt::format("{} · {} = {} · {}", perPoint, productText(shown(names)),
                                                perPoint, numbersText(names, all));
    return count;
}

}  // namespace

Result<ExpressionCost> costOf(const EinsumExpression& expression, const DimensionSizes& sizes, Dtype dtype) {
    const Einsum& loops = expression.loops;
    const DimensionSizes all = expression.complete(sizes);
    ExpressionCost cost;
    PLUMB_TRY(cost.points, einsumPoints(loops, all));
    const bool elementwise = expression.kind == ExpressionKind::Elementwise;
    PLUMB_TRY(Count count,
              elementwise ? countElements(expression, all, cost.points) : countLoops(expression, all));
    cost.flops = count.flops;
    cost.exactFlops = count.exact;
    cost.flopsFormula = std::move(count.formula);

    PLUMB_TRY(cost.bytes, einsumBytes(loops, all, std::vector<Dtype>(loops.inputs().size() + 1, dtype)));
    std::string sum;
    for (const Names& input : loops.inputs()) {
        PLUMB_TRY(const std::int64_t elements, einsumElements(loops, input, all));
        cost.operandBytes.push_back(bytesOrOverflow(dtype, elements));
        sum += productText(shown(input)) + " + ";
    }
    PLUMB_TRY(const std::int64_t elements, einsumElements(loops, loops.output(), all));
    cost.resultBytes = bytesOrOverflow(dtype, elements);
    if (expression.kind == ExpressionKind::Repeat) std::swap(cost.operandBytes.front(), cost.resultBytes);
    cost.bytesFormula =
        fmt::format("{} · ({}{})", elementSizeText(dtype), sum, productText(shown(loops.output())));
    cost.intensity = static_cast<double>(cost.flops) / static_cast<double>(cost.bytes);
    cost.isView = expression.kind == ExpressionKind::Rearrange && needsOnlyStrides(expression, all);
    return cost;
}

Result<ExpressionBound> boundOn(const EinsumExpression& expression, const ExpressionCost& cost, Dtype dtype,
                                const Machine& machine) {
    ExpressionBound bound;
    const bool matrixUnits = expression.kind == ExpressionKind::Product && expression.inputs.size() > 1;
    bound.peakDtype = matrixUnits ? dtype : dtype == Dtype::Fp64 ? Dtype::Fp64 : Dtype::Fp32;
    // The database keeps one fp8 peak: matrix units multiply both formats at the same rate.
    if (bound.peakDtype == Dtype::Fp8E5M2) bound.peakDtype = Dtype::Fp8E4M3;
    if (std::optional<Error> missing = missingCeiling(machine, bound.peakDtype)) {
        const bool noPeak = !machine.peakFlopPerSecond.empty() && !machine.peak(bound.peakDtype);
        if (noPeak && !matrixUnits) {  // another dtype would need the same peak, unless this is fp64
            if (bound.peakDtype != dtype)
                missing->message +=
                    fmt::format(", at which {} is computed outside of matrix units", dtypeName(dtype));
            missing->hint = bound.peakDtype == Dtype::Fp64 && machine.peak(Dtype::Fp32)
                                ? "choose another dtype or device"
                                : "choose another device";
        }
        return *std::move(missing);
    }
    bound.peakFlopPerSecond = *machine.peak(bound.peakDtype);
    bound.bandwidthBytesPerSecond = *machine.bandwidthBytesPerSecond;
    bound.balance = bound.peakFlopPerSecond / bound.bandwidthBytesPerSecond;
    bound.computeSeconds = static_cast<double>(cost.flops) / bound.peakFlopPerSecond;
    bound.memorySeconds = static_cast<double>(cost.bytes) / bound.bandwidthBytesPerSecond;
    bound.seconds = std::max(bound.computeSeconds, bound.memorySeconds);
    bound.computeBound = bound.computeSeconds > bound.memorySeconds;
    bound.formula = fmt::format(
        "max({} / {}, {} / {}) = max({}, {})", formatQuantity(static_cast<double>(cost.flops), "FLOP"),
        formatQuantity(bound.peakFlopPerSecond, "FLOP/s"), bytesText(cost.bytes),
        formatQuantity(bound.bandwidthBytesPerSecond, "B/s"), formatQuantity(bound.computeSeconds, "s"),
        formatQuantity(bound.memorySeconds, "s"));
    return bound;
}

std::span<const LadderStep> intensityLadder() {
    // A million elements and a width of 1024: large enough that the limits show, small enough to be timed.
    static const std::vector<LadderStep> kLadder{
        {"relu", "ReLU", "relu: n", {{"n", 1 << 20}}, "1/4"},
        {"dot", "dot product", "n, n ->", {{"n", 1 << 20}}, "1/2"},
        {"matvec", "matrix-vector", "in, in out -> out", {{"in", 1024}, {"out", 1024}}, "about 1"},
        {"softmax", "softmax", "softmax: batch n", {{"batch", 1024}, {"n", 1024}}, "5/4"},
        {"gelu", "GELU", "gelu: n", {{"n", 1 << 20}}, "5"},
        {"small", "matrix product, n = 64", "i k, k j -> i j", {{"i", 64}, {"k", 64}, {"j", 64}}, "n/3"},
        {"matmul",
         "matrix product, n = 1024",
         "i k, k j -> i j",
         {{"i", 1024}, {"k", 1024}, {"j", 1024}},
         "n/3"},
        {"layer",
         "layer, batch 64",
         "batch in, in out -> batch out",
         {{"batch", 64}, {"in", 4096}, {"out", 4096}},
         "about batch"},
    };
    return kLadder;
}

}  // namespace plumb::lab

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/einsum.h"

#include <span>
#include <string_view>

namespace plumb::lab {

/// Stands for the axes that are not named.
inline constexpr std::string_view kEllipsis = "...";

/// One dimension of a tensor, or one factor of a dimension in parentheses.
struct Axis {
    std::string name;         ///< "batch", "...", or the number as text
    std::int64_t number = 0;  ///< size of an axis that is written as a number; 0: it has a name
};
/// A dimension: several axes when they are merged in parentheses, none for "()", which is of size 1.
using AxisGroup = std::vector<Axis>;
using TensorAxes = std::vector<AxisGroup>;

enum class ExpressionKind : std::uint8_t {
    Product,      ///< einsum: operands multiplied, dimensions absent from the result summed
    Rearrange,    ///< the same elements in another order or shape
    Reduce,       ///< sum, mean, max, min or prod over the dimensions that go
    Repeat,       ///< new dimensions along which nothing changes
    Elementwise,  ///< relu, gelu, ... : as many elements out as in
};

/// What is done to every element, and what that is counted as.
struct ElementFunction {
    std::string_view name;   ///< "gelu"
    std::string_view label;  ///< "GELU (tanh form)"
    int operands = 1;
    int flopsPerElement = 0;      ///< the planner's count
    int fewerPerRow = 0;          ///< exactly, that much less for each row of the last dimension
    std::string_view derivation;  ///< where the count comes from
};
/// relu, relu_backward, gelu, silu, softmax, layer_norm, rms_norm, add, multiply, subtract, divide, sqrt,
/// rsqrt, reciprocal, square, abs, neg, copy.
[[nodiscard]] std::span<const ElementFunction> elementFunctions();
[[nodiscard]] const ElementFunction* findElementFunction(std::string_view name);

/// An expression as people write it, in the words of einops and of numpy:
///
///   batch in, in out -> batch out          a product of two or more tensors
///   ij,jk->ik                              the same with one letter for each dimension
///   i i ->                                 a dimension twice in one operand: its diagonal, here the trace
///   b (h w) c -> b c h w                   rearrange; parentheses merge dimensions, 1 is one of size 1
///   mean: b (h 2) (w 2) c -> b h w c       sum:, mean:, max:, min: or prod: over what goes; sum if not said
///   repeat: h w -> h w c                   new dimensions
///   relu: batch dim                        one of elementFunctions(), element by element
///
/// "..." is a dimension like any other, for as many as there are; its size is their product.
struct EinsumExpression {
    ExpressionKind kind = ExpressionKind::Product;
    std::string function;  ///< function of a Reduce or Elementwise: "mean", "relu"; empty otherwise
    std::vector<TensorAxes> inputs;
    TensorAxes output;
    /// The loops behind it: parentheses opened, axes of size 1 left out, numbers as names of their own. A
    /// Repeat stands here as the gradient it is the reverse of, with inputs and output exchanged.
    Einsum loops;
    DimensionSizes fixed;  ///< sizes of the axes that are numbers
    /// Dimensions of the tensors as they lie in memory, parentheses opened, under the names of `loops`. A
    /// dimension that an operand has twice stands here twice, and once in `loops`: only its diagonal is read.
    std::vector<std::vector<std::string>> operandLoops;
    std::vector<std::string> resultLoops;

    /// Letters are told from names by `sizes` where a text can be read both ways ("ab, ab -> ab"); without
    /// help, words of at most four letters in a product are letters. Errors: BadInput with the expression.
    [[nodiscard]] static Result<EinsumExpression> parse(std::string_view text,
                                                        const DimensionSizes& sizes = {});

    /// Names blank-separated, with the prefix where one is needed: parses to the same expression.
    [[nodiscard]] std::string text() const;
    /// Those that need a size, in order of appearance.
    [[nodiscard]] std::vector<std::string> dimensions() const;
    /// Errors: BadInput naming what `sizes` lacks, all of it, or has and the expression does not.
    [[nodiscard]] Result<void> checkSizes(const DimensionSizes& sizes) const;
    /// `sizes` with the fixed ones.
    [[nodiscard]] DimensionSizes complete(const DimensionSizes& sizes) const;
};

/// The gradient with respect to one operand, as an expression of the gradient of the result.
struct GradientExpression {
    std::string operand;  ///< "in out"
    std::string text;     ///< can be parsed; empty when there is none
    std::string note;  ///< "then repeated over b", "the gradient goes to the largest element"; may be empty
};
[[nodiscard]] std::vector<GradientExpression> gradientsOf(const EinsumExpression& expression);

/// The loop nest as people would write it, with the sizes that are known:
///   for batch in 64:
///     for in in 1024: ...
[[nodiscard]] std::string loopNest(const EinsumExpression& expression, const DimensionSizes& sizes);

/// "batch in" of a tensor's axes, parentheses included; "()" for a single number.
[[nodiscard]] std::string axesText(const TensorAxes& axes);

}  // namespace plumb::lab

// SPDX-License-Identifier: Apache-2.0
#include "core/lab/einsum_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace plumb::lab {

namespace {

using Names = std::vector<std::string>;

/// "1" stands for a tensor without dimensions: a single number.
std::string operandText(const Names& names) {
    return names.empty() ? "1" : fmt::format("{}", fmt::join(names, " "));
}

GradientExpression ofProduct(const EinsumExpression& expression, std::size_t index) {
    const Einsum gradient = expression.loops.backward(index);
    GradientExpression result;
    std::string operands;
    for (std::size_t i = 0; i < gradient.inputs().size(); ++i)
        operands += (operands.empty() ? "" : ", ") +
                    operandText(i == index ? gradient.inputs()[i] : expression.operandLoops[i]);
    result.text = fmt::format("{}{} -> {}", gradient.inputs().size() == 1 ? "einsum: " : "", operands,
                              operandText(gradient.output()));
    Names repeated;
    for (const std::string& name : expression.loops.inputs()[index])
        if (std::find(gradient.output().begin(), gradient.output().end(), name) == gradient.output().end())
            repeated.push_back(name);
    if (!repeated.empty()) result.note = fmt::format("then repeated over {}", fmt::join(repeated, " and "));
    if (expression.operandLoops[index].size() > expression.loops.inputs()[index].size())
        result.note += fmt::format("{}on the diagonal, and 0 beside it", repeated.empty() ? "" : ", ");
    return result;
}

GradientExpression ofReduction(const EinsumExpression& expression) {
    GradientExpression result;
    if (expression.function == "sum" || expression.function == "mean")
        result.text =
            fmt::format("repeat: {} -> {}", expression.output.empty() ? "1" : axesText(expression.output),
                        axesText(expression.inputs.front()));
    if (expression.function == "mean") result.note = "divided by the number of elements that the mean is of";
    if (expression.function == "max" || expression.function == "min")
        result.note = "goes to the element that was taken, and is 0 for all others";
    if (expression.function == "prod") result.note = "the gradient times the product, divided by the element";
    return result;
}

/// What the gradient of an element-wise function is where no single expression of ours computes it.
struct FunctionGradient {
    std::string_view function;
    std::string_view first;   ///< of the first operand
    std::string_view second;  ///< of the second, where there is one
};
constexpr std::string_view kItself = "the gradient itself";
constexpr FunctionGradient kInWords[] = {
    {"add", kItself, kItself},
    {"copy", kItself, {}},
    {"subtract", kItself, "minus the gradient"},
    {"divide", "the gradient divided by the second operand",
     "minus the gradient times the result, divided by the second operand"},
    {"sqrt", "the gradient divided by twice the result", {}},
    {"rsqrt", "minus half the gradient times the cube of the result", {}},
    {"reciprocal", "minus the gradient times the square of the result", {}},
    {"square", "twice the gradient times the element", {}},
    {"abs", "the gradient times the sign of the element", {}},
    {"neg", "minus the gradient", {}},
    {"softmax",
     "the result times (the gradient less the sum of gradient times result over the last dimension)",
     {}},
};

GradientExpression ofFunction(std::string_view function, std::size_t operand, const std::string& own) {
    GradientExpression result;
    if (function == "relu") result.text = fmt::format("relu_backward: {}, {}", own, own);
    if (function == "multiply") result.text = fmt::format("multiply: {}, {}", own, own);
    if (!result.text.empty()) return result;
    const auto* const known =
        std::find_if(std::begin(kInWords), std::end(kInWords),
                     [&](const FunctionGradient& entry) { return entry.function == function; });
    result.note =
        known == std::end(kInWords)
            ? fmt::format("more than one step: the derivative of {} is no expression here", function)
            : std::string(operand == 0 ? known->first : known->second);
    return result;
}

}  // namespace

std::vector<GradientExpression> gradientsOf(const EinsumExpression& expression) {
    std::vector<GradientExpression> gradients;
    for (std::size_t i = 0; i < expression.inputs.size(); ++i) {
        GradientExpression gradient;
        const std::string own = axesText(expression.inputs[i]);
        switch (expression.kind) {
        case ExpressionKind::Product:
            gradient = ofProduct(expression, i);
            break;
        case ExpressionKind::Rearrange:
            gradient.text =
                fmt::format("{} -> {}", expression.output.empty() ? "1" : axesText(expression.output), own);
            gradient.note = "the same elements, back in their places";
            break;
        case ExpressionKind::Reduce:
            gradient = ofReduction(expression);
            break;
        case ExpressionKind::Repeat:
            gradient.text = fmt::format("sum: {} -> {}", axesText(expression.output), own);
            break;
        case ExpressionKind::Elementwise:
            gradient = ofFunction(expression.function, i, own);
            break;
        }
        gradient.operand = own.empty() ? "1" : own;
        gradients.push_back(std::move(gradient));
    }
    return gradients;
}

std::string loopNest(const EinsumExpression& expression, const DimensionSizes& sizes) {
    const DimensionSizes all = expression.complete(sizes);
    const Einsum& loops = expression.loops;
    std::string text, indent;
    // Outer loops are those of the result, so that a sum is finished before the next one begins.
    Names order = loops.output();
    for (std::string& name : loops.dimensions())
        if (std::find(order.begin(), order.end(), name) == order.end()) order.push_back(std::move(name));
    for (const std::string& name : order) {
        const auto size = all.find(name);
        const bool number = expression.fixed.find(name) != expression.fixed.end();
        text +=
            fmt::format("{}for {} in {}:\n", indent, number ? "i" + name.substr(name.find('#') + 1) : name,
                        size == all.end() ? "?" : std::to_string(size->second));
        indent += "  ";
    }
    const auto element = [](std::string_view tensor, const TensorAxes& axes) {
        return axes.empty() ? std::string(tensor) : fmt::format("{}[{}]", tensor, axesText(axes));
    };
    std::string right;
    for (std::size_t i = 0; i < expression.inputs.size(); ++i)
        right +=
            (i == 0 ? "" : " · ") +
            element(std::string(1, static_cast<char>('a' + static_cast<char>(i % 25))), expression.inputs[i]);
    const std::string left = element("y", expression.output);
    switch (expression.kind) {
    case ExpressionKind::Product:
        return text + fmt::format("{}{} {} {}", indent, left, loops.sums() ? "+=" : "=", right);
    case ExpressionKind::Reduce:
        if (expression.function == "sum") return text + fmt::format("{}{} += {}", indent, left, right);
        if (expression.function == "mean")
            return text + fmt::format("{}{} += {} / count", indent, left, right);
        if (expression.function == "prod") return text + fmt::format("{}{} *= {}", indent, left, right);
        return text + fmt::format("{}{} = {}({}, {})", indent, left, expression.function, left, right);
    case ExpressionKind::Elementwise: {
        std::string arguments;
        for (std::size_t i = 0; i < expression.inputs.size(); ++i)
            arguments += (i == 0 ? "" : ", ") + element(i == 0 ? "a" : "b", expression.inputs[i]);
        return text + fmt::format("{}{} = {}({})", indent, left, expression.function, arguments);
    }
    case ExpressionKind::Rearrange:
    case ExpressionKind::Repeat:
        break;
    }
    return text + fmt::format("{}{} = {}", indent, left, right);
}

}  // namespace plumb::lab

// SPDX-License-Identifier: Apache-2.0
#include "core/lab/einsum_expression.h"
#include "tests/support/loop_nest.h"

#include <gtest/gtest.h>

#include <random>

namespace plumb::lab {
namespace {

using Names = std::vector<std::string>;
using Values = std::vector<double>;

std::size_t elementsOf(const Einsum& loops, const Names& names, const DimensionSizes& sizes) {
    return static_cast<std::size_t>(*einsumElements(loops, names, sizes));
}

/// An einsum by its definition.
Values evaluate(const Einsum& loops, const DimensionSizes& sizes, const std::vector<Values>& operands) {
    Values result(elementsOf(loops, loops.output(), sizes), 0);
    test::forEachPoint(loops.dimensions(), sizes, [&](const auto& at) {
        double product = 1;
        for (std::size_t i = 0; i < operands.size(); ++i) product *= operands[i][at(loops.inputs()[i])];
        result[at(loops.output())] += product;
    });
    return result;
}

Values someNumbers(std::size_t count, std::mt19937& random) {
    Values values(count);
    for (double& value : values) value = static_cast<double>(random() % 17) - 8;
    return values;
}

/// `gradient` of an operand with the dimensions `names`, repeated along those that the gradient lacks.
double repeatedAt(const Values& gradient, const Names& present, const Names& names, std::size_t element,
                  const DimensionSizes& sizes) {
    const DimensionSizes index = test::indexAt(names, sizes, static_cast<std::int64_t>(element));
    return gradient[test::positionAt(present, sizes, index)];
}

TEST(Gradients, AreTheDerivativesOfEveryElement) {
    std::mt19937 random(3);
    const DimensionSizes sizes{{"b", 2}, {"i", 3}, {"o", 2}, {"k", 2}, {"n", 4}};
    for (const char* text : {"b i, i o -> b o", "n, n ->", "b i, i k, k o -> b o", "b i, o -> o",
                             "b i o -> i", "b i, b i -> b i", "i o, k -> k o", "b, i, o -> o b", "b i ->"}) {
        const auto expression = EinsumExpression::parse(text, sizes);
        ASSERT_TRUE(expression.has_value()) << text;
        if (expression->kind != ExpressionKind::Product) continue;  // a sum's gradient is a repetition
        const Einsum& loops = expression->loops;
        std::vector<Values> operands;
        for (const Names& names : loops.inputs())
            operands.push_back(someNumbers(elementsOf(loops, names, sizes), random));
        const Values above = someNumbers(elementsOf(loops, loops.output(), sizes), random);
        const std::vector<GradientExpression> gradients = gradientsOf(*expression);
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const auto gradient = EinsumExpression::parse(gradients[i].text, sizes);
            ASSERT_TRUE(gradient.has_value()) << gradients[i].text;
            std::vector<Values> inputs = operands;
            inputs[i] = above;
            const Values found = evaluate(gradient->loops, sizes, inputs);
            for (std::size_t element = 0; element < operands[i].size(); ++element) {
                // The result is linear in each operand: its derivative is the result for a unit vector.
                std::vector<Values> unit = operands;
                unit[i].assign(operands[i].size(), 0);
                unit[i][element] = 1;
                const Values change = evaluate(loops, sizes, unit);
                double expected = 0;
                for (std::size_t y = 0; y < above.size(); ++y) expected += above[y] * change[y];
                EXPECT_EQ(repeatedAt(found, gradient->loops.output(), loops.inputs()[i], element, sizes),
                          expected)
                    << text << ", operand " << i << ", element " << element;
            }
        }
    }
}

}  // namespace
}  // namespace plumb::lab

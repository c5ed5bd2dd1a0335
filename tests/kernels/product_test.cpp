// SPDX-License-Identifier: Apache-2.0
// The layers' products against a naive loop in double precision, with the scratch that the traits declare.
#include "kernels/cpu/product.h"

#include "kernels/cpu/prepared_step.h"
#include "tests/kernels/samples.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::cpu {
namespace {

using test::randomFloats;

constexpr float kCanary = -99.0F;

Bytes declaredScratch(const ProductShape& shape) {
    return libraryScratchBytes(cpuTraits(), 4 * (2 * shape.batch * shape.in + shape.in * shape.out));
}

void checkProduct(const ProductShape& shape, Bytes scratchBytes) {
    SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(shape.kind) << " batch " << shape.batch
                                    << " D " << shape.in << " accumulate " << shape.accumulate);
    const std::int64_t batch = shape.batch;
    const std::int64_t dim = shape.in;
    auto product = Product::create(shape, scratchBytes, 2);
    ASSERT_TRUE(product.has_value()) << product.error().text();
    ASSERT_LE(product->scratchNeed(), scratchBytes);
    const bool weightGradient = shape.kind == ProductKind::WeightGradient;
    const auto a = randomFloats(batch * dim, 1);
    const auto b = randomFloats(weightGradient ? batch * dim : dim * dim, 2);
    const std::int64_t rows = weightGradient ? dim : batch;
    const std::int64_t depth = weightGradient ? batch : dim;
    auto c = shape.accumulate ? randomFloats(rows * dim, 3)
                              : std::vector<float>(static_cast<std::size_t>(rows * dim), std::nanf(""));
    const auto before = c;
    c.push_back(kCanary);
    std::vector<std::byte> scratch(static_cast<std::size_t>(scratchBytes) + 64);
    void* aligned =
        reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(scratch.data()) + 63) / 64 * 64);
    const auto run = product->run(a.data(), b.data(), c.data(), aligned);
    ASSERT_TRUE(run.has_value()) << run.error().text();

    const auto aAt = [&](std::int64_t r, std::int64_t k) {
        return static_cast<double>(a[static_cast<std::size_t>(weightGradient ? k * dim + r : r * dim + k)]);
    };
    const auto bAt = [&](std::int64_t k, std::int64_t column) {
        return static_cast<double>(b[static_cast<std::size_t>(
            shape.kind == ProductKind::InputGradient ? column * dim + k : k * dim + column)]);
    };
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t column = 0; column < dim; ++column) {
            const auto at = static_cast<std::size_t>(r * dim + column);
            double expected = shape.accumulate ? static_cast<double>(before[at]) : 0.0;
            double size = 1;
            for (std::int64_t k = 0; k < depth; ++k) {
                expected += aAt(r, k) * bAt(k, column);
                size += std::abs(aAt(r, k) * bAt(k, column));
            }
            ASSERT_NEAR(static_cast<double>(c[at]), expected, 1e-6 * size) << r << ", " << column;
        }
    EXPECT_EQ(c.back(), kCanary);
}

std::vector<ProductShape> shapesOf(std::int64_t batch, std::int64_t dim) {
    std::vector<ProductShape> shapes;
    shapes.push_back({ProductKind::Forward, batch, dim, dim, false});
    for (const bool add : {false, true})
        shapes.push_back({ProductKind::WeightGradient, batch, dim, dim, add});
    shapes.push_back({ProductKind::InputGradient, batch, dim, dim, false});
    return shapes;
}

TEST(Product, MatchesANaiveLoop) {
    for (const std::int64_t batch : {1, 3, 16, 33})
        for (const std::int64_t dim : {1, 2, 15, 17, 64, 131})
            for (const ProductShape& shape : shapesOf(batch, dim))
                checkProduct(shape, declaredScratch(shape));
}

TEST(Product, FallsBackToThePlainProductWhenTheScratchIsTooSmall) {
    for (const ProductShape& shape : shapesOf(16, 33)) {
        const auto product = Product::create(shape, 0, 2);
        ASSERT_TRUE(product.has_value());
        EXPECT_EQ(product->scratchNeed(), 0);
        EXPECT_EQ(product->implementation().find("brg"), std::string::npos) << product->implementation();
        checkProduct(shape, 0);
    }
}

TEST(Product, DeclaredScratchIsEnoughForEveryShapeWithTwoThreads) {
    for (const std::int64_t batch : {1, 2, 16, 100, 256, 600, 1024, 4096})
        for (const std::int64_t dim : {1, 3, 16, 31, 64, 200, 255, 512, 1000, 1024, 2048, 4104})
            for (const ProductShape& shape : shapesOf(batch, dim)) {
                const auto product = Product::create(shape, declaredScratch(shape), 2);
                ASSERT_TRUE(product.has_value());
                const auto free = Product::create(shape, Bytes{1} << 40, 2);
                ASSERT_TRUE(free.has_value());
                EXPECT_EQ(product->implementation(), free->implementation())
                    << "batch " << batch << " D " << dim;
            }
}

}  // namespace
}  // namespace plumb::cpu

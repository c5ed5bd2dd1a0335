// SPDX-License-Identifier: Apache-2.0
// The layers' products against a naive loop in double precision, with the scratch that the traits declare.
#include "kernels/cpu/product.h"

#include "core/base/dtype.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/prepared_step.h"
#include "tests/kernels/samples.h"
#include "tests/kernels/scratch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace plumb::cpu {
namespace {

using test::fromBf16;
using test::randomFloats;
using test::Scratch;
using test::toBf16;

constexpr float kProductCanary = -99.0F;

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
    c.push_back(kProductCanary);
    Scratch scratch(scratchBytes);
    const auto run = product->run(a.data(), b.data(), c.data(), scratch.aligned());
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
    EXPECT_EQ(c.back(), kProductCanary);
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

/// Operands of one product, fp32 and bf16 of the same values, and its result when every part of the work is
/// done on its own.
struct FusedCase {
    ProductShape shape;
    std::vector<float> a, b, before, mask;
    std::vector<float> product;

    explicit FusedCase(const ProductShape& of) : shape(of) {
        const bool weightGradient = shape.kind == ProductKind::WeightGradient;
        const std::int64_t rows = shape.batch * shape.in;
        const std::int64_t matrix = shape.in * shape.out;
        const std::int64_t results = weightGradient ? matrix : rows;
        a = fromBf16(toBf16(randomFloats(rows, 1)));
        b = fromBf16(toBf16(randomFloats(weightGradient ? rows : matrix, 2)));
        before = fromBf16(toBf16(randomFloats(results, 3)));
        mask = fromBf16(toBf16(randomFloats(results, 4)));
        a[a.size() / 2] = std::nanf("");
        product.resize(before.size());
    }
    [[nodiscard]] float expected(std::size_t at, const ProductCall& call) const {
        float value = product[at] + (call.accumulate ? before[at] : 0.0F);
        if (call.relu && value < 0) value = 0;
        if (call.mask != nullptr && !(mask[at] > 0)) value = 0;
        return value;
    }
};

bool sameBits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0 || (a == 0 && b == 0); }

TEST(Product, FusedWorkGivesTheBitsOfThePartsOneAfterTheOther) {
    for (const auto& [batch, dim] : {std::pair{3, 17}, {40, 64}, {33, 131}, {20, 700}, {1100, 40}})
        for (const ProductKind kind :
             {ProductKind::Forward, ProductKind::WeightGradient, ProductKind::InputGradient}) {
            SCOPED_TRACE(testing::Message()
                         << "kind " << static_cast<int>(kind) << " batch " << batch << " D " << dim);
            FusedCase fused({kind, batch, dim, dim, false});
            const Bytes scratchBytes = declaredScratch(fused.shape);
            auto product = Product::create(fused.shape, scratchBytes, 2);
            ASSERT_TRUE(product.has_value()) << product.error().text();
            if (!product->fuses()) GTEST_SKIP() << "this processor has no product of our own";
            Scratch scratch(scratchBytes);
            ASSERT_TRUE(product->run(fused.a.data(), fused.b.data(), fused.product.data(), scratch.aligned())
                            .has_value());
            const auto a16 = toBf16(fused.a);
            const auto b16 = toBf16(fused.b);
            const auto mask16 = toBf16(fused.mask);
            for (int variant = 0; variant < 8; ++variant) {
                ProductCall call{
                    .bf16 = variant % 2 == 1, .accumulate = variant / 2 == 2, .relu = variant / 2 == 1};
                const bool masked = variant / 2 == 3;
                std::vector<float> sums(fused.product.size(), std::nanf(""));
                call.sums = sums.data();
                call.scratch = scratch.aligned();
                std::vector<float> c = fused.before;
                std::vector<std::uint16_t> c16 = toBf16(fused.before);
                call.a = call.bf16 ? static_cast<const void*>(a16.data()) : fused.a.data();
                call.b = call.bf16 ? static_cast<const void*>(b16.data()) : fused.b.data();
                call.c = call.bf16 ? static_cast<void*>(c16.data()) : c.data();
                if (masked)
                    call.mask = call.bf16 ? static_cast<const void*>(mask16.data()) : fused.mask.data();
                product->run(call);
                for (std::size_t at = 0; at < c.size(); ++at) {
                    const float expected = fused.expected(at, call);
                    if (std::isnan(expected)) {
                        ASSERT_TRUE(std::isnan(call.bf16 ? floatFromBf16(c16[at]) : c[at])) << at;
                    } else if (call.bf16) {
                        ASSERT_TRUE(sameBits(floatFromBf16(c16[at]), floatFromBf16(bf16FromFloat(expected))))
                            << at << " of variant " << variant;
                    } else if (call.accumulate) {  // summed from what was there on: another order
                        ASSERT_NEAR(c[at], expected, 1e-3F) << at;
                    } else {
                        ASSERT_TRUE(sameBits(c[at], expected)) << at << " of variant " << variant;
                    }
                }
            }
        }
}

TEST(Product, ScalesTheSumsOfBf16WithoutRoundingThem) {
    for (const auto& [batch, dim] : {std::pair{40, 64}, {20, 700}, {70, 2100}}) {
        const FusedCase fused({ProductKind::Forward, batch, dim, dim, false});
        const Bytes scratchBytes = declaredScratch(fused.shape);
        auto product = Product::create(fused.shape, scratchBytes, 2);
        ASSERT_TRUE(product.has_value()) << product.error().text();
        if (!product->fuses()) GTEST_SKIP() << "this processor has no product of our own";
        Scratch scratch(scratchBytes);
        std::vector<float> whole(fused.product.size()), scaled(fused.product.size());
        ASSERT_TRUE(
            product->run(fused.a.data(), fused.b.data(), whole.data(), scratch.aligned()).has_value());
        const auto a16 = toBf16(fused.a);
        const auto b16 = toBf16(fused.b);
        ProductCall call{.a = a16.data(),
                         .b = b16.data(),
                         .c = scaled.data(),
                         .scratch = scratch.aligned(),
                         .bf16 = true,
                         .fp32Result = true,
                         .factor = 0.25F};
        product->run(call);
        for (std::size_t at = 0; at < whole.size(); ++at)
            ASSERT_TRUE(std::isnan(whole[at]) ? std::isnan(scaled[at])
                                              : sameBits(scaled[at], 0.25F * whole[at]))
                << at;
    }
}

TEST(Product, SaysHowBf16IsMultiplied) {
    const auto product = Product::create({ProductKind::Forward, 40, 64, 64, false}, Bytes{1} << 20, 2);
    ASSERT_TRUE(product.has_value());
    if (!product->fuses()) GTEST_SKIP() << "this processor has no product of our own";
    EXPECT_EQ(product->implementation(), "own:avx512");
    EXPECT_EQ(product->implementationOfBf16(),
              localCpuTraits().multipliesBf16 ? "own:avx512_bf16" : "own:avx512");
}

TEST(Product, OurOwnDoesNotDependOnTheNumberOfThreads) {
    // In the last one few results have long sums, which oneDNN shares between threads.
    for (const auto& [batch, dim] : {std::pair{64, 300}, {600, 600}, {2000, 128}, {4096, 64}})
        for (const ProductShape& shape : shapesOf(batch, dim)) {
            const bool weightGradient = shape.kind == ProductKind::WeightGradient;
            const auto a = randomFloats(batch * dim, 1);
            const auto b = randomFloats(weightGradient ? batch * dim : dim * dim, 2);
            const auto before = randomFloats(weightGradient ? dim * dim : batch * dim, 3);
            std::vector<float> first;
            for (const int threads : {1, 2, 3, 8}) {
                const auto product = Product::create(shape, declaredScratch(shape), threads);
                ASSERT_TRUE(product.has_value());
                if (!product->fuses()) GTEST_SKIP() << "this processor has no product of our own";
                Scratch scratch(declaredScratch(shape));
                std::vector<float> c = before;
                ASSERT_TRUE(product->run(a.data(), b.data(), c.data(), scratch.aligned()).has_value());
                if (first.empty()) first = c;
                ASSERT_EQ(std::memcmp(first.data(), c.data(), c.size() * sizeof(float)), 0) << threads;
            }
        }
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

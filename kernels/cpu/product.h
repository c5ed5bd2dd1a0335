// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace plumb::cpu {

/// The three products of a layer, on row-major fp32 matrices: x [batch, in], w [in, out], y [batch, out].
enum class ProductKind : std::uint8_t {
    Forward,         ///< c = a b       a = x [batch, in],   b = w [in, out],     c = y
    WeightGradient,  ///< c = a^T b     a = x [batch, in],   b = dy [batch, out], c = dw [in, out]
    InputGradient,   ///< c = a b^T     a = dy [batch, out], b = w [in, out],     c = dx [batch, in]
};

struct ProductShape {
    ProductKind kind = ProductKind::Forward;
    std::int64_t batch = 0;
    std::int64_t in = 0;
    std::int64_t out = 0;
    bool accumulate = false;  ///< c += product
    bool operator==(const ProductShape&) const = default;
};

/// Elements of its three matrices.
struct ProductElements {
    std::int64_t a = 0, b = 0, result = 0;
};
[[nodiscard]] constexpr ProductElements elementsOf(const ProductShape& shape) {
    const std::int64_t x = shape.batch * shape.in, y = shape.batch * shape.out, w = shape.in * shape.out;
    switch (shape.kind) {
    case ProductKind::Forward:
        return {x, w, y};
    case ProductKind::WeightGradient:
        return {x, y, w};
    case ProductKind::InputGradient:
        return {y, w, x};
    }
    return {};
}

/// Operands of one run of a product, and what is done to its result before it leaves the cache.
struct ProductCall {
    const void* a = nullptr;
    const void* b = nullptr;
    void* c = nullptr;
    void* scratch = nullptr;     ///< room of the bytes that create() was told of, aligned to 64
    bool bf16 = false;           ///< a, b, c and mask are bf16; sums are fp32 and rounded once
    bool fp32Result = false;     ///< c is fp32 all the same; then nothing is accumulated
    float factor = 1;            ///< c = product * factor
    bool accumulate = false;     ///< c += product; an fp32 product has it in its shape
    bool relu = false;           ///< c below 0 becomes 0; what is not a number stays so
    const void* mask = nullptr;  ///< c becomes 0 where this is not above 0
    float* sums = nullptr;       ///< for bf16: room for c as fp32
};

/// One product, ready to run on any operands of its shape without allocating on our side.
///
/// On a processor with AVX-512 it is our own (gemm.h), which reads bf16 operands without copies of them and
/// does a layer's element-wise work on the way; its result does not depend on the number of threads. Where
/// the processor multiplies bf16 faster than fp32 it does so, with the same bits but for subnormal numbers.
/// Elsewhere it is oneDNN's, or when the scratch is too small for ours.
///
/// The library's scratch is ours: create() takes the amount that will be handed to run() and chooses the
/// first implementation that makes do with it. Where none does (many threads: the need of the fastest grows
/// with them), the library's plain sgemm is taken, which needs none of ours; its own pack buffers, at most a
/// few MB per thread and freed within the call, are then the one thing that is not counted.
class Product {
public:
    /// Makes a product for `threads` threads at most; a small one takes fewer, down to one, which then runs
    /// without any hand-over between threads. Errors: Internal with the library's status.
    [[nodiscard]] static Result<Product> create(const ProductShape& shape, Bytes scratchBytes, int threads);
    Product(Product&&) noexcept;
    Product& operator=(Product&&) noexcept;
    ~Product();

    [[nodiscard]] Result<void> run(const float* a, const float* b, float* c, void* scratch) const;
    /// Whether run(ProductCall) may be used: true of our own products, false of the library's.
    [[nodiscard]] bool fuses() const;
    /// Whether bf16 operands are multiplied as such, which is faster than fp32.
    [[nodiscard]] bool multipliesBf16() const;
    /// Pre: fuses(). The same bits as conversion, product and element-wise work one after the other.
    void run(const ProductCall& call) const;

    [[nodiscard]] const ProductShape& shape() const;
    /// That it is shared by at most.
    [[nodiscard]] int threads() const;
    /// Bytes of the scratch that the implementation really uses.
    [[nodiscard]] Bytes scratchNeed() const;
    /// "own:avx512", or the library's name for it, "brg:avx512_core" or "sgemm".
    [[nodiscard]] const std::string& implementation() const;
    /// "own:avx512_bf16" where bf16 operands are multiplied as such, "own:avx512" where they become fp32
    /// while they are packed; empty: this product takes none.
    [[nodiscard]] std::string implementationOfBf16() const;

private:
    struct Impl;
    explicit Product(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace plumb::cpu

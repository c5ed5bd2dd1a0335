// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/contraction.h"

#include "core/plan/step_plan.h"
#include "kernels/cpu/loop_nest.h"
#include "kernels/cpu/product.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace plumb::cpu {

namespace {

using Names = std::vector<std::string>;

constexpr Bytes kScratchBytes = Bytes{64} << 20U;
constexpr std::size_t kAlignment = 64;

bool contains(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// `names` with only those that all of `others` have and none of `without` has.
Names common(const Names& names, std::initializer_list<const Names*> others, const Names* without) {
    Names result;
    for (const std::string& name : names) {
        const bool everywhere = std::all_of(others.begin(), others.end(),
                                            [&](const Names* other) { return contains(*other, name); });
        if (everywhere && (without == nullptr || !contains(*without, name))) result.push_back(name);
    }
    return result;
}

Names joined(std::initializer_list<const Names*> groups) {
    Names result;
    for (const Names* group : groups) result.insert(result.end(), group->begin(), group->end());
    return result;
}

/// A product of two tensors as so many products of matrices.
struct MatrixProducts {
    std::int64_t count = 1;  ///< of the batch dimensions
    ProductShape shape;
    bool swapped = false;  ///< the second operand of the expression is the left matrix
};

/// The groups of a product whose left matrix is `a`; empty when the dimensions do not stand that way.
std::optional<MatrixProducts> asMatrices(const Names& a, const Names& b, const Names& c,
                                         const Einsum& expression, const DimensionSizes& sizes) {
    const Names batch = common(c, {&a, &b}, nullptr);
    const Names rows = common(c, {&a}, &b), columns = common(c, {&b}, &a);
    const Names summed = common(a, {&b}, &c);
    if (c != joined({&batch, &rows, &columns})) return std::nullopt;
    const bool plainA = a == joined({&batch, &rows, &summed}),
               turnedA = a == joined({&batch, &summed, &rows});
    const bool plainB = b == joined({&batch, &summed, &columns}),
               turnedB = b == joined({&batch, &columns, &summed});
    const auto size = [&](const Names& names) {
        const auto elements = einsumElements(expression, names, sizes);
        return elements.has_value() ? *elements : -1;
    };
    MatrixProducts products;
    products.count = size(batch);
    const std::int64_t m = size(rows), k = size(summed), n = size(columns);
    // Of vectors there is no product of matrices: it would fill its tile with zeros, and read the matrix
    // twice.
    if (m == 1 || n == 1 || k == 1) return std::nullopt;
    if (plainA && plainB)
        products.shape = {ProductKind::Forward, m, k, n};
    else if (turnedA && plainB)
        products.shape = {ProductKind::WeightGradient, k, m, n};
    else if (plainA && turnedB)
        products.shape = {ProductKind::InputGradient, m, n, k};
    else
        return std::nullopt;
    return products;
}

std::optional<MatrixProducts> matricesOf(const Einsum& expression, const DimensionSizes& sizes) {
    if (expression.inputs().size() != 2) return std::nullopt;
    const Names& a = expression.inputs()[0];
    const Names& b = expression.inputs()[1];
    if (auto products = asMatrices(a, b, expression.output(), expression, sizes)) return products;
    auto products = asMatrices(b, a, expression.output(), expression, sizes);
    if (products) products->swapped = true;
    return products;
}

}  // namespace

struct Contraction::Impl {
    std::vector<std::int64_t> elements;  ///< of the operands
    std::int64_t results = 0;
    std::optional<MatrixProducts> matrices;
    std::optional<Product> product;
    std::optional<LoopNest> loops;
    bool bf16 = false;
    std::vector<std::byte> scratch;
    std::vector<float> sums;
    std::string implementation;

    /// At the first run, not before it is known whether there is memory.
    void takeScratch() {
        if (!scratch.empty()) return;
        scratch.resize(static_cast<std::size_t>(product->scratchNeed()) + kAlignment);
        if (bf16) sums.resize(static_cast<std::size_t>(results / matrices->count));
    }
    [[nodiscard]] void* alignedScratch() {
        const auto beyond = reinterpret_cast<std::uintptr_t>(scratch.data()) % kAlignment;
        return scratch.data() + (beyond == 0 ? 0 : kAlignment - beyond);
    }
};

Contraction::Contraction(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Contraction::Contraction(Contraction&&) noexcept = default;
Contraction& Contraction::operator=(Contraction&&) noexcept = default;
Contraction::~Contraction() = default;

Result<Contraction> Contraction::create(const Einsum& expression, const DimensionSizes& sizes, Dtype dtype,
                                        int threads) {
    if (expression.inputs().size() > 2)
        return Error{ErrorCode::BadInput,
                     fmt::format("a contraction has at most two tensors ({})", expression.text()),
                     "take them pair by pair"};
    if (dtype != Dtype::Fp32 && dtype != Dtype::Bf16)
        return Error{
            ErrorCode::BadInput,
            fmt::format("this machine does not run it in {}: the CPU's kernels multiply fp32 and bf16",
                        dtypeName(dtype)),
            "time it in fp32"};
    auto impl = std::make_unique<Impl>();
    for (const Names& operand : expression.inputs()) {
        PLUMB_TRY(const std::int64_t elements, einsumElements(expression, operand, sizes));
        impl->elements.push_back(elements);
    }
    PLUMB_TRY(impl->results, einsumElements(expression, expression.output(), sizes));
    impl->matrices = matricesOf(expression, sizes);
    impl->bf16 = dtype == Dtype::Bf16;
    if (impl->matrices) {
        PLUMB_TRY(impl->product, Product::create(impl->matrices->shape, kScratchBytes, threads));
        // No kernel of this processor multiplies bf16.
        if (impl->bf16 && !impl->product->fuses()) impl->matrices.reset();
    }
    if (!impl->matrices) {
        impl->product.reset();
        PLUMB_TRY(impl->loops, LoopNest::create(expression.inputs(), expression.output(), sizes, Combine::Sum,
                                                dtype, threads));
        impl->implementation = impl->loops->implementation();
        return Contraction(std::move(impl));
    }
    impl->implementation =
        impl->bf16 ? impl->product->implementationOfBf16() : impl->product->implementation();
    return Contraction(std::move(impl));
}

std::int64_t Contraction::operandElements(std::size_t index) const { return m_impl->elements[index]; }
std::int64_t Contraction::resultElements() const { return m_impl->results; }
const std::string& Contraction::implementation() const { return m_impl->implementation; }

bool Contraction::isLoops() const { return m_impl->loops.has_value(); }

Bytes Contraction::scratchBytes() const {
    if (!m_impl->product) return 0;
    const Bytes sums = m_impl->bf16 ? mulOrOverflow(4, m_impl->results / m_impl->matrices->count) : 0;
    return addOrOverflow(sums,
                         static_cast<Bytes>(m_impl->product->scratchNeed()) + static_cast<Bytes>(kAlignment));
}

Result<void> Contraction::run(const void* a, const void* b, void* result) {
    Impl& impl = *m_impl;
    const bool two = impl.elements.size() == 2;
    if (impl.loops) {
        impl.loops->run(a, two ? b : nullptr, result);
        return {};
    }
    impl.takeScratch();
    const MatrixProducts& matrices = *impl.matrices;
    const void* left = matrices.swapped ? b : a;
    const void* right = matrices.swapped ? a : b;
    const std::int64_t leftElements = impl.elements[matrices.swapped ? 1 : 0] / matrices.count;
    const std::int64_t rightElements = impl.elements[matrices.swapped ? 0 : 1] / matrices.count;
    const std::int64_t resultElements = impl.results / matrices.count;
    const std::int64_t size = impl.bf16 ? 2 : 4;
    for (std::int64_t i = 0; i < matrices.count; ++i) {
        const auto* x = static_cast<const std::byte*>(left) + i * leftElements * size;
        const auto* y = static_cast<const std::byte*>(right) + i * rightElements * size;
        auto* z = static_cast<std::byte*>(result) + i * resultElements * size;
        if (!impl.bf16) {
            PLUMB_CHECK(impl.product->run(reinterpret_cast<const float*>(x),
                                          reinterpret_cast<const float*>(y), reinterpret_cast<float*>(z),
                                          impl.alignedScratch()));
            continue;
        }
        ProductCall call;
        call.a = x;
        call.b = y;
        call.c = z;
        call.scratch = impl.alignedScratch();
        call.bf16 = true;
        call.sums = impl.sums.data();
        impl.product->run(call);
    }
    return {};
}

}  // namespace plumb::cpu

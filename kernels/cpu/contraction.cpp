// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/contraction.h"

#include "core/plan/step_plan.h"
#include "kernels/cpu/product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
    // Element by element there is no matrix, and a call for every number would be most of the time.
    if (m == 1 && k == 1 && n == 1 && products.count > 1) return std::nullopt;
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

/// The loop nest itself: sums innermost, in fp32.
struct Loops {
    std::vector<std::int64_t> sizes;
    std::vector<std::array<std::int64_t, 3>>
        strides;            ///< of a, b and the result; 0 where a tensor has no such
    std::size_t outer = 0;  ///< dimensions of the result come first

    void run(const float* a, const float* b, float* c) const {
        std::vector<std::int64_t> index(sizes.size(), 0);
        std::array<std::int64_t, 3> at{};
        std::int64_t inner = 1;
        for (std::size_t d = outer; d < sizes.size(); ++d) inner *= sizes[d];
        std::int64_t outputs = 1;
        for (std::size_t d = 0; d < outer; ++d) outputs *= sizes[d];
        const auto advance = [&](std::size_t begin, std::size_t end) {
            for (std::size_t d = end; d-- > begin;) {
                for (std::size_t t = 0; t < at.size(); ++t) at[t] += strides[d][t];
                if (++index[d] < sizes[d]) return;
                for (std::size_t t = 0; t < at.size(); ++t) at[t] -= sizes[d] * strides[d][t];
                index[d] = 0;
            }
        };
        for (std::int64_t output = 0; output < outputs; ++output) {
            float sum = 0;
            for (std::int64_t i = 0; i < inner; ++i) {
                sum += b == nullptr ? a[at[0]] : a[at[0]] * b[at[1]];
                advance(outer, sizes.size());
            }
            c[at[2]] = sum;
            advance(0, outer);
        }
    }
};

Loops loopsOf(const Einsum& expression, const DimensionSizes& sizes) {
    Loops loops;
    const auto strideIn = [&](const Names& names, const std::string& wanted) {
        std::int64_t stride = 1;
        for (std::size_t i = names.size(); i-- > 0;) {
            if (names[i] == wanted) return stride;
            stride *= sizes.find(names[i])->second;
        }
        return std::int64_t{0};
    };
    Names order = expression.output();
    loops.outer = order.size();
    for (const std::string& name : expression.dimensions())
        if (!contains(order, name)) order.push_back(name);
    static const Names kNone;
    const Names& second = expression.inputs().size() > 1 ? expression.inputs()[1] : kNone;
    for (const std::string& name : order) {
        loops.sizes.push_back(sizes.find(name)->second);
        loops.strides.push_back({strideIn(expression.inputs()[0], name), strideIn(second, name),
                                 strideIn(expression.output(), name)});
    }
    return loops;
}

Error refusal(Dtype dtype, std::string_view why) {
    return {ErrorCode::BadInput, fmt::format("this machine does not run it in {}: {}", dtypeName(dtype), why),
            "time it in fp32"};
}

}  // namespace

struct Contraction::Impl {
    std::vector<std::int64_t> elements;  ///< of the operands
    std::int64_t results = 0;
    std::optional<MatrixProducts> matrices;
    std::optional<Product> product;
    Loops loops;
    bool bf16 = false;
    std::vector<std::byte> scratch;
    std::vector<float> sums;
    std::string implementation = "plain loops";

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
        return Error{
            ErrorCode::BadInput,
            fmt::format("this machine times products of at most two tensors ({})", expression.text()),
            "time the products of the best order one by one"};
    if (dtype != Dtype::Fp32 && dtype != Dtype::Bf16)
        return refusal(dtype, "the CPU's kernels multiply fp32 and bf16");
    auto impl = std::make_unique<Impl>();
    PLUMB_TRY(const std::int64_t points, einsumPoints(expression, sizes));
    for (const Names& operand : expression.inputs()) {
        PLUMB_TRY(const std::int64_t elements, einsumElements(expression, operand, sizes));
        impl->elements.push_back(elements);
    }
    PLUMB_TRY(impl->results, einsumElements(expression, expression.output(), sizes));
    impl->matrices = matricesOf(expression, sizes);
    impl->bf16 = dtype == Dtype::Bf16;
    if (!impl->matrices) {
        if (impl->bf16) return refusal(dtype, "its dimensions do not stand in the order of a matrix product");
        if (points > kMostTimedLoopPoints)
            return Error{ErrorCode::BadInput, fmt::format("{} points are too many for plain loops", points),
                         "make a dimension smaller, or order the dimensions as in a matrix product"};
        impl->loops = loopsOf(expression, sizes);
        return Contraction(std::move(impl));
    }
    PLUMB_TRY(impl->product, Product::create(impl->matrices->shape, kScratchBytes, threads));
    if (impl->bf16 && !impl->product->fuses())
        return refusal(dtype, "this processor's kernels for bf16 need AVX-512");
    impl->implementation = impl->product->implementation();
    impl->scratch.resize(static_cast<std::size_t>(impl->product->scratchNeed()) + kAlignment);
    if (impl->bf16) impl->sums.resize(static_cast<std::size_t>(impl->results / impl->matrices->count));
    return Contraction(std::move(impl));
}

std::int64_t Contraction::operandElements(std::size_t index) const { return m_impl->elements[index]; }
std::int64_t Contraction::resultElements() const { return m_impl->results; }
const std::string& Contraction::implementation() const { return m_impl->implementation; }

Bytes Contraction::bytes() const {
    Bytes elements = m_impl->results;
    for (const std::int64_t operand : m_impl->elements) elements = addOrOverflow(elements, operand);
    const Bytes tensors = mulOrOverflow(elements, m_impl->bf16 ? 2 : 4);
    return addOrOverflow(tensors, static_cast<Bytes>(m_impl->scratch.size() + 4 * m_impl->sums.size()));
}

Result<void> Contraction::run(const void* a, const void* b, void* result) {
    Impl& impl = *m_impl;
    const bool two = impl.elements.size() == 2;
    if (!impl.matrices) {
        impl.loops.run(static_cast<const float*>(a), two ? static_cast<const float*>(b) : nullptr,
                       static_cast<float*>(result));
        return {};
    }
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

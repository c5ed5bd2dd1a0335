// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/contraction.h"

#include "core/base/contains.h"
#include "core/plan/step_plan.h"
#include "kernels/cpu/loop_nest.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/product.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace plumb::cpu {

namespace {

using Names = std::vector<std::string>;

constexpr Bytes kScratchBytes = Bytes{64} << 20U;
constexpr std::int64_t kAlignment = 64;
/// Multiply-adds for each element that is moved, below which its moving shows.
constexpr std::int64_t kWorkForMove = 512;
/// Products for each thread from which on an uneven share of them does not matter.
constexpr std::int64_t kManyProducts = 4;
/// Rows below which the packing of a matrix that no cache holds shows, and such a matrix's elements.
constexpr std::int64_t kThin = 128, kLargeMatrix = std::int64_t{1} << 22U;

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
    /// The order in which left, right matrix and result lie as matrices; empty: in which they lie anyway.
    Names left, right, result;
    std::int64_t moved = 0;  ///< elements of those that have to be brought into that order

    [[nodiscard]] int rearranged() const {
        return (left.empty() ? 0 : 1) + (right.empty() ? 0 : 1) + (result.empty() ? 0 : 1);
    }
};

/// The groups of a product whose left matrix is `a`; empty when it is none of matrices. Pre: no dimension has
/// size 1.
std::optional<MatrixProducts> asMatrices(const Names& a, const Names& b, const Names& c,
                                         const Einsum& expression, const DimensionSizes& sizes) {
    const Names batch = common(c, {&a, &b}, nullptr);
    const Names rows = common(c, {&a}, &b), columns = common(c, {&b}, &a);
    const Names summed = common(a, {&b}, &c);
    // A dimension of one operand alone that is summed.
    if (a.size() != batch.size() + rows.size() + summed.size() ||
        b.size() != batch.size() + summed.size() + columns.size())
        return std::nullopt;
    const auto size = [&](const Names& names) {
        const auto elements = einsumElements(expression, names, sizes);
        return elements.has_value() ? *elements : -1;
    };
    MatrixProducts products;
    products.count = size(batch);
    const std::int64_t m = size(rows), k = size(summed), n = size(columns);
    // Vectors are not multiplied as matrices: that would fill its tile with zeros, and read the matrix
    // twice.
    if (m == 1 || n == 1 || k == 1) return std::nullopt;
    const Names plainA = joined({&batch, &rows, &summed}), plainB = joined({&batch, &summed, &columns});
    bool transposedA = a == joined({&batch, &summed, &rows});
    bool transposedB = b == joined({&batch, &columns, &summed});
    if ((a != plainA && !transposedA) || (transposedA && transposedB && m <= n)) {
        products.left = plainA;
        products.moved += size(a);
        transposedA = false;
    }
    if ((b != plainB && !transposedB) || (transposedA && transposedB)) {
        products.right = plainB;
        products.moved += size(b);
        transposedB = false;
    }
    if (const Names result = joined({&batch, &rows, &columns}); c != result) {
        products.result = result;
        products.moved += size(c);
    }
    if (transposedA)
        products.shape = {ProductKind::WeightGradient, k, m, n};
    else if (transposedB)
        products.shape = {ProductKind::InputGradient, m, n, k};
    else
        products.shape = {ProductKind::Forward, m, k, n};
    return products;
}

std::optional<MatrixProducts> matricesOf(const Einsum& expression, const DimensionSizes& sizes) {
    if (expression.inputs().size() != 2) return std::nullopt;
    const auto counted = [&](Names names) {
        std::erase_if(names, [&](const std::string& name) { return sizes.find(name)->second == 1; });
        return names;
    };
    const Names a = counted(expression.inputs()[0]), b = counted(expression.inputs()[1]);
    const Names c = counted(expression.output());
    auto products = asMatrices(a, b, c, expression, sizes);
    auto other = asMatrices(b, a, c, expression, sizes);
    if (other) other->swapped = true;
    return products && other && other->moved < products->moved ? other : products;
}

}  // namespace

struct Contraction::Impl {
    std::vector<std::int64_t> elements;  ///< of the operands
    std::int64_t results = 0;
    std::optional<MatrixProducts> matrices;
    std::vector<Product> products;  ///< one for each thread that takes matrices of its own; else one
    std::optional<LoopNest> loops;
    std::optional<LoopNest> arrangeLeft, arrangeRight, arrangeResult;
    bool bf16 = false;
    std::string implementation;
    std::vector<std::byte> scratch;  ///< of all products, one after the other
    std::vector<float> sums;
    std::vector<std::byte> left, right, result;  ///< in the order of matrices

    [[nodiscard]] std::int64_t elementSize() const { return bf16 ? 2 : 4; }
    [[nodiscard]] std::int64_t leftElements() const { return elements[matrices->swapped ? 1 : 0]; }
    [[nodiscard]] std::int64_t rightElements() const { return elements[matrices->swapped ? 0 : 1]; }
    [[nodiscard]] std::int64_t scratchOfOne() const {
        const std::int64_t need = products.front().scratchNeed() + kAlignment;
        return (need + kAlignment - 1) / kAlignment * kAlignment;
    }
    [[nodiscard]] std::int64_t sumsOfOne() const { return bf16 ? results / matrices->count : 0; }

    [[nodiscard]] Result<void> chooseMatrices(const Einsum& expression, const DimensionSizes& sizes,
                                              Dtype dtype, int threads);
    /// Takes the memory at the first run, when it is known whether there is some.
    void takeMemory();
    [[nodiscard]] Result<void> multiply(const std::byte* a, const std::byte* b, std::byte* c);
    [[nodiscard]] Result<void> multiplyOne(const Product& product, std::int64_t place, const std::byte* a,
                                           const std::byte* b, std::byte* c);
};

// Many matrices go to the threads as they are: a small product is not worth being shared.
Result<void> Contraction::Impl::chooseMatrices(const Einsum& expression, const DimensionSizes& sizes,
                                               Dtype dtype, int threads) {
    const bool splits =
        matrices->count >= kManyProducts * threads || (threads > 1 && matrices->count % threads == 0);
    for (int i = 0; i < (splits ? threads : 1); ++i) {
        PLUMB_TRY(Product product, Product::create(matrices->shape, kScratchBytes, splits ? 1 : threads));
        products.push_back(std::move(product));
    }
    // No kernel of this processor multiplies bf16.
    if (bf16 && !products.front().fuses()) {
        matrices.reset();
        products.clear();
        return {};
    }
    const auto& inputs = expression.inputs();
    const auto arrange = [&](const Names& from, const Names& to,
                             std::optional<LoopNest>& nest) -> Result<void> {
        PLUMB_TRY(nest, LoopNest::create({from}, to, sizes, Combine::Sum, dtype, threads));
        return {};
    };
    if (!matrices->left.empty())
        PLUMB_CHECK(arrange(inputs[matrices->swapped ? 1 : 0], matrices->left, arrangeLeft));
    if (!matrices->right.empty())
        PLUMB_CHECK(arrange(inputs[matrices->swapped ? 0 : 1], matrices->right, arrangeRight));
    if (!matrices->result.empty()) PLUMB_CHECK(arrange(matrices->result, expression.output(), arrangeResult));
    implementation = bf16 ? products.front().implementationOfBf16() : products.front().implementation();
    if (splits) implementation += fmt::format(", {} threads", threads);
    // Each number of the large matrix is packed once more for the few rows or columns of the other one.
    const ProductShape& shape = matrices->shape;
    const std::int64_t few = std::min({shape.batch, shape.in, shape.out});
    const bool isThin =
        products.front().fuses() && few < kThin && shape.batch * shape.in * shape.out / few > kLargeMatrix;
    if (const int count = matrices->rearranged(); count > 0) {
        const std::int64_t work = matrices->count * shape.batch * shape.in * shape.out;
        implementation += fmt::format(", {}{} {}",
                                      work / matrices->moved < kWorkForMove ? "limited by first rearranging "
                                                                            : "after rearranging ",
                                      count, count == 1 ? "tensor" : "tensors");
    }
    if (!splits && products.front().threads() < threads)
        implementation += ", limited by fewer threads than there are: it is too small for more";
    if (isThin) implementation += ", limited by packing a large matrix for a thin one";
    return {};
}

void Contraction::Impl::takeMemory() {
    if (!scratch.empty()) return;
    const auto room = [&](std::int64_t count) { return static_cast<std::size_t>(count * elementSize()); };
    scratch.resize(static_cast<std::size_t>(scratchOfOne()) * products.size());
    sums.resize(static_cast<std::size_t>(sumsOfOne()) * products.size());
    if (arrangeLeft) left.resize(room(leftElements()));
    if (arrangeRight) right.resize(room(rightElements()));
    if (arrangeResult) result.resize(room(results));
}

Result<void> Contraction::Impl::multiplyOne(const Product& product, std::int64_t place, const std::byte* a,
                                            const std::byte* b, std::byte* c) {
    std::byte* room = scratch.data() + place * scratchOfOne();
    const auto beyond = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(room) % kAlignment);
    room += beyond == 0 ? 0 : kAlignment - beyond;
    if (!bf16)
        return product.run(reinterpret_cast<const float*>(a), reinterpret_cast<const float*>(b),
                           reinterpret_cast<float*>(c), room);
    ProductCall call{
        .a = a, .b = b, .c = c, .scratch = room, .bf16 = true, .sums = sums.data() + place * sumsOfOne()};
    product.run(call);
    return {};
}

Result<void> Contraction::Impl::multiply(const std::byte* a, const std::byte* b, std::byte* c) {
    const std::int64_t stepA = leftElements() / matrices->count * elementSize();
    const std::int64_t stepB = rightElements() / matrices->count * elementSize();
    const std::int64_t stepC = results / matrices->count * elementSize();
    const auto parts = static_cast<std::int64_t>(products.size());
    std::vector<std::optional<Error>> errors(products.size());
    parallelRanges(static_cast<int>(parts), parts, 1, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t part = first; part < last; ++part) {
            const std::int64_t end = matrices->count * (part + 1) / parts;
            for (std::int64_t i = matrices->count * part / parts; i < end; ++i) {
                const auto place = static_cast<std::size_t>(part);
                const auto done =
                    multiplyOne(products[place], part, a + i * stepA, b + i * stepB, c + i * stepC);
                if (!done.has_value()) errors[place] = done.error();
            }
        }
    });
    for (const std::optional<Error>& error : errors)
        if (error) return *error;
    return {};
}

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
    if (impl->matrices) PLUMB_CHECK(impl->chooseMatrices(expression, sizes, dtype, threads));
    if (!impl->matrices) {
        PLUMB_TRY(impl->loops, LoopNest::create(expression.inputs(), expression.output(), sizes, Combine::Sum,
                                                dtype, threads));
        impl->implementation = impl->loops->implementation();
    }
    return Contraction(std::move(impl));
}

std::int64_t Contraction::operandElements(std::size_t index) const { return m_impl->elements[index]; }
std::int64_t Contraction::resultElements() const { return m_impl->results; }
const std::string& Contraction::implementation() const { return m_impl->implementation; }

bool Contraction::isLoops() const { return m_impl->loops.has_value(); }

Bytes Contraction::scratchBytes() const {
    const Impl& impl = *m_impl;
    if (!impl.matrices) return 0;
    const auto parts = static_cast<Bytes>(impl.products.size());
    const Bytes own =
        mulOrOverflow(parts, addOrOverflow(impl.scratchOfOne(), mulOrOverflow(4, impl.sumsOfOne())));
    return addOrOverflow(own, mulOrOverflow(impl.elementSize(), impl.matrices->moved));
}

Result<void> Contraction::run(const void* a, const void* b, void* result) {
    Impl& impl = *m_impl;
    if (impl.loops) {
        impl.loops->run(a, impl.elements.size() == 2 ? b : nullptr, result);
        return {};
    }
    impl.takeMemory();
    const void* left = impl.matrices->swapped ? b : a;
    const void* right = impl.matrices->swapped ? a : b;
    const auto arranged = [](const std::optional<LoopNest>& nest, const void* from,
                             std::vector<std::byte>& to) -> const std::byte* {
        if (!nest) return static_cast<const std::byte*>(from);
        nest->run(from, nullptr, to.data());
        return to.data();
    };
    const std::byte* const x = arranged(impl.arrangeLeft, left, impl.left);
    const std::byte* const y = arranged(impl.arrangeRight, right, impl.right);
    auto* const to = impl.arrangeResult ? impl.result.data() : static_cast<std::byte*>(result);
    PLUMB_CHECK(impl.multiply(x, y, to));
    if (impl.arrangeResult) impl.arrangeResult->run(to, nullptr, result);
    return {};
}

}  // namespace plumb::cpu

// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/product.h"

#include "core/plan/thread_work.h"
#include "kernels/cpu/gemm.h"

#include <dnnl.hpp>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>

namespace plumb::cpu {

namespace {

using Layout = dnnl::memory::format_tag;

constexpr int kArguments = 4;

/// Rows, columns and memory layout of the three matrices, as the library sees them (transposed by layout
/// only).
struct Matrices {
    dnnl::memory::desc a, b, c;
};

Matrices matricesOf(const ProductShape& shape) {
    const auto type = dnnl::memory::data_type::f32;
    const auto matrix = [&](std::int64_t rows, std::int64_t columns, bool transposed) {
        return dnnl::memory::desc({rows, columns}, type, transposed ? Layout::ba : Layout::ab);
    };
    switch (shape.kind) {
    case ProductKind::Forward:
        return {matrix(shape.batch, shape.in, false), matrix(shape.in, shape.out, false),
                matrix(shape.batch, shape.out, false)};
    case ProductKind::WeightGradient:
        return {matrix(shape.in, shape.batch, true), matrix(shape.batch, shape.out, false),
                matrix(shape.in, shape.out, false)};
    case ProductKind::InputGradient:
        return {matrix(shape.batch, shape.out, false), matrix(shape.out, shape.in, true),
                matrix(shape.batch, shape.in, false)};
    }
    return {};
}

dnnl::primitive_attr attributesOf(const ProductShape& shape) {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    dnnl::post_ops after;
    if (shape.accumulate) after.append_sum(1.0F);
    attributes.set_post_ops(after);
    return attributes;
}

dnnl::matmul::primitive_desc describe(const dnnl::engine& engine, const Matrices& matrices,
                                      const dnnl::primitive_attr& attributes) {
#if DNNL_VERSION_MAJOR >= 3
    return {engine, matrices.a, matrices.b, matrices.c, attributes};
#else
    return {dnnl::matmul::desc(matrices.a, matrices.b, matrices.c), attributes, engine};
#endif
}

Error libraryError(const char* what, const ProductShape& shape, const std::string& message) {
    return internalError(fmt::format("oneDNN could not {} a product of batch {}, in {}, out {}: {}", what,
                                     shape.batch, shape.in, shape.out, message));
}

int threadsFor(const ProductShape& shape, int threads) {
    return threadsForProduct(2 * static_cast<double>(shape.batch) * static_cast<double>(shape.in) *
                                 static_cast<double>(shape.out),
                             threads);
}

/// The library takes the number of threads from OpenMP: that of some primitives when they are made, that of
/// others and of sgemm when they run. It splits sums between threads, so their bits depend on it.
class ThreadCount {
public:
    explicit ThreadCount(int threads) : m_before(omp_get_max_threads()) { omp_set_num_threads(threads); }
    ~ThreadCount() { omp_set_num_threads(m_before); }
    ThreadCount(const ThreadCount&) = delete;
    ThreadCount& operator=(const ThreadCount&) = delete;

private:
    int m_before;
};

}  // namespace

struct Product::Impl {
    ProductShape shape;
    int threads = 1;
    /// Kernels of our own and how they are used; null: the library's product.
    struct Own {
        const GemmKernels* kernels = nullptr;
        GemmBlocking blocking;
    };
    Own own;
    Own ownOfBf16;  ///< of bf16 operands; the same as `own` where they are multiplied in fp32
    std::string implementation = "sgemm";
    Bytes scratchNeed = 0;
    dnnl::engine engine;
    dnnl::stream stream;
    dnnl::primitive primitive;  ///< empty: sgemm
    dnnl::memory a, b, c, scratch;
    std::array<dnnl_exec_arg_t, kArguments> arguments{};

    [[nodiscard]] bool chooseOwn(Bytes scratchBytes);
    void runOwn(const ProductCall& call) const;
    [[nodiscard]] Result<void> sgemm(const float* x, const float* y, float* z) const;
};

Product::Product(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Product::Product(Product&&) noexcept = default;
Product& Product::operator=(Product&&) noexcept = default;
Product::~Product() = default;

Result<Product> Product::create(const ProductShape& shape, Bytes scratchBytes, int threads) {
    auto impl = std::make_unique<Impl>();
    impl->shape = shape;
    impl->threads = threadsFor(shape, threads);
    const ThreadCount limit(impl->threads);
    if (impl->chooseOwn(scratchBytes)) return Product(std::move(impl));
    try {
        impl->engine = dnnl::engine(dnnl::engine::kind::cpu, 0);
        impl->stream = dnnl::stream(impl->engine);
        const Matrices matrices = matricesOf(shape);
        auto description = describe(impl->engine, matrices, attributesOf(shape));
        const auto need = [&] { return static_cast<Bytes>(description.scratchpad_desc().get_size()); };
        bool fits = need() <= scratchBytes;
        while (!fits && description.next_impl()) fits = need() <= scratchBytes;
        if (!fits) return Product(std::move(impl));

        impl->scratchNeed = need();
        impl->implementation = description.impl_info_str();
        impl->primitive = dnnl::matmul(description);
        const auto unbound = [&](const dnnl::memory::desc& matrix) {
            return dnnl::memory(matrix, impl->engine, DNNL_MEMORY_NONE);
        };
        impl->a = unbound(matrices.a);
        impl->b = unbound(matrices.b);
        impl->c = unbound(matrices.c);
        impl->scratch = unbound(description.scratchpad_desc());
        impl->arguments = {dnnl_exec_arg_t{DNNL_ARG_SRC, impl->a.get()},
                           dnnl_exec_arg_t{DNNL_ARG_WEIGHTS, impl->b.get()},
                           dnnl_exec_arg_t{DNNL_ARG_DST, impl->c.get()},
                           dnnl_exec_arg_t{DNNL_ARG_SCRATCHPAD, impl->scratch.get()}};
    } catch (const dnnl::error& error) {
        return libraryError("prepare", shape, error.what());
    }
    return Product(std::move(impl));
}

bool Product::Impl::chooseOwn(Bytes scratchBytes) {
    const GemmKernels* kernels = gemmKernels();
    if (kernels == nullptr) return false;
    const bool weightGradient = shape.kind == ProductKind::WeightGradient;
    const bool forward = shape.kind == ProductKind::Forward;
    const std::int64_t rows = weightGradient ? shape.in : shape.batch;
    const std::int64_t columns = forward || weightGradient ? shape.out : shape.in;
    const std::int64_t depth = weightGradient ? shape.batch : forward ? shape.in : shape.out;
    own = {kernels, chooseBlocking(*kernels, rows, columns, depth, threads, scratchBytes)};
    if (own.blocking.scratchBytes == 0) {
        own = {};
        return false;
    }
    ownOfBf16 = own;
    if (const GemmKernels* pairs = bf16GemmKernels()) {
        const GemmBlocking blocking = chooseBlocking(*pairs, rows, columns, depth, threads, scratchBytes);
        if (blocking.scratchBytes > 0) ownOfBf16 = {pairs, blocking};
    }
    scratchNeed = std::max(own.blocking.scratchBytes, ownOfBf16.blocking.scratchBytes);
    implementation = kernels->name;
    return true;
}

void Product::Impl::runOwn(const ProductCall& call) const {
    const Own& used = call.bf16 ? ownOfBf16 : own;
    const bool byRows = shape.kind == ProductKind::InputGradient;
    const bool byDepth = shape.kind == ProductKind::WeightGradient;
    const GemmMatrix left{call.a, byRows ? shape.out : shape.in, call.bf16, byDepth};
    const GemmMatrix right{call.b, shape.out, call.bf16, byRows};
    GemmResult result{.data = call.c,
                      .stride = used.blocking.columns,
                      .bf16 = call.bf16 && !call.fp32Result,
                      .accumulate = call.accumulate || shape.accumulate,
                      .relu = call.relu,
                      .mask = call.mask,
                      .factor = call.factor,
                      .partial = call.sums};
    runGemm(*used.kernels, used.blocking, left, right, result, static_cast<float*>(call.scratch));
}

Result<void> Product::Impl::sgemm(const float* x, const float* y, float* z) const {
    const float beta = shape.accumulate ? 1.0F : 0.0F;
    dnnl_status_t status = dnnl_success;
    switch (shape.kind) {
    case ProductKind::Forward:
        status = dnnl_sgemm('N', 'N', shape.batch, shape.out, shape.in, 1.0F, x, shape.in, y, shape.out, beta,
                            z, shape.out);
        break;
    case ProductKind::WeightGradient:
        status = dnnl_sgemm('T', 'N', shape.in, shape.out, shape.batch, 1.0F, x, shape.in, y, shape.out, beta,
                            z, shape.out);
        break;
    case ProductKind::InputGradient:
        status = dnnl_sgemm('N', 'T', shape.batch, shape.in, shape.out, 1.0F, x, shape.out, y, shape.out,
                            beta, z, shape.in);
        break;
    }
    if (status != dnnl_success) return libraryError("run", shape, "sgemm failed");
    return {};
}

Result<void> Product::run(const float* a, const float* b, float* c, void* scratch) const {
    Impl& impl = *m_impl;
    if (impl.own.kernels != nullptr) {
        ProductCall call{.a = a, .b = b, .c = c, .scratch = scratch};
        impl.runOwn(call);
        return {};
    }
    const ThreadCount limit(impl.threads);
    if (!impl.primitive) return impl.sgemm(a, b, c);
    try {
        // The library's handles are not const; a and b are only read.
        impl.a.set_data_handle(const_cast<float*>(a));
        impl.b.set_data_handle(const_cast<float*>(b));
        impl.c.set_data_handle(c);
        impl.scratch.set_data_handle(scratch);
    } catch (const dnnl::error& error) {
        return libraryError("bind", impl.shape, error.what());
    }
    const dnnl_status_t status =
        dnnl_primitive_execute(impl.primitive.get(), impl.stream.get(), kArguments, impl.arguments.data());
    if (status != dnnl_success)
        return libraryError("run", impl.shape, fmt::format("status {}", static_cast<int>(status)));
    return {};
}

bool Product::fuses() const { return m_impl->own.kernels != nullptr; }
bool Product::multipliesBf16() const {
    return m_impl->ownOfBf16.kernels != nullptr && m_impl->ownOfBf16.kernels == bf16GemmKernels();
}
void Product::run(const ProductCall& call) const { m_impl->runOwn(call); }
const ProductShape& Product::shape() const { return m_impl->shape; }
int Product::threads() const { return m_impl->threads; }
Bytes Product::scratchNeed() const { return m_impl->scratchNeed; }
const std::string& Product::implementation() const { return m_impl->implementation; }
std::string Product::implementationOfBf16() const {
    const GemmKernels* const kernels = m_impl->ownOfBf16.kernels;
    return kernels != nullptr ? kernels->name : std::string();
}

}  // namespace plumb::cpu

// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/matmul.h"

#include "core/engine/lost_device.h"
#include "kernels/cuda/algorithm_names.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/event_span.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

namespace plumb::cuda {

namespace {

constexpr int kMostCandidates = 16;

struct Destroy {
    void operator()(cublasLtMatmulDesc_t description) const { cublasLtMatmulDescDestroy(description); }
    void operator()(cublasLtMatrixLayout_t layout) const { cublasLtMatrixLayoutDestroy(layout); }
    void operator()(cublasLtMatmulPreference_t preference) const {
        cublasLtMatmulPreferenceDestroy(preference);
    }
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

cudaDataType_t typeOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Bf16:
        return CUDA_R_16BF;
    case Dtype::Fp16:
        return CUDA_R_16F;
    case Dtype::Fp8E4M3:
        return CUDA_R_8F_E4M3;
    case Dtype::Fp8E5M2:
        return CUDA_R_8F_E5M2;
    case Dtype::Fp64:
    case Dtype::Fp32:
    case Dtype::Tf32:
    case Dtype::Fp4E2M1:  // no step stores it
        break;
    }
    return CUDA_R_32F;
}

cublasLtEpilogue_t epilogueOf(MatmulEpilogue epilogue) {
    switch (epilogue) {
    case MatmulEpilogue::Relu:
        return CUBLASLT_EPILOGUE_RELU;
    case MatmulEpilogue::ReluAndMask:
        return CUBLASLT_EPILOGUE_RELU_AUX;
    case MatmulEpilogue::Masked:
        return CUBLASLT_EPILOGUE_DRELU;
    case MatmulEpilogue::None:
        break;
    }
    return CUBLASLT_EPILOGUE_DEFAULT;
}

bool isFp8(Dtype dtype) { return dtypeSize(dtype) == 1; }

/// Sums of a forward product may be rounded a little on their way, those of gradients not: the usual recipe.
bool sumsFast(const MatmulShape& shape) { return isFp8(shape.first) && shape.kind == MatmulKind::Forward; }

/// A matrix as the library sees it: row-major memory [rows, columns] is its column-major [columns, rows].
struct Layout {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};
Layout layoutOf(std::int64_t rows, std::int64_t columns) {
    return {static_cast<std::uint64_t>(columns), static_cast<std::uint64_t>(rows)};
}

/// How a product in the words of the step becomes D = op(A) op(B): the operands change places, since
/// everything is seen transposed. A is the second one of MatmulShape.
struct Roles {
    Layout a, b, d;
    bool transposesA = false;
    bool transposesB = false;
};
Roles rolesOf(const MatmulShape& shape) {
    Roles roles;
    const Layout x = layoutOf(shape.rows, shape.in);
    const Layout weight = layoutOf(shape.in, shape.out);
    const Layout dy = layoutOf(shape.rows, shape.out);
    switch (shape.kind) {
    case MatmulKind::Forward:  // y^T = W^T x^T
        roles.a = shape.transposed ? layoutOf(shape.out, shape.in) : weight;
        roles.transposesA = shape.transposed;
        roles.b = x;
        roles.d = dy;
        break;
    case MatmulKind::WeightGradient:  // dW^T = dy^T x
        roles.a = shape.transposed ? layoutOf(shape.out, shape.rows) : dy;
        roles.transposesA = shape.transposed;
        roles.b = shape.transposed ? layoutOf(shape.in, shape.rows) : x;
        roles.transposesB = !shape.transposed;
        roles.d = weight;
        break;
    case MatmulKind::InputGradient:  // dx^T = W dy^T
        roles.a = weight;
        roles.transposesA = true;
        roles.b = dy;
        roles.d = x;
        break;
    }
    return roles;
}

template <class Value>
cublasStatus_t set(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute, Value value) {
    return cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof(value));
}
template <class Value>
cublasStatus_t set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
                   Value value) {
    return cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof(value));
}

Result<Owned<cublasLtMatrixLayout_t>> makeLayout(Dtype dtype, const Layout& layout) {
    cublasLtMatrixLayout_t made = nullptr;
    PLUMB_CUBLAS(cublasLtMatrixLayoutCreate(&made, typeOf(dtype), layout.rows, layout.columns,
                                            static_cast<std::int64_t>(layout.rows)));
    return Owned<cublasLtMatrixLayout_t>(made);
}

}  // namespace

std::string MatmulShape::text() const {
    constexpr EnumArray<MatmulKind, const char*> kKinds{"forward", "weight", "input"};
    constexpr EnumArray<MatmulEpilogue, const char*> kEpilogues{"", " relu", " relu-mask", " masked"};
    return fmt::format("{} {}x{}x{} {}*{}>{}{}{}{}", kKinds[kind], rows, in, out, dtypeName(first),
                       dtypeName(second), dtypeName(result), kEpilogues[epilogue], accumulate ? " add" : "",
                       transposed ? " turned" : "");
}

struct Matmul::Impl {
    MatmulShape shape;
    Roles roles;
    cublasLtHandle_t handle = nullptr;
    Owned<cublasLtMatmulDesc_t> description;
    Owned<cublasLtMatrixLayout_t> a, b, d;
    Owned<cublasLtMatrixLayout_t> c;  ///< of an fp8 result, which adds to nothing, but has to say so in bf16
    [[nodiscard]] cublasLtMatrixLayout_t layoutOfC() const { return c ? c.get() : d.get(); }
    std::vector<cublasLtMatmulHeuristicResult_t> candidates;
    std::string refusal;  ///< why there are none
    cublasLtMatmulAlgo_t algorithm{};
    Bytes workspaceBytes = 0;  ///< that the algorithm asks for
    AlgorithmOrigin origin = AlgorithmOrigin::Heuristic;
    Seconds seconds = 0;  ///< of one run when it was chosen; 0: it was not timed

    [[nodiscard]] Result<void> describe(const MatmulScratch& scratch);
    [[nodiscard]] Result<void> askLibrary(const MatmulScratch& scratch);
    [[nodiscard]] Result<void> enqueue(const cublasLtMatmulAlgo_t& how, const MatmulOperands& operands,
                                       const MatmulScratch& scratch, cudaStream_t stream) const;
    [[nodiscard]] Result<void> pointAt(const MatmulOperands& operands) const;
    [[nodiscard]] ChosenAlgorithm chosen(Seconds taken) const;
    /// Seconds of one execution, with `pass` behind it where there is one; empty when this algorithm fails.
    [[nodiscard]] Result<std::optional<Seconds>> time(const cublasLtMatmulAlgo_t& how,
                                                      const MatmulOperands& operands,
                                                      const MatmulScratch& scratch, cudaStream_t stream,
                                                      const std::function<Result<void>()>& pass = {}) const;
};

Result<void> Matmul::Impl::describe(const MatmulScratch& scratch) {
    roles = rolesOf(shape);
    const bool tf32 = shape.first == Dtype::Tf32;
    cublasLtMatmulDesc_t made = nullptr;
    PLUMB_CUBLAS(cublasLtMatmulDescCreate(&made, tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                                          CUDA_R_32F));
    description.reset(made);
    const auto transposed = [](bool yes) -> std::int32_t { return yes ? CUBLAS_OP_T : CUBLAS_OP_N; };
    PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_TRANSA, transposed(roles.transposesA)));
    PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_TRANSB, transposed(roles.transposesB)));
    PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogueOf(shape.epilogue)));
    if (shape.epilogue == MatmulEpilogue::ReluAndMask || shape.epilogue == MatmulEpilogue::Masked) {
        // In bits. The algorithm depends on where the mask lies, as far as its alignment goes.
        const auto stride = static_cast<std::int64_t>((roles.d.rows + 127) / 128 * 128);
        PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, stride));
        PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, scratch.data));
    }
    if (sumsFast(shape)) PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1}));
    if (isFp8(shape.first)) {
        const auto anywhere = static_cast<const void*>(scratch.data);
        PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, anywhere));
        PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, anywhere));
    }
    PLUMB_TRY(a, makeLayout(shape.second, roles.a));
    PLUMB_TRY(b, makeLayout(shape.first, roles.b));
    PLUMB_TRY(d, makeLayout(shape.result, roles.d));
    if (isFp8(shape.result)) {
        const auto anywhere = static_cast<const void*>(scratch.data);
        PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, anywhere));
        PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, anywhere));
        PLUMB_TRY(c, makeLayout(Dtype::Bf16, roles.d));
    }
    return {};
}

Result<void> Matmul::Impl::askLibrary(const MatmulScratch& scratch) {
    cublasLtMatmulPreference_t made = nullptr;
    PLUMB_CUBLAS(cublasLtMatmulPreferenceCreate(&made));
    const Owned<cublasLtMatmulPreference_t> preference(made);
    PLUMB_CUBLAS(
        set(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(scratch.bytes)));
    // Partial sums are never rounded to 16 bits: those in place have the type of the result.
    std::uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    if (dtypeSize(shape.result) == 4) schemes |= CUBLASLT_REDUCTION_SCHEME_INPLACE;
    PLUMB_CUBLAS(set(made, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes));
    candidates.resize(kMostCandidates);
    int found = 0;
    const cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(handle, description.get(), a.get(), b.get(), layoutOfC(), d.get(),
                                       made, kMostCandidates, candidates.data(), &found);
    // Not supported is an answer; whether something is really wrong shows the product without an epilogue.
    const bool none = status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE;
    if (!none && status != CUBLAS_STATUS_SUCCESS) return errorOf(status, "cublasLtMatmulAlgoGetHeuristic");
    candidates.resize(none ? 0 : static_cast<std::size_t>(std::max(found, 0)));
    refusal = none                 ? cublasLtGetStatusName(status)
              : candidates.empty() ? "no algorithm"
                                   : "none within " + bytesText(scratch.bytes) + " of workspace";
    std::erase_if(candidates, [&](const cublasLtMatmulHeuristicResult_t& candidate) {
        return candidate.state != CUBLAS_STATUS_SUCCESS ||
               candidate.workspaceSize > static_cast<std::size_t>(scratch.bytes);
    });
    if (candidates.empty()) return {};
    algorithm = candidates.front().algo;
    workspaceBytes = static_cast<Bytes>(candidates.front().workspaceSize);
    return {};
}

Result<void> Matmul::Impl::pointAt(const MatmulOperands& operands) const {
    if (shape.epilogue == MatmulEpilogue::ReluAndMask || shape.epilogue == MatmulEpilogue::Masked)
        PLUMB_CUBLAS(set(description.get(), CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, operands.mask));
    if (!isFp8(shape.first)) return {};
    const void* const first = operands.firstInverse;
    const void* const second = operands.secondInverse;
    PLUMB_CUBLAS(set(description.get(), CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, second));
    PLUMB_CUBLAS(set(description.get(), CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, first));
    if (!isFp8(shape.result)) return {};
    const void* const scale = operands.resultScale;
    const void* const amax = operands.resultAmax;
    PLUMB_CUBLAS(set(description.get(), CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scale));
    PLUMB_CUBLAS(set(description.get(), CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, amax));
    return {};
}

Result<void> Matmul::Impl::enqueue(const cublasLtMatmulAlgo_t& how, const MatmulOperands& operands,
                                   const MatmulScratch& scratch, cudaStream_t stream) const {
    const float one = 1;
    const float beta = shape.accumulate ? 1 : 0;
    const void* const added = isFp8(shape.result) ? nullptr : operands.result;
    PLUMB_CUBLAS(cublasLtMatmul(handle, description.get(), &one, operands.second, a.get(), operands.first,
                                b.get(), &beta, added, layoutOfC(), operands.result, d.get(), &how,
                                scratch.data, static_cast<std::size_t>(scratch.bytes), stream));
    return {};
}

Result<std::optional<Seconds>> Matmul::Impl::time(const cublasLtMatmulAlgo_t& how,
                                                  const MatmulOperands& operands,
                                                  const MatmulScratch& scratch, cudaStream_t stream,
                                                  const std::function<Result<void>()>& pass) const {
    constexpr double kEnough = 1.5e-3;  // seconds for each candidate, once its own speed is known
    PLUMB_TRY(const EventSpan span, EventSpan::create(stream));
    const auto run = [&](int times) -> Result<std::optional<Seconds>> {
        return span.secondsIfItWorks([&]() -> Result<bool> {
            for (int i = 0; i < times; ++i) {
                const Result<void> enqueued = enqueue(how, operands, scratch, stream);
                if (!enqueued.has_value() && isLost(enqueued.error())) return enqueued.error();
                if (!enqueued.has_value()) return false;
                if (pass) PLUMB_CHECK(pass());
            }
            return true;
        });
    };
    // The first run may load the kernel.
    PLUMB_TRY(const auto first, run(1));
    if (!first) return first;
    PLUMB_TRY(const auto warm, run(2));
    if (!warm) return warm;
    const int times = std::clamp(static_cast<int>(2 * kEnough / std::max(*warm, 2e-7)), 3, 200);
    std::vector<Seconds> rounds;
    for (int i = 0; i < 3; ++i) {
        PLUMB_TRY(const auto round, run(times));
        if (!round) return round;
        rounds.push_back(*round / times);
    }
    return std::optional(medianOf(std::move(rounds)));
}

Matmul::Matmul(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Matmul::Matmul(Matmul&&) noexcept = default;
Matmul& Matmul::operator=(Matmul&&) noexcept = default;
Matmul::~Matmul() = default;

const MatmulShape& Matmul::shape() const { return m_impl->shape; }

LibraryProduct Matmul::described() const {
    LibraryProduct product;
    product.product = m_impl->shape.text();
    product.origin = m_impl->origin;
    product.algorithm = algorithmOf(m_impl->algorithm);
    product.algorithm.workspaceBytes = m_impl->workspaceBytes;
    product.fastAccumulation = sumsFast(m_impl->shape);
    product.tunedSeconds = seconds();
    return product;
}

Result<MatmulOffer> Matmul::create(cublasLtHandle_t handle, const MatmulShape& shape,
                                   const MatmulScratch& scratch) {
    auto impl = std::make_unique<Impl>();
    impl->shape = shape;
    impl->handle = handle;
    PLUMB_CHECK(impl->describe(scratch));
    PLUMB_CHECK(impl->askLibrary(scratch));
    if (impl->candidates.empty()) return MatmulOffer{std::nullopt, impl->refusal};
    return MatmulOffer{Matmul(std::move(impl)), {}};
}

Result<bool> Matmul::choose(AlgorithmCache& cache, const MatmulOperands& operands,
                            const MatmulScratch& scratch, cudaStream_t stream) {
    Impl& impl = *m_impl;
    const std::string product = impl.shape.text();
    if (const auto kept = cache.find(product)) {
        cublasLtMatmulAlgo_t algorithm{};
        static_assert(sizeof(algorithm.data) == sizeof(kept->data));
        std::memcpy(algorithm.data, kept->data.data(), sizeof(algorithm.data));
        cublasLtMatmulHeuristicResult_t verdict{};
        if (cublasLtMatmulAlgoCheck(impl.handle, impl.description.get(), impl.a.get(), impl.b.get(),
                                    impl.layoutOfC(), impl.d.get(), &algorithm,
                                    &verdict) == CUBLAS_STATUS_SUCCESS &&
            verdict.workspaceSize <= static_cast<std::size_t>(scratch.bytes) &&
            impl.pointAt(operands).has_value()) {
            const Result<void> enqueued = impl.enqueue(algorithm, operands, scratch, stream);
            if (enqueued.has_value()) {  // the check is no promise
                impl.algorithm = algorithm;
                impl.workspaceBytes = static_cast<Bytes>(verdict.workspaceSize);
                impl.origin = AlgorithmOrigin::Cache;
                impl.seconds = kept->seconds;
                return true;
            }
            if (isLost(enqueued.error())) return enqueued.error();  // the choice stays
        }
        cache.remove(product);
    }
    PLUMB_CHECK(impl.pointAt(operands));
    bool any = false;
    for (const cublasLtMatmulHeuristicResult_t& candidate : impl.candidates) {
        PLUMB_TRY(const auto seconds, impl.time(candidate.algo, operands, scratch, stream));
        if (!seconds || (any && *seconds >= impl.seconds * kClearlyFaster)) continue;
        impl.algorithm = candidate.algo;
        impl.workspaceBytes = static_cast<Bytes>(candidate.workspaceSize);
        impl.origin = AlgorithmOrigin::Autotune;
        impl.seconds = *seconds;
        any = true;
    }
    if (!any) return false;
    cache.add(product, impl.chosen(impl.seconds));
    return true;
}

ChosenAlgorithm Matmul::Impl::chosen(Seconds taken) const {
    ChosenAlgorithm chosen;
    std::memcpy(chosen.data.data(), algorithm.data, sizeof(algorithm.data));
    chosen.seconds = taken;
    return chosen;
}

std::optional<Seconds> Matmul::seconds() const {
    return m_impl->seconds > 0 ? std::optional(m_impl->seconds) : std::nullopt;
}

Result<std::optional<Seconds>> Matmul::secondsBefore(const std::function<Result<void>()>& pass,
                                                     AlgorithmCache& cache, const std::string& name,
                                                     const MatmulOperands& operands,
                                                     const MatmulScratch& scratch,
                                                     cudaStream_t stream) const {
    const Impl& impl = *m_impl;
    if (const auto kept = cache.find(name); kept && kept->data == impl.chosen(0).data)
        return std::optional(kept->seconds);
    PLUMB_CHECK(impl.pointAt(operands));
    PLUMB_TRY(const auto seconds, impl.time(impl.algorithm, operands, scratch, stream, pass));
    if (seconds) cache.add(name, impl.chosen(*seconds));
    return seconds;
}

Result<void> Matmul::run(const MatmulOperands& operands, const MatmulScratch& scratch,
                         cudaStream_t stream) const {
    PLUMB_CHECK(m_impl->pointAt(operands));
    return m_impl->enqueue(m_impl->algorithm, operands, scratch, stream);
}

}  // namespace plumb::cuda

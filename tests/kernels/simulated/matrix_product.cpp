// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/simulated/matrix_product.h"

#include "kernels/common/formats.h"
#include "kernels/cuda/bodies/block.h"

#include <algorithm>
#include <cmath>
#include <vector>

// Compiled for processors with AVX2 too, which is chosen when the program starts: the same sums, sooner.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) &&                            \
    !defined(__SANITIZE_THREAD__)
#define PLUMB_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define PLUMB_WIDE_VECTORS
#endif

namespace plumb::test::simulated {

namespace {

using common::Format;
using common::Storage;

bool isFp8(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

template <Storage kStorage>
float loadAs(const void* data, std::uint64_t at) {
    return Format<kStorage>::load(static_cast<const typename Format<kStorage>::Type*>(data) + at);
}
template <Storage kStorage>
void storeAs(void* data, std::uint64_t at, float value) {
    Format<kStorage>::store(static_cast<typename Format<kStorage>::Type*>(data) + at, value);
}

float load(cudaDataType type, const void* data, std::uint64_t at) {
    switch (type) {
    case CUDA_R_16BF:
        return loadAs<Storage::Bf16>(data, at);
    case CUDA_R_16F:
        return loadAs<Storage::Fp16>(data, at);
    case CUDA_R_8F_E4M3:
        return loadAs<Storage::Fp8E4M3>(data, at);
    case CUDA_R_8F_E5M2:
        return loadAs<Storage::Fp8E5M2>(data, at);
    default:
        return loadAs<Storage::Fp32>(data, at);
    }
}

void store(cudaDataType type, void* data, std::uint64_t at, float value) {
    switch (type) {
    case CUDA_R_16BF:
        return storeAs<Storage::Bf16>(data, at, value);
    case CUDA_R_16F:
        return storeAs<Storage::Fp16>(data, at, value);
    case CUDA_R_8F_E4M3:
        return storeAs<Storage::Fp8E4M3>(data, at, value);
    case CUDA_R_8F_E5M2:
        return storeAs<Storage::Fp8E5M2>(data, at, value);
    default:
        return storeAs<Storage::Fp32>(data, at, value);
    }
}

/// op(matrix), row by row: [rows, columns] of the result of op.
std::vector<float> dense(const MatrixLayout& layout, const void* data, bool transposes, bool tf32) {
    std::vector<float> values(layout.rows * layout.columns);
    for (std::uint64_t column = 0; column < layout.columns; ++column)
        for (std::uint64_t row = 0; row < layout.rows; ++row) {
            const float value =
                load(layout.type, data, column * static_cast<std::uint64_t>(layout.stride) + row);
            values[transposes ? column * layout.rows + row : row * layout.columns + column] =
                tf32 ? common::toTf32(value) : value;
        }
    return values;
}

constexpr std::uint64_t kLanes = 8;
constexpr std::uint64_t kRowsAtOnce = 4;
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float)), aligned(alignof(float)), may_alias));

/// Dot products of `kRows` rows of `a`, `stride` apart, with b. Each in as many sums as there are lanes,
/// which are added in order: several rows at once, since a sum has to wait for the one before it.
template <std::uint64_t kRows>
[[gnu::always_inline]] inline void dots(const float* a, std::uint64_t stride, const float* b,
                                        std::uint64_t count, float* results) {
    Lanes lanes[kRows] = {};  // not an array of the library, which would lose their alignment
    std::uint64_t k = 0;
    for (; k + kLanes <= count; k += kLanes) {
        const Lanes& other = *reinterpret_cast<const Lanes*>(b + k);
        for (std::uint64_t row = 0; row < kRows; ++row)
            lanes[row] += *reinterpret_cast<const Lanes*>(a + row * stride + k) * other;
    }
    for (std::uint64_t row = 0; row < kRows; ++row) {
        for (std::uint64_t rest = k; rest < count; ++rest)
            lanes[row][rest - k] += a[row * stride + rest] * b[rest];
        float sum = 0;
        for (std::uint64_t lane = 0; lane < kLanes; ++lane) sum += lanes[row][lane];
        results[row] += sum;
    }
}

/// Sums of the result's `column`, one for each row: a is [rows, inner], b [columns, inner]. `inner` is summed
/// up in parts.
PLUMB_WIDE_VECTORS void sumColumn(const float* a, const float* b, std::uint64_t inner, std::uint64_t part,
                                  std::vector<float>& sums) {
    std::fill(sums.begin(), sums.end(), 0.0F);
    const std::uint64_t rows = sums.size();
    for (std::uint64_t from = 0; from < inner; from += part) {
        const std::uint64_t count = std::min(part, inner - from);
        std::uint64_t row = 0;
        for (; row + kRowsAtOnce <= rows; row += kRowsAtOnce)
            dots<kRowsAtOnce>(a + row * inner + from, inner, b + from, count, sums.data() + row);
        for (; row < rows; ++row) dots<1>(a + row * inner + from, inner, b + from, count, sums.data() + row);
    }
}

/// Every operand is read once and the result written once, as if the caches were as large as needed.
void count(const Product& product) {
    const auto bytes = [](const MatrixLayout& layout) { return static_cast<std::int64_t>(layout.bytes()); };
    const std::int64_t mask =
        product.description.maskStride / 8 * static_cast<std::int64_t>(product.d.columns);
    const bool reads = product.description.epilogue == CUBLASLT_EPILOGUE_DRELU;
    const bool writes = product.description.epilogue == CUBLASLT_EPILOGUE_RELU_AUX;
    cuda::hostTraffic.read +=
        bytes(product.a) + bytes(product.b) + (product.beta != 0 ? bytes(product.d) : 0) + (reads ? mask : 0);
    cuda::hostTraffic.written += bytes(product.d) + (writes ? mask : 0);
    const std::uint64_t inner =
        product.description.transposesA == CUBLAS_OP_T ? product.a.rows : product.a.columns;
    const bool isPlain = product.a.type == CUDA_R_32F && product.description.compute == CUBLAS_COMPUTE_32F;
    (isPlain ? productFlops.core : productFlops.tensor) +=
        static_cast<std::int64_t>(2 * product.d.rows * product.d.columns * inner);
}

}  // namespace

std::uint64_t MatrixLayout::elementBytes() const {
    return isFp8(type) ? 1 : type == CUDA_R_16BF || type == CUDA_R_16F ? 2 : 4;
}

const char* unsupported(const ProductDescription& description, const MatrixLayout& a, const MatrixLayout& b,
                        const MatrixLayout& d, int computeCapability) {
    const bool turnsA = description.transposesA == CUBLAS_OP_T;
    const bool turnsB = description.transposesB == CUBLAS_OP_T;
    const std::uint64_t m = turnsA ? a.columns : a.rows;
    const std::uint64_t inner = turnsA ? a.rows : a.columns;
    if (m != d.rows || inner != (turnsB ? b.columns : b.rows) || (turnsB ? b.rows : b.columns) != d.columns)
        return "sizes that do not go together";
    for (const MatrixLayout* layout : {&a, &b, &d})
        if (layout->stride < static_cast<std::int64_t>(layout->rows)) return "columns that overlap";
    if (description.scale != CUDA_R_32F) return "scalars that are not fp32";
    const bool tf32 = description.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
    if (description.compute != CUBLAS_COMPUTE_32F && !tf32) return "sums that are not fp32";
    if (tf32 && a.type != CUDA_R_32F) return "tf32 of what is not fp32";
    if (description.hasMask() && (description.mask == nullptr || description.maskStride % 128 != 0 ||
                                  description.maskStride < static_cast<std::int64_t>(d.rows)))
        return "a mask without a place, or whose columns are not whole 128 bits";
    if (!isFp8(a.type)) {
        if (a.type != b.type || (d.type != a.type && d.type != CUDA_R_32F))
            return "types that do not go together";
        if (description.scaleA != nullptr || description.scaleB != nullptr) return "scales without fp8";
        return description.fastSums != 0 ? "fast sums without fp8" : nullptr;
    }
    if (computeCapability < 89) return "fp8 before compute capability 8.9";
    if (!isFp8(b.type) || (a.type == CUDA_R_8F_E5M2 && b.type == CUDA_R_8F_E5M2))
        return "two operands of 5 bits of exponent";
    if (isFp8(d.type) && (description.scaleD == nullptr || description.amaxD == nullptr))
        return "an fp8 result without a scale or a place for its amax";
    if (!isFp8(d.type) && (description.scaleD != nullptr || description.amaxD != nullptr))
        return "a scale of a result that is not fp8";
    if (d.type == CUDA_R_8F_E5M2 && a.type == CUDA_R_8F_E4M3 && b.type == CUDA_R_8F_E4M3)
        return "a result of 5 bits of exponent from operands of 4";
    if (computeCapability < 100 && (!turnsA || turnsB)) return "fp8 that is not summed along columns";
    if (m % 16 != 0 || inner % 16 != 0) return "fp8 sizes that are not multiples of 16";
    if (description.hasMask()) return "fp8 with masks";
    return nullptr;
}

void compute(const Product& product) {
    const ProductDescription& how = product.description;
    const bool tf32 = how.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
    const MatrixLayout& d = product.d;
    const bool turnsA = how.transposesA == CUBLAS_OP_T;
    const bool turnsB = how.transposesB == CUBLAS_OP_T;
    const std::uint64_t inner = turnsA ? product.a.rows : product.a.columns;
    const std::vector<float> a = dense(product.a, product.dataA, turnsA, tf32);   // [m, inner]
    const std::vector<float> b = dense(product.b, product.dataB, !turnsB, tf32);  // [n, inner]
    const float scale =
        product.alpha * (how.scaleA != nullptr ? *how.scaleA : 1) * (how.scaleB != nullptr ? *how.scaleB : 1);
    const std::uint64_t part =
        (inner + static_cast<std::uint64_t>(product.parts) - 1) / static_cast<std::uint64_t>(product.parts);
    auto* const mask = static_cast<std::uint8_t*>(how.mask);
    count(product);
    float amax = 0;
    std::vector<float> sums(d.rows);
    for (std::uint64_t column = 0; column < d.columns; ++column) {
        sumColumn(a.data(), b.data() + column * inner, inner, part, sums);
        for (std::uint64_t row = 0; row < d.rows; ++row) {
            const std::uint64_t at = column * static_cast<std::uint64_t>(d.stride) + row;
            float value = scale * sums[row];
            // What is there is read at need only: it may be uninitialised.
            if (product.beta != 0) value += product.beta * load(d.type, product.dataD, at);
            const std::uint64_t bit = column * static_cast<std::uint64_t>(how.maskStride) + row;
            const auto flag = static_cast<std::uint8_t>(1U << (bit % 8));
            const bool passes = value > 0;
            switch (how.epilogue) {
            case CUBLASLT_EPILOGUE_RELU_AUX:
                mask[bit / 8] =
                    static_cast<std::uint8_t>(passes ? mask[bit / 8] | flag : mask[bit / 8] & ~flag);
                [[fallthrough]];
            case CUBLASLT_EPILOGUE_RELU:
                value = passes ? value : 0;
                break;
            case CUBLASLT_EPILOGUE_DRELU:
                value = (mask[bit / 8] & flag) != 0 ? value : 0;
                break;
            default:
                break;
            }
            amax = std::max(amax, std::abs(value));
            store(d.type, product.dataD, at, how.scaleD != nullptr ? value * *how.scaleD : value);
        }
    }
    if (how.amaxD != nullptr) *how.amaxD = amax;
}

}  // namespace plumb::test::simulated

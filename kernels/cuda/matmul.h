// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/enum_array.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/measure/library_product.h"
#include "kernels/cuda/algorithm_cache.h"
#include "kernels/cuda/check.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace plumb::cuda {

/// What is right nearly always is given up for what is faster by more than noise.
inline constexpr double kClearlyFaster = 0.98;

enum class MatmulKind : std::uint8_t { Forward, WeightGradient, InputGradient };
constexpr MatmulKind lastOf(MatmulKind /*type*/) { return MatmulKind::InputGradient; }
/// What the library does with a result on its way to memory.
enum class MatmulEpilogue : std::uint8_t {
    None,
    Relu,         ///< not a number becomes 0
    ReluAndMask,  ///< and a bit per element says which numbers passed
    Masked,       ///< 0 where such a bit says so
};
constexpr MatmulEpilogue lastOf(MatmulEpilogue /*type*/) { return MatmulEpilogue::Masked; }

/// One product of a layer, in the words of the step: x [rows, in], W [in, out], dy [rows, out].
///
///   Forward          y = x W           first: x     second: W
///   WeightGradient   dW = x^T dy       first: x     second: dy
///   InputGradient    dx = dy W^T       first: dy    second: W
struct MatmulShape {
    MatmulKind kind{};
    std::int64_t rows = 0;
    std::int64_t in = 0;
    std::int64_t out = 0;
    Dtype first = Dtype::Fp32;  ///< Tf32: stored as fp32, multiplied as tf32
    Dtype second = Dtype::Fp32;
    Dtype result = Dtype::Fp32;
    MatmulEpilogue epilogue{};
    bool accumulate = false;  ///< added to what is there
    bool transposed =
        false;  ///< fp8: operands lie along the dimension that is summed: W of a forward product as
                ///< [out, in], x of a weight gradient as [in, rows] and dy as [out, rows]
    bool operator==(const MatmulShape&) const = default;

    /// "forward 8192x4096x4096 bf16*bf16>bf16 relu-mask": what its algorithm is kept under.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::int64_t resultRows() const { return kind == MatmulKind::WeightGradient ? in : rows; }
    [[nodiscard]] std::int64_t resultColumns() const { return kind == MatmulKind::InputGradient ? in : out; }
    /// Elements of the operands and of the result.
    [[nodiscard]] std::int64_t firstElements() const {
        return rows * (kind == MatmulKind::InputGradient ? out : in);
    }
    [[nodiscard]] std::int64_t secondElements() const {
        return kind == MatmulKind::WeightGradient ? rows * out : in * out;
    }
    [[nodiscard]] std::int64_t resultElements() const { return resultRows() * resultColumns(); }
    [[nodiscard]] double flops() const {
        return 2.0 * static_cast<double>(rows) * static_cast<double>(in) * static_cast<double>(out);
    }
};

/// Bytes of the mask of [rows, columns] that the library writes: whole 128 bits a row.
[[nodiscard]] constexpr Bytes maskBytes(std::int64_t rows, std::int64_t columns) {
    return rows * ((columns + 127) / 128 * 16);
}

/// Where the operands lie; all but `mask` and the scales must be there.
struct MatmulOperands {
    const void* first = nullptr;
    const void* second = nullptr;
    void* result = nullptr;
    void* mask = nullptr;
    const float* firstInverse = nullptr;  ///< fp8: device, stored number * this = value
    const float* secondInverse = nullptr;
    const float* resultScale = nullptr;  ///< fp8 result: device, value * this = stored number
    float* resultAmax = nullptr;         ///< fp8 result: device, set to the amax of the values
};

/// Scratch that a product may use, on the device.
struct MatmulScratch {
    void* data = nullptr;
    Bytes bytes = 0;
};

struct MatmulOffer;

/// A product that is ready to be enqueued: description, layouts and the chosen algorithm. Operands are
/// aligned to 256 bytes.
class Matmul {
public:
    /// Describes the product and asks the library for algorithms.
    [[nodiscard]] static Result<MatmulOffer> create(cublasLtHandle_t handle, const MatmulShape& shape,
                                                    const MatmulScratch& scratch);
    /// Takes the fastest algorithm, by trying all that the library offers on `operands`, whose result is
    /// spoilt, or the kept choice where that still works. False: none of them works.
    [[nodiscard]] Result<bool> choose(AlgorithmCache& cache, const MatmulOperands& operands,
                                      const MatmulScratch& scratch, cudaStream_t stream);
    /// Seconds of one run with `pass` enqueued behind it: timed, or as `cache` has them under `name` for the
    /// chosen algorithm; absent where a product fails. Errors: those of `pass`.
    [[nodiscard]] Result<std::optional<Seconds>>
    secondsBefore(const std::function<Result<void>()>& pass, AlgorithmCache& cache, const std::string& name,
                  const MatmulOperands& operands, const MatmulScratch& scratch, cudaStream_t stream) const;
    /// Of one run when the algorithm was chosen; absent: it was not timed.
    [[nodiscard]] std::optional<Seconds> seconds() const;
    /// Enqueues the product; allocates nothing, so that it can be captured.
    [[nodiscard]] Result<void> run(const MatmulOperands& operands, const MatmulScratch& scratch,
                                   cudaStream_t stream) const;

    [[nodiscard]] const MatmulShape& shape() const;
    /// What run() does, as the library tells it; nothing is apart as far as this knows.
    [[nodiscard]] LibraryProduct described() const;

    Matmul(Matmul&&) noexcept;
    Matmul& operator=(Matmul&&) noexcept;
    ~Matmul();

private:
    struct Impl;
    explicit Matmul(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// What the library has for a product.
struct MatmulOffer {
    std::optional<Matmul> product;
    std::string refusal;  ///< what it said where there is none: "CUBLAS_STATUS_NOT_SUPPORTED"
};

}  // namespace plumb::cuda

// SPDX-License-Identifier: Apache-2.0
// Products D = op(A) op(B) + beta C as the matrix library describes them: column by column.
#pragma once

#include <cublasLt.h>

#include <cstdint>

namespace plumb::test::simulated {

struct MatrixLayout {
    cudaDataType type{};
    std::uint64_t rows = 0, columns = 0;
    std::int64_t stride = 0;  ///< elements from column to column

    [[nodiscard]] std::uint64_t elementBytes() const;
    [[nodiscard]] std::uint64_t bytes() const {
        return columns == 0 ? 0
                            : (static_cast<std::uint64_t>(stride) * (columns - 1) + rows) * elementBytes();
    }
};

/// What a caller has set of a product.
struct ProductDescription {
    cublasComputeType_t compute{};
    cudaDataType scale{};
    std::int32_t transposesA = CUBLAS_OP_N, transposesB = CUBLAS_OP_N;
    std::int32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    void* mask = nullptr;         ///< of ReLU
    std::int64_t maskStride = 0;  ///< bits from column to column
    const float* scaleA = nullptr;
    const float* scaleB = nullptr;
    const float* scaleD = nullptr;  ///< of an fp8 result
    float* amaxD = nullptr;
    std::int8_t fastSums = 0;

    [[nodiscard]] bool hasMask() const {
        return epilogue == CUBLASLT_EPILOGUE_RELU_AUX || epilogue == CUBLASLT_EPILOGUE_DRELU;
    }
};

struct Product {
    ProductDescription description;
    MatrixLayout a, b, d;
    const void* dataA = nullptr;
    const void* dataB = nullptr;
    void* dataD = nullptr;  ///< also C
    float alpha = 1, beta = 0;
    int parts = 1;  ///< in which the sums are taken
};

/// Whether the library's documents list the product for GPUs of this compute capability. Returns why not, or
/// null.
[[nodiscard]] const char* unsupported(const ProductDescription& description, const MatrixLayout& a,
                                      const MatrixLayout& b, const MatrixLayout& d, int computeCapability);

/// FLOPs of products that this thread has done: of those whose operands tensor cores multiply, and of fp32.
struct ProductFlops {
    std::int64_t tensor = 0;
    std::int64_t core = 0;
};
inline thread_local ProductFlops productFlops;

/// Does it, and counts it. Everything is memory of the device.
void compute(const Product& product);

}  // namespace plumb::test::simulated

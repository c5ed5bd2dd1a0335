// SPDX-License-Identifier: Apache-2.0
// The functions of cuBLASLt that the backend uses, for the simulated device. Each product has three
// algorithms: plain; one that writes all over the workspace; one that sums in other parts. An algorithm
// serves the very product alone that it was offered for.
#include "tests/kernels/simulated/device.h"
#include "tests/kernels/simulated/matrix_product.h"

#include <algorithm>
#include <cstring>

namespace plumb::test::simulated {
namespace {

constexpr std::uint64_t kAlgorithms = 3;
constexpr std::uint64_t kMagic = 0x73696d756c617465;
constexpr std::uint64_t kWorkspace = std::uint64_t{1} << 20;
constexpr std::size_t kPointerAlignment = 16;
/// Time of the smallest product: so slow that nobody times it often.
constexpr std::int64_t kProductNanoseconds = 600'000;

struct Preference {
    std::uint64_t workspace = 0;
    std::uint32_t reductions = 0;
};

ProductDescription& descriptionOf(cublasLtMatmulDesc_t handle) {
    return *reinterpret_cast<ProductDescription*>(handle);
}
MatrixLayout& layoutOf(cublasLtMatrixLayout_t handle) { return *reinterpret_cast<MatrixLayout*>(handle); }
Preference& preferenceOf(cublasLtMatmulPreference_t handle) { return *reinterpret_cast<Preference*>(handle); }

/// Fingerprint of everything that an algorithm depends on.
std::uint64_t fingerprint(const ProductDescription& of, const MatrixLayout& a, const MatrixLayout& b,
                          const MatrixLayout& d) {
    std::uint64_t hash = 14695981039346656037U;
    const auto add = [&hash](auto value) {
        hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211U;
    };
    add(of.compute);
    add(of.transposesA);
    add(of.transposesB);
    add(of.epilogue);
    add(of.maskStride);
    add(of.fastSums);
    for (const MatrixLayout* layout : {&a, &b, &d}) {
        add(layout->type);
        add(layout->rows);
        add(layout->columns);
        add(layout->stride);
    }
    return hash;
}

std::uint64_t workspaceOf(std::uint64_t algorithm) { return algorithm == 0 ? 0 : kWorkspace; }

template <class Value>
cublasStatus_t keep(Value& into, const void* value, std::size_t bytes) {
    if (bytes != sizeof(Value)) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&into, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t refused(const char* why) {
    Device::get().addFault(std::string("a product with ") + why);
    return CUBLAS_STATUS_INVALID_VALUE;
}

/// What is added may be of another type than a result in fp8 alone, of which it is bf16.
bool fitsResult(const MatrixLayout& c, const MatrixLayout& d) {
    const cudaDataType type = d.elementBytes() == 1 ? CUDA_R_16BF : d.type;
    return c.type == type && c.rows == d.rows && c.columns == d.columns && c.stride == d.stride;
}
float numberAt(const void* beta) {
    float value = 0;
    std::memcpy(&value, beta, sizeof value);
    return value;
}

/// Whether the memory can be used for a matrix.
bool fits(const void* memory, std::uint64_t bytes) {
    return Device::get().isDevice(memory, bytes) &&
           reinterpret_cast<std::uintptr_t>(memory) % kPointerAlignment == 0;
}

}  // namespace
}  // namespace plumb::test::simulated

using namespace plumb::test::simulated;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    if (Device::get().fails()) return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = reinterpret_cast<cublasLtHandle_t>(new int(0));
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    delete reinterpret_cast<int*>(handle);
    return CUBLAS_STATUS_SUCCESS;
}
std::size_t cublasLtGetVersion() { return 130000; }
const char* cublasLtGetStatusName(cublasStatus_t status) {
    return status == CUBLAS_STATUS_INVALID_VALUE   ? "CUBLAS_STATUS_INVALID_VALUE"
           : status == CUBLAS_STATUS_NOT_SUPPORTED ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                                   : "CUBLAS_STATUS_SIMULATED";
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
    auto* const made = new ProductDescription;
    made->compute = compute;
    made->scale = scale;
    *description = reinterpret_cast<cublasLtMatmulDesc_t>(made);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
    delete &descriptionOf(description);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              std::size_t bytes) {
    ProductDescription& of = descriptionOf(description);
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
        return keep(of.transposesA, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
        return keep(of.transposesB, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
        return keep(of.epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
        return keep(of.mask, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
        return keep(of.maskStride, value, bytes);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
        return keep(of.scaleA, value, bytes);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
        return keep(of.scaleB, value, bytes);
    case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER:
        return keep(of.scaleD, value, bytes);
    case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER:
        return keep(of.amaxD, value, bytes);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
        return keep(of.fastSums, value, bytes);
    default:
        return refused("an attribute that is not simulated");
    }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns, std::int64_t stride) {
    *layout = reinterpret_cast<cublasLtMatrixLayout_t>(new MatrixLayout{type, rows, columns, stride});
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
    delete &layoutOf(layout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
    *preference = reinterpret_cast<cublasLtMatmulPreference_t>(new Preference);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    delete &preferenceOf(preference);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t bytes) {
    switch (attribute) {
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
        return keep(preferenceOf(preference).workspace, value, bytes);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
        return keep(preferenceOf(preference).reductions, value, bytes);
    default:
        return refused("a preference that is not simulated");
    }
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t /*handle*/, cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results, int* found) {
    const Options& options = Device::get().options();
    const ProductDescription& of = descriptionOf(description);
    *found = 0;
    if (Device::get().fails()) return CUBLAS_STATUS_INTERNAL_ERROR;
    if (!fitsResult(layoutOf(c), layoutOf(d)))
        return refused("C of another layout than D, or not in bf16 beside fp8");
    if (!options.scalesResults && layoutOf(d).elementBytes() == 1) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!options.fusesEpilogues && !options.offersInVain && of.epilogue != CUBLASLT_EPILOGUE_DEFAULT)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (unsupported(of, layoutOf(a), layoutOf(b), layoutOf(d), options.computeCapability) != nullptr)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const auto most = std::min<std::uint64_t>(kAlgorithms, static_cast<std::uint64_t>(wanted));
    for (std::uint64_t algorithm = 0; algorithm < most; ++algorithm) {
        if (workspaceOf(algorithm) > preferenceOf(preference).workspace) continue;
        cublasLtMatmulHeuristicResult_t& result = results[(*found)++];
        result = cublasLtMatmulHeuristicResult_t{};
        result.algo.data[0] = kMagic;
        result.algo.data[1] = algorithm;
        result.algo.data[2] = fingerprint(of, layoutOf(a), layoutOf(b), layoutOf(d));
        result.workspaceSize = workspaceOf(algorithm);
        result.state = CUBLAS_STATUS_SUCCESS;
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t /*handle*/, cublasLtMatmulDesc_t description,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t /*c*/, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algorithm,
                                       cublasLtMatmulHeuristicResult_t* result) {
    if (algorithm->data[0] != kMagic ||
        algorithm->data[2] != fingerprint(descriptionOf(description), layoutOf(a), layoutOf(b), layoutOf(d)))
        return CUBLAS_STATUS_INVALID_VALUE;
    result->algo = *algorithm;
    result->workspaceSize = workspaceOf(algorithm->data[1]);
    result->state = CUBLAS_STATUS_SUCCESS;
    return CUBLAS_STATUS_SUCCESS;
}

// The attributes of each algorithm: its number and what follows from it.
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void* value, std::size_t bytes, std::size_t* written) {
    if (algorithm->data[0] != kMagic) return CUBLAS_STATUS_INVALID_VALUE;
    const std::uint64_t which = algorithm->data[1];
    const auto tell = [&](auto told) {
        if (bytes < sizeof told) return CUBLAS_STATUS_INVALID_VALUE;
        std::memcpy(value, &told, sizeof told);
        *written = sizeof told;
        return CUBLAS_STATUS_SUCCESS;
    };
    switch (attribute) {
    case CUBLASLT_ALGO_CONFIG_ID:
        return tell(static_cast<std::int32_t>(60 + which));
    case CUBLASLT_ALGO_CONFIG_TILE_ID:
        return tell(std::uint32_t{which == 0 ? CUBLASLT_MATMUL_TILE_128x256 : CUBLASLT_MATMUL_TILE_384x16});
    case CUBLASLT_ALGO_CONFIG_STAGES_ID:
        return tell(std::uint32_t{which == 0 ? CUBLASLT_MATMUL_STAGES_64x4 : CUBLASLT_MATMUL_STAGES_64xAUTO});
    case CUBLASLT_ALGO_CONFIG_SPLITK_NUM:
        return tell(std::int32_t{which == 2 ? 3 : 1});
    case CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME:
        return tell(std::uint32_t{which == 2 ? CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE
                                             : CUBLASLT_REDUCTION_SCHEME_NONE});
    case CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID:
        return tell(static_cast<std::uint16_t>(which == 0 ? CUBLASLT_CLUSTER_SHAPE_2x1x1
                                                          : CUBLASLT_CLUSTER_SHAPE_AUTO));
    case CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING:
    case CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION:
        return tell(std::uint32_t{0});
    default:
        return CUBLAS_STATUS_INVALID_VALUE;
    }
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t /*handle*/, cublasLtMatmulDesc_t description,
                              const void* alpha, const void* dataA, cublasLtMatrixLayout_t a,
                              const void* dataB, cublasLtMatrixLayout_t b, const void* beta,
                              const void* dataC, cublasLtMatrixLayout_t c, void* dataD,
                              cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t* algorithm,
                              void* workspace, std::size_t workspaceBytes, cudaStream_t stream) {
    Device& device = Device::get();
    const std::scoped_lock locked(device.lock());
    Product product{descriptionOf(description), layoutOf(a), layoutOf(b), layoutOf(d), dataA, dataB, dataD};
    const ProductDescription& of = product.description;
    if (const char* why =
            unsupported(of, product.a, product.b, product.d, device.options().computeCapability))
        return refused(why);
    if (device.options().offersInVain &&
        (of.epilogue != CUBLASLT_EPILOGUE_DEFAULT || product.d.elementBytes() == 1))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (algorithm == nullptr || algorithm->data[0] != kMagic ||
        algorithm->data[2] != fingerprint(of, product.a, product.b, product.d))
        return refused("an algorithm that was offered for another one");
    if (!fits(dataA, product.a.bytes()) || !fits(dataB, product.b.bytes()) || !fits(dataD, product.d.bytes()))
        return refused("operands that are not aligned memory of the device");
    const bool scaled = product.d.elementBytes() == 1;
    if (dataC != (scaled ? nullptr : dataD)) return refused("C apart from D, which is not simulated");
    if (!fitsResult(layoutOf(c), product.d)) return refused("C of another layout than D");
    if (scaled && numberAt(beta) != 0) return refused("an fp8 result that is added to");
    for (const float* of8 : {of.scaleD, static_cast<const float*>(of.amaxD)})
        if (of8 != nullptr && !device.isDevice(of8, sizeof(float)))
            return refused("a scale of a result that is not memory of the device");
    const std::uint64_t maskBytes = static_cast<std::uint64_t>(of.maskStride) / 8 * product.d.columns;
    if (of.hasMask() && !fits(of.mask, maskBytes)) return refused("a mask that is not memory of the device");
    for (const float* scale : {of.scaleA, of.scaleB})
        if (scale != nullptr && !device.isDevice(scale, sizeof(float)))
            return refused("a scale that is not memory of the device");
    const std::uint64_t needed = workspaceOf(algorithm->data[1]);
    if (needed > workspaceBytes || (needed > 0 && !fits(workspace, needed)))
        return refused("less workspace than its algorithm asked for");
    auto* const streamOf = reinterpret_cast<Stream*>(stream);
    if (!device.knows(streamOf)) return refused("a stream that does not exist");
    if (device.fails()) return CUBLAS_STATUS_EXECUTION_FAILED;
    std::memcpy(&product.alpha, alpha, sizeof(float));
    std::memcpy(&product.beta, beta, sizeof(float));
    product.parts = algorithm->data[1] == 2 ? 3 : 1;
    // The plain one is slow, so that tuning has something to choose.
    const std::uint64_t inner = of.transposesA == CUBLAS_OP_T ? product.a.rows : product.a.columns;
    const double flops = 2.0 * static_cast<double>(product.d.rows) * static_cast<double>(product.d.columns) *
                         static_cast<double>(inner);
    const double rate = algorithm->data[1] == 0 ? 1e12 : 2e12;
    const Options& options = device.options();
    const std::int64_t epilogue = of.epilogue == CUBLASLT_EPILOGUE_DEFAULT ? 0
                                  : of.hasMask()                           ? options.maskNanoseconds
                                                                           : options.reluNanoseconds;
    device.enqueue(
        streamOf,
        [product, workspace, needed] {
            if (needed > 0) poison(workspace, 0xee, needed);
            compute(product);
        },
        kProductNanoseconds + epilogue + static_cast<std::int64_t>(flops / rate * 1e9), "product");
    return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/algorithm_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace plumb::cuda {

namespace {

/// The enumerator of the library beside the numbers in its name.
struct Pair {
    std::uint32_t id;
    std::uint32_t first, second;
};
#define PLUMB_TILE(rows, columns)                                                                            \
    Pair { CUBLASLT_MATMUL_TILE_##rows##x##columns, rows, columns }
#define PLUMB_STAGES(depth, count)                                                                           \
    Pair { CUBLASLT_MATMUL_STAGES_##depth##x##count, depth, count }

/// Those that large products of GPUs from Ampere on take; of the other hundreds the number has to do.
constexpr std::array kTiles{
    PLUMB_TILE(16, 16),   PLUMB_TILE(16, 32),   PLUMB_TILE(32, 16),   PLUMB_TILE(32, 32),
    PLUMB_TILE(32, 64),   PLUMB_TILE(64, 32),   PLUMB_TILE(32, 128),  PLUMB_TILE(64, 64),
    PLUMB_TILE(128, 32),  PLUMB_TILE(64, 128),  PLUMB_TILE(128, 64),  PLUMB_TILE(64, 256),
    PLUMB_TILE(128, 128), PLUMB_TILE(256, 64),  PLUMB_TILE(64, 512),  PLUMB_TILE(128, 256),
    PLUMB_TILE(256, 128), PLUMB_TILE(512, 64),  PLUMB_TILE(64, 96),   PLUMB_TILE(96, 64),
    PLUMB_TILE(96, 128),  PLUMB_TILE(128, 160), PLUMB_TILE(160, 128), PLUMB_TILE(192, 128),
    PLUMB_TILE(128, 192), PLUMB_TILE(128, 96),  PLUMB_TILE(32, 256),  PLUMB_TILE(256, 32),
    PLUMB_TILE(64, 8),    PLUMB_TILE(64, 16),   PLUMB_TILE(64, 24),   PLUMB_TILE(64, 40),
    PLUMB_TILE(64, 48),   PLUMB_TILE(64, 72),   PLUMB_TILE(64, 80),   PLUMB_TILE(64, 160),
    PLUMB_TILE(64, 192),  PLUMB_TILE(64, 320),  PLUMB_TILE(64, 384),  PLUMB_TILE(128, 8),
    PLUMB_TILE(128, 16),  PLUMB_TILE(128, 24),  PLUMB_TILE(128, 40),  PLUMB_TILE(128, 48),
    PLUMB_TILE(128, 80),  PLUMB_TILE(128, 112), PLUMB_TILE(128, 144), PLUMB_TILE(128, 176),
    PLUMB_TILE(128, 208), PLUMB_TILE(128, 224), PLUMB_TILE(128, 240), PLUMB_TILE(128, 320),
    PLUMB_TILE(128, 384), PLUMB_TILE(128, 512), PLUMB_TILE(192, 32),  PLUMB_TILE(192, 64),
    PLUMB_TILE(192, 96),  PLUMB_TILE(192, 192), PLUMB_TILE(192, 256), PLUMB_TILE(256, 16),
    PLUMB_TILE(256, 96),  PLUMB_TILE(256, 160), PLUMB_TILE(256, 192), PLUMB_TILE(256, 224),
    PLUMB_TILE(256, 256), PLUMB_TILE(320, 128), PLUMB_TILE(384, 128), PLUMB_TILE(512, 128)};
constexpr std::array kStages{
    PLUMB_STAGES(16, 1),  PLUMB_STAGES(16, 2),  PLUMB_STAGES(16, 3),  PLUMB_STAGES(16, 4),
    PLUMB_STAGES(16, 5),  PLUMB_STAGES(16, 6),  PLUMB_STAGES(32, 1),  PLUMB_STAGES(32, 2),
    PLUMB_STAGES(32, 3),  PLUMB_STAGES(32, 4),  PLUMB_STAGES(32, 5),  PLUMB_STAGES(32, 6),
    PLUMB_STAGES(64, 1),  PLUMB_STAGES(64, 2),  PLUMB_STAGES(64, 3),  PLUMB_STAGES(64, 4),
    PLUMB_STAGES(64, 5),  PLUMB_STAGES(64, 6),  PLUMB_STAGES(128, 1), PLUMB_STAGES(128, 2),
    PLUMB_STAGES(128, 3), PLUMB_STAGES(128, 4), PLUMB_STAGES(128, 5), PLUMB_STAGES(128, 6),
    PLUMB_STAGES(32, 10), PLUMB_STAGES(8, 4),   PLUMB_STAGES(16, 10), PLUMB_STAGES(8, 5),
    PLUMB_STAGES(8, 3)};
#undef PLUMB_TILE
#undef PLUMB_STAGES

/// As many stages as fit.
struct Automatic {
    std::uint32_t id;
    std::uint32_t depth;
};
constexpr std::array kAutomaticStages{
    Automatic{CUBLASLT_MATMUL_STAGES_8xAUTO, 8},     Automatic{CUBLASLT_MATMUL_STAGES_16xAUTO, 16},
    Automatic{CUBLASLT_MATMUL_STAGES_32xAUTO, 32},   Automatic{CUBLASLT_MATMUL_STAGES_64xAUTO, 64},
    Automatic{CUBLASLT_MATMUL_STAGES_128xAUTO, 128}, Automatic{CUBLASLT_MATMUL_STAGES_256xAUTO, 256},
    Automatic{CUBLASLT_MATMUL_STAGES_768xAUTO, 768}};

struct Cluster {
    std::uint16_t id;
    const char* text;
};
constexpr std::array kClusters{
    Cluster{CUBLASLT_CLUSTER_SHAPE_1x1x1, "1x1x1"}, Cluster{CUBLASLT_CLUSTER_SHAPE_2x1x1, "2x1x1"},
    Cluster{CUBLASLT_CLUSTER_SHAPE_4x1x1, "4x1x1"}, Cluster{CUBLASLT_CLUSTER_SHAPE_1x2x1, "1x2x1"},
    Cluster{CUBLASLT_CLUSTER_SHAPE_2x2x1, "2x2x1"}, Cluster{CUBLASLT_CLUSTER_SHAPE_4x2x1, "4x2x1"},
    Cluster{CUBLASLT_CLUSTER_SHAPE_1x4x1, "1x4x1"}, Cluster{CUBLASLT_CLUSTER_SHAPE_2x4x1, "2x4x1"},
    Cluster{CUBLASLT_CLUSTER_SHAPE_4x4x1, "4x4x1"}, Cluster{CUBLASLT_CLUSTER_SHAPE_8x1x1, "8x1x1"},
    Cluster{CUBLASLT_CLUSTER_SHAPE_1x8x1, "1x8x1"}, Cluster{CUBLASLT_CLUSTER_SHAPE_8x2x1, "8x2x1"},
    Cluster{CUBLASLT_CLUSTER_SHAPE_2x8x1, "2x8x1"}};

/// "128x256", or the library's number where it is not in the table; empty for 0, which is its own default.
template <std::size_t count>
std::string pairText(const std::array<Pair, count>& pairs, std::uint32_t id) {
    if (id == 0) return {};
    for (const Pair& pair : pairs)
        if (pair.id == id) return fmt::format("{}x{}", pair.first, pair.second);
    return fmt::format("number {}", id);
}

std::string stagesText(std::uint32_t id) {
    for (const Automatic& automatic : kAutomaticStages)
        if (automatic.id == id) return fmt::format("{}xauto", automatic.depth);
    return pairText(kStages, id);
}

std::string clusterText(std::uint16_t id) {
    if (id == CUBLASLT_CLUSTER_SHAPE_AUTO) return {};
    for (const Cluster& cluster : kClusters)
        if (cluster.id == id) return cluster.text;
    return fmt::format("number {}", id);
}

std::string reductionText(std::uint32_t scheme) {
    switch (scheme) {
    case CUBLASLT_REDUCTION_SCHEME_INPLACE:
        return "in_place";
    case CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE:
        return "compute_type";
    case CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE:
        return "output_type";
    default:
        return {};
    }
}

template <class Value>
Value attributeOf(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t attribute,
                  Value otherwise) {
    Value value{};
    std::size_t written = 0;
    const bool told = cublasLtMatmulAlgoConfigGetAttribute(&algorithm, attribute, &value, sizeof value,
                                                           &written) == CUBLAS_STATUS_SUCCESS;
    return told && written == sizeof value ? value : otherwise;
}

}  // namespace

LibraryAlgorithm algorithmOf(const cublasLtMatmulAlgo_t& algorithm) {
    LibraryAlgorithm told;
    told.id = attributeOf<std::int32_t>(algorithm, CUBLASLT_ALGO_CONFIG_ID, -1);
    told.tile = pairText(kTiles, attributeOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID, 0));
    told.stages = stagesText(attributeOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID, 0));
    told.cluster =
        clusterText(attributeOf<std::uint16_t>(algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 0));
    told.splitK =
        std::max<std::int32_t>(attributeOf<std::int32_t>(algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 1), 1);
    told.reduction =
        reductionText(attributeOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 0));
    told.swizzle = attributeOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 0);
    told.custom = attributeOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 0);
    return told;
}

}  // namespace plumb::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/base/quantity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// Who chose the algorithm of a product.
enum class AlgorithmOrigin : std::uint8_t {
    Heuristic,  ///< the library: its own first choice, not timed
    Autotune,   ///< timed beside the others that it offers, before the first step
    Cache,      ///< timed likewise before an earlier step on this machine, and kept
};
inline constexpr auto kAlgorithmOriginNames =
    enumNames<AlgorithmOrigin>({{AlgorithmOrigin::Heuristic, "heuristic"},
                                {AlgorithmOrigin::Autotune, "autotune"},
                                {AlgorithmOrigin::Cache, "cache"}});

/// What was done around a product in passes of their own.
enum class PassApart : std::uint8_t {
    TransposeFirst,   ///< before it: an operand is laid along the dimension that is summed
    TransposeSecond,  ///< the same of the other one
    Relu,             ///< after it, as are all that follow
    ReluAndMask,      ///< the ReLU and the bit per element that says what passed
    Mask,             ///< 0 where the ReLU below let nothing pass
    Round,            ///< to fp8, once the scale is known
};
inline constexpr auto kPassApartNames =
    enumNames<PassApart>({{PassApart::TransposeFirst, "transpose_first"},
                          {PassApart::TransposeSecond, "transpose_second"},
                          {PassApart::Relu, "relu"},
                          {PassApart::ReluAndMask, "relu_mask"},
                          {PassApart::Mask, "mask"},
                          {PassApart::Round, "round"}});
/// In words, for people: "the ReLU and its mask".
[[nodiscard]] std::string_view passLabel(PassApart pass);

/// How the library computes a product, as far as it tells.
struct LibraryAlgorithm {
    std::int64_t id = 0;       ///< its number in the library
    std::string tile;          ///< of the result that a block computes, as the library has it: "128x256"
    std::string stages;        ///< depth of the operands in one stage, and stages: "64x4"
    std::string cluster;       ///< blocks that work together: "2x1x1"; empty: the library decides
    std::int64_t splitK = 1;   ///< parts of the sums that are computed side by side
    std::string reduction;     ///< how these are added: "in_place", "compute_type"; empty: there is one part
    std::int64_t swizzle = 0;  ///< of blocks over the result, as the library counts it
    std::int64_t custom = 0;   ///< an option of this algorithm alone
    Bytes workspaceBytes = 0;  ///< scratch that it asks for
    bool operator==(const LibraryAlgorithm&) const = default;
};

/// What products take with a ReLU or its mask done on their way to memory, and with the plain products and
/// passes of their own behind them: whichever was faster ran.
struct EpilogueTimes {
    Seconds fused = 0;
    Seconds apart = 0;
    /// Products that share the choice, in both sums: one, or the two that write and apply a mask.
    std::int64_t products = 1;
    bool operator==(const EpilogueTimes&) const = default;
};
/// "timed, 45.1 µs on the way to memory and 41.2 µs in a pass of its own".
[[nodiscard]] std::string text(const EpilogueTimes& times);

/// A product of the matrix library as ops of a measured step ran it.
struct LibraryProduct {
    std::string product;  ///< "forward 8192x4096x4096 bf16*bf16>bf16 relu-mask": kind, rows, in, out, formats
                          ///< and what is done on the way to memory
    AlgorithmOrigin origin{};
    LibraryAlgorithm algorithm;
    std::optional<Seconds> tunedSeconds;  ///< of one run when the algorithm was chosen; absent: not timed
    bool fastAccumulation = false;        ///< fp8: sums are rounded on their way
    std::vector<PassApart> apart;         ///< in their order
    std::string fallback;  ///< why the library does not do on the way what is apart; empty: it is meant so
    std::optional<EpilogueTimes> epilogue;  ///< absent: both ways were not timed
    bool operator==(const LibraryProduct&) const = default;
};

/// "algorithm 66, tile 128x256, stages 64x4, cluster 2x1x1, split-k 4 (compute_type), workspace 32.0 MB,
/// chosen by autotune (41.2 µs)".
[[nodiscard]] std::string algorithmText(const LibraryProduct& product);
/// "the ReLU and its mask in a pass of its own: the library offers ..."; where nothing is apart, what both
/// ways took, or empty.
[[nodiscard]] std::string apartText(const LibraryProduct& product);

/// The products of a step's ops.
struct LibraryProducts {
    std::vector<LibraryProduct> products;
    std::vector<std::vector<std::int32_t>> ofOp;  ///< by op: which of them it ran, in their order
};

}  // namespace plumb

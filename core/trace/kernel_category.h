// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb::trace {

/// What a piece of GPU work does, in the order in which their marks are looked for in its name.
enum class KernelCategory : std::uint8_t {
    Communication,
    Memory,
    Attention,
    Convolution,
    Gemm,
    Normalization,
    SoftmaxLoss,
    Index,
    Optimizer,
    ReduceSort,
    Random,
    Triton,
    Elementwise,
    Other
};
inline constexpr std::size_t kKernelCategories = static_cast<std::size_t>(KernelCategory::Other) + 1;
inline constexpr auto kKernelCategoryNames =
    enumNames<KernelCategory>({{KernelCategory::Communication, "communication"},
                               {KernelCategory::Memory, "memory"},
                               {KernelCategory::Attention, "attention"},
                               {KernelCategory::Convolution, "convolution"},
                               {KernelCategory::Gemm, "gemm"},
                               {KernelCategory::Normalization, "norm"},
                               {KernelCategory::SoftmaxLoss, "softmax/loss"},
                               {KernelCategory::Index, "index"},
                               {KernelCategory::Optimizer, "optimizer"},
                               {KernelCategory::ReduceSort, "reduce/sort"},
                               {KernelCategory::Random, "random"},
                               {KernelCategory::Triton, "triton"},
                               {KernelCategory::Elementwise, "elementwise"},
                               {KernelCategory::Other, "other"}});

/// The category of a kernel, copy or memset by its own name.
[[nodiscard]] KernelCategory categoryByName(std::string_view kernel);
/// The category of all GPU work of an op; empty where the op does not tell, as aten::copy_ does not.
[[nodiscard]] std::optional<KernelCategory> categoryByOp(std::string_view op);
/// Whether the name says that it communicates with other devices.
[[nodiscard]] bool communicates(std::string_view kernel);
/// Whether the name says that it multiplies matrices on tensor cores. Proof needs a hardware counter.
[[nodiscard]] bool usesTensorCores(std::string_view kernel);

}  // namespace plumb::trace

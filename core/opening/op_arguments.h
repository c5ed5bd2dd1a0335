// SPDX-License-Identifier: Apache-2.0
// What a trace says of the arguments of an op, and what follows from it for products.
#pragma once

#include "core/base/dtype.h"
#include "core/base/quantity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// A tensor that an op was given.
struct OpArgument {
    std::vector<std::int64_t> shape;
    std::string type;  ///< as PyTorch calls it: "float", "c10::BFloat16"; empty: not said
};

/// The tensors among the arguments, those of lists too: `shapes` is "Input Dims", "[[2, 3], [], [[4], [5]]]",
/// and `types` "Input type". Empty where the text is broken.
[[nodiscard]] std::vector<OpArgument> opArguments(std::string_view shapes, std::string_view types);

/// The number format of a type; absent for whole numbers, truth values and what is not known.
[[nodiscard]] std::optional<Dtype> dtypeOfTorch(std::string_view type);

/// Bytes of all of them, as far as their types say; strides are not known, and repeated elements count.
[[nodiscard]] Bytes bytesOfArguments(const std::vector<OpArgument>& arguments);

/// Whether the op only says otherwise what lies in memory, or takes memory: it computes and moves nothing.
[[nodiscard]] bool isViewOrEmpty(std::string_view kind);

/// What a product of matrices costs.
struct ProductCost {
    Flops flops = 0;
    Bytes bytes = 0;  ///< both factors read once, the product written once
    Dtype units{};
};
/// Of aten::mm, addmm, bmm, baddbmm and linear, by the shapes of their arguments; absent for other ops, and
/// for shapes or types that do not fit.
[[nodiscard]] std::optional<ProductCost> productCost(std::string_view kind,
                                                     const std::vector<OpArgument>& arguments);

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_array.h"
#include "core/base/result.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace plumb::planner {

struct Transformer;

/// Results of a layer, each of a matrix product or of attention. Recomputation by parts keeps some of them
/// and works the others out again where the backward pass reads them; the block's last one it never reads.
enum class LayerPart : std::uint8_t {
    Queries,
    Keys,
    Values,
    Attention,  ///< the weighted sums of values
    Output,     ///< of the product behind attention
    Gate,       ///< of a block with a gate; of one without it, nothing
    Up,
    Down,  ///< of the block's last product; frameworks keep it all the same
};
constexpr LayerPart lastOf(LayerPart /*type*/) { return LayerPart::Down; }
[[nodiscard]] std::string_view name(LayerPart part);  ///< "queries", "attention", "up"

/// What is worked out again, or what a product makes.
using LayerParts = EnumArray<LayerPart, bool>;
[[nodiscard]] constexpr LayerParts partsOf(std::initializer_list<LayerPart> which) {
    LayerParts parts{};
    for (const LayerPart part : which) parts[part] = true;
    return parts;
}
/// "queries,attention"; empty for none.
[[nodiscard]] std::string listOf(const LayerParts& parts);
/// Reads what listOf() writes. Errors: BadInput with the name and all that there are.
[[nodiscard]] Result<LayerParts> layerPartsOf(std::string_view list);

/// Weights that a token is multiplied with where a part runs again, in a layer without or with experts; 0 for
/// attention, which has none, and for the block's last product, which never has to.
[[nodiscard]] EnumArray<LayerPart, double> weightsOf(const Transformer& model, bool expertLayer);
/// The share of a product that makes all of `together` which runs again.
[[nodiscard]] double shareOf(const LayerParts& again, const EnumArray<LayerPart, double>& weights,
                             const LayerParts& together);

}  // namespace plumb::planner

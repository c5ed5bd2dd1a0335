// SPDX-License-Identifier: Apache-2.0
#include "core/planner/layer_parts.h"

#include "core/base/enum_words.h"
#include "core/planner/model.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

std::string_view name(LayerPart part) {
    switch (part) {
    case LayerPart::Queries:
        return "queries";
    case LayerPart::Keys:
        return "keys";
    case LayerPart::Values:
        return "values";
    case LayerPart::Attention:
        return "attention";
    case LayerPart::Output:
        return "output";
    case LayerPart::Gate:
        return "gate";
    case LayerPart::Up:
        return "up";
    case LayerPart::Down:
        break;
    }
    return "down";
}

std::string listOf(const LayerParts& parts) {
    std::string text;
    for (const LayerPart part : kEnumerators<LayerPart>)
        if (parts[part]) text += fmt::format("{}{}", text.empty() ? "" : ",", name(part));
    return text;
}

Result<LayerParts> layerPartsOf(std::string_view list) {
    LayerParts parts{};
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        const std::string_view word = list.substr(0, end);
        const auto found = enumeratorOf<LayerPart>(word);
        if (!found) {
            LayerParts all{};
            std::ranges::fill(all, true);
            return Error{ErrorCode::BadInput, fmt::format("'{}' is no part of a layer", word.substr(0, 40)),
                         fmt::format("give some of {:s}", listOf(all))};
        }
        parts[*found] = true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return parts;
}

EnumArray<LayerPart, double> weightsOf(const Transformer& m, bool expertLayer) {
    using enum LayerPart;
    const auto h = static_cast<double>(m.hidden);
    const auto query = static_cast<double>(m.queryWidth());
    EnumArray<LayerPart, double> weights{};
    if (m.latent) {
        const LatentAttention& l = *m.latent;
        const auto rank = static_cast<double>(l.queryRank), shared = static_cast<double>(l.keyValueRank);
        const auto heads = static_cast<double>(m.heads);
        weights[Queries] = rank > 0 ? h * rank + rank * query : h * query;
        // What is narrow is shared by keys and values: half of it for each.
        const double narrow = h * shared / 2;
        weights[Keys] = narrow + h * static_cast<double>(l.rotaryWidth) +
                        shared * heads * static_cast<double>(l.plainWidth);
        weights[Values] = narrow + shared * heads * static_cast<double>(l.valueWidth);
    } else {
        weights[Queries] = h * query;
        weights[Keys] = weights[Values] = h * static_cast<double>(m.keyWidth());
    }
    weights[Output] = static_cast<double>(m.valueWidth()) * h;
    const bool routed = expertLayer && m.experts;
    const double inner =
        routed ? static_cast<double>(m.experts->active * m.experts->hidden + m.experts->sharedHidden)
               : static_cast<double>(m.inner);
    weights[Up] = h * inner;
    weights[Gate] = m.gated ? h * inner : 0;
    return weights;
}

double shareOf(const LayerParts& again, const EnumArray<LayerPart, double>& weights,
               const LayerParts& together) {
    double all = 0, repeated = 0;
    for (const LayerPart part : kEnumerators<LayerPart>) {
        if (!together[part]) continue;
        all += weights[part];
        if (again[part]) repeated += weights[part];
    }
    return all > 0 ? repeated / all : 0;
}

}  // namespace plumb::planner

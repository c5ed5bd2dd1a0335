// SPDX-License-Identifier: Apache-2.0
#include "core/measure/library_product.h"

#include <fmt/format.h>

namespace plumb {

std::string_view passLabel(PassApart pass) {
    switch (pass) {
    case PassApart::TransposeFirst:
        return "the first operand's transpose";
    case PassApart::TransposeSecond:
        return "the second operand's transpose";
    case PassApart::Relu:
        return "the ReLU";
    case PassApart::ReluAndMask:
        return "the ReLU and its mask";
    case PassApart::Mask:
        return "the mask of the ReLU below";
    case PassApart::Round:
        return "rounding to fp8";
    }
    return {};
}

std::string algorithmText(const LibraryProduct& product) {
    const LibraryAlgorithm& algorithm = product.algorithm;
    std::string text = fmt::format("algorithm {}", algorithm.id);
    const auto add = [&text](std::string_view what, const std::string& value) {
        if (!value.empty()) text += fmt::format(", {} {}", what, value);
    };
    add("tile", algorithm.tile);
    add("stages", algorithm.stages);
    add("cluster", algorithm.cluster);
    text += fmt::format(", split-k {}", algorithm.splitK);
    if (!algorithm.reduction.empty()) text += fmt::format(" ({})", algorithm.reduction);
    text += ", workspace " + formatQuantity(static_cast<double>(algorithm.workspaceBytes), "B");
    if (product.fastAccumulation) text += ", fast accumulation";
    text += fmt::format(", chosen by {}", kAlgorithmOriginNames.name(product.origin));
    if (product.tunedSeconds) text += fmt::format(" ({})", formatQuantity(*product.tunedSeconds, "s"));
    return text;
}

std::string text(const EpilogueTimes& times) {
    return fmt::format("timed, {} on the way to memory and {} in {}", formatQuantity(times.fused, "s"),
                       formatQuantity(times.apart, "s"),
                       times.products == 1
                           ? "a pass of its own"
                           : "passes of their own (what writes the mask and what applies it)");
}

std::string apartText(const LibraryProduct& product) {
    std::string text;
    for (const PassApart pass : product.apart)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", passLabel(pass));
    if (text.empty()) return product.epilogue ? "the epilogue " + plumb::text(*product.epilogue) : text;
    text += product.apart.size() == 1 ? " in a pass of its own" : " in passes of their own";
    return product.fallback.empty() ? text : text + ": " + product.fallback;
}

}  // namespace plumb

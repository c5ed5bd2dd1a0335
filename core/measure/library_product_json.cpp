// SPDX-License-Identifier: Apache-2.0
#include "core/measure/library_product_json.h"

namespace plumb {

using enum Presence;

JsonType<LibraryAlgorithm> jsonType(Of<LibraryAlgorithm> /*type*/) {
    static constexpr JsonMember<LibraryAlgorithm> kMembers[]{
        member<&LibraryAlgorithm::id, Signed>("id", Required, "Its number in the library"),
        member<&LibraryAlgorithm::tile>("tile", IfSet, "Of the result that a block computes"),
        member<&LibraryAlgorithm::stages>("stages", IfSet,
                                          "Depth of the operands in one stage, and how many stages"),
        member<&LibraryAlgorithm::cluster>("cluster", IfSet, "Blocks that work together"),
        member<&LibraryAlgorithm::splitK, Whole<1>>("split_k", Always,
                                                    "Parts of the sums that are computed side by side"),
        member<&LibraryAlgorithm::reduction>("reduction", IfSet, "How these parts are added"),
        member<&LibraryAlgorithm::swizzle>("swizzle", IfSet, "Of blocks over the result"),
        member<&LibraryAlgorithm::custom>("custom", IfSet, "An option of this algorithm alone"),
        member<&LibraryAlgorithm::workspaceBytes, Whole<>>("workspace_bytes", Always,
                                                           "Scratch that it asks for")};
    return {{}, "As far as the library tells; what it leaves open is missing", kMembers};
}

JsonType<EpilogueTimes> jsonType(Of<EpilogueTimes> /*type*/) {
    static constexpr JsonMember<EpilogueTimes> kMembers[]{
        member<&EpilogueTimes::fused>("fused_s", Required, "With it done on the way to memory"),
        member<&EpilogueTimes::apart>("apart_s", Required,
                                      "With plain products and passes of their own behind them"),
        member<&EpilogueTimes::products, Whole<1>>(
            "products", Required,
            "That share the choice, in both sums: one, or the two that write and apply a mask")};
    return {{}, "Times of a ReLU or its mask in both ways, of which the faster one ran", kMembers};
}

JsonType<LibraryProduct> jsonType(Of<LibraryProduct> /*type*/) {
    static constexpr JsonMember<LibraryProduct> kMembers[]{
        member<&LibraryProduct::product>(
            "product", Required, "Kind, rows x in x out, formats, and what is done on the way to memory"),
        member<&LibraryProduct::origin, Named<kAlgorithmOriginNames>>(
            "origin", Required,
            "Who chose the algorithm: the library; timing before the first step; timing before an earlier "
            "step on this machine"),
        member<&LibraryProduct::algorithm>("algorithm", Required),
        member<&LibraryProduct::tunedSeconds>("tuned_seconds", IfSet,
                                              "Of one run when the algorithm was chosen"),
        member<&LibraryProduct::fastAccumulation>("fast_accumulation", Always,
                                                  "fp8: sums are rounded on their way"),
        member<&LibraryProduct::apart, ListOf<Named<kPassApartNames>>>(
            "apart", IfSet, "What was done before and after it, in passes of their own"),
        member<&LibraryProduct::fallback>(
            "fallback", IfSet, "Why the library does not do that on the way; missing: it is meant so"),
        member<&LibraryProduct::epilogue>("epilogue_times", IfSet)};
    return {"library_product", "A product of the matrix library as ops of a measured step ran it", kMembers};
}

}  // namespace plumb

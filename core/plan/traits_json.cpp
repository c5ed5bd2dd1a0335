// SPDX-License-Identifier: Apache-2.0
#include "core/plan/traits_json.h"

#include "core/plan/library_scratch.h"

namespace plumb {

namespace {

using enum Presence;

constexpr JsonMember<BackendTraits> kMembers[]{
    member<&BackendTraits::backend>("backend", Required),
    // Until 0.2 the field told of bf16, the only format that was cast.
    member<&BackendTraits::castsProducts>("casts_products", Required,
                                          "Operands and results of products go through fp32 copies",
                                          "casts_bf16_products"),
    member<&BackendTraits::libraryScratchBytes>("library_scratch_bytes", Required),
    member<&BackendTraits::libraryScratchPerByte>("library_scratch_per_byte", Required),
    member<&BackendTraits::libraryScratchBase>("library_scratch_base_bytes", Required),
    member<&BackendTraits::reluMasks>("relu_masks", Added,
                                      "Forward products leave a bit per element for the backward pass"),
    member<&BackendTraits::castsFp8Results>("casts_fp8_results", Added, "fp8 results go through bf16 copies"),
    member<&BackendTraits::transposesFp8>("transposes_fp8", Added,
                                          "Operands of fp8 products are transposed first where they must be"),
    member<&BackendTraits::lacksFp8>("lacks_fp8", Added, "There are no products of fp8"),
    member<&BackendTraits::exchanges>("exchanges", Added,
                                      "Collectives exchange slices, which wait in scratch of the step"),
    member<&BackendTraits::replaysSteps>("records_steps", Added, "Steps are captured once and replayed"),
    member<&BackendTraits::sideBranch>(
        "side_branch", Added,
        "Gradients of weights run beside the rest of a replayed step, with shared scratch of their own"),
    member<&BackendTraits::sharedScratchBytes>("shared_scratch_bytes", Added,
                                               "Scratch that is there throughout, one for all ops in turn"),
    member<&BackendTraits::headParts>(
        "head_parts", Added, "In so many parts of the batch the gradient of the head's weights is summed"),
    member<&BackendTraits::fusedHeadOutputs>(
        "fused_head_outputs", Added, "Head and loss are one pass where the head has at most so many outputs"),
    member<&BackendTraits::adafactorRows>("adafactor_rows", Added,
                                          "Rows of a part in which Adafactor sums columns"),
    member<&BackendTraits::fp8Multiple>("fp8_multiple", Added,
                                        "Of what dim and micro-batch must be multiples in fp8; at least 1"),
    member<&BackendTraits::emulatesTf32>("emulates_tf32", Added,
                                         "tf32 is imitated: its numbers, not its speed"),
    member<&BackendTraits::emulatesFp8>("emulates_fp8", Added,
                                        "fp8 is imitated: its numbers and sizes, not its speed"),
    member<&BackendTraits::multipliesBf16>(
        "multiplies_bf16", Added,
        "Products of bf16 are the processor's own although casts_products holds for others")};

void check(const JsonField& field, BackendTraits& traits) {
    if (const auto possible = checkTraits(traits); !possible.has_value())
        field.fail("are impossible: " + possible.error().text());
}

}  // namespace

JsonType<BackendTraits> jsonType(Of<BackendTraits> /*type*/) {
    return {"traits", "What the backend does differently, as the plan of the step took it into account",
            kMembers, check};
}

}  // namespace plumb

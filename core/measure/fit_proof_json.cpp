// SPDX-License-Identifier: Apache-2.0
#include "core/measure/fit_proof_json.h"

#include "core/model/config_json.h"

namespace plumb {

using enum Presence;

JsonType<FitTrial> jsonType(Of<FitTrial> /*type*/) {
    static constexpr JsonMember<FitTrial> kMembers[]{
        member<&FitTrial::batch, Whole<1, kMaxDimension>>("batch", Required),
        member<&FitTrial::predictedBytes>("predicted_bytes", Always, "Peak of the plan"),
        member<&FitTrial::measuredBytes>("measured_bytes", Always,
                                         "Peak that the allocator counted; null: the step did not run"),
        member<&FitTrial::refusal>("refusal", Always, "What the engine said where it did not run"),
        member<&FitTrial::refusedForMemory>("out_of_memory", Always, "That was its allocator")};
    static constexpr auto kCheck = [](const JsonField& field, FitTrial& trial) {
        if (trial.measuredBytes.has_value() == !trial.refusal.empty())
            field["refusal"].fail("is of a step that ran, or missing of one that did not");
        else if (trial.measuredBytes && trial.refusedForMemory)
            field["out_of_memory"].fail("is of a step that ran");
    };
    return {"fit_trial", "One step of a batch that was tried for its memory", kMembers, kCheck};
}

JsonType<FitProof> jsonType(Of<FitProof> /*type*/) {
    static constexpr JsonMember<FitProof> kMembers[]{
        member<&FitProof::created>("created", Always, "ISO 8601, UTC"),
        member<&FitProof::config, ValidConfig>("config", Required, "Everything but the batch"),
        member<&FitProof::machine>("machine", Required, "Id of the device"),
        member<&FitProof::device>("device", Always, "Its name"),
        member<&FitProof::deviceBytes>("device_bytes", Always, "Its memory"),
        member<&FitProof::limitBytes>("limit_bytes", Required, "Beyond which the allocator refused"),
        member<&FitProof::limitOf, Named<kFitLimitNames>>("limit_of", Required, "Where that limit is from"),
        member<&FitProof::fits>("fits", Required, "The largest batch that was predicted to fit"),
        member<&FitProof::tooLarge>("too_large", Required, "The next one, which must not")};
    static constexpr auto kCheck = [](const JsonField& field, FitProof& proof) {
        const JsonField next = field["too_large"];
        if (proof.tooLarge.batch <= proof.fits.batch) next["batch"].fail("is not above the one that fits");
    };
    return {
        "fit_proof",
        "The largest batch that was predicted to fit in memory and the next one, each tried with one step",
        kMembers, kCheck};
}

}  // namespace plumb

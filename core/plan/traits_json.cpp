// SPDX-License-Identifier: Apache-2.0
#include "core/plan/traits_json.h"

#include "core/io/json_values.h"
#include "core/plan/library_scratch.h"

namespace plumb {

using nlohmann::json;

json toJson(const BackendTraits& traits) {
    return json{{"backend", traits.backend},
                {"casts_products", traits.castsProducts},
                {"library_scratch_bytes", traits.libraryScratchBytes},
                {"library_scratch_per_byte", numberJson(traits.libraryScratchPerByte)},
                {"library_scratch_base_bytes", traits.libraryScratchBase},
                {"shared_scratch_bytes", traits.sharedScratchBytes},
                {"head_parts", traits.headParts},
                {"adafactor_rows", traits.adafactorRows},
                {"relu_masks", traits.reluMasks},
                {"casts_fp8_results", traits.castsFp8Results},
                {"transposes_fp8", traits.transposesFp8},
                {"fp8_multiple", traits.fp8Multiple},
                {"lacks_fp8", traits.lacksFp8},
                {"records_steps", traits.recordsSteps},
                {"emulates_tf32", traits.emulatesTf32},
                {"emulates_fp8", traits.emulatesFp8},
                {"multiplies_bf16", traits.multipliesBf16}};
}

BackendTraits readTraits(const JsonField& field) {
    BackendTraits traits;
    if (!field.expectObject()) return traits;
    traits.backend = field["backend"].text();
    // Until 0.2 the field told of bf16, the only format that was cast.
    const JsonField casts = field["casts_products"];
    traits.castsProducts = casts.isNull() ? field["casts_bf16_products"].boolean() : casts.boolean();
    traits.libraryScratchBytes = field["library_scratch_bytes"].count();
    traits.libraryScratchPerByte = field["library_scratch_per_byte"].number();
    traits.libraryScratchBase = field["library_scratch_base_bytes"].count();
    // Since 0.2, like the formats themselves.
    const auto flag = [&](std::string_view name) { return !field[name].isNull() && field[name].boolean(); };
    traits.reluMasks = flag("relu_masks");
    traits.castsFp8Results = flag("casts_fp8_results");
    traits.transposesFp8 = flag("transposes_fp8");
    traits.lacksFp8 = flag("lacks_fp8");
    traits.recordsSteps = flag("records_steps");
    if (const JsonField shared = field["shared_scratch_bytes"]; !shared.isNull())
        traits.sharedScratchBytes = shared.count();
    if (const JsonField parts = field["head_parts"]; !parts.isNull()) traits.headParts = parts.count();
    if (const JsonField rows = field["adafactor_rows"]; !rows.isNull()) traits.adafactorRows = rows.count();
    if (const JsonField multiple = field["fp8_multiple"]; !multiple.isNull())
        traits.fp8Multiple = multiple.count();
    traits.emulatesTf32 = flag("emulates_tf32");
    traits.emulatesFp8 = flag("emulates_fp8");
    traits.multipliesBf16 = flag("multiplies_bf16");
    if (!field.ok()) return traits;
    if (const auto possible = checkTraits(traits); !possible.has_value())
        field.fail("are impossible: " + possible.error().text());
    return traits;
}

Result<BackendTraits> traitsFromJson(const json& document) {
    return readWhole<BackendTraits>(document, "traits", readTraits);
}

}  // namespace plumb

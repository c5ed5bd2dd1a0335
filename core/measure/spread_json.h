// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/machine/tier.h"

#include <string>

namespace plumb {

/// The range of an owner's seconds, its `spread`, as two fields beside them; older files have none.
template <class Times>
struct SpreadJson {
    static nlohmann::json write(const Times& times) {
        nlohmann::json result = nlohmann::json::object();
        if (!times.spread) return result;
        result["seconds_low"] = numberJson(times.spread->low);
        result["seconds_high"] = numberJson(times.spread->high);
        return result;
    }
    static void read(const JsonField& field, Times& times) {
        const auto low = field["seconds_low"].numberOrNull(), high = field["seconds_high"].numberOrNull();
        if (!low || !high) return;
        if (*low > *high) field["seconds_low"].fail("is above seconds_high");
        times.spread = Spread{*low, *high};
    }
    static nlohmann::json schema(nlohmann::json& definitions) {
        nlohmann::json low = Json<std::optional<double>>::schema(definitions), high = low;
        low["description"] = "Where the seconds lie: of a measurement 10 % of the repeats; of a calibrated "
                             "prediction what the record of errors makes likely; of a data sheet its bound";
        high["description"] =
            "The other end: 90 % of the repeats; of a data sheet what a poor implementation takes";
        return {{"properties", {{"seconds_low", std::move(low)}, {"seconds_high", std::move(high)}}}};
    }
};

}  // namespace plumb

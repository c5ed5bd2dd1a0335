// SPDX-License-Identifier: Apache-2.0
#include "core/measure/rank_reading_json.h"

#include "core/measure/category_json.h"

namespace plumb {

using enum Presence;

JsonType<RankReading> jsonType(Of<RankReading> /*type*/) {
    static constexpr JsonMember<RankReading> kMembers[]{
        member<&RankReading::rank, Whole<>>("rank", Required),
        member<&RankReading::peakBytes, Whole<>>("peak_bytes", Required, "Most memory at one op"),
        member<&RankReading::atPeak, Categories>("at_peak_bytes", Added, "What it is for, at that op"),
        member<&RankReading::sentBytes, Whole<>>("sent_bytes", Required, "To other ranks, in one step"),
        member<&RankReading::receivedBytes, Whole<>>("received_bytes", Required, "From them, in one step"),
        member<&RankReading::seconds>("seconds", IfSet, "Of one step, the median"),
        member<&RankReading::waited>("waited_s", IfSet,
                                     "Of these, until what was on its way had come; the median")};
    return {"rank", "What a step costs one of its ranks", kMembers};
}

}  // namespace plumb

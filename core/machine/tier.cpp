// SPDX-License-Identifier: Apache-2.0
#include "core/machine/tier.h"

#include <algorithm>

namespace plumb {

std::string_view tierMeaning(Tier tier) {
    switch (tier) {
    case Tier::Measured:
        return "measured: the median of the repeats, and 10 % and 90 % of them";
    case Tier::Calibrated:
        return "calibrated: from the times that calibration measured on this machine; the range is what its "
               "record of errors makes likely";
    case Tier::Published:
        return "published: the data sheet at what public measurements on such a device reached; the range "
               "begins at the bound of the data sheet";
    case Tier::DataSheet:
        break;
    }
    return "data sheet: its ceilings at what devices reach in general, an assumption; the range begins at "
           "the "
           "bound of the data sheet";
}

Spread spreadOfError(Seconds predicted, double error) {
    // A prediction that is too high by this much was measured at the low end, and one that is too low by it
    // at the high end.
    return {predicted / (1 + error), predicted / (1 - std::min(error, 0.9))};
}

}  // namespace plumb

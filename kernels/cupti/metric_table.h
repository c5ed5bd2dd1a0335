// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/measure/counter_set.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::cupti {

/// Chips that name their metrics alike.
enum class ChipFamily : std::uint8_t {
    Turing,                     ///< TU102 to TU106
    TuringPlain,                ///< TU116, TU117: no tensor cores
    Ampere,                     ///< GA100 to GA107
    AmpereIntegrated,           ///< GA10B: no DRAM counters
    Ada,                        ///< AD102 to AD107
    Hopper,                     ///< GH100
    BlackwellServer,            ///< GB100, GB102: fp4, fp6 and fp8 in one counter
    BlackwellUltra,             ///< GB110
    BlackwellServerIntegrated,  ///< GB10B: no DRAM counters
    Blackwell,                  ///< GB202 to GB207
    BlackwellIntegrated,        ///< GB20B: no DRAM counters
};

/// The family of a chip by the vendor's name of it ("GH100"). Errors: Unavailable for Volta, which CUPTI 13
/// no longer counts on, and for chips that this version does not know.
[[nodiscard]] Result<ChipFamily> familyOf(std::string_view chip);

/// Every chip that has a set, by the vendor's names, older ones first.
[[nodiscard]] std::vector<std::string> knownChips();

/// What is counted for a recipe, without its number of passes. Which tensor-core metrics are asked for
/// follows from the precision: every one more may cost a pass. Fp32 asks for tf32, so that a product that
/// went there would show. Errors: those of familyOf().
[[nodiscard]] Result<CounterSet> metricsFor(std::string_view chip, Precision precision, CounterDetail detail);

}  // namespace plumb::cupti

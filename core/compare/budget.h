// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compare/comparison.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// What a step may cost (docs/compare.md). Limits that are absent are not checked.
struct Budget {
    std::optional<double> peakBytes;
    std::optional<double> deviceBytes;  ///< see ComparedStep::deviceBytes
    std::optional<double> stepSeconds;
    std::optional<double> flops;
    std::optional<double> bytes;  ///< compulsory traffic
    // How much more than a baseline, as a share: 0.05 is 5 % more.
    std::optional<double> peakBytesGrowth;
    std::optional<double> stepSecondsGrowth;
    std::optional<double> flopsGrowth;

    [[nodiscard]] bool needsBaseline() const { return peakBytesGrowth || stepSecondsGrowth || flopsGrowth; }
};

/// Numbers, or texts with a unit ("80 GB", "250 ms", "5 %"). Errors: BadInput for a limit that is not known,
/// is not above 0 or has another unit, and for a budget without any limit.
[[nodiscard]] Result<Budget> parseBudget(std::string_view text, const std::string& path);
[[nodiscard]] Result<Budget> readBudget(const std::string& path);

/// One limit, and what the step has of it.
struct BudgetLine {
    std::string name;       ///< "peak memory", "step time over the baseline"
    std::string_view unit;  ///< "%" of a share
    double limit = 0;
    std::optional<double> value;  ///< absent: the step does not say, which passes no check
    bool isKept = false;
    std::string note;  ///< "within the noise of ± 2.1 %", or why there is no value; may be empty
};

/// `baseline`: null where the budget needs none. A time that is more than its limit by no more than its own
/// noise keeps it, and the note says so.
[[nodiscard]] std::vector<BudgetLine> checkBudget(const Budget& budget, const ComparedStep& step,
                                                  const ComparedStep* baseline);

}  // namespace plumb

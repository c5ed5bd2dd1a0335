// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/evidence.h"
#include "core/planner/measured.h"
#include "core/planner/validation.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace plumb::planner {

/// One published training predicted from another one that was taken as measured.
struct CarriedPair {
    const PublishedTraining* from = nullptr;
    const PublishedTraining* to = nullptr;
    Carry carry{};
    double factor = 1;   ///< measured over predicted time of `from`
    Range seconds;       ///< predicted of `to` with the measurement of `from`
    double assumed = 0;  ///< the same without it, by the assumptions alone
    /// ln(predicted / published), with the measurement and without.
    [[nodiscard]] double error() const;
    [[nodiscard]] double assumedError() const;
    [[nodiscard]] bool held() const;
};

/// Predicts trainings from others of the same source and framework. Of each training and each way to carry,
/// at most `most` others are taken, spread evenly over those that there are, so that no table of hundreds of
/// rows decides alone. `takes` chooses among the trainings; empty: all.
[[nodiscard]] std::vector<CarriedPair>
carriedPairs(const Evidence& evidence, const std::function<bool(const PublishedTraining&)>& takes = {},
             std::size_t most = 4);

/// Errors of the pairs that are carried this way. Each training counts as often as it is predicted.
[[nodiscard]] ErrorSummary summarise(const std::vector<CarriedPair>& pairs, Carry carry);
/// The same without the measurement; `held` says nothing there.
[[nodiscard]] ErrorSummary summariseAssumed(const std::vector<CarriedPair>& pairs, Carry carry);

}  // namespace plumb::planner

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/reading.h"

#include <QString>

#include <optional>
#include <vector>

namespace plumb::ui {

/// One figure in two predictions of the same step.
struct PredictedTwice {
    QString name;
    const char* unit = "";       ///< as formatQuantity() takes it; "%" for a share
    std::optional<double> file;  ///< absent: not predicted
    std::optional<double> again;
    /// again / file - 1; absent where one of them is, or the file's is zero.
    [[nodiscard]] std::optional<double> difference() const;
};

/// The totals of both, then the operations whose times differ most, at most `kMostOps` of them.
struct PredictionDifference {
    static constexpr std::size_t kMostOps = 8;
    std::vector<PredictedTwice> totals;
    std::vector<PredictedTwice> ops;  ///< by the size of the difference in seconds, the largest first
    std::size_t opsThatDiffer = 0;
    [[nodiscard]] bool isNone() const;  ///< both predictions are the same to the last digit
};

/// Both are of `step`.
[[nodiscard]] PredictionDifference comparePredictions(const Step& step, const Prediction& file,
                                                      const Prediction& again);

/// The same as a page of rich text; `program` and `version` are who predicted.
[[nodiscard]] QString differencePage(const PredictionDifference& difference, const QString& program,
                                     const QString& version);

}  // namespace plumb::ui

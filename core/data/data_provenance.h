// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// What was taken from each column of a table and what it was then divided by, of the samples that are
/// trained on. The deviation of a column that is the same everywhere is 1.
struct Standardization {
    std::vector<double> means;
    std::vector<double> deviations;
    bool operator==(const Standardization&) const = default;
};

/// The data that a run read from files; absent for synthetic data.
struct DataProvenance {
    std::string description;   ///< BatchSource::summary(): files, their types, rows or tokens
    std::int64_t samples = 0;  ///< number in one epoch
    std::int64_t heldOut = 0;  ///< samples that are not trained on
    std::optional<Standardization> standardization = {};  ///< standardization of the features
    std::optional<Standardization> targetStandardization =
        {};  ///< the loss is that of the standardised targets
};

}  // namespace plumb

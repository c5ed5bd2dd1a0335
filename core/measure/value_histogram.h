// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number_format.h"
#include "core/plan/step_plan.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// What becomes of the finite numbers of a tensor in a format. Each is counted once.
struct FormatLoss {
    std::string format;  ///< name of a NumberFormat
    std::int64_t exact = 0;
    std::int64_t rounded = 0;
    std::int64_t subnormal = 0;  ///< rounded, to below the least normal number
    std::int64_t toZero = 0;     ///< was not 0
    std::int64_t beyond = 0;     ///< finite, and larger than the format's largest number after rounding
    bool operator==(const FormatLoss&) const = default;
};

/// The numbers of a tensor by magnitude.
struct ValueHistogram {
    std::int64_t count = 0;  ///< all of them
    std::int64_t zeros = 0;
    std::int64_t infinities = 0;
    std::int64_t notNumbers = 0;
    std::int64_t negatives = 0;
    double largest = 0;   ///< magnitude of finite numbers; 0 when there are none but zeros
    double smallest = 0;  ///< magnitude of numbers that are not 0
    double rootMeanSquare = 0;
    int lowestExponent = 0;            ///< exponent of the first bin
    std::vector<std::int64_t> counts;  ///< numbers with 2^e <= |x| < 2^(e+1), e from lowestExponent on
    std::vector<FormatLoss> formats;   ///< every format narrower than fp32
    bool operator==(const ValueHistogram&) const = default;
};

/// `values` times `factor` (a power of two keeps every bit), each stored in each format as store() does.
[[nodiscard]] ValueHistogram histogramOf(std::span<const float> values, double factor = 1);

/// The loss scales 2^lowest ... 2^highest under which a format holds a tensor: below, more than `share` of
/// its numbers become 0; above, the largest is too large.
struct LossScaleWindow {
    std::optional<int> lowest;   ///< absent when there is nothing that could become 0
    std::optional<int> highest;  ///< absent likewise
    /// Whether some power of two does; false when the tensor is wider than the format.
    [[nodiscard]] bool exists() const { return !lowest || !highest || *lowest <= *highest; }
    /// Whether the numbers may stay as they are.
    [[nodiscard]] bool needsNone() const {
        return exists() && (!lowest || *lowest <= 0) && (!highest || *highest >= 0);
    }
};
inline constexpr double kTolerableShare = 0.001;
/// The window by the bins: one of which a part would be lost counts as kept, so `lowest` may be one too
/// small.
[[nodiscard]] LossScaleWindow lossScaleWindow(const ValueHistogram& histogram, const NumberFormat& format,
                                              double share = kTolerableShare);

/// A matrix in at most kMostCells x kMostCells cells: the mean of the numbers that fall into each, a number
/// itself where the matrix is that small. What is not finite makes its cell so.
struct ValueGrid {
    static constexpr std::int64_t kMostCells = 48;
    std::int64_t rows = 0, columns = 0;
    std::vector<double> means;  ///< row by row
    bool operator==(const ValueGrid&) const = default;
};
/// Grid of [rows, columns] values times `factor`. Pre: values.size() == rows * columns.
[[nodiscard]] ValueGrid gridOf(std::span<const float> values, std::int64_t rows, std::int64_t columns,
                               double factor = 1);

/// The weights of the synthetic task beside those that a linear model has learned, both in its unit: the
/// task's are 0, 1, 2, ...
struct RecoveredNumbers {
    static constexpr std::size_t kMost = 256;
    std::vector<double> expected, found;  ///< first output's numbers, as many as there are and kMost at most
    double largestError = 0;              ///< over all of them
    double meanError = 0;                 ///< root mean square
    bool operator==(const RecoveredNumbers&) const = default;
};

/// A tensor of a training, looked at.
struct TensorInspection {
    TensorRole role{};
    std::int32_t layer = 0;  ///< 1..L; L + 1: the head; a weight of 0: the product of all
    std::int64_t steps = 0;  ///< done when the values were there, theirs included; 0: the initial weights
    Dtype dtype = Dtype::Fp32;
    std::int64_t rows = 0, columns = 0;
    /// What the stored numbers are multiplied by (the loss scale of fp16, the tensor's own of fp8). The
    /// histogram is of the numbers without it.
    double scale = 1;
    ValueHistogram histogram;
    ValueGrid grid;       ///< without the scale, as the histogram
    std::string savedTo;  ///< the file that it, or all weights, were written to; empty: none was asked for
    std::optional<RecoveredNumbers>
        recovered;  ///< what the product says, where the data is the synthetic task
    bool operator==(const TensorInspection&) const = default;
};

/// The numbers of stored elements as fp32. fp64 is rounded; a size that is no multiple of an element's is
/// cut.
[[nodiscard]] std::vector<float> decodeValues(Dtype dtype, std::span<const std::byte> bytes);

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/measure/value_histogram.h"

#include "core/base/dtype.h"
#include "core/base/entry_at.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace plumb {

namespace {

constexpr int kFp32MantissaBits = 23;
constexpr std::uint32_t kFp32Infinity = 0x7f800000U;
constexpr int kLowestExponent = -149;
constexpr int kHighestExponent = 127;

/// A format's borders among the bit patterns of positive fp32 numbers, found with store() itself, so that
/// what is counted is what store() does; a tensor of a million numbers is then sorted in milliseconds.
struct Borders {
    std::string_view format;
    std::uint32_t firstKept = 0;    ///< least pattern that does not become 0
    std::uint32_t firstBeyond = 0;  ///< least pattern that is too large
    std::uint32_t leastNormal = 0;
    std::uint32_t firstStoredNormal = 0;  ///< least pattern that does not round to a subnormal number
    int leastNormalExponent = 0;
    int dropped = 0;  ///< bits of the mantissa that normal numbers lose
};

bool isBeyond(const NumberFormat& format, double value) {
    const Fate fate = store(format, value).fate;
    return fate == Fate::Overflowed || fate == Fate::Saturated || fate == Fate::NotANumber;
}

/// The least pattern of a finite number for which `is` holds; that of infinity when there is none. `is` holds
/// from some number on.
template <class Predicate>
std::uint32_t firstPattern(Predicate&& is) {
    std::uint32_t low = 1, high = kFp32Infinity;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (is(static_cast<double>(std::bit_cast<float>(middle))))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const std::vector<Borders>& narrowFormats() {
    static const std::vector<Borders> kBorders = [] {
        std::vector<Borders> all;
        for (const NumberFormat& format : numberFormats()) {
            if (format.mantissaBits >= kFp32MantissaBits) continue;
            Borders borders{
                .format = format.name,
                .firstKept = firstPattern([&](double value) { return store(format, value).value != 0; }),
                .firstBeyond = firstPattern([&](double value) { return isBeyond(format, value); }),
                .leastNormal = std::bit_cast<std::uint32_t>(static_cast<float>(format.leastNormal())),
                .firstStoredNormal = firstPattern(
                    [&](double value) { return !(store(format, value).value < format.leastNormal()); }),
                .leastNormalExponent = 1 - format.bias,
                .dropped = kFp32MantissaBits - format.mantissaBits};
            all.push_back(borders);
        }
        return all;
    }();
    return kBorders;
}

int exponentOf(std::uint32_t pattern) {
    const auto exponent = static_cast<int>(pattern >> kFp32MantissaBits);
    return exponent > 0 ? exponent - 127 : -118 - std::countl_zero(pattern);
}

/// Pre: the pattern is of a finite number above 0.
void classify(const Borders& borders, std::uint32_t pattern, int exponent, FormatLoss& loss) {
    if (pattern < borders.firstKept) {
        ++loss.toZero;
        return;
    }
    if (pattern >= borders.firstBeyond) {
        ++loss.beyond;
        return;
    }
    // Below the least normal number every binade keeps one bit less.
    const bool normal = pattern >= borders.leastNormal;
    const int lost = borders.dropped + (normal ? 0 : borders.leastNormalExponent - exponent);
    // Where the fp32 itself is subnormal its bits already stand for multiples of a fixed step.
    const int stored = exponent < -126 ? lost - (-126 - exponent) : lost;
    const std::uint32_t mantissa = exponent < -126 ? pattern : (pattern & 0x7fffffU) | 0x800000U;
    const bool exact =
        stored <= 0 || (stored < 32 && (mantissa & ((1U << static_cast<unsigned>(stored)) - 1)) == 0);
    if (exact)
        ++loss.exact;
    else
        ++(pattern >= borders.firstStoredNormal ? loss.rounded : loss.subnormal);
}

}  // namespace

ValueHistogram histogramOf(std::span<const float> values, double factor) {
    const std::vector<Borders>& formats = narrowFormats();
    ValueHistogram histogram;
    histogram.count = static_cast<std::int64_t>(values.size());
    histogram.formats.resize(formats.size());
    for (std::size_t i = 0; i < formats.size(); ++i) histogram.formats[i].format = formats[i].format;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(kHighestExponent - kLowestExponent + 1), 0);
    std::uint32_t largest = 0, smallest = kFp32Infinity;
    double squares = 0;
    std::int64_t finite = 0;
    for (const float stored : values) {
        const auto value = static_cast<float>(static_cast<double>(stored) * factor);
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t pattern = bits & 0x7fffffffU;
        if (pattern > kFp32Infinity) {
            ++histogram.notNumbers;
            continue;
        }
        histogram.negatives += bits != pattern && pattern != 0 ? 1 : 0;
        if (pattern == kFp32Infinity) {
            ++histogram.infinities;
            continue;
        }
        ++finite;
        if (pattern == 0) {
            ++histogram.zeros;
            for (FormatLoss& loss : histogram.formats) ++loss.exact;
            continue;
        }
        squares += static_cast<double>(value) * static_cast<double>(value);
        largest = std::max(largest, pattern);
        smallest = std::min(smallest, pattern);
        const int exponent = exponentOf(pattern);
        ++entryAt(counts, exponent - kLowestExponent);
        for (std::size_t i = 0; i < formats.size(); ++i)
            classify(formats[i], pattern, exponent, histogram.formats[i]);
    }
    histogram.rootMeanSquare = finite > 0 ? std::sqrt(squares / static_cast<double>(finite)) : 0;
    if (largest == 0) return histogram;
    histogram.largest = static_cast<double>(std::bit_cast<float>(largest));
    histogram.smallest = static_cast<double>(std::bit_cast<float>(smallest));
    histogram.lowestExponent = exponentOf(smallest);
    histogram.counts.assign(counts.begin() + (histogram.lowestExponent - kLowestExponent),
                            counts.begin() + (exponentOf(largest) - kLowestExponent) + 1);
    return histogram;
}

LossScaleWindow lossScaleWindow(const ValueHistogram& histogram, const NumberFormat& format, double share) {
    LossScaleWindow window;
    if (histogram.counts.empty()) return window;
    // The largest power of two that leaves the largest number where the format can hold it.
    int highest = static_cast<int>(std::floor(std::log2(format.largest() / histogram.largest)));
    while (std::ldexp(histogram.largest, highest + 1) <= format.largest()) ++highest;
    while (std::ldexp(histogram.largest, highest) > format.largest()) --highest;
    window.highest = highest;
    // Half of the least subnormal number is where numbers become 0: bins below it are lost.
    const int border = std::ilogb(format.leastSubnormal()) - 1;
    std::int64_t numbers = 0;
    for (const std::int64_t bin : histogram.counts) numbers += bin;
    const auto tolerable = static_cast<std::int64_t>(share * static_cast<double>(numbers));
    std::int64_t lost = 0;
    std::size_t kept = 0;
    while (kept + 1 < histogram.counts.size() && lost + histogram.counts[kept] <= tolerable)
        lost += histogram.counts[kept++];
    window.lowest = border - (histogram.lowestExponent + static_cast<int>(kept));
    return window;
}

std::vector<float> decodeValues(Dtype dtype, std::span<const std::byte> bytes) {
    const auto size = static_cast<std::size_t>(dtypeSize(dtype));
    std::vector<float> values(bytes.size() / size);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::byte* from = bytes.data() + i * size;
        const auto read = [from]<class T>(T number) {
            std::memcpy(&number, from, sizeof number);
            return number;
        };
        switch (dtype) {
        case Dtype::Fp64:
            values[i] = static_cast<float>(read(0.0));
            break;
        case Dtype::Fp32:
        case Dtype::Tf32:
            values[i] = read(0.0F);
            break;
        case Dtype::Bf16:
            values[i] = floatFromBf16(read(std::uint16_t{0}));
            break;
        case Dtype::Fp16:
            values[i] = floatFromFp16(read(std::uint16_t{0}));
            break;
        case Dtype::Fp8E4M3:
            values[i] = floatFromFp8E4M3(read(std::uint8_t{0}));
            break;
        case Dtype::Fp8E5M2:
            values[i] = floatFromFp8E5M2(read(std::uint8_t{0}));
            break;
        case Dtype::Fp4E2M1:  // no step stores it
            break;
        }
    }
    return values;
}

ValueGrid gridOf(std::span<const float> values, std::int64_t rows, std::int64_t columns, double factor) {
    assert(static_cast<std::int64_t>(values.size()) == rows * columns);
    ValueGrid grid;
    grid.rows = std::min(rows, ValueGrid::kMostCells);
    grid.columns = std::min(columns, ValueGrid::kMostCells);
    const auto cells = static_cast<std::size_t>(grid.rows * grid.columns);
    grid.means.assign(cells, 0);
    std::vector<std::int64_t> counts(cells);
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column) {
            const auto cell = static_cast<std::size_t>(row * grid.rows / rows * grid.columns +
                                                       column * grid.columns / columns);
            grid.means[cell] += static_cast<double>(entryAt(values, row * columns + column));
            ++counts[cell];
        }
    for (std::size_t cell = 0; cell < cells; ++cell)
        grid.means[cell] *= factor / static_cast<double>(counts[cell]);
    return grid;
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/base/quantity.h"
#include "core/machine/tier.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace plumb {

/// A time of which repeats are known, or how far they lay apart.
struct RepeatedTime {
    Seconds median = 0;
    /// Of the median, one standard deviation; absent: it was measured once, or predicted.
    std::optional<Seconds> error;
    std::int64_t repeats = 1;
    std::int64_t freedom = 0;  ///< degrees of freedom of `error`
    // As shares of the median: how far 10 % of the repeats lie below it, and 10 % from 90 %.
    double below = 0;
    double spread = 0;

    /// Whether something else ran in its repeats too: they lie further apart than those of a step alone do.
    /// How long that lasts, repeats do not say, so that their number makes the median no surer. A few slow
    /// repeats among steady ones are none of it: they do not move the fast ones away from the median.
    [[nodiscard]] bool isDisturbed() const {
        return error && (below > kDisturbedBelow || spread > kDisturbedSpread);
    }
    static constexpr double kDisturbedBelow = 0.125;
    static constexpr double kDisturbedSpread = 1;
};

/// The median of `seconds` and its standard error: 1.2533 standard deviations over the root of their number,
/// the deviation taken from the distance of the quartiles; where it is larger, the error of the medians of
/// six consecutive blocks, since steps beside each other are alike when a machine changes its speed. Absent
/// without seconds; without an error where there are fewer than four.
[[nodiscard]] std::optional<RepeatedTime> repeatedTime(std::span<const Seconds> seconds);
/// The same of a median whose repeats are known by their number and their spread (10 % to 90 %).
[[nodiscard]] RepeatedTime repeatedTime(Seconds median, const std::optional<Spread>& spread,
                                        std::int64_t repeats);

/// What became of a number.
enum class Change : std::uint8_t {
    Unknown,      ///< one of the two is not known, or a time has no repeats that say how much it varies
    None,         ///< both are the same
    WithinNoise,  ///< they differ by no more than repeats of the same step do: no real change
    Less,
    More,
    Disturbed  ///< they differ by more, but the machine did something else meanwhile: no verdict
};
inline constexpr auto kChangeNames = enumNames<Change>({{Change::Unknown, "unknown"},
                                                        {Change::None, "same"},
                                                        {Change::WithinNoise, "within noise"},
                                                        {Change::Less, "less"},
                                                        {Change::More, "more"},
                                                        {Change::Disturbed, "disturbed"}});
[[nodiscard]] constexpr std::string_view changeName(Change value) { return kChangeNames.name(value); }

/// How one number differs from the same of the baseline.
struct Judgement {
    Change change = Change::Unknown;
    std::optional<double> ratio;  ///< number / baseline; absent where one is not known, or the baseline is 0
    std::optional<double> band;   ///< of times: what noise makes of the ratio, 0.02 is 1 ± 0.02
    [[nodiscard]] bool isReal() const { return change == Change::Less || change == Change::More; }
};

/// Of counts, which repeat exactly.
[[nodiscard]] Judgement judgeCounts(const std::optional<std::int64_t>& baseline,
                                    const std::optional<std::int64_t>& other);

/// How often a change is called real where there is none, over all times that are judged together.
inline constexpr double kFalseAlarms = 0.02;
/// Of times: real where they differ by more than the two-sided interval of Student's t for their errors, at
/// kFalseAlarms / `judged` each (Bonferroni), and by more than `drift`: how much the machine itself is known
/// to have changed, as a share. Disturbed in place of that where one of the two is, or where `isDisturbed`
/// says it of what they were measured in.
[[nodiscard]] Judgement judgeTimes(const std::optional<RepeatedTime>& baseline,
                                   const std::optional<RepeatedTime>& other, std::int64_t judged = 1,
                                   double drift = 0, bool isDisturbed = false);

}  // namespace plumb

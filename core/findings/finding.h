// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/base/quantity.h"
#include "core/machine/tier.h"
#include "core/measure/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace plumb {

/// How much is at stake, as a share of the step's time or of the memory (severityOf()).
enum class Severity : std::uint8_t { Info, Warning, Serious };
inline constexpr auto kSeverityNames = enumNames<Severity>(
    {{Severity::Info, "info"}, {Severity::Warning, "warning"}, {Severity::Serious, "serious"}});
[[nodiscard]] constexpr std::string_view severityName(Severity value) { return kSeverityNames.name(value); }
/// From these shares on.
inline constexpr double kWarningStake = 0.1, kSeriousStake = 0.25;
[[nodiscard]] constexpr Severity severityOf(double stake) {
    if (stake >= kSeriousStake) return Severity::Serious;
    return stake >= kWarningStake ? Severity::Warning : Severity::Info;
}

/// Whose share a stake is.
enum class StakeOf : std::uint8_t { Time, Memory };
inline constexpr auto kStakeNames =
    enumNames<StakeOf>({{StakeOf::Time, "time"}, {StakeOf::Memory, "memory"}});

/// Where a figure of a finding is from.
enum class Basis : std::uint8_t {
    Plan,        ///< derived from the sizes of the step
    Ceiling,     ///< of the device: its memory, its peak, its bandwidth
    Clock,       ///< measured by the host's clock ...
    Event,       ///< ... by events of the device
    Activity,    ///< ... by the driver's records
    Counter,     ///< counted by the hardware
    Allocator,   ///< counted by the allocator
    Driver,      ///< what the driver tells of the device
    Probe,       ///< the probe of the machine's speed
    Training,    ///< the curve of the training
    Calibrated,  ///< predicted, see Tier ...
    Published,
    DataSheet,
};
inline constexpr auto kBasisNames = enumNames<Basis>({{Basis::Plan, "plan"},
                                                      {Basis::Ceiling, "ceiling"},
                                                      {Basis::Clock, "clock"},
                                                      {Basis::Event, "event"},
                                                      {Basis::Activity, "activity"},
                                                      {Basis::Counter, "counter"},
                                                      {Basis::Allocator, "allocator"},
                                                      {Basis::Driver, "driver"},
                                                      {Basis::Probe, "probe"},
                                                      {Basis::Training, "training"},
                                                      {Basis::Calibrated, "calibrated"},
                                                      {Basis::Published, "published"},
                                                      {Basis::DataSheet, "data sheet"}});
/// In words: "measured by the clock", "predicted from the calibration".
[[nodiscard]] std::string_view basisLabel(Basis basis);
[[nodiscard]] Basis basisOf(Tier tier);
/// Pre: not Predicted, which has a tier.
[[nodiscard]] Basis basisOf(Source source);

/// A number with its unit: those of formatQuantity(), "%" for a share, "#" for a count that is written out.
struct Amount {
    double value = 0;
    std::string_view unit;
    bool operator==(const Amount&) const = default;
};
[[nodiscard]] std::string text(const Amount& amount);

/// A sentence as its pattern, in which %1 to %9 stand for the arguments: what shows it in another language
/// translates the pattern and writes the numbers its own way. The pattern is a literal.
struct Sentence {
    std::string_view pattern;
    std::vector<std::variant<std::string, Amount>> arguments;

    [[nodiscard]] bool empty() const { return pattern.empty(); }
};
[[nodiscard]] std::string text(const Sentence& sentence);
/// The same as `told` says pattern and texts.
[[nodiscard]] std::string text(const Sentence& sentence, std::string (*told)(std::string_view));
/// The same in the language of the process (core/base/words.h).
[[nodiscard]] std::string textInWords(const Sentence& sentence);
/// The pattern with texts in place of %1 to %9.
[[nodiscard]] std::string filled(std::string_view pattern, const std::vector<std::string>& texts);

/// A number that a finding stands on.
struct Figure {
    std::string_view name;  ///< "share of the operations' time"
    Amount amount;
    Basis basis{};
};

/// What was predicted of a changed configuration: the check of a remedy.
struct Trial {
    std::optional<Seconds> secondsBefore, secondsAfter;  ///< of one step
    std::optional<double> samplesBefore, samplesAfter;   ///< a second
    Bytes peakBefore = 0, peakAfter = 0;
    std::optional<Bytes> memory;  ///< of the device; peakAfter fits where it is known
    std::optional<Tier> tier;     ///< of the times
};
/// "Predicted (calibrated): ...", with times and peaks before and after.
[[nodiscard]] Sentence sentenceOf(const Trial& trial);

/// What to try next.
struct Remedy {
    Sentence advice;
    /// Options and their values (setOption()); empty where it is no change of the configuration.
    std::vector<std::pair<std::string, std::string>> changes;
    std::optional<Trial> trial;  ///< there with changes: they were planned and predicted
};

/// What a rule noticed of a step.
struct Finding {
    std::string_view rule;  ///< id of the rule, "optimizer-memory-bound": docs/findings.md explains it
    Severity severity{};
    StakeOf stakeOf{};
    double stake = 0;  ///< 0 to 1
    Sentence sentence;
    std::vector<Figure> figures;
    std::string_view view;  ///< where one looks at it: "memory", "operations", "timeline", "training", ...
    std::string opId;       ///< the operation that shows it best; empty: none does
    std::string opName;
    Remedy remedy;
};

}  // namespace plumb

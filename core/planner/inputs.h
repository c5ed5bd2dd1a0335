// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::planner {

enum class InputKind : std::uint8_t {
    Choice,      ///< the user's decision: devices, batch, degrees of parallelism; has no range
    Fact,        ///< figure of the device's data sheet; can be overridden
    Assumption,  ///< nobody knows it beforehand: has a low and a high end
};

/// What is to be known of a number that goes into the answers. One table for the command line (--KEY and
/// --assume KEY=VALUE), the view's editors, the tornado chart and the maps.
struct InputInfo {
    Input input{};
    std::string_view key;     ///< stable name: "matmul-efficiency"
    std::string_view symbol;  ///< in formulas: "MFU"
    std::string_view label;   ///< for people: "model FLOPs utilisation"
    std::string_view unit;    ///< as formatQuantity() takes it; empty: a plain number
    InputKind kind{};
    Range standard;    ///< assumptions: default and ends; otherwise unused
    double least = 0;  ///< what is accepted
    double most = 0;
    bool whole = false;       ///< whole numbers only
    std::string_view help;    ///< what it means
    std::string_view source;  ///< assumptions: where the default is from
};
[[nodiscard]] const InputInfo& info(Input input);
[[nodiscard]] const std::vector<InputInfo>& allInputs();  ///< in the order of the enum
/// The label as it reads of this model: the deep linear one is trained on samples, not on tokens.
[[nodiscard]] std::string_view labelOf(Input input, const ModelSpec& model);
/// Whether it is a share of 1, which people read in percent.
[[nodiscard]] bool isShare(const InputInfo& about);
[[nodiscard]] std::optional<Input> inputFromKey(std::string_view key);

/// Why a utilisation can come out above 100 %; the remedy of that error.
inline constexpr std::string_view kUtilisationCauses =
    "check that the peak is dense and of the dtype in use, that tokens per second are those of all devices, "
    "that every device is counted, and that FLOPs are not counted twice (a multiply-add is 2; masked "
    "query-key "
    "pairs that a kernel skips count in full)";

/// The same of the step model, which takes no throughput; measured times can be shorter than a peak allows.
inline constexpr std::string_view kPeakTooLow =
    "the peak is too low for these times: check that it is dense and of the dtype in use";

/// A number as it is in force, and where it is from.
struct InputValue {
    Range range;         ///< all three equal unless it is an assumption
    std::string source;  ///< "given", "data sheet: ...", "preset ...", "assumption: ..."
    bool given = false;  ///< set by the user, not a default
};
/// Errors: BadInput when it is not known (no tokens were given; the device's data sheet has no such figure).
[[nodiscard]] Result<InputValue> valueOf(const Scenario& scenario, Input input);
/// The expected value alone. Errors: those of valueOf().
[[nodiscard]] Result<double> numberOf(const Scenario& scenario, Input input);

/// Sets the expected value; an assumption keeps its ends, scaled to the new value and within what is
/// accepted. Errors: BadInput with the key, the value and what is accepted.
[[nodiscard]] Result<void> setInput(Scenario& scenario, Input input, double value);
/// Sets all three of an assumption or a fact. Errors: BadInput, also for ends out of order.
[[nodiscard]] Result<void> setInput(Scenario& scenario, Input input, const Range& range);
/// "0.5", "50 %", "80GB", "70B", "4Ki", "30d", "0.4:0.5:0.6" (low:expected:high; assumptions and facts only);
/// see parseValue(). Errors: BadInput.
[[nodiscard]] Result<void> setInput(Scenario& scenario, Input input, std::string_view text);
/// Back to the default.
void resetInput(Scenario& scenario, Input input);

/// A choice without a field of its own: Scenario::given has it where it was given.
[[nodiscard]] bool isKeptAsGiven(Input input);
/// Whether Scenario::given alone says what was given of it: no field of the scenario does.
[[nodiscard]] bool isOfGivenAlone(Input input);

/// Says how the work of a step is spread, and not how much it is: degrees of parallelism, chunks, ZeRO.
[[nodiscard]] bool isLayout(Input input);

}  // namespace plumb::planner

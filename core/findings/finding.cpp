// SPDX-License-Identifier: Apache-2.0
#include "core/findings/finding.h"

#include "core/base/number_style.h"
#include "core/base/plain_text.h"
#include "core/base/words.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>
#include <utility>

namespace plumb {

std::string_view basisLabel(Basis basis) {
    switch (basis) {
    case Basis::Plan:
        return "derived from the sizes";
    case Basis::Ceiling:
        return "of the device";
    case Basis::Clock:
        return "measured by the clock";
    case Basis::Event:
        return "measured by events of the device";
    case Basis::Activity:
        return "measured by the driver's records";
    case Basis::Counter:
        return "counted by the hardware";
    case Basis::Allocator:
        return "counted by the allocator";
    case Basis::Driver:
        return "told by the driver";
    case Basis::Probe:
        return "measured by the probe of the machine's speed";
    case Basis::Training:
        return "of the training";
    case Basis::Calibrated:
        return "predicted from the calibration";
    case Basis::Published:
        return "predicted from public measurements";
    case Basis::DataSheet:
        return "predicted from the data sheet";
    }
    return "";
}

Basis basisOf(Tier tier) {
    switch (tier) {
    case Tier::Published:
        return Basis::Published;
    case Tier::DataSheet:
        return Basis::DataSheet;
    case Tier::Measured:
    case Tier::Calibrated:
        break;
    }
    return Basis::Calibrated;
}

Basis basisOf(Source source) {
    switch (source) {
    case Source::Event:
        return Basis::Event;
    case Source::Activity:
        return Basis::Activity;
    case Source::Counter:
        return Basis::Counter;
    case Source::Allocator:
        return Basis::Allocator;
    case Source::Clock:
    case Source::Predicted:
        break;
    }
    return Basis::Clock;
}

std::string text(const Amount& amount) {
    if (amount.unit == "%") {
        const double percent = 100 * amount.value;
        return localNumber(fmt::format("{:.{}f} %", percent, std::fabs(percent) < 9.95 ? 1 : 0));
    }
    if (amount.unit == "#") return formatExact(std::llround(amount.value), "");
    if (amount.unit == "°C") return localNumber(fmt::format("{:.0f} °C", amount.value));
    // A bare number is no quantity: a loss of 7.8e10 is not 78 G.
    constexpr double kLeast = 1e-4, kMost = 1e5;
    if (const double size = std::fabs(amount.value);
        amount.unit.empty() && size > 0 && (size < kLeast || size >= kMost))
        return localNumber(fmt::format("{:.3g}", amount.value));
    return formatQuantity(amount.value, amount.unit);
}

std::string filled(std::string_view pattern, const std::vector<std::string>& texts) {
    std::string all, between;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const bool isPlace =
            pattern[at] == '%' && at + 1 < pattern.size() && pattern[at + 1] >= '1' && pattern[at + 1] <= '9';
        const auto place = isPlace ? static_cast<std::size_t>(pattern[at + 1] - '1') : texts.size();
        if (place >= texts.size()) {
            between += pattern[at];
            continue;
        }
        appendTight(all, std::exchange(between, {}));
        appendTight(all, texts[place]);
        ++at;
    }
    appendTight(all, between);
    return all;
}

std::string text(const Sentence& sentence, std::string (*told)(std::string_view)) {
    std::vector<std::string> texts;
    texts.reserve(sentence.arguments.size());
    for (const auto& argument : sentence.arguments)
        texts.push_back(std::holds_alternative<Amount>(argument) ? text(std::get<Amount>(argument))
                                                                 : told(std::get<std::string>(argument)));
    return filled(told(sentence.pattern), texts);
}

std::string text(const Sentence& sentence) {
    return text(sentence, [](std::string_view english) { return std::string(english); });
}

std::string textInWords(const Sentence& sentence) { return text(sentence, inWords); }

Sentence sentenceOf(const Trial& trial) {
    const Amount before{static_cast<double>(trial.peakBefore), "B"};
    const Amount after{static_cast<double>(trial.peakAfter), "B"};
    if (!trial.samplesBefore || !trial.samplesAfter || !trial.tier)
        return {"Planned: a peak of %2 instead of %1; no time is predicted for this device.",
                {before, after}};
    const Amount slow{*trial.samplesBefore, "/s"}, fast{*trial.samplesAfter, "/s"};
    const std::string tier(tierName(*trial.tier));
    if (!trial.memory)
        return {"Predicted (%1): %3 samples instead of %2, a peak of %5 instead of %4.",
                {tier, slow, fast, before, after}};
    return {
        "Predicted (%1): %3 samples instead of %2, a peak of %5 instead of %4, of %6 that the device has.",
        {tier, slow, fast, before, after, Amount{static_cast<double>(*trial.memory), "B"}}};
}

}  // namespace plumb

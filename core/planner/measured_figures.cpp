// SPDX-License-Identifier: Apache-2.0
#include "core/base/lines.h"
#include "core/base/quantity.h"
#include "core/planner/answer.h"
#include "core/planner/measured.h"
#include "core/planner/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace plumb::planner {

namespace {

constexpr double kTera = 1e12;

/// A way to say how fast a training was.
struct SpeedFigure {
    std::string_view key;
    std::string_view unit;                                     ///< as parseValue() takes it
    Result<double> (*seconds)(const Scenario& in, double of);  ///< of a step; of a mere count, of a token
    std::string (*text)(double of);
};

/// Tokens of a step, or of a mere count, which has no steps, one.
Result<double> tokensOf(const Scenario& in) {
    if (in.model.count() != nullptr) return 1.0;
    PLUMB_TRY(const ResolvedLayout layout, resolve(in));
    const auto batch = static_cast<double>(layout.batch);
    return in.model.linear() != nullptr ? batch : batch * static_cast<double>(layout.sequence);
}

Result<double> ofStep(const Scenario& in, double seconds) {
    if (in.model.count() != nullptr)
        return Error{ErrorCode::BadInput, "a mere number of parameters has no step that could be timed",
                     "give tokens-per-second, or a model"};
    return seconds;
}
Result<double> ofTokens(const Scenario& in, double perSecond) {
    PLUMB_TRY(const double tokens, tokensOf(in));
    return tokens / perSecond;
}
Result<double> ofFlops(const Scenario& in, double perSecond) {
    PLUMB_TRY(const double tokens, tokensOf(in));
    PLUMB_TRY(const Work work, workPerToken(in));
    return work.model() * tokens / (perSecond * static_cast<double>(in.cluster.devices));
}
Result<double> ofTeraflops(const Scenario& in, double tera) { return ofFlops(in, tera * kTera); }
Result<double> ofUtilisation(const Scenario& in, double share) {
    PLUMB_TRY(const double peak, numberOf(in, Input::Peak));
    return ofFlops(in, share * peak);
}

constexpr std::array kSpeeds{
    SpeedFigure{"step", "s", ofStep, [](double of) { return "step " + formatValue(of, "s"); }},
    SpeedFigure{"tokens-per-second", "", ofTokens,
                [](double of) { return formatValue(of, "") + " tokens per second"; }},
    SpeedFigure{"tflops", "", ofTeraflops,
                [](double of) { return fmt::format("{:.4g} TFLOP/s of a device", of); }},
    SpeedFigure{"mfu", "1", ofUtilisation, [](double of) { return fmt::format("MFU {:.4g} %", 100 * of); }}};

Error unusable(std::string_view line, std::string hint) {
    return {ErrorCode::BadInput, fmt::format("--measured cannot be used ({})", line), std::move(hint)};
}

std::string everyKey() {
    std::string all;
    for (const SpeedFigure& figure : kSpeeds) all += (all.empty() ? "" : ", ") + std::string(figure.key);
    for (const MemoryFigure& figure : kMemoryFigures) all += ", " + std::string(figure.key);
    return all;
}

Result<double> positive(std::string_view line, std::string_view text, std::string_view unit) {
    auto number = parseValue(text, unit);
    if (!number.has_value())
        return unusable(line, fmt::format("{}; {}", number.error().message, number.error().hint));
    if (!(*number > 0)) return unusable(line, "give a number above 0");
    return number;
}

}  // namespace

Result<MeasuredFigures> measuredFigures(std::string_view lines, const Scenario& in) {
    MeasuredFigures figures;
    const auto add = [&](const std::string& text) {
        figures.what += (figures.what.empty() ? "" : ", ") + text;
    };
    for (const std::string_view line : linesOf(lines)) {
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos)
            return unusable(line, fmt::format("give KEY=VALUE, the keys being {:s}", everyKey()));
        const std::string_view key = line.substr(0, equals), value = line.substr(equals + 1);
        if (const auto* const speed = std::ranges::find(kSpeeds, key, &SpeedFigure::key);
            speed != kSpeeds.end()) {
            if (figures.seconds > 0) return unusable(line, "the speed is given already; leave one out");
            PLUMB_TRY(const double number, positive(line, value, speed->unit));
            PLUMB_TRY(figures.seconds, speed->seconds(in, number));
            add(speed->text(number));
            continue;
        }
        const auto* const memory = std::ranges::find(kMemoryFigures, key, &MemoryFigure::key);
        if (memory == kMemoryFigures.end())
            return unusable(line, fmt::format("give KEY=VALUE, the keys being {:s}", everyKey()));
        if (figures.memory.*memory->bytes) return unusable(line, "it is given twice");
        PLUMB_TRY(figures.memory.*memory->bytes, positive(line, value, "B"));
        add(fmt::format("{} {}", bytesText(*(figures.memory.*memory->bytes)),
                        key == "memory" ? "in use" : key));
    }
    return figures;
}

}  // namespace plumb::planner

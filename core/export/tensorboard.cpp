// SPDX-License-Identifier: Apache-2.0
#include "core/export/tensorboard.h"

#include "core/io/event_file.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb {
namespace {

std::optional<int> numberAt(std::string_view text, std::size_t at, std::size_t length) {
    int value = 0;
    if (text.size() < at + length) return std::nullopt;
    const char* end = text.data() + at + length;
    const auto [stop, problem] = std::from_chars(text.data() + at, end, value);
    return problem == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// Seconds since 1970 of "2026-11-24T11:03:00Z"; 0 for what is no such time.
double epochSeconds(std::string_view text) {
    const auto year = numberAt(text, 0, 4), month = numberAt(text, 5, 2), day = numberAt(text, 8, 2);
    const auto hour = numberAt(text, 11, 2), minute = numberAt(text, 14, 2), second = numberAt(text, 17, 2);
    if (!year || !month || !day || !hour || !minute || !second) return 0;
    const std::chrono::year_month_day date{std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(std::abs(*month))),
                                           std::chrono::day(static_cast<unsigned>(std::abs(*day)))};
    if (!date.ok()) return 0;
    const auto days = std::chrono::sys_days(date).time_since_epoch();
    return static_cast<double>(std::chrono::seconds(days).count() + *hour * 3600 + *minute * 60 + *second);
}

}  // namespace

std::string toTensorBoard(const TrainingSeries& series, const std::string& created) {
    const auto secondsOf = [](const StepMetrics& step) {
        return std::isfinite(step.seconds) ? step.seconds : 0;
    };
    const double last = series.steps.empty() ? 0 : secondsOf(series.steps.back());
    const double begin = std::max(epochSeconds(created) - last, 0.0);
    EventFileWriter file(begin);
    auto held = series.holdOut.begin();
    const auto addHeld = [&](std::int64_t before, double wallTime) {
        for (; held != series.holdOut.end() && held->step <= before; ++held)
            file.scalar(held->step, wallTime, "loss/held_out", static_cast<float>(held->loss));
    };
    for (const StepMetrics& step : series.steps) {
        const double wallTime = begin + secondsOf(step);
        addHeld(step.step, wallTime);
        // A loss that is no number is where the training diverged, which TensorBoard shows as such.
        file.scalar(step.step, wallTime, "loss/train", static_cast<float>(step.loss));
        for (const StepMetric& metric : kStepMetrics)
            if (metric.value != &StepMetrics::loss && metric.value != &StepMetrics::seconds &&
                std::isfinite(step.*metric.value))
                file.scalar(step.step, wallTime, metric.name, static_cast<float>(step.*metric.value));
    }
    addHeld(INT64_MAX, begin + last);
    return file.take();
}

}  // namespace plumb

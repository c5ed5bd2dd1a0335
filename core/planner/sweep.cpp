// SPDX-License-Identifier: Apache-2.0
#include "core/planner/sweep.h"

#include <fmt/format.h>

#include <cmath>

namespace plumb::planner {

namespace {

Error notASweep(const InputInfo& about, std::string_view text, std::string_view why = {}) {
    return {ErrorCode::BadInput,
            fmt::format("{} cannot be swept over \"{}\"{}{} (--sweep {}=...)", about.label, text,
                        why.empty() ? "" : ": ", why, about.key),
            "give FROM..TO:xFACTOR, FROM..TO:+STEP or A,B,C"};
}

/// The number of one piece, in the unit of the input and within what it accepts.
Result<double> sweptNumber(const Scenario& scenario, Input input, std::string_view text) {
    Scenario scratch = scenario;
    PLUMB_CHECK(setInput(scratch, input, text));
    return numberOf(scratch, input);
}

SweepRow rowAt(Scenario scenario, Input input, double value, const std::vector<Output>& outputs) {
    SweepRow row;
    row.value = value;
    row.answers.resize(outputs.size());
    if (const auto set = setInput(scenario, input, value); !set.has_value()) {
        row.problem = set.error().text();
        return row;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto found = evaluate(outputs[i], scenario);
        const auto range =
            found.has_value() ? rangeOf(outputs[i], scenario, *found) : Result<Range>(found.error());
        if (range.has_value())
            row.answers[i] = *range;
        else if (row.problem.empty())
            row.problem = range.error().text();
    }
    if (auto verdict = verdictOf(outputs, scenario); verdict.has_value()) row.verdict = *verdict;
    return row;
}

}  // namespace

Result<Axis> sweepAxis(const Scenario& scenario, Input input, std::string_view text) {
    const InputInfo& about = info(input);
    Axis axis{input, {}};
    const auto add = [&](double value) {
        if (about.whole) value = std::round(value);
        if (axis.values.empty() || axis.values.back() != value) axis.values.push_back(value);
    };
    const auto tooMany = [&] {
        return notASweep(about, text, fmt::format("more than {} values", kMostSwept));
    };
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t comma = std::min(text.find(',', begin), text.size());
            const std::string_view piece = text.substr(begin, comma - begin);
            if (piece.empty()) return notASweep(about, text);
            PLUMB_TRY(const double value, sweptNumber(scenario, input, piece));
            add(value);
            if (axis.values.size() > kMostSwept) return tooMany();
            begin = comma + 1;
        }
        return axis;
    }
    const std::string_view behind = text.substr(dots + 2);
    const std::size_t colon = behind.rfind(':');
    if (colon == std::string_view::npos || colon + 2 >= behind.size()) return notASweep(about, text);
    const char how = behind[colon + 1];
    PLUMB_TRY(const double from, sweptNumber(scenario, input, text.substr(0, dots)));
    PLUMB_TRY(const double to, sweptNumber(scenario, input, behind.substr(0, colon)));
    const std::string_view by = behind.substr(colon + 2);
    const auto step = how == 'x' ? parseValue(by, "") : parseValue(by, about.unit);
    if ((how != 'x' && how != '+') || !step.has_value()) return notASweep(about, text);
    if (how == 'x' ? !(*step > 1) : !(*step > 0))
        return notASweep(about, text, how == 'x' ? "a factor is above 1" : "a step is above 0");
    if (to < from) return notASweep(about, text, "it ends below its beginning");
    if (how == 'x' && from <= 0) return notASweep(about, text, "no factor leads away from 0");
    // Counted instead of added up, so that the last value is not lost to rounding.
    const double last = to * (1 + 1e-9);
    for (std::size_t i = 0;; ++i) {
        const auto n = static_cast<double>(i);
        const double value = how == 'x' ? from * std::pow(*step, n) : from + n * *step;
        if (!(value <= last)) break;
        if (i >= kMostSwept) return tooMany();
        add(value);
    }
    return axis;
}

Sweep sweep(const Scenario& scenario, Axis axis, std::vector<Output> outputs, const std::stop_token& stop,
            const std::function<void(double)>& progress) {
    Sweep swept{std::move(axis), std::move(outputs), {}, false};
    const Scenario start = isLayout(swept.axis.input) ? withBatchHeld(scenario) : scenario;
    for (const double value : swept.axis.values) {
        if (stop.stop_requested()) return swept;
        swept.rows.push_back(rowAt(start, swept.axis.input, value, swept.outputs));
        if (progress)
            progress(static_cast<double>(swept.rows.size()) / static_cast<double>(swept.axis.values.size()));
    }
    swept.complete = true;
    return swept;
}

}  // namespace plumb::planner

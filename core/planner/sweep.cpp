// SPDX-License-Identifier: Apache-2.0
#include "core/planner/sweep.h"

#include "core/base/entry_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace plumb::planner {

namespace {

Error notASweep(const InputInfo& about, std::string_view text, std::string_view why = {}) {
    return {ErrorCode::BadInput,
            why.empty()
                ? fmt::format("{} cannot be swept over \"{:s}\" (--sweep {:s})", about.label, text, about.key)
                : fmt::format("{} cannot be swept over \"{:s}\": {} (--sweep {:s})", about.label, text, why,
                              about.key),
            "give FROM..TO:xFACTOR, FROM..TO:+STEP or A,B,C"};
}

/// The number of one piece, in the unit of the input and within what it accepts.
Result<double> sweptNumber(const Scenario& scenario, Input input, std::string_view text) {
    Scenario scratch = scenario;
    PLUMB_CHECK(setInput(scratch, input, text));
    return numberOf(scratch, input);
}

const Axis& axisAt(const Sweep& swept, std::size_t index) {
    return index == 0 ? swept.axis : entryAt(swept.others, index - 1);
}

/// The values of a row, of the first axis first.
std::vector<double> valuesAt(const Sweep& swept, std::size_t row) {
    std::vector<double> values(swept.others.size() + 1);
    for (std::size_t i = values.size(); i-- > 0;) {
        const std::vector<double>& all = axisAt(swept, i).values;
        values[i] = all[row % all.size()];
        row /= all.size();
    }
    return values;
}

/// Puts the values of a row in, those of the layout last: until then a batch that follows is held.
Result<Scenario> scenarioAt(Scenario scenario, const Sweep& swept, const std::vector<double>& values) {
    bool isHeld = false;
    for (const bool layout : {false, true})
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Input input = axisAt(swept, i).input;
            if (isLayout(input) != layout) continue;
            if (layout && !std::exchange(isHeld, true)) scenario = withBatchHeld(std::move(scenario));
            PLUMB_CHECK(setInput(scenario, input, values[i]));
        }
    return scenario;
}

SweepRow rowAt(const Scenario& from, const Sweep& swept, std::size_t index) {
    const std::vector<Output>& outputs = swept.outputs;
    SweepRow row;
    const std::vector<double> values = valuesAt(swept, index);
    row.value = values.front();
    row.others.assign(values.begin() + 1, values.end());
    row.answers.resize(outputs.size());
    const auto put = scenarioAt(from, swept, values);
    if (!put.has_value()) {
        row.problem = put.error().text();
        return row;
    }
    const Scenario& scenario = *put;
    bool isSwept = false;
    for (std::size_t i = 0; i < values.size(); ++i)
        isSwept = isSwept || axisAt(swept, i).input == Input::Batch;
    if (from.workload.batch == 0 && !isSwept && scenario.model.transformer() != nullptr)
        if (const auto layout = resolve(scenario); layout.has_value()) row.batch = layout->batch;
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

void fillRows(const Scenario& scenario, Sweep& swept, const std::stop_token& stop,
              const std::function<void(double)>& progress) {
    std::size_t count = swept.axis.values.size();
    for (const Axis& other : swept.others) count *= other.values.size();
    while (swept.rows.size() < count) {
        if (stop.stop_requested()) return;
        swept.rows.push_back(rowAt(scenario, swept, swept.rows.size()));
        if (progress) progress(static_cast<double>(swept.rows.size()) / static_cast<double>(count));
    }
    swept.complete = true;
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
    Sweep swept;
    swept.axis = std::move(axis);
    swept.outputs = std::move(outputs);
    fillRows(scenario, swept, stop, progress);
    return swept;
}

Result<Sweep> sweepGrid(const Scenario& scenario, std::vector<Axis> axes, std::vector<Output> outputs,
                        const std::stop_token& stop, const std::function<void(double)>& progress) {
    std::size_t count = 1;
    for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
        const InputInfo& about = info(axis->input);
        if (std::any_of(axes.begin(), axis, [&](const Axis& other) { return other.input == axis->input; }))
            return Error{ErrorCode::BadInput,
                         fmt::format("{} is swept twice (--sweep {:s}=\u2026)", about.label, about.key),
                         fmt::format("give all of its values in one --sweep {:s}=", about.key)};
        count *= axis->values.size();
        if (count > kMostSwept)
            return Error{ErrorCode::BadInput,
                         fmt::format("more than {} combinations are too many (--sweep {:s}=\u2026)",
                                     kMostSwept, about.key),
                         "give fewer values"};
    }
    Sweep swept;
    swept.axis = std::move(axes.front());
    swept.others.assign(std::make_move_iterator(axes.begin() + 1), std::make_move_iterator(axes.end()));
    swept.outputs = std::move(outputs);
    fillRows(scenario, swept, stop, progress);
    return swept;
}

}  // namespace plumb::planner

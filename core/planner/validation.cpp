// SPDX-License-Identifier: Apache-2.0
#include "core/planner/validation.h"

#include "core/planner/inputs.h"
#include "core/planner/verdict.h"

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

std::optional<double> logRatio(const std::optional<Range>& predicted, std::optional<double> published) {
    if (!predicted || !published || !(*published > 0) || !(predicted->expected > 0)) return std::nullopt;
    return std::log(predicted->expected / *published);
}

std::optional<double> publishedOf(const ValidatedRow& row, Figure figure) {
    if (figure == Figure::Memory) return row.row->memoryBytes;
    return row.row->step ? std::optional(row.row->step->seconds) : std::nullopt;
}

/// The value below which this share of the sorted ones lies.
double quantile(const std::vector<double>& sorted, double share) {
    const auto last = static_cast<double>(sorted.size() - 1);
    const double at = share * last;
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

void addMemory(ValidatedRow& row, const Scenario& scenario) {
    row.memoryProblem = row.row->memoryProblem;
    if (!row.memoryProblem.empty()) return;
    if (const auto verdict = verdictOf(scenario); verdict.has_value()) row.fits = verdict->fits();
    const Scenario asked = asMemoryKind(scenario, row.row->memoryKind);
    const auto bytes = evaluateUnchecked(Output::MemoryPerDevice, asked);
    if (!bytes.has_value()) {
        row.memoryProblem = bytes.error().text();
        return;
    }
    if (const auto range = rangeOf(Output::MemoryPerDevice, asked, *bytes); range.has_value())
        row.memory = *range;
}

}  // namespace

Scenario asMemoryKind(Scenario scenario, std::string_view kind) {
    constexpr Range kNothing{0, 0, 0};
    if (kind == "device") return scenario;
    scenario.given[Input::DeviceOverhead] = kNothing;
    scenario.given[Input::BufferBytes] = kNothing;
    if (kind == "allocated") scenario.given[Input::Fragmentation] = kNothing;
    return scenario;
}

std::optional<double> ValidatedRow::timeError() const {
    return logRatio(seconds, publishedOf(*this, Figure::Time));
}
std::optional<double> ValidatedRow::memoryError() const { return logRatio(memory, row->memoryBytes); }

std::vector<ValidatedRow> validateAgainst(const Evidence& evidence,
                                          const std::function<bool(const PublishedTraining&)>& takes,
                                          const std::function<void(Scenario&)>& change) {
    std::vector<ValidatedRow> rows;
    for (const PublishedTraining& published : evidence.rows) {
        if (takes && !takes(published)) continue;
        ValidatedRow& row = rows.emplace_back();
        row.row = &published;
        row.problem = published.problem;
        if (!row.problem.empty()) continue;
        Scenario scenario = published.scenario;
        if (change) change(scenario);
        auto time = stepTime(scenario);
        if (!time.has_value()) {
            row.problem = time.error().text();
            continue;
        }
        const double expected = time->total();
        row.step = *std::move(time);
        if (const auto range = rangeOf(Output::StepSeconds, scenario, expected); range.has_value())
            row.seconds = *range;
        if (published.memoryBytes) addMemory(row, scenario);
    }
    return rows;
}

ErrorSummary summarise(const std::vector<ValidatedRow>& rows, Figure figure,
                       const std::function<bool(const ValidatedRow&)>& takes) {
    ErrorSummary summary;
    std::vector<double> errors;
    double held = 0;
    for (const ValidatedRow& row : rows) {
        const auto error = figure == Figure::Time ? row.timeError() : row.memoryError();
        if (!error || !takes(row)) continue;
        errors.push_back(std::abs(std::expm1(*error)));
        summary.bias += *error;
        const Range& range = figure == Figure::Time ? *row.seconds : *row.memory;
        const double published = *publishedOf(row, figure);
        held += range.low <= published && published <= range.high ? 1 : 0;
    }
    if (errors.empty()) return summary;
    std::ranges::sort(errors);
    const auto count = static_cast<double>(errors.size());
    summary.rows = static_cast<std::int64_t>(errors.size());
    summary.median = quantile(errors, 0.5);
    summary.ninetieth = quantile(errors, 0.9);
    summary.bias /= count;
    summary.held = held / count;
    return summary;
}

}  // namespace plumb::planner

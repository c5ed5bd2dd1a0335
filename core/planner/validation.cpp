// SPDX-License-Identifier: Apache-2.0
#include "core/planner/validation.h"

#include "core/base/enum_array.h"
#include "core/planner/inputs.h"
#include "core/planner/priors.h"
#include "core/planner/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::planner {

namespace {

/// Families by what their devices are called.
constexpr EnumArray<Generation, std::string_view> kFamilies{
    "Volta", "Ampere", "Ada", "Hopper", "Blackwell", "Instinct", "TPU", "TPU", "Trainium", "other devices"};
static_assert(std::ranges::none_of(kFamilies, &std::string_view::empty), "each generation has its family");

/// What decides how hard a row is to predict, the first that is true of it.
std::string regimeOf(const Evidence&, const PublishedTraining& row) {
    constexpr std::int64_t kLong = 16384, kNode = 8, kMany = 256;
    const Scenario& s = row.scenario;
    const Transformer* model = s.model.transformer();
    if (model != nullptr && model->experts) return "mixture of experts";
    if (s.workload.sequence > kLong) return "long sequences";
    if (s.recipe.compute == Dtype::Fp8E4M3) return "fp8";
    return s.cluster.devices <= kNode   ? "dense, one node"
           : s.cluster.devices <= kMany ? "dense, to 256"
                                        : "dense, more";
}

std::string sourceOf(const Evidence& evidence, const PublishedTraining& row) {
    return evidence.sources[row.source].id;
}
std::string deviceOf(const Evidence&, const PublishedTraining& row) {
    return row.scenario.cluster.device->name;
}
std::string softwareOf(const Evidence&, const PublishedTraining& row) {
    return std::string(name(row.scenario.software));
}

constexpr std::array kDivisions{Division{"source", sourceOf}, Division{"device", deviceOf},
                                Division{"regime", regimeOf}, Division{"software", softwareOf}};

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

std::optional<double> ValidatedRow::published(Figure figure) const {
    if (figure == Figure::Memory) return row->memoryBytes;
    return row->step ? std::optional(row->step->seconds) : std::nullopt;
}

std::optional<double> ValidatedRow::error(Figure figure) const {
    const std::optional<Range>& range = predicted(figure);
    const std::optional<double> printed = published(figure);
    if (!range || !printed || !(*printed > 0) || !(range->expected > 0)) return std::nullopt;
    return std::log(range->expected / *printed);
}

std::optional<double> ValidatedRow::deviation(Figure figure) const {
    const std::optional<double> off = error(figure);
    return off ? std::optional(std::expm1(*off)) : std::nullopt;
}

std::optional<bool> ValidatedRow::held(Figure figure) const {
    if (!error(figure)) return std::nullopt;
    const Range& range = *predicted(figure);
    const double printed = *published(figure);
    return range.low <= printed && printed <= range.high;
}

const ErrorGoals& goalsOf(Figure figure) {
    static constexpr ErrorGoals kTime{0.12, 0.35, 0.05, 0.80, 0.90}, kMemory{0.07, 0.20, 0.05, 0.80, 0.90};
    return figure == Figure::Time ? kTime : kMemory;
}

std::span<const Division> divisions() { return kDivisions; }

std::string_view familyOf(const PublishedTraining& row) {
    return kFamilies[generationOf(*row.scenario.cluster.device)];
}

std::vector<ValidatedRow> validateAgainst(const Evidence& evidence,
                                          const std::function<bool(const PublishedTraining&)>& takes,
                                          const std::function<void(Scenario&)>& change,
                                          const std::stop_token& stop,
                                          const std::function<void(double)>& progress) {
    const auto all = static_cast<double>(evidence.rows.size());
    std::vector<ValidatedRow> rows;
    for (const PublishedTraining& published : evidence.rows) {
        if (stop.stop_requested()) break;
        if (progress) progress(static_cast<double>(&published - evidence.rows.data()) / all);
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
        else
            row.problem = range.error().text();
        if (published.memoryBytes) addMemory(row, scenario);
    }
    return rows;
}

ErrorSummary summarise(const std::vector<FoundError>& found) {
    ErrorSummary summary;
    std::vector<double> errors;
    double held = 0;
    for (const FoundError& each : found) {
        errors.push_back(std::abs(std::expm1(each.logarithm)));
        summary.bias += each.logarithm;
        held += each.held ? 1 : 0;
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

ErrorSummary summarise(const std::vector<ValidatedRow>& rows, Figure figure,
                       const std::function<bool(const ValidatedRow&)>& takes) {
    std::vector<FoundError> found;
    for (const ValidatedRow& row : rows) {
        const auto error = row.error(figure);
        if (error && takes(row)) found.push_back({*error, *row.held(figure)});
    }
    return summarise(found);
}

}  // namespace plumb::planner

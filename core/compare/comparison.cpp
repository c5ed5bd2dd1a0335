// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>

namespace plumb {
namespace {

/// Rows by their key, in the order in which keys come up.
template <class Row>
class Rows {
public:
    Row& at(const std::string& key, const std::function<Row()>& make) {
        const auto [found, isNew] = m_places.try_emplace(key, m_rows.size());
        if (isNew) m_rows.push_back(make());
        return m_rows[found->second];
    }
    [[nodiscard]] std::vector<Row> take() && { return std::move(m_rows); }

private:
    std::unordered_map<std::string, std::size_t> m_places;
    std::vector<Row> m_rows;
};

/// Counts what was done, tells the share of it, and says when to stop.
class Watch {
public:
    Watch(const CompareControl& control, std::size_t all)
        : m_control(control), m_all(std::max<std::size_t>(all, 1)) {}

    /// Call it for each op and tensor; false: give up.
    [[nodiscard]] bool goesOn() {
        if (++m_done % kStride != 0) return !m_isStopped;
        m_isStopped = m_isStopped || m_control.stop.stop_requested();
        if (m_control.progress)
            m_control.progress(std::min(1.0, static_cast<double>(m_done) / static_cast<double>(m_all)));
        return !m_isStopped;
    }
    [[nodiscard]] bool isStopped() const { return m_isStopped || m_control.stop.stop_requested(); }

private:
    static constexpr std::size_t kStride = 1024;
    const CompareControl& m_control;
    std::size_t m_all;
    std::size_t m_done = 0;
    bool m_isStopped = false;
};

std::vector<FactRow> differingFacts(const std::vector<ComparedStep>& steps) {
    Rows<FactRow> rows;
    for (std::size_t i = 0; i < steps.size(); ++i)
        for (const StepFact& fact : steps[i].facts)
            rows.at(fact.name,
                    [&] {
                        return FactRow{fact.name, std::vector<std::string>(steps.size()), fact.isEnvironment};
                    })
                .values[i] = fact.value;
    std::vector<FactRow> all = std::move(rows).take();
    std::erase_if(all, [](const FactRow& row) {
        // Who wrote it is known of a file alone: of a step of the session nothing differs for that.
        const auto known = [&](const std::string& value) {
            return row.name != kProgramFact || !value.empty();
        };
        const auto first = std::ranges::find_if(row.values, known);
        return std::ranges::all_of(
            row.values, [&](const std::string& value) { return !known(value) || value == *first; });
    });
    return all;
}

FigureRow countRow(std::string name, std::string_view unit, const std::vector<ComparedStep>& steps,
                   const std::function<std::optional<std::int64_t>(const ComparedStep&)>& valueOf) {
    FigureRow row{std::move(name), unit, {}, {}};
    const std::optional<std::int64_t> baseline = valueOf(steps.front());
    for (const ComparedStep& step : steps) {
        const std::optional<std::int64_t> value = valueOf(step);
        row.values.push_back(value ? std::optional(static_cast<double>(*value)) : std::nullopt);
        row.judgements.push_back(judgeCounts(baseline, value));
    }
    return row;
}

FigureRow timeRow(const std::vector<ComparedStep>& steps) {
    FigureRow row{"step time", "s", {}, {}};
    for (const ComparedStep& step : steps) {
        row.values.push_back(step.stepTime ? std::optional(step.stepTime->median) : std::nullopt);
        row.judgements.push_back(
            judgeTimes(steps.front().stepTime, step.stepTime, 1, machineDrift(steps.front(), step)));
    }
    return row;
}

/// What became of a number that is over the time of a step.
Change changeOfRate(Change ofTime) {
    if (ofTime == Change::Less) return Change::More;
    return ofTime == Change::More ? Change::Less : ofTime;
}

/// Rates are judged as the times are that they are over.
FigureRow rateRow(const std::vector<ComparedStep>& steps, const FigureRow& times) {
    FigureRow row{"samples per second", "/s", {}, {}};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        row.values.push_back(steps[i].reading->totals.samplesPerSecond);
        const std::optional<double>&baseline = row.values.front(), &value = row.values.back();
        Judgement judged;
        if (baseline && value && *baseline > 0) {
            judged.ratio = *value / *baseline;
            judged.band = times.judgements[i].band;
            if (judged.band) judged.change = changeOfRate(times.judgements[i].change);
        }
        row.judgements.push_back(judged);
    }
    return row;
}

std::vector<FigureRow> figuresOf(const std::vector<ComparedStep>& steps) {
    std::vector<FigureRow> rows{timeRow(steps)};
    rows.push_back(rateRow(steps, rows.front()));
    const auto memory = [](const ComparedStep& step) { return step.reading->memory; };
    rows.push_back(countRow("peak memory", "B", steps, [&](const ComparedStep& step) {
        return memory(step) ? std::optional(memory(step)->peakBytes) : std::nullopt;
    }));
    for (const Category category : kAllCategories) {
        FigureRow row = countRow(std::string(categoryLabel(category)) + " at the peak", "B", steps,
                                 [&](const ComparedStep& step) -> std::optional<std::int64_t> {
                                     if (!memory(step)) return std::nullopt;
                                     return memory(step)->atPeak[category];
                                 });
        if (std::ranges::any_of(row.values, [](const auto& value) { return value.value_or(0) > 0; }))
            rows.push_back(std::move(row));
    }
    rows.push_back(countRow("FLOPs", "FLOP", steps, [](const ComparedStep& step) {
        return step.step->hasAllFlops ? std::optional(step.step->flops) : std::nullopt;
    }));
    rows.push_back(countRow("matmul FLOPs", "FLOP", steps,
                            [](const ComparedStep& step) { return std::optional(step.step->matmulFlops); }));
    rows.push_back(countRow("bytes moved", "B", steps,
                            [](const ComparedStep& step) { return std::optional(step.step->bytes); }));
    rows.push_back(
        countRow("parameters", "", steps, [](const ComparedStep& step) { return step.parameters; }));
    return rows;
}

/// Ops of a step vary together, so their errors add up.
void addTime(OpRow::Figures& sum, const std::optional<RepeatedTime>& part) {
    if (sum.ops == 0) {
        sum.time = part;
    } else if (sum.time && part) {
        if (const Seconds together = sum.time->median + part->median; together > 0) {
            const double share = part->median / together;
            sum.time->below += share * (part->below - sum.time->below);
            sum.time->spread += share * (part->spread - sum.time->spread);
        }
        sum.time->median += part->median;
        sum.time->repeats = std::min(sum.time->repeats, part->repeats);
        sum.time->freedom = std::min(sum.time->freedom, part->freedom);
        if (sum.time->error && part->error)
            *sum.time->error += *part->error;
        else
            sum.time->error.reset();
    } else {
        sum.time.reset();
    }
}

template <class Number>
void addCount(std::int64_t opsBefore, std::optional<Number>& sum, const std::optional<Number>& part) {
    if (opsBefore == 0)
        sum = part;
    else
        sum = sum && part ? std::optional(*sum + *part) : std::nullopt;
}

void addOp(OpRow::Figures& figures, const StepOp& op, const OpReading* reading, std::int64_t repeats) {
    std::optional<RepeatedTime> time;
    if (reading != nullptr && reading->seconds)
        time = repeatedTime(*reading->seconds, reading->spread, reading->spread ? repeats : 1);
    addTime(figures, time);
    addCount(figures.ops, figures.flops, op.knownFlops());
    addCount(figures.ops, figures.bytes, op.knownBytes());
    ++figures.ops;
}

/// What disturbs a step disturbs ops that the host's clock times; those of a device have clocks of its own.
bool areOpsDisturbed(const ComparedStep& step) {
    return step.reading->source == Source::Clock && step.stepTime && step.stepTime->isDisturbed();
}

std::vector<OpRow> opsOf(const std::vector<ComparedStep>& steps, Watch& watch) {
    Rows<OpRow> rows;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = *steps[i].step;
        std::unordered_map<std::string_view, const OpReading*> readings;
        for (const OpReading& reading : steps[i].reading->ops) readings.emplace(reading.id, &reading);
        for (std::int64_t index = 0; index < step.opCount(); ++index) {
            if (!watch.goesOn()) return {};
            const StepOp& op = step.op(index);
            const std::string place = step.placeInGroup(index), kind(step.opGroup(index));
            OpRow& row = rows.at(fmt::format("{}\n{}\n{}", phaseName(op.phase), place, kind), [&] {
                OpRow made{op.phase, place, kind, step.groupLabel(index), {}, {}, {}, {}};
                made.figures.resize(steps.size());
                return made;
            });
            const auto found = readings.find(step.opId(index));
            addOp(row.figures[i], op, found == readings.end() ? nullptr : found->second,
                  steps[i].reading->stepsMeasured);
        }
    }
    std::vector<OpRow> all = std::move(rows).take();
    const auto judged = static_cast<std::int64_t>(all.size());
    for (OpRow& row : all)
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const OpRow::Figures &baseline = row.figures.front(), &other = row.figures[i];
            row.times.push_back(judgeTimes(baseline.time, other.time, judged,
                                           machineDrift(steps.front(), steps[i]),
                                           areOpsDisturbed(steps.front()) || areOpsDisturbed(steps[i])));
            row.flops.push_back(judgeCounts(baseline.flops, other.flops));
            row.bytes.push_back(judgeCounts(baseline.bytes, other.bytes));
        }
    return all;
}

std::vector<TensorRow> tensorsOf(const std::vector<ComparedStep>& steps, Watch& watch) {
    Rows<TensorRow> rows;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = *steps[i].step;
        for (TensorId id = 0; id < step.tensorCount(); ++id) {
            if (!watch.goesOn()) return {};
            const std::string name = step.tensorName(id);
            TensorRow& row = rows.at(name, [&] {
                return TensorRow{
                    name, step.tensor(id).category, std::vector<std::optional<Bytes>>(steps.size()), {}};
            });
            row.bytes[i] = row.bytes[i].value_or(0) + step.tensorBytes(id);
        }
    }
    std::vector<TensorRow> all = std::move(rows).take();
    for (TensorRow& row : all)
        for (const std::optional<Bytes>& bytes : row.bytes)
            row.judgements.push_back(judgeCounts(row.bytes.front(), bytes));
    return all;
}

}  // namespace

std::string OpRow::label() const {
    std::string text(phaseName(phase));
    if (!place.empty()) text += " · " + place;
    return text + " · " + kindLabel;
}

bool OpRow::differsAt(std::size_t index) const {
    return times[index].isReal() || flops[index].isReal() || bytes[index].isReal() ||
           (figures[index].ops == 0) != (figures.front().ops == 0);
}

bool OpRow::differs() const {
    for (std::size_t i = 0; i < figures.size(); ++i)
        if (differsAt(i)) return true;
    return false;
}

bool TensorRow::differs() const {
    return std::ranges::any_of(judgements, &Judgement::isReal) ||
           std::ranges::any_of(bytes, [&](const std::optional<Bytes>& other) {
               return other.has_value() != bytes.front().has_value();
           });
}

bool Comparison::isChanged(std::size_t index) const {
    return std::ranges::any_of(figures,
                               [&](const FigureRow& row) { return row.judgements[index].isReal(); }) ||
           std::ranges::any_of(ops, [&](const OpRow& row) { return row.differsAt(index); });
}

std::size_t comparisonWork(std::span<const ComparedStep> steps) {
    std::size_t work = 0;
    for (const ComparedStep& step : steps)
        work += static_cast<std::size_t>(step.step->opCount()) +
                static_cast<std::size_t>(step.step->tensorCount());
    return work;
}

std::optional<Comparison> compare(std::vector<ComparedStep> steps, const CompareControl& control) {
    Watch watch(control, comparisonWork(steps));
    Comparison comparison;
    for (const ComparedStep& step : steps) comparison.drifts.push_back(machineDrift(steps.front(), step));
    comparison.facts = differingFacts(steps);
    comparison.figures = figuresOf(steps);
    comparison.ops = opsOf(steps, watch);
    if (!watch.isStopped()) comparison.tensors = tensorsOf(steps, watch);
    if (watch.isStopped()) return std::nullopt;
    comparison.steps = std::move(steps);
    return comparison;
}

Comparison compare(std::vector<ComparedStep> steps) { return *compare(std::move(steps), CompareControl{}); }

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/export/tables.h"

#include "core/base/entry_at.h"
#include "core/base/shape_text.h"
#include "core/measure/module_tree.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

namespace plumb {

namespace {

using Counts = TableColumn::Values<std::int64_t>;
using Numbers = TableColumn::Values<double>;
using Texts = TableColumn::Values<std::string>;
using Flags = TableColumn::Values<bool>;

/// An op as both readings know it; at least one of them does.
struct Row {
    const OpReading* predicted = nullptr;
    const OpReading* measured = nullptr;
    const CategoryBytes* predictedBytes = nullptr;
    const CategoryBytes* measuredBytes = nullptr;

    [[nodiscard]] const OpReading& op() const { return predicted != nullptr ? *predicted : *measured; }
};

/// The ops of both readings: those of the prediction in their order, then what only the measurement has.
class Rows {
public:
    explicit Rows(const ExportedStep& step) {
        add(step.predicted.get(), &Row::predicted, &Row::predictedBytes);
        add(step.measured.get(), &Row::measured, &Row::measuredBytes);
    }
    [[nodiscard]] const std::vector<Row>& all() const { return m_rows; }
    /// A column of what `value` says of each row.
    template <class Value, class Of>
    [[nodiscard]] TableColumn::Values<Value> column(const Of& value) const {
        TableColumn::Values<Value> values;
        values.reserve(m_rows.size());
        for (const Row& row : m_rows) values.push_back(value(row));
        return values;
    }

private:
    void add(const Reading* reading, const OpReading* Row::*op, const CategoryBytes* Row::*bytes) {
        if (reading == nullptr) return;
        for (std::size_t i = 0; i < reading->ops.size(); ++i) {
            const auto [place, isNew] = m_index.emplace(reading->ops[i].id, m_rows.size());
            if (isNew) m_rows.emplace_back();
            Row& row = m_rows[place->second];
            row.*op = &reading->ops[i];
            if (reading->memory && i < reading->memory->curve.size()) row.*bytes = &reading->memory->curve[i];
        }
    }

    std::vector<Row> m_rows;
    std::unordered_map<std::string_view, std::size_t> m_index;
};

void addTimes(Table& table, const Rows& rows, const std::string& origin, const OpReading* Row::*op) {
    table.addNumbers(origin + "_seconds", rows.column<double>([&](const Row& row) {
        return row.*op != nullptr ? (row.*op)->seconds : std::nullopt;
    }));
    table.addTexts(origin + "_tier", rows.column<std::string>([&](const Row& row) {
        const OpReading* reading = row.*op;
        return reading != nullptr && reading->seconds && reading->tier
                   ? std::optional(std::string(tierName(*reading->tier)))
                   : std::nullopt;
    }));
}

void addCategories(Table& table, const Rows& rows, const std::string& origin,
                   const CategoryBytes* Row::*bytes) {
    for (const Category category : kAllCategories)
        table.addCounts(fmt::format("{}_{}_bytes", origin, categoryName(category)),
                        rows.column<std::int64_t>([&](const Row& row) {
                            return row.*bytes != nullptr ? std::optional((*(row.*bytes))[category])
                                                         : std::nullopt;
                        }));
}

void addTotal(Table& table, const Rows& rows, const std::string& origin, const CategoryBytes* Row::*bytes) {
    table.addCounts(origin + "_bytes", rows.column<std::int64_t>([&](const Row& row) {
        return row.*bytes != nullptr ? std::optional(total(*(row.*bytes))) : std::nullopt;
    }));
}

void addIds(Table& table, const Rows& rows) {
    table.addTexts("id", rows.column<std::string>([](const Row& row) { return row.op().id; }));
    table.addTexts("name", rows.column<std::string>([](const Row& row) { return row.op().name; }));
}

std::optional<std::string> textOrNone(std::string text) {
    return text.empty() ? std::nullopt : std::optional(std::move(text));
}

/// Module of each op by its id; empty where the step is not known.
std::unordered_map<std::string, std::string> modulesOf(const Step* step) {
    std::unordered_map<std::string, std::string> modules;
    if (step == nullptr) return modules;
    for (std::int32_t op = 0; op < step->opCount(); ++op) modules.emplace(step->opId(op), step->opModule(op));
    return modules;
}

std::optional<std::string> typeOf(const Step& step, TensorId id) {
    const auto* recorded = dynamic_cast<const RecordedStep*>(&step);
    if (recorded != nullptr && !recorded->tensor(id).elementType.empty())
        return recorded->tensor(id).elementType;
    return std::string(dtypeName(step.tensor(id).dtype));
}

}  // namespace

Table opsTable(const ExportedStep& step) {
    const Rows rows(step);
    Table table;
    addIds(table, rows);
    table.addTexts("phase", rows.column<std::string>(
                                [](const Row& row) { return std::string(phaseName(row.op().phase)); }));
    table.addTexts("kind", rows.column<std::string>([](const Row& row) { return row.op().kind; }));
    table.addCounts("flops", rows.column<std::int64_t>([](const Row& row) { return row.op().flops; }));
    table.addCounts("bytes", rows.column<std::int64_t>([](const Row& row) { return row.op().bytes; }));
    addTimes(table, rows, "predicted", &Row::predicted);
    addTimes(table, rows, "measured", &Row::measured);
    addCategories(table, rows, "predicted", &Row::predictedBytes);
    addCategories(table, rows, "measured", &Row::measuredBytes);
    for (const CounterKind kind : kAllCounters)
        table.addCounts(fmt::format("measured_{}", counterName(kind)),
                        rows.column<std::int64_t>([&](const Row& row) {
                            const std::optional<Counted> count =
                                row.measured != nullptr ? row.measured->counters[kind] : std::nullopt;
                            return count ? std::optional<std::int64_t>(count->value) : std::nullopt;
                        }));
    const auto modules = modulesOf(step.step());
    table.addTexts("module", rows.column<std::string>([&](const Row& row) {
        const auto found = modules.find(row.op().id);
        return found == modules.end() ? std::nullopt : textOrNone(found->second);
    }));
    table.addCounts("layer", rows.column<std::int64_t>([](const Row& row) {
        return row.op().layer > 0 ? std::optional<std::int64_t>(row.op().layer) : std::nullopt;
    }));
    table.addCounts("executions",
                    rows.column<std::int64_t>([](const Row& row) { return row.op().executions; }));
    return table;
}

Table tensorsTable(const ExportedStep& exported) {
    const Step& step = *exported.step();
    Texts names, categories, modules, types, shapes, firstOps, lastOps;
    Counts ids, bytes, first, last;
    Flags persistent, remains;
    const auto opId = [&](std::int32_t op) {
        return op >= 0 && op < step.opCount() ? std::optional(step.opId(op)) : std::nullopt;
    };
    for (TensorId id = 0; id < step.tensorCount(); ++id) {
        const StepTensor& tensor = step.tensor(id);
        ids.emplace_back(id);
        names.emplace_back(step.tensorName(id));
        categories.emplace_back(categoryName(tensor.category));
        modules.push_back(textOrNone(step.tensorModule(id)));
        types.push_back(typeOf(step, id));
        shapes.emplace_back(shapeText(step.tensorShape(id)));
        bytes.emplace_back(step.tensorBytes(id));
        persistent.emplace_back(tensor.persistent());
        remains.emplace_back(tensor.lastOp >= step.opCount());
        firstOps.push_back(opId(tensor.firstOp));
        lastOps.push_back(opId(tensor.lastOp));
        first.push_back(firstOps.back() ? std::optional<std::int64_t>(tensor.firstOp) : std::nullopt);
        last.push_back(lastOps.back() ? std::optional<std::int64_t>(tensor.lastOp) : std::nullopt);
    }
    Table table;
    table.addCounts("tensor", std::move(ids));
    table.addTexts("name", std::move(names));
    table.addTexts("category", std::move(categories));
    table.addTexts("module", std::move(modules));
    table.addTexts("type", std::move(types));
    table.addTexts("shape", std::move(shapes));
    table.addCounts("bytes", std::move(bytes));
    table.addFlags("is_there_before_the_step", std::move(persistent));
    table.addCounts("first_op_index", std::move(first));
    table.addTexts("first_op", std::move(firstOps));
    table.addCounts("last_op_index", std::move(last));
    table.addTexts("last_op", std::move(lastOps));
    table.addFlags("is_there_after_the_step", std::move(remains));
    return table;
}

Table memoryTable(const ExportedStep& step) {
    const Rows rows(step);
    Table table;
    Counts indices;
    for (std::size_t i = 0; i < rows.all().size(); ++i) indices.emplace_back(static_cast<std::int64_t>(i));
    table.addCounts("op", std::move(indices));
    addIds(table, rows);
    addTotal(table, rows, "predicted", &Row::predictedBytes);
    addCategories(table, rows, "predicted", &Row::predictedBytes);
    addTotal(table, rows, "measured", &Row::measuredBytes);
    addCategories(table, rows, "measured", &Row::measuredBytes);
    return table;
}

Table modulesTable(const ExportedStep& step) {
    std::optional<MeasuredStep> measured;
    if (step.measured) measured.emplace(*step.planned, step.measured);
    const ModuleTree tree(*step.planned, measured ? &*measured : nullptr);
    Texts paths, parents;
    Counts depths, ops, parameters, kept, flops;
    Numbers forward, backward, optimizer, all, predicted;
    std::vector<std::int64_t> depthOf;
    for (const ModuleNode& node : tree.nodes()) {
        const ModuleFigures& figures = node.figures;
        depthOf.push_back(node.parent < 0 ? 0 : entryAt(depthOf, node.parent) + 1);
        paths.emplace_back(node.parent < 0 ? "" : node.path.empty() ? "(outside of all modules)" : node.path);
        parents.push_back(node.parent < 0 ? std::nullopt : std::optional(tree.node(node.parent).path));
        depths.emplace_back(depthOf.back());
        ops.emplace_back(figures.ops);
        parameters.emplace_back(figures.parameters);
        kept.emplace_back(figures.kept);
        flops.emplace_back(figures.flops);
        forward.push_back(figures.forward);
        backward.push_back(figures.backward);
        optimizer.push_back(figures.optimizer);
        all.push_back(figures.measured());
        predicted.push_back(figures.predicted);
    }
    Table table;
    table.addTexts("module", std::move(paths));
    table.addTexts("parent", std::move(parents));
    table.addCounts("depth", std::move(depths));
    table.addCounts("ops", std::move(ops));
    table.addCounts("parameter_bytes", std::move(parameters));
    table.addCounts("kept_activation_bytes", std::move(kept));
    table.addCounts("flops", std::move(flops));
    table.addNumbers("measured_forward_seconds", std::move(forward));
    table.addNumbers("measured_backward_seconds", std::move(backward));
    table.addNumbers("measured_optimizer_seconds", std::move(optimizer));
    table.addNumbers("measured_seconds", std::move(all));
    table.addNumbers("predicted_seconds", std::move(predicted));
    return table;
}

Table timelineTable(const ExportedStep& step) {
    const Timeline& timeline = *step.measured->timeline;
    const std::vector<OpReading>& ops = step.measured->ops;
    Texts lanes, kinds, names, opIds;
    Counts laneIndices, bytes, correlations, opIndices;
    Numbers begins, ends;
    for (const TimelineRecord& record : timeline.records) {
        const bool hasOp = record.op >= 0 && static_cast<std::size_t>(record.op) < ops.size();
        begins.emplace_back(record.begin);
        ends.emplace_back(record.end);
        laneIndices.emplace_back(record.lane);
        lanes.emplace_back(entryAt(timeline.lanes, record.lane).name);
        kinds.emplace_back(timelineKindName(record.kind));
        names.push_back(record.name >= 0 ? std::optional(entryAt(timeline.names, record.name))
                        : hasOp          ? std::optional(entryAt(ops, record.op).name)
                                         : std::nullopt);
        opIndices.push_back(hasOp ? std::optional<std::int64_t>(record.op) : std::nullopt);
        opIds.push_back(hasOp ? std::optional(entryAt(ops, record.op).id) : std::nullopt);
        bytes.push_back(record.bytes >= 0 ? std::optional(record.bytes) : std::nullopt);
        correlations.push_back(record.correlation > 0 ? std::optional<std::int64_t>(record.correlation)
                                                      : std::nullopt);
    }
    Table table;
    table.addNumbers("begin_seconds", std::move(begins));
    table.addNumbers("end_seconds", std::move(ends));
    table.addCounts("lane_index", std::move(laneIndices));
    table.addTexts("lane", std::move(lanes));
    table.addTexts("kind", std::move(kinds));
    table.addTexts("name", std::move(names));
    table.addCounts("op_index", std::move(opIndices));
    table.addTexts("op", std::move(opIds));
    table.addCounts("bytes", std::move(bytes));
    table.addCounts("correlation", std::move(correlations));
    return table;
}

Table trainingTable(const ExportedStep& exported) {
    const TrainingSeries& series = *exported.training;
    Table table;
    Counts steps;
    for (const StepMetrics& step : series.steps) steps.emplace_back(step.step);
    table.addCounts("step", std::move(steps));
    if (!exported.passes.empty())
        table.addTexts("pass", Texts(exported.passes.begin(), exported.passes.end()));
    for (const StepMetric& metric : kStepMetrics) {
        Numbers values;
        for (const StepMetrics& step : series.steps) values.emplace_back(step.*metric.value);
        table.addNumbers(std::string(metric.name), std::move(values));
    }
    return table;
}

}  // namespace plumb

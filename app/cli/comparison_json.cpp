// SPDX-License-Identifier: Apache-2.0
#include "app/cli/comparison_json.h"

#include "core/io/json_type.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace plumb::cli {
namespace {

using nlohmann::json;

json judgementsJson(const std::vector<Judgement>& judgements) {
    json list = json::array();
    for (const Judgement& judged : judgements)
        list.push_back({{"change", changeName(judged.change)},
                        {"ratio", valueOrNull(judged.ratio)},
                        {"noise", valueOrNull(judged.band)}});
    return list;
}

json opJson(const OpRow& row) {
    json entry{{"phase", phaseName(row.phase)},
               {"module", row.place},
               {"kind", row.kind},
               {"seconds_changes", judgementsJson(row.times)},
               {"flops_changes", judgementsJson(row.flops)},
               {"bytes_changes", judgementsJson(row.bytes)}};
    for (const OpRow::Figures& figures : row.figures) {
        entry["ops"].push_back(figures.ops);
        entry["seconds"].push_back(figures.time ? json(figures.time->median) : json());
        entry["flops"].push_back(valueOrNull(figures.flops));
        entry["bytes"].push_back(valueOrNull(figures.bytes));
    }
    return entry;
}

}  // namespace

json comparisonJson(const Comparison& comparison) {
    json document{{"steps", json::array()},
                  {"facts", json::array()},
                  {"figures", json::array()},
                  {"operations", json::array()},
                  {"tensors", json::array()}};
    for (std::size_t i = 0; i < comparison.steps.size(); ++i) {
        const ComparedStep& step = comparison.steps[i];
        document["steps"].push_back({{"label", step.label},
                                     {"measured", step.isMeasured()},
                                     {"steps_measured", step.reading->stepsMeasured},
                                     {"machine_drift", comparison.drifts[i]},
                                     {"changed", comparison.isChanged(i)}});
    }
    for (const FactRow& fact : comparison.facts)
        document["facts"].push_back({{"name", fact.name}, {"values", fact.values}});
    for (const FigureRow& row : comparison.figures) {
        json values = json::array();
        for (const auto& value : row.values) values.push_back(valueOrNull(value));
        document["figures"].push_back({{"name", row.name},
                                       {"unit", row.unit},
                                       {"values", values},
                                       {"changes", judgementsJson(row.judgements)}});
    }
    for (const OpRow& row : comparison.ops) document["operations"].push_back(opJson(row));
    for (const TensorRow& row : comparison.tensors) {
        json values = json::array();
        for (const auto& bytes : row.bytes) values.push_back(valueOrNull(bytes));
        document["tensors"].push_back({{"name", row.name},
                                       {"category", categoryName(row.category)},
                                       {"bytes", values},
                                       {"changes", judgementsJson(row.judgements)}});
    }
    return document;
}

json budgetJson(const std::vector<BudgetLine>& lines) {
    json list = json::array();
    bool isKept = true;
    for (const BudgetLine& line : lines) {
        list.push_back({{"name", line.name},
                        {"unit", line.unit == "%" ? "share" : line.unit},
                        {"limit", line.limit},
                        {"value", valueOrNull(line.value)},
                        {"kept", line.isKept},
                        {"note", line.note}});
        isKept = isKept && line.isKept;
    }
    return {{"kept", isKept}, {"limits", std::move(list)}};
}

}  // namespace plumb::cli

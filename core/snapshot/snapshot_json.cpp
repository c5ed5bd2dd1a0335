// SPDX-License-Identifier: Apache-2.0
#include "core/data/data_provenance.h"
#include "core/io/json_values.h"
#include "core/machine/machine_json.h"
#include "core/measure/reading_json.h"
#include "core/measure/totals_check.h"
#include "core/measure/training_json.h"
#include "core/model/config_json.h"
#include "core/plan/traits_json.h"
#include "core/snapshot/measurements_json.h"
#include "core/snapshot/runs_json.h"
#include "core/snapshot/snapshot.h"

#include <algorithm>
#include <cmath>

namespace plumb {

namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "plumbline.snapshot";
/// Version of a file without columns, which older readers know too.
constexpr int kListVersion = 1;

bool isObject(const json& document, std::initializer_list<const char*> path) {
    const json* at = &document;
    for (const char* key : path) {
        const auto found = at->is_object() ? at->find(key) : at->end();
        if (!at->is_object() || found == at->end()) return false;
        at = &*found;
    }
    return at->is_object();
}

bool hasColumns(const json& document) {
    const auto ofReading = [](const json& owner, const char* reading) {
        return isObject(owner, {reading, "ops"}) || isObject(owner, {reading, "memory", "curve"});
    };
    const auto ofMeasured = [&](const json& owner) { return ofReading(owner, "measured"); };
    const auto ofTraining = [](const json& owner) {
        return isObject(owner, {"training", "first_scales", "tensors"}) ||
               isObject(owner, {"training", "last_scales", "tensors"});
    };
    return ofReading(document, "predicted") || ofMeasured(document) || ofTraining(document) ||
           std::ranges::any_of(document.at("runs"), ofTraining) ||
           std::ranges::any_of(document.at("measurements"), ofMeasured);
}

/// 6 * B * N, the rule of thumb for a training step; absent when it does not fit in 63 bits.
std::optional<Flops> ruleOfSix(const RunConfig& config) {
    const Flops rule = mulOrOverflow(6, mulOrOverflow(config.batch, config.parameters()));
    return rule < 0 ? std::nullopt : std::optional(rule);
}

/// Compares a derived number that a file carries for its human readers; missing or null is not compared.
void expectDerived(const JsonField& field, std::optional<std::int64_t> derived) {
    if (!field.isNull() && field.count() != derived && field.ok())
        field.fail("is " + field.json()->dump() + ", and the configuration makes it " +
                   (derived ? std::to_string(*derived) : "more than 63 bits can count"));
}

json standardizationJson(const Standardization& made) {
    return json{{"means", numbersJson(made.means)}, {"deviations", numbersJson(made.deviations)}};
}

std::optional<Standardization> readStandardization(const JsonField& made) {
    if (made.isNull() || !made.expectObject()) return std::nullopt;
    Standardization standardization{readNumbers(made["means"], true), readNumbers(made["deviations"], false)};
    if (made.ok() && standardization.means.size() != standardization.deviations.size())
        made["deviations"].fail("and means have different lengths");
    return standardization;
}

json dataJson(const DataProvenance& data) {
    json result{{"description", data.description}, {"samples", data.samples}};
    if (data.heldOut > 0) result["held_out"] = data.heldOut;
    if (data.standardization) result["standardization"] = standardizationJson(*data.standardization);
    if (data.targetStandardization)
        result["target_standardization"] = standardizationJson(*data.targetStandardization);
    return result;
}

DataProvenance readData(const JsonField& field) {
    DataProvenance data;
    data.description = field["description"].textOr("");
    data.samples = field["samples"].count();
    if (const JsonField heldOut = field["held_out"]; !heldOut.isNull()) data.heldOut = heldOut.count();
    data.standardization = readStandardization(field["standardization"]);
    data.targetStandardization = readStandardization(field["target_standardization"]);
    return data;
}

Snapshot readSnapshotFields(const JsonField& root) {
    Snapshot snapshot;
    snapshot.created = root["created"].textOr("");
    snapshot.program = root["program"].textOr("");
    snapshot.config = readConfig(root["config"]);
    if (root.ok()) {
        if (const auto valid = validate(snapshot.config); !valid.has_value())
            root["config"].fail("cannot be used: " + valid.error().text());
    }
    if (!root.ok()) return snapshot;
    expectDerived(root["parameters"], snapshot.config.parameters());
    expectDerived(root["rule_6bn_flops"], ruleOfSix(snapshot.config));
    snapshot.target.machine = readJson<Machine>(root["machine"]);
    if (const JsonField traits = root["traits"]; !traits.isNull())
        snapshot.target.traits = readJson<BackendTraits>(traits);
    if (const JsonField predicted = root["predicted"]; !predicted.isNull()) {
        snapshot.predicted = readJson<Reading>(predicted);
        expectBelievable(predicted, *snapshot.predicted, snapshot.config, snapshot.target.machine,
                         &*snapshot.predicted);
    }
    snapshot.predictedBy = root["predicted_by"].textOr("");
    if (const JsonField measured = root["measured"]; !measured.isNull()) {
        snapshot.measured = readJson<Reading>(measured);
        // Another program may have predicted other operations.
        const bool isOurs = snapshot.predicted && snapshot.predictedBy.empty();
        expectBelievable(measured, *snapshot.measured, snapshot.config, snapshot.target.machine,
                         isOurs ? &*snapshot.predicted : nullptr);
    }
    if (const JsonField data = root["data"]; !data.isNull()) snapshot.data = readData(data);
    if (const JsonField training = root["training"]; !training.isNull())
        snapshot.training = readJson<TrainingSeries>(training);
    snapshot.recomputeCurve = readCurve(root["checkpoint_curve"], snapshot.config);
    snapshot.runs = readRuns(root["runs"], snapshot);
    snapshot.measurements = readMeasurements(root["measurements"], snapshot);
    snapshot.curves = readCurves(root["curves"], snapshot);
    return snapshot;
}

}  // namespace

json toJson(const Snapshot& snapshot) {
    json document{{"format", kFormat},
                  {"version", kListVersion},
                  {"created", snapshot.created},
                  {"program", snapshot.program},
                  {"config", toJson(snapshot.config)},
                  {"machine", toJson(snapshot.target.machine)},
                  {"traits", toJson(snapshot.target.traits)},
                  {"parameters", snapshot.config.parameters()},
                  {"rule_6bn_flops", countJson(ruleOfSix(snapshot.config))},
                  {"predicted", snapshot.predicted ? toJson(*snapshot.predicted) : json()},
                  {"predicted_by", snapshot.predictedBy.empty() ? json() : json(snapshot.predictedBy)},
                  {"measured", snapshot.measured ? toJson(*snapshot.measured) : json()},
                  {"data", snapshot.data ? dataJson(*snapshot.data) : json()},
                  {"training", snapshot.training ? toJson(*snapshot.training) : json()},
                  {"checkpoint_curve", curveJson(snapshot.recomputeCurve, snapshot.config)},
                  {"runs", runsJson(snapshot)},
                  {"measurements", measurementsJson(snapshot)},
                  {"curves", curvesJson(snapshot)}};
    if (hasColumns(document)) document["version"] = Snapshot::kVersion;
    return document;
}

Result<Snapshot> snapshotFromJson(const json& document) {
    JsonField::Problem problem;
    const JsonField root(document, "", problem);
    const JsonField format = root["format"], version = root["version"];
    if (format.isNull() || !format.json()->is_string() ||
        format.json()->get_ref<const std::string&>() != kFormat)
        return Error{ErrorCode::BadInput,
                     R"(this is not a Plumbline snapshot (its "format" is not ")" + std::string(kFormat) +
                         "\")",
                     "choose a file that Plumbline saved"};
    const std::int64_t number = version.count(1);
    if (!problem && number > Snapshot::kVersion)
        return Error{ErrorCode::BadInput,
                     "it was written by a newer version (" + std::to_string(number) + ")",
                     "update Plumbline"};
    Snapshot snapshot;
    if (!problem) snapshot = readSnapshotFields(root);
    if (problem) return *std::move(problem);
    return snapshot;
}

}  // namespace plumb

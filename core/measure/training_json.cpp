// SPDX-License-Identifier: Apache-2.0
#include "core/measure/training_json.h"

#include "core/io/packed_json.h"
#include "core/measure/reading_columns.h"
#include "core/measure/step_metrics_json.h"
#include "core/measure/telemetry_json.h"

namespace plumb {

namespace {

using nlohmann::json;
using enum Presence;

constexpr JsonMember<TensorStatistics> kTensorMembers[]{
    member<&TensorStatistics::role, StatisticsRole>("tensor", Required),
    member<&TensorStatistics::layer, Whole<0, kMaxLayers + 1>>(
        "layer", Required, "0: the features; layers + 1: the head, or the gradient of its output"),
    member<&TensorStatistics::rootMeanSquare>("rms", Always, "Root mean square"),
    member<&TensorStatistics::amax>("largest", Always, "Largest magnitude"),
    member<&TensorStatistics::overflowed>("overflowed", Always, "Values in the observed steps"),
    member<&TensorStatistics::underflowed>("underflowed", Always, "Values in the observed steps")};

/// Null where nothing is known of the device, not even why.
struct HistoryIfAny {
    static json write(const DeviceHistory& history) { return history.empty() ? json() : toJson(history); }
    static DeviceHistory read(const JsonField& field) {
        return field.isNull() ? DeviceHistory() : Json<DeviceHistory>::read(field);
    }
    static json schema(json& definitions) { return orNull(Json<DeviceHistory>::schema(definitions)); }
};

/// As a list; those of a deep network in columns, as its ops are.
struct Tensors {
    using List = std::vector<TensorStatistics>;
    static json write(const List& tensors);
    static List read(const JsonField& field);
    static json schema(json& definitions);
};

struct HoldOut {
    static json write(const std::vector<HoldOutLoss>& points) {
        json steps = json::array(), losses = json::array();
        for (const HoldOutLoss& point : points) {
            steps.push_back(point.step);
            losses.push_back(numberJson(point.loss));
        }
        return {{"step", std::move(steps)}, {"loss", std::move(losses)}};
    }
    static std::vector<HoldOutLoss> read(const JsonField& field) {
        std::vector<HoldOutLoss> points;
        if (!field.expectObject()) return points;
        const JsonField step = field["step"], loss = field["loss"];
        const std::vector<std::int64_t> steps = Json<std::vector<std::int64_t>>::read(step);
        const std::vector<double> losses = ListOf<AnyNumber>::read(loss);
        if (field.ok() && losses.size() != steps.size()) loss.fail("and step have different lengths");
        for (std::size_t i = 0; i < steps.size() && field.ok(); ++i) {
            if (i > 0 && steps[i] <= steps[i - 1]) step.at(i).fail("is not after the step before it");
            points.push_back({steps[i], losses[i]});
        }
        return points;
    }
    static json schema(json& definitions) {
        return {{"type", "object"},
                {"required", {"step", "loss"}},
                {"properties",
                 {{"step", ListOf<Whole<>>::schema(definitions)},
                  {"loss", ListOf<AnyNumber>::schema(definitions)}}}};
    }
};

}  // namespace

JsonType<TensorStatistics> jsonType(Of<TensorStatistics> /*type*/) { return {{}, {}, kTensorMembers}; }

JsonType<LayerStatistics> jsonType(Of<LayerStatistics> /*type*/) {
    static constexpr JsonMember<LayerStatistics> kMembers[]{
        member<&LayerStatistics::step>("step", Required),
        member<&LayerStatistics::observedSteps, Maybe<Whole<1>>>(
            "observed_steps", IfSet, "Steps whose values were counted; without it those of every step were"),
        member<&LayerStatistics::tensors, Tensors>("tensors", Required)};
    return {"tensor_statistics", "The scale of every tracked tensor in one observed step", kMembers};
}

namespace {

json Tensors::write(const List& tensors) {
    if (tensors.size() <= kMostListedOps) return Json<List>::write(tensors);
    json columns{{"count", tensors.size()}};
    writeColumns<TensorStatistics>(kTensorMembers, tensors, columns);
    return columns;
}

Tensors::List Tensors::read(const JsonField& field) {
    if (field.json() == nullptr || !field.json()->is_object()) return Json<List>::read(field);
    const auto count = static_cast<std::size_t>(field["count"].count(0, static_cast<std::int64_t>(kMostOps)));
    List tensors(field.ok() ? count : 0);
    readColumns<TensorStatistics>(field, kTensorMembers, tensors);
    return tensors;
}

json Tensors::schema(json& definitions) {
    json columns{{"type", "object"},
                 {"description", "Since version 2, for more than 8192 tensors: the same in columns"},
                 {"required", {"count"}},
                 {"properties", {{"count", Whole<>::schema(definitions)}}}};
    describeColumns<TensorStatistics>(kTensorMembers, definitions, columns);
    return {{"oneOf", {Json<List>::schema(definitions), std::move(columns)}}};
}

}  // namespace

JsonType<TrainingSeries> jsonType(Of<TrainingSeries> /*type*/) {
    static constexpr JsonMember<TrainingSeries> kMembers[]{
        custom<TrainingSeries, StepColumns<&TrainingSeries::steps>>({}, Required),
        member<&TrainingSeries::stepsDone>("steps_done", Required),
        member<&TrainingSeries::skippedSteps>("skipped_steps", Added,
                                              "fp16: of steps_done, those that updated nothing"),
        member<&TrainingSeries::outcome>("outcome", Always),
        member<&TrainingSeries::holdOut, HoldOut>("hold_out", IfSet,
                                                  "The loss over all samples that are held out, with the "
                                                  "weights before each of these steps"),
        member<&TrainingSeries::device, HistoryIfAny>("device", Added),
        member<&TrainingSeries::firstScales>("first_scales", IfSet),
        member<&TrainingSeries::lastScales>("last_scales", IfSet),
        member<&TrainingSeries::look, &RunLook::name>("name", IfSet, "What the user called it"),
        member<&TrainingSeries::look, &RunLook::color, Whole<0, RunLook::kColors>>(
            "color", IfSet, "1 to 8: the colour that the user gave its curve, in the order of the window's"),
        member<&TrainingSeries::look, &RunLook::isShown>(
            "shown", IfSet, "Whether the user wants its curve; without it, where it is one of the newest"),
        member<&TrainingSeries::look, &RunLook::isBaseline>("baseline", IfSet,
                                                            "The other trainings are compared with it")};
    return {"training", "The loss curve, thinned out with its extremes kept", kMembers};
}

}  // namespace plumb

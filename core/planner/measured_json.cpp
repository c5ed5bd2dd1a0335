// SPDX-License-Identifier: Apache-2.0
#include "core/planner/measured_json.h"

#include "core/planner/measured.h"

#include <string>
#include <vector>

namespace plumb::planner {

JsonType<Scenario> jsonType(Of<Scenario> type);  // scenario_file.cpp

namespace {

using nlohmann::json;

const std::vector<std::string>& measurementKeys() {
    static const std::vector<std::string> kKeys = [] {
        std::vector<std::string> all{"what", "file", "seconds", "in"};
        for (const MemoryFigure& figure : kMemoryFigures) all.emplace_back(figure.field);
        return all;
    }();
    return kKeys;
}

}  // namespace

json MeasurementField::write(const Scenario& scenario) {
    const Measurement& measured = *scenario.measured;
    json object{{"what", measured.what}, {"in", plumb::toJson<Scenario>(*measured.in)}};
    if (measured.seconds > 0) object["seconds"] = measured.seconds;
    if (!measured.file.empty()) object["file"] = measured.file;
    for (const MemoryFigure& figure : kMemoryFigures)
        if (const auto& bytes = measured.memory.*figure.bytes) object[std::string(figure.field)] = *bytes;
    return object;
}

void MeasurementField::read(const JsonField& field, Scenario& scenario) {
    if (!field.expectObject()) return;
    refuseOthers(field, measurementKeys());
    const JsonField what = field["what"], file = field["file"], seconds = field["seconds"], in = field["in"],
                    nested = in["measured"];
    if (!field.ok()) return;
    if (!nested.isNull()) return nested.fail("is there, and a measurement rests on no other one");
    MeasuredFigures figures{.what = what.text(), .file = file.textOr("")};
    if (!seconds.isNull()) figures.seconds = seconds.number();
    for (const MemoryFigure& figure : kMemoryFigures)
        if (const JsonField bytes = field[figure.field]; !bytes.isNull())
            figures.memory.*figure.bytes = bytes.number();
    Scenario measuredIn;
    if (in.expectObject()) readMembers(in, measuredIn);
    if (!field.ok()) return;
    auto found = measure(measuredIn, std::move(figures));
    if (!found.has_value()) return field.fail("cannot be used: " + found.error().text());
    scenario.measured = *std::move(found);
}

json MeasurementField::schema(json& /*definitions*/) {
    json schema{{"type", "object"},
                {"required", {"what", "in"}},
                {"additionalProperties", false},
                {"properties",
                 {{"what", {{"type", "string"}, {"description", "\"step 1.23 s\""}}},
                  {"file", {{"type", "string"}, {"description", "That it was read from"}}},
                  {"seconds",
                   {{"type", "number"},
                    {"minimum", 0},
                    {"description", "Of a step; of a mere count of parameters, of a token"}}},
                  {"in", {{"$ref", "#"}, {"description", "The plan in which it was measured"}}}}}};
    for (const MemoryFigure& figure : kMemoryFigures)
        schema["properties"][std::string(figure.field)] = {
            {"type", "number"}, {"minimum", 0}, {"description", figure.about}};
    return schema;
}

}  // namespace plumb::planner

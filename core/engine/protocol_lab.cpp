// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol_json.h"
#include "core/io/json_values.h"
#include "core/measure/layer_statistics.h"

#include <limits>

namespace plumb::protocol {

namespace {

using nlohmann::json;

/// Exponents that an fp64 can have; no histogram has more bins than that.
constexpr std::int64_t kLeastExponent = -1100;
constexpr std::int64_t kLargestExponent = 1100;

TensorRole readRole(const JsonField& field) {
    const std::string name = field.text();
    const auto role = statisticsRoleFromName(name);
    if (!role) field.fail("is '" + name.substr(0, 40) + "', which is no role of a tensor");
    return role.value_or(TensorRole::Weight);
}

Dtype readDtype(const JsonField& field) {
    const std::string name = field.text();
    const auto dtype = dtypeFromName(name);
    if (!dtype) field.fail("is '" + name.substr(0, 40) + "', which is no dtype");
    return dtype.value_or(Dtype::Fp32);
}

std::int32_t readLayer(const JsonField& field) {
    return static_cast<std::int32_t>(field.count(0, INT32_MAX));
}

json histogramJson(const ValueHistogram& histogram) {
    json formats = json::array();
    for (const FormatLoss& loss : histogram.formats)
        formats.push_back({{"format", loss.format},
                           {"exact", loss.exact},
                           {"rounded", loss.rounded},
                           {"subnormal", loss.subnormal},
                           {"to_zero", loss.toZero},
                           {"beyond", loss.beyond}});
    return {{"count", histogram.count},
            {"zeros", histogram.zeros},
            {"infinities", histogram.infinities},
            {"not_numbers", histogram.notNumbers},
            {"negatives", histogram.negatives},
            {"largest", numberJson(histogram.largest)},
            {"smallest", numberJson(histogram.smallest)},
            {"root_mean_square", numberJson(histogram.rootMeanSquare)},
            {"lowest_exponent", histogram.lowestExponent},
            {"counts", histogram.counts},
            {"formats", std::move(formats)}};
}

ValueHistogram readHistogram(const JsonField& field) {
    ValueHistogram histogram;
    if (!field.expectObject()) return histogram;
    histogram.count = field["count"].count();
    histogram.zeros = field["zeros"].count();
    histogram.infinities = field["infinities"].count();
    histogram.notNumbers = field["not_numbers"].count();
    histogram.negatives = field["negatives"].count();
    histogram.largest = field["largest"].number();
    histogram.smallest = field["smallest"].number();
    histogram.rootMeanSquare = field["root_mean_square"].number();
    histogram.lowestExponent =
        static_cast<int>(field["lowest_exponent"].count(kLeastExponent, kLargestExponent));
    const JsonField counts = field["counts"], formats = field["formats"];
    histogram.counts = readCounts(counts);
    if (field.ok() && static_cast<std::int64_t>(histogram.counts.size()) > kLargestExponent - kLeastExponent)
        counts.fail("has more entries than numbers have exponents");
    const std::size_t size = formats.arraySize();
    for (std::size_t i = 0; i < size && field.ok(); ++i) {
        const JsonField entry = formats.at(i);
        FormatLoss loss;
        loss.format = entry["format"].text();
        loss.exact = entry["exact"].count();
        loss.rounded = entry["rounded"].count();
        loss.subnormal = entry["subnormal"].count();
        loss.toZero = entry["to_zero"].count();
        loss.beyond = entry["beyond"].count();
        histogram.formats.push_back(std::move(loss));
    }
    return histogram;
}

/// Numbers that are not finite are null: those of a training that diverged.
RecoveredNumbers readRecovered(const JsonField& field) {
    RecoveredNumbers recovered;
    if (!field.expectObject()) return recovered;
    const JsonField expected = field["expected"], found = field["found"];
    recovered.expected = readNumbers(expected, false);
    recovered.found = readNumbers(found, true);
    if (field.ok() && (recovered.found.size() != recovered.expected.size() ||
                       recovered.found.size() > RecoveredNumbers::kMost))
        found.fail("has " + std::to_string(recovered.found.size()) + " entries for " +
                   std::to_string(recovered.expected.size()) + " expected ones");
    recovered.largestError = field["largest_error"].numberOrNan();
    recovered.meanError = field["mean_error"].numberOrNan();
    return recovered;
}

ValueGrid readGrid(const JsonField& field) {
    ValueGrid grid;
    if (!field.expectObject()) return grid;
    grid.rows = field["rows"].count(0, ValueGrid::kMostCells);
    grid.columns = field["columns"].count(0, ValueGrid::kMostCells);
    const JsonField means = field["means"];
    grid.means = readNumbers(means, true);
    if (field.ok() && static_cast<std::int64_t>(grid.means.size()) != grid.rows * grid.columns)
        means.fail("is not rows times columns numbers");
    return grid;
}

}  // namespace

json fieldsOf(const Inspect& inspect) {
    json fields{{"role", statisticsRoleName(inspect.role)}, {"layer", inspect.layer}};
    if (!inspect.saveTo.empty()) fields["save_to"] = inspect.saveTo;
    return fields;
}

Inspect readInspect(const JsonField& message) {
    Inspect inspect;
    inspect.role = readRole(message["role"]);
    inspect.layer = readLayer(message["layer"]);
    inspect.saveTo = message["save_to"].textOr("");
    return inspect;
}

json fieldsOf(const TimeEinsum& question) {
    return {
        {"expression", question.expression}, {"sizes", question.sizes}, {"dtype", dtypeName(question.dtype)}};
}

TimeEinsum readTimeEinsum(const JsonField& message) {
    TimeEinsum question;
    question.expression = message["expression"].text();
    question.dtype = readDtype(message["dtype"]);
    const JsonField sizes = message["sizes"];
    if (!sizes.expectObject()) return question;
    for (const auto& item : sizes.json()->items()) question.sizes[item.key()] = sizes[item.key()].count(1);
    return question;
}

json fieldsOf(const TensorValues& values) {
    const TensorInspection& inspection = values.inspection;
    json fields{{"role", statisticsRoleName(inspection.role)},
                {"layer", inspection.layer},
                {"steps", inspection.steps},
                {"dtype", dtypeName(inspection.dtype)},
                {"rows", inspection.rows},
                {"columns", inspection.columns},
                {"scale", numberJson(inspection.scale)},
                {"histogram", histogramJson(inspection.histogram)},
                {"grid",
                 {{"rows", inspection.grid.rows},
                  {"columns", inspection.grid.columns},
                  {"means", numbersJson(inspection.grid.means)}}}};
    if (!inspection.savedTo.empty()) fields["saved_to"] = inspection.savedTo;
    if (const auto& recovered = inspection.recovered)
        fields["recovered"] = {{"expected", numbersJson(recovered->expected)},
                               {"found", numbersJson(recovered->found)},
                               {"largest_error", numberJson(recovered->largestError)},
                               {"mean_error", numberJson(recovered->meanError)}};
    return fields;
}

TensorValues readTensorValues(const JsonField& message) {
    TensorInspection inspection;
    inspection.role = readRole(message["role"]);
    inspection.layer = readLayer(message["layer"]);
    inspection.steps = message["steps"].count();
    inspection.dtype = readDtype(message["dtype"]);
    inspection.rows = message["rows"].count();
    inspection.columns = message["columns"].count();
    // null: infinite or not a number, as that of an fp8 tensor which holds such.
    inspection.scale = message["scale"].numberOrNull().value_or(std::numeric_limits<double>::quiet_NaN());
    const JsonField histogram = message["histogram"];
    inspection.histogram = readHistogram(histogram);
    if (const JsonField grid = message["grid"]; !grid.isNull()) inspection.grid = readGrid(grid);
    inspection.savedTo = message["saved_to"].textOr("");
    if (const JsonField recovered = message["recovered"]; !recovered.isNull())
        inspection.recovered = readRecovered(recovered);
    return {std::move(inspection)};
}

json fieldsOf(const EinsumTimed& timed) {
    return {{"expression", timed.expression},
            {"seconds", numberJson(timed.median)},
            {"fastest_seconds", numberJson(timed.fastest)},
            {"runs", timed.runs},
            {"implementation", timed.implementation},
            {"machine", timed.machine}};
}

EinsumTimed readEinsumTimed(const JsonField& message) {
    EinsumTimed timed;
    timed.expression = message["expression"].text();
    timed.median = message["seconds"].number();
    timed.fastest = message["fastest_seconds"].number();
    timed.runs = message["runs"].count(1);
    timed.implementation = message["implementation"].textOr("");
    timed.machine = message["machine"].textOr("");
    return timed;
}

}  // namespace plumb::protocol

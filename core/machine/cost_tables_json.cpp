// SPDX-License-Identifier: Apache-2.0
#include "core/machine/cost_tables_json.h"

#include "core/io/json_values.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace plumb {

using nlohmann::json;

namespace {

constexpr std::int64_t kVersion = 2;
// Far beyond what is measured, and near enough that no product or quotient of two of them overflows.
constexpr double kMostSize = 1e30;
constexpr Seconds kLeastSeconds = 1e-15;
constexpr Seconds kMostSeconds = 1e15;

/// Absent in older records.
constexpr std::array kLaterErrors{std::pair{"median_error_at_speed", &PredictionRecord::medianErrorAtSpeed},
                                  std::pair{"p90_error_at_speed", &PredictionRecord::p90ErrorAtSpeed},
                                  std::pair{"op_median_error", &PredictionRecord::opMedianError},
                                  std::pair{"op_p90_error", &PredictionRecord::opP90Error}};

double within(const JsonField& field, double least, double most) {
    const double value = field.number();
    if (!field.ok() || (value >= least && value <= most)) return field.ok() ? value : least;
    field.fail("is out of range");
    return least;
}

std::vector<double> readSizes(const JsonField& field, double least, double most) {
    std::vector<double> values;
    const std::size_t count = field.arraySize();
    values.reserve(count);
    for (std::size_t i = 0; i < count && field.ok(); ++i) values.push_back(within(field.at(i), least, most));
    return values;
}

CostLine readLine(const JsonField& field) {
    CostLine line;
    line.plane = within(field["plane"], 1, kMostSize);
    line.column = within(field["column"], 1, kMostSize);
    const JsonField rows = field["rows"];
    line.rows = readSizes(rows, 1, kMostSize);
    line.work = readSizes(field["work"], 1, kMostSize);
    line.seconds = readSizes(field["seconds"], kLeastSeconds, kMostSeconds);
    if (line.rows.empty()) rows.fail("is empty");
    if (line.work.size() != line.rows.size() || line.seconds.size() != line.rows.size())
        rows.fail("has another length than work and seconds");
    if (!std::is_sorted(line.rows.begin(), line.rows.end(), std::less_equal<>())) rows.fail("does not rise");
    return line;
}

CostTable readTable(const JsonField& field) {
    CostTable table;
    table.op = field["op"].text();
    const JsonField lines = field["lines"];
    const std::size_t count = lines.arraySize();
    for (std::size_t i = 0; i < count && field.ok(); ++i) {
        const JsonField line = lines.at(i);
        table.lines.push_back(readLine(line));
        if (i == 0) continue;
        const CostLine& last = table.lines[i - 1];
        const CostLine& next = table.lines[i];
        if (std::pair(next.plane, next.column) <= std::pair(last.plane, last.column))
            line.fail("does not rise in plane and column");
    }
    if (table.lines.empty()) lines.fail("is empty");
    return table;
}

BandwidthPoint readBandwidth(const JsonField& field) {
    BandwidthPoint point;
    point.workingSet = field["working_set_bytes"].count(1);
    point.read = within(field["read_bytes_per_s"], 1, kMostSize);
    point.copy = within(field["copy_bytes_per_s"], 1, kMostSize);
    point.update = within(field["update_bytes_per_s"], 1, kMostSize);
    return point;
}

json toJson(const CostTable& table) {
    json lines = json::array();
    for (const CostLine& line : table.lines)
        lines.push_back({{"plane", line.plane},
                         {"column", line.column},
                         {"rows", line.rows},
                         {"work", line.work},
                         {"seconds", numbersJson(line.seconds)}});
    return json{{"op", table.op}, {"lines", std::move(lines)}};
}

}  // namespace

json toJson(const CostTables& costs) {
    json tables = json::array();
    for (const CostTable& table : costs.tables) tables.push_back(toJson(table));
    json bandwidth = json::array();
    for (const BandwidthPoint& point : costs.bandwidth)
        bandwidth.push_back({{"working_set_bytes", point.workingSet},
                             {"read_bytes_per_s", numberJson(point.read)},
                             {"copy_bytes_per_s", numberJson(point.copy)},
                             {"update_bytes_per_s", numberJson(point.update)}});
    json result{{"version", kVersion},
                {"between_ops_s", numberJson(costs.betweenOps)},
                {"threads", costs.threads},
                {"bandwidth", std::move(bandwidth)},
                {"tables", std::move(tables)}};
    if (costs.speed) {
        json speed = toJson(costs.speed->probe);
        speed["spread"] = numberJson(costs.speed->spread);
        speed["system_load"] = numberJson(costs.speed->systemLoad);
        speed["probes"] = costs.speed->probes;
        result["speed"] = std::move(speed);
    }
    return result;
}

json toJson(const SpeedProbe& probe) {
    return json{{"product_flop_per_s", numberJson(probe.productFlopPerSecond)},
                {"copy_bytes_per_s", numberJson(probe.copyBytesPerSecond)},
                {"loop_per_s", numberJson(probe.loopPerSecond)}};
}

SpeedProbe readSpeedProbe(const JsonField& field) {
    SpeedProbe probe;
    if (!field.expectObject()) return probe;
    probe.productFlopPerSecond = within(field["product_flop_per_s"], 1, kMostSize);
    probe.copyBytesPerSecond = within(field["copy_bytes_per_s"], 1, kMostSize);
    probe.loopPerSecond = within(field["loop_per_s"], 1, kMostSize);
    return probe;
}

json toJson(const PredictionRecord& record) {
    json result{{"date", record.date},
                {"configurations", record.configurations},
                {"median_error", numberJson(record.medianError)},
                {"p90_error", numberJson(record.p90Error)}};
    for (const auto& [key, member] : kLaterErrors)
        if (record.*member) result[key] = numberJson(record.*member);
    return result;
}

std::optional<CostTables> readCosts(const JsonField& field) {
    if (field.isNull() || !field.expectObject()) return std::nullopt;
    if (field["version"].count(1) != kVersion) return std::nullopt;
    CostTables costs;
    costs.betweenOps = within(field["between_ops_s"], 0, kMostSeconds);
    constexpr std::int64_t kMostThreads = 1 << 16;
    costs.threads = static_cast<int>(std::min(field["threads"].count(1), kMostThreads));
    const JsonField bandwidth = field["bandwidth"];
    const std::size_t points = bandwidth.arraySize();
    for (std::size_t i = 0; i < points && field.ok(); ++i) {
        const JsonField point = bandwidth.at(i);
        costs.bandwidth.push_back(readBandwidth(point));
        if (i > 0 && costs.bandwidth[i].workingSet <= costs.bandwidth[i - 1].workingSet)
            point.fail("does not rise in working_set_bytes");
    }
    const JsonField tables = field["tables"];
    const std::size_t count = tables.arraySize();
    for (std::size_t i = 0; i < count && field.ok(); ++i) {
        const JsonField table = tables.at(i);
        costs.tables.push_back(readTable(table));
        if (i > 0 && costs.tables[i].op <= costs.tables[i - 1].op) table.fail("does not rise in op");
    }
    if (const JsonField speed = field["speed"]; !speed.isNull()) {
        CalibratedSpeed& found = costs.speed.emplace();
        found.probe = readSpeedProbe(speed);
        found.spread = speed["spread"].number();
        found.systemLoad = speed["system_load"].number();
        found.probes = speed["probes"].count(1);
    }
    if (!field.ok()) return std::nullopt;
    return costs;
}

std::optional<PredictionRecord> readPredictionRecord(const JsonField& field) {
    if (field.isNull() || !field.expectObject()) return std::nullopt;
    PredictionRecord record;
    record.date = field["date"].text();
    record.configurations = field["configurations"].count(1);
    record.medianError = field["median_error"].number();
    record.p90Error = field["p90_error"].number();
    for (const auto& [key, member] : kLaterErrors) record.*member = field[key].numberOrNull();
    return record;
}

}  // namespace plumb

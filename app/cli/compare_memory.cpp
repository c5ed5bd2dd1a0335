// SPDX-License-Identifier: Apache-2.0
// `compare` of two memory snapshots: what lives at the peaks of their devices.
#include "app/cli/compare_memory.h"

#include "app/cli/console.h"
#include "core/base/plain_text.h"
#include "core/base/table.h"
#include "core/io/csv_writer.h"
#include "core/io/json_fields.h"
#include "core/memory_snapshot/memory_comparison.h"
#include "core/memory_snapshot/opened_memory.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb::cli {

namespace {

using nlohmann::json;

/// A device of both files.
struct DevicePair {
    const MemoryReplay& before;
    const MemoryReplay& after;
    std::vector<SiteComparison> rows;
};

std::vector<DevicePair> devicesOfBoth(const OpenedMemory& before, const OpenedMemory& after,
                                      const MemoryComparisonOptions& options) {
    std::vector<DevicePair> pairs;
    for (const auto& device : before.devices())
        for (const auto& other : after.devices()) {
            if (device->replay.device != other->replay.device) continue;
            DevicePair pair{device->replay, other->replay,
                            compareMemory(options.key,
                                          {device->replay, before.sites(), device->replay.peakPosition},
                                          {other->replay, after.sites(), other->replay.peakPosition})};
            if (!options.all)
                std::erase_if(pair.rows, [](const SiteComparison& row) { return row.before == row.after; });
            pairs.push_back(std::move(pair));
        }
    return pairs;
}

std::string signedBytes(Bytes bytes) { return (bytes > 0 ? "+" : "") + bytesText(bytes); }

json pairJson(const DevicePair& pair) {
    json rows = json::array();
    for (const SiteComparison& row : pair.rows)
        rows.push_back({{"name", row.site},
                        {"before_bytes", row.before.bytes},
                        {"before_count", row.before.count},
                        {"after_bytes", row.after.bytes},
                        {"after_count", row.after.count},
                        {"difference_bytes", row.difference()},
                        {"change", kMemoryChangeNames.name(row.change())}});
    json sums = json::object();
    const auto changes = changeSums(pair.rows);
    for (const auto& [change, name] : kMemoryChangeNames)
        sums[std::string(name)] = {{"bytes", changes[change].bytes}, {"places", changes[change].places}};
    return {{"device", pair.before.device},
            {"before_peak_bytes", pair.before.peakBytes},
            {"after_peak_bytes", pair.after.peakBytes},
            {"before_reserved_peak_bytes", pair.before.reservedPeakBytes},
            {"after_reserved_peak_bytes", pair.after.reservedPeakBytes},
            {"changes", std::move(sums)},
            {"rows", std::move(rows)}};
}

/// A row for each place of each device, in bytes.
std::string pairsCsv(const std::vector<DevicePair>& pairs) {
    CsvWriter csv;
    for (const std::string_view title : {"device", "name", "before_bytes", "before_count", "after_bytes",
                                         "after_count", "difference_bytes", "change"})
        csv.cell(title);
    csv.endRow();
    for (const DevicePair& pair : pairs)
        for (const SiteComparison& row : pair.rows) {
            csv.cell(std::optional<std::int64_t>(pair.before.device));
            csv.cell(row.site);
            for (const SiteBytes& side : {row.before, row.after}) {
                csv.cell(std::optional<std::int64_t>(side.bytes));
                csv.cell(std::optional(static_cast<std::int64_t>(side.count)));
            }
            csv.cell(std::optional<std::int64_t>(row.difference()));
            csv.cell(kMemoryChangeNames.name(row.change()));
            csv.endRow();
        }
    return csv.take();
}

std::string pairText(const DevicePair& pair, const MemoryComparisonOptions& options) {
    const auto written = [&](const Table& table) {
        return options.form == TableForm::Markdown ? table.markdown() : table.text();
    };
    Table figures;
    figures.add({fmt::format("Device {}", pair.before.device), "before", "after", "difference"});
    const auto add = [&](const char* name, Bytes before, Bytes after) {
        figures.add({name, bytesText(before), bytesText(after), signedBytes(after - before)});
    };
    add("live at the peak", pair.before.peakBytes, pair.after.peakBytes);
    add("reserved at most", pair.before.reservedPeakBytes, pair.after.reservedPeakBytes);
    std::string text = written(figures) + "\n";
    if (pair.rows.empty()) return text + "Nothing differs at the peaks.\n";
    Table sums;
    sums.add({"At the peaks", "bytes", "in"});
    const auto changes = changeSums(pair.rows);
    for (const auto& [change, name] : kMemoryChangeNames)
        if (change != MemoryChange::Same && changes[change].places > 0)
            sums.add({std::string(name), signedBytes(changes[change].bytes),
                      std::to_string(changes[change].places)});
    text += written(sums) + "\n";
    Table table;
    table.add({fmt::format("At the peaks, by {}", kMemoryKeyNames.name(options.key)), "before", "blocks",
               "after", "blocks", "difference", "change"});
    for (const SiteComparison& row : pair.rows)
        table.add({plainLine(row.site, 100), bytesText(row.before.bytes), std::to_string(row.before.count),
                   bytesText(row.after.bytes), std::to_string(row.after.count), signedBytes(row.difference()),
                   std::string(kMemoryChangeNames.name(row.change()))});
    return text + written(table);
}

}  // namespace

Result<std::string> compareMemorySnapshots(const std::vector<std::string>& paths,
                                           const MemoryComparisonOptions& options) {
    if (paths.size() != 2)
        return badInput(fmt::format("{} memory snapshots cannot be compared at once", paths.size()),
                        "give two, the first is the baseline");
    PLUMB_TRY(const auto before, OpenedMemory::open(paths[0]));
    PLUMB_TRY(const auto after, OpenedMemory::open(paths[1]));
    const std::vector<DevicePair> pairs = devicesOfBoth(*before, *after, options);
    if (pairs.empty())
        return badInput(fmt::format("{:s} and {:s} have no device in common", paths[0], paths[1]),
                        "compare snapshots of the same device");
    if (options.isJson) {
        json devices = json::array();
        for (const DevicePair& pair : pairs) devices.push_back(pairJson(pair));
        return dumpJson({{"key", kMemoryKeyNames.name(options.key)}, {"devices", std::move(devices)}}, 1) +
               "\n";
    }
    if (options.form == TableForm::Csv) return pairsCsv(pairs);
    std::string text;
    for (const DevicePair& pair : pairs) text += (text.empty() ? "" : "\n") + pairText(pair, options);
    return text;
}

}  // namespace plumb::cli

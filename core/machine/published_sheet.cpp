// SPDX-License-Identifier: Apache-2.0
#include "core/machine/published_sheet.h"

#include "core/io/json_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb {

extern const std::string_view hardwareJson;  // generated from resources/hardware.json

namespace {

using nlohmann::json;

/// Keys end with their unit, but for counts, years and the peaks, whose unit their object has.
std::string unitOf(std::string_view path) {
    if (path.starts_with("peak_flop_per_s.int8")) return "OP/s";
    if (path.find("flop_per_s") != std::string_view::npos) return "FLOP/s";
    if (path.ends_with("_bytes_per_s")) return "B/s";
    if (path.ends_with("_bytes")) return "B";
    if (path.ends_with("_w")) return "W";
    if (path.ends_with("_mhz")) return "MHz";
    return {};
}

/// The value at "a" or "a.b"; null where there is none.
const json* valueAt(const json& device, const std::string& path) {
    const json* value = &device;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t dot = std::min(path.find('.', begin), path.size());
        const auto found = value->find(path.substr(begin, dot - begin));
        if (!value->is_object() || found == value->end()) return nullptr;
        value = &*found;
        begin = dot + 1;
    }
    return value;
}

std::string wordAt(const json& device, const std::string& path) {
    const json* const value = valueAt(device, path);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

SheetFigure figureAt(const json& device, const std::string& path, const std::string& status) {
    SheetFigure figure{.path = path, .unit = unitOf(path), .status = status};
    const json* const value = valueAt(device, path);
    if (value != nullptr && value->is_number()) figure.value = value->get<double>();
    if (value != nullptr && value->is_string()) figure.text = value->get<std::string>();
    return figure;
}

/// In the order of the sheet: memory, bandwidth, peaks, links and the rest. A json object has lost it.
int placeOf(std::string_view path) {
    constexpr std::string_view kOrder[]{"release_year", "memory_",       "bandwidth_", "peak_",
                                        "measured_",    "interconnect.", "tdp_w"};
    int place = 0;
    for (const std::string_view start : kOrder) {
        if (path.starts_with(start)) return place;
        ++place;
    }
    return place;
}

}  // namespace

std::optional<PublishedSheet> publishedSheet(std::string_view id) {
    const json document = json::parse(hardwareJson, nullptr, false);
    if (document.is_discarded()) return std::nullopt;  // a defect of this very build, which tests find
    for (const json& device : document["devices"]) {
        if (wordAt(device, "id") != id) continue;
        PublishedSheet sheet{.id = wordAt(device, "id"),
                             .name = wordAt(device, "name"),
                             .vendor = wordAt(device, "vendor"),
                             .architecture = wordAt(device, "architecture"),
                             .formFactor = wordAt(device, "form_factor"),
                             .memoryType = wordAt(device, "memory_type"),
                             .linkName = wordAt(device, "interconnect.name"),
                             .hostLink = wordAt(device, "interconnect.host_link")};
        for (const auto& [path, status] : device["status"].items())
            sheet.figures.push_back(figureAt(device, path, status.get<std::string>()));
        std::stable_sort(
            sheet.figures.begin(), sheet.figures.end(),
            [](const SheetFigure& a, const SheetFigure& b) { return placeOf(a.path) < placeOf(b.path); });
        sheet.notes = device["notes"].get<std::vector<std::string>>();
        for (const json& source : document["sources"]) {
            const json& own = device["sources"];
            if (std::find(own.begin(), own.end(), source["id"]) == own.end()) continue;
            sheet.sources.push_back({wordAt(source, "id"), wordAt(source, "title"), wordAt(source, "url")});
        }
        return sheet;
    }
    return std::nullopt;
}

}  // namespace plumb

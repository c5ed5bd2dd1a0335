// SPDX-License-Identifier: Apache-2.0
#include "core/machine/hardware_database.h"

#include "core/base/ascii.h"
#include "core/machine/machine.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace plumb {

extern const std::string_view hardwareJson;  // generated from resources/hardware.json

namespace {

using nlohmann::json;

/// Which figure of a sheet is the peak of which dtype. Others (fp64 on matrix units, fp16 accumulation,
/// int8) are checked, but no dtype of ours is computed that way.
struct PeakField {
    const char* key;
    Dtype dtype;
};
constexpr std::array kPeakFields{PeakField{"fp64", Dtype::Fp64},  PeakField{"fp32", Dtype::Fp32},
                                 PeakField{"tf32", Dtype::Tf32},  PeakField{"fp16", Dtype::Fp16},
                                 PeakField{"bf16", Dtype::Bf16},  PeakField{"fp8", Dtype::Fp8E4M3},
                                 PeakField{"fp4", Dtype::Fp4E2M1}};

/// One sheet while it is read; the first problem is kept and named by sheet and field.
class DataSheet {
public:
    DataSheet(const json& object, const std::set<std::string>& sources)
        : m_object(object), m_sources(sources) {
        m_id = text("id");
    }

    [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }

    std::string text(const char* key) {
        const auto found = m_object.find(key);
        if (found == m_object.end() || !found->is_string() || found->get_ref<const std::string&>().empty()) {
            fail(key, "has no text");
            return {};
        }
        return found->get<std::string>();
    }

    /// A figure at "a" or "a.b"; absent exactly when its status says that there is none.
    std::optional<double> figure(const std::string& path) {
        const json* value = &m_object;
        for (std::size_t begin = 0; begin <= path.size();) {
            const std::size_t dot = std::min(path.find('.', begin), path.size());
            const auto found = value->find(path.substr(begin, dot - begin));
            if (!value->is_object() || found == value->end()) {
                fail(path, "is missing");
                return {};
            }
            value = &*found;
            begin = dot + 1;
        }
        const std::string status = statusOf(path);
        const bool none = status == "unsupported" || status == "unpublished";
        if (value->is_null()) {
            if (!none) fail(path, "is null, and its status does not say why");
            return {};
        }
        if (none) fail(path, "has a value, and its status says '" + status + "'");
        if (!value->is_number() || !(value->get<double>() > 0))
            fail(path, "is not a positive number");
        else if (status == "memory")
            m_unverified.push_back(path);
        return value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
    }

    std::vector<std::string> peakKeys() {
        std::vector<std::string> keys;
        const auto peaks = m_object.find("peak_flop_per_s");
        if (peaks == m_object.end() || !peaks->is_object())
            fail("peak_flop_per_s", "is missing");
        else
            for (const auto& [key, value] : peaks->items()) keys.push_back(key);
        return keys;
    }

    /// A figure that a sheet need not have: absent instead of a problem when the path is not there.
    std::optional<double> optionalFigure(const std::string& object, const std::string& key) {
        const auto found = m_object.find(object);
        const json* const owner = object.empty() ? &m_object : found == m_object.end() ? nullptr : &*found;
        if (owner == nullptr || !owner->is_object() || !owner->contains(key)) return std::nullopt;
        return figure(object.empty() ? key : object + "." + key);
    }

    /// The positive numbers of an object by its keys; they have no status of their own.
    std::vector<std::pair<std::string, double>> numbers(const char* key) {
        std::vector<std::pair<std::string, double>> result;
        const auto found = m_object.find(key);
        if (found == m_object.end() || !found->is_object()) return result;
        for (const auto& [name, value] : found->items()) {
            if (value.is_number() && value.get<double>() > 0)
                result.emplace_back(name, value.get<double>());
            else
                fail(key, "has no positive number for " + name);
        }
        return result;
    }

    std::string interconnectText(const char* key) {
        const auto found = m_object.find("interconnect");
        if (found == m_object.end() || !found->is_object()) return {};
        const auto name = found->find(key);
        return name == found->end() || !name->is_string() ? "" : name->get<std::string>();
    }

    /// "data sheet: epoch, stas; from memory, not checked: tdp_w"
    std::string provenance(const std::vector<std::string>& shown) {
        std::string result = "data sheet: ";
        const auto list = m_object.find("sources");
        if (list == m_object.end() || !list->is_array() || list->empty()) {
            fail("sources", "names none");
            return result;
        }
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (!(*list)[i].is_string() || !m_sources.contains((*list)[i].get<std::string>()))
                fail("sources", "names one that is not in the list of sources");
            else
                result += (i == 0 ? "" : ", ") + (*list)[i].get<std::string>();
        }
        std::string unverified;
        for (const std::string& path : m_unverified)
            if (std::find(shown.begin(), shown.end(), path) != shown.end())
                unverified += (unverified.empty() ? "" : ", ") + path;
        return unverified.empty() ? result : result + "; from memory, not verified: " + unverified;
    }

private:
    std::string statusOf(const std::string& path) {
        const auto statuses = m_object.find("status");
        if (statuses == m_object.end() || !statuses->is_object() || !statuses->contains(path) ||
            !(*statuses)[path].is_string()) {
            fail(path, "has no status, so nobody knows where it is from");
            return {};
        }
        std::string status = (*statuses)[path].get<std::string>();
        std::string ids;
        if (status.starts_with("seen:"))
            ids = status.substr(5, status.find(';') == std::string::npos ? std::string::npos
                                                                         : status.find(';') - 5);
        else if (status.starts_with("derived:"))  // with "[ids]" where the figure it starts from has a source
            ids = status.find('[') == std::string::npos
                      ? ""
                      : status.substr(status.rfind('[') + 1, status.rfind(']') - status.rfind('[') - 1);
        else if (status != "memory" && status != "unsupported" && status != "unpublished")
            fail(path, "has the unknown status '" + status + "'");
        for (std::size_t begin = 0; !ids.empty() && begin <= ids.size();) {
            const std::size_t comma = std::min(ids.find(',', begin), ids.size());
            std::string id = ids.substr(begin, comma - begin);
            id.erase(0, id.find_first_not_of(' '));
            id.erase(id.find_last_not_of(' ') + 1);
            if (!m_sources.contains(id))
                fail(path, "is from '" + id + "', which is not in the list of sources");
            begin = comma + 1;
        }
        return status;
    }
    void fail(const std::string& field, const std::string& what) {
        if (!m_problem)
            m_problem =
                Error{ErrorCode::BadInput,
                      "hardware record " + (m_id.empty() ? "without id" : m_id) + ": " + field + " " + what,
                      "correct it in hardware.json"};
    }

    const json& m_object;
    const std::set<std::string>& m_sources;
    std::string m_id;
    std::vector<std::string> m_unverified;
    std::optional<Error> m_problem;
};

/// "9.0" is 90; absent for what is no such number.
std::optional<int> computeCapabilityFromText(const std::string& text) {
    const std::size_t dot = text.find('.');
    const bool digits = text.find_first_not_of("0123456789.") == std::string::npos;
    if (!digits || dot == 0 || dot > 3 || dot + 2 != text.size()) return std::nullopt;
    int major = 0;
    std::from_chars(text.data(), text.data() + dot, major);
    return major * 10 + (text[dot + 1] - '0');
}

Result<Machine> machineFromSheet(const json& object, const std::set<std::string>& sources) {
    DataSheet sheet(object, sources);
    Machine machine;
    machine.id = sheet.text("id");
    machine.name = sheet.text("name");
    // Only what a backend of ours can drive is named; other makes are for planning.
    machine.backend = sheet.text("vendor") == "NVIDIA" ? "cuda" : "";
    if (machine.backend == "cuda")
        machine.computeCapability = computeCapabilityFromText(sheet.text("compute_capability"));
    if (const auto bytes = sheet.figure("memory_bytes")) machine.memoryBytes = static_cast<Bytes>(*bytes);
    machine.bandwidthBytesPerSecond = sheet.figure("bandwidth_bytes_per_s");
    std::vector<std::string> shown{"memory_bytes", "bandwidth_bytes_per_s"};
    for (const std::string& key : sheet.peakKeys()) {
        const auto value = sheet.figure("peak_flop_per_s." + key);
        const auto field = std::find_if(kPeakFields.begin(), kPeakFields.end(),
                                        [&](const PeakField& peak) { return key == peak.key; });
        if (!value || field == kPeakFields.end()) continue;
        machine.peakFlopPerSecond.emplace_back(field->dtype, *value);
        shown.push_back("peak_flop_per_s." + key);
    }
    std::sort(machine.peakFlopPerSecond.begin(), machine.peakFlopPerSecond.end());
    for (const auto& [key, value] : sheet.numbers("measured_matmul_flop_per_s"))
        for (const PeakField& field : kPeakFields)
            if (key == field.key) machine.measuredMatmulFlopPerSecond.emplace_back(field.dtype, value);
    machine.linkName = sheet.interconnectText("name");
    machine.linkBytesPerSecond = sheet.optionalFigure("interconnect", "scale_up_unidirectional_bytes_per_s");
    const auto hostLink = sheet.optionalFigure("interconnect", "host_bidirectional_bytes_per_s");
    if (hostLink) machine.hostBytesPerSecond = *hostLink / 2;
    if (!machine.linkBytesPerSecond && hostLink) {  // what has no links of its own talks through the host
        machine.linkName = sheet.interconnectText("host_link");
        machine.linkBytesPerSecond = *hostLink / 2;
    }
    if (!machine.linkBytesPerSecond) machine.linkName.clear();
    machine.powerWatts = sheet.optionalFigure("", "tdp_w");
    if (const auto count = sheet.optionalFigure("", "sm_count"); count && machine.computeCapability)
        machine.multiprocessors = static_cast<std::int64_t>(*count);
    if (const auto count = sheet.optionalFigure("interconnect", "scale_up_devices"))
        machine.linkedDevices = static_cast<std::int64_t>(*count);
    machine.source = sheet.provenance(shown);
    if (sheet.problem()) return *sheet.problem();
    return machine;
}

/// Letters and digits that stand together: "NVIDIA H100 SXM5 80GB" has four.
std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char c : lowerCase(text)) {
        if (isLetter(c) || isDigit(c) || c == '.')
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

/// Do the words of `part` occur in `text` in this order: as `whole` words, or anywhere within words?
bool matchesInOrder(const std::vector<std::string>& part, const std::vector<std::string>& text, bool whole) {
    std::size_t at = 0;
    for (const std::string& word : part) {
        while (at < text.size() && (whole ? text[at] != word : text[at].find(word) == std::string::npos))
            ++at;
        if (at++ == text.size()) return false;
    }
    return true;
}

}  // namespace

Result<HardwareDatabase> HardwareDatabase::parse(std::string_view text) {
    const json document = json::parse(text, nullptr, false);
    const auto bad = [](const std::string& what) {
        return Error{ErrorCode::BadInput, "the hardware database " + what, "correct hardware.json"};
    };
    if (!document.is_object()) return bad("is not a JSON object");
    const auto list = document.find("sources"), devices = document.find("devices");
    if (list == document.end() || !list->is_array() || devices == document.end() || !devices->is_array())
        return bad("has no lists of sources and devices");

    std::set<std::string> sources;
    for (const json& source : *list) {
        if (!source.is_object() || !source.contains("id") || !source["id"].is_string())
            return bad("has a source without an id");
        if (!sources.insert(source["id"].get<std::string>()).second)
            return bad("has the source " + source["id"].get<std::string>() + " twice");
    }
    HardwareDatabase database;
    std::set<std::string> ids;
    for (const json& device : *devices) {
        if (!device.is_object()) return bad("has a device that is not an object");
        PLUMB_TRY(Machine machine, machineFromSheet(device, sources));
        if (!ids.insert(machine.id).second) return bad("has the device " + machine.id + " twice");
        database.machines.push_back(std::move(machine));
    }
    return database;
}

const HardwareDatabase& HardwareDatabase::builtIn() {
    static const HardwareDatabase database = [] {
        auto parsed = parse(hardwareJson);
        if (!parsed.has_value()) {
            // A defect of this very build; tests/core/machine/hardware_database_test.cpp keeps it from being
            // shipped.
            std::fprintf(stderr, "plumbline: %s\n", parsed.error().text().c_str());
            return HardwareDatabase{};
        }
        return std::move(parsed).value();
    }();
    return database;
}

Result<Machine> HardwareDatabase::find(std::string_view part) const {
    for (const Machine& machine : machines)
        if (sameLetters(machine.id, part) || sameLetters(machine.name, part)) return machine;

    const std::vector<std::string> words = wordsOf(part);
    std::vector<const Machine*> candidates;
    for (const bool whole : {true, false}) {
        for (const Machine& machine : machines)
            if (!words.empty() && (matchesInOrder(words, wordsOf(machine.name), whole) ||
                                   matchesInOrder(words, wordsOf(machine.id), whole)))
                candidates.push_back(&machine);
        if (!candidates.empty()) break;
    }
    if (candidates.size() == 1) return *candidates.front();

    std::string names;
    for (const Machine& machine : machines) {
        const bool listed = candidates.empty() ||
                            std::find(candidates.begin(), candidates.end(), &machine) != candidates.end();
        if (listed) names += (names.empty() ? "" : ", ") + machine.id;
    }
    const std::string choice = fmt::format("choose one of {:s}", names);
    if (candidates.empty())
        return Error{ErrorCode::BadInput, fmt::format("no device is called '{:s}'", part), choice};
    return Error{ErrorCode::BadInput, fmt::format("'{:s}' fits {} devices", part, candidates.size()), choice};
}

}  // namespace plumb

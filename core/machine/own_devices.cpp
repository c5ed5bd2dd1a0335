// SPDX-License-Identifier: Apache-2.0
#include "core/machine/own_devices.h"

#include "core/base/ascii.h"
#include "core/base/nearest.h"
#include "core/io/data_folder.h"
#include "core/io/file.h"
#include "core/machine/calibration_file.h"
#include "core/machine/device_figures.h"
#include "core/machine/hardware_database.h"
#include "core/machine/machine_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <utility>

namespace plumb {
namespace {

using nlohmann::json;

constexpr const char* kOwnDevicesFormat = "plumbline.devices";
constexpr const char* kOwnDevices = "the device records";
constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMostOwnDevicesBytes = std::size_t{4} << 20U;
constexpr std::size_t kMostDevices = 1000;

bool isId(std::string_view id) {
    return !id.empty() && id.size() <= kMostNameBytes && std::all_of(id.begin(), id.end(), [](char c) {
        return (isLetter(c) && lowerCase(c) == c) || isDigit(c) || c == '-' || c == '.' || c == '_';
    });
}

std::vector<Machine> readDevices(const JsonField& document) {
    std::vector<Machine> machines;
    if (!document.expectObject()) return machines;
    if (const JsonField format = document["format"]; !format.json() || *format.json() != kOwnDevicesFormat) {
        document.fail("is no list of devices of Plumbline");
        return machines;
    }
    if (document["version"].count(1) > kVersion) {
        document["version"].fail("is of a newer version of Plumbline");
        return machines;
    }
    const JsonField list = document["devices"];
    const std::size_t count = list.arraySize();
    if (count > kMostDevices) list.fail("has more than 1000 entries");
    for (std::size_t i = 0; i < count && document.ok(); ++i) {
        const JsonField entry = list.at(i);
        auto machine = readJson<Machine>(entry);
        machine.costs.reset();
        machine.ofRanks.clear();
        machine.copies.reset();
        machine.checked.reset();
        if (!document.ok()) break;
        if (machine.backend != "cpu" && machine.backend != "cuda") machine.backend.clear();
        if (machine.id.empty()) machine = renamedApart(std::move(machine), machines);
        if (!isId(machine.id)) entry["id"].fail("is no id of small letters, digits, dots and hyphens");
        if (std::ranges::find(machines, machine.id, &Machine::id) != machines.end())
            entry["id"].fail("is that of another device of the list");
        if (const auto problems = problemsOf(machine, machines); !problems.empty())
            entry.fail("is no device (" + problems.front().error.message + ")");
        machines.push_back(std::move(machine));
    }
    return machines;
}

/// "My card, 80 GB" gives "my-card-80-gb"; anything that is not ASCII is passed over.
std::string idFrom(std::string_view name) {
    const std::string id = idOfName(name);
    return id.empty() ? "device" : id;
}

/// Why `machine` cannot be kept beside `others`, in which a taken id counts as well.
std::optional<Error> whyNotAdded(const Machine& machine, const std::vector<Machine>& others) {
    if (!isId(machine.id))
        return Error{ErrorCode::BadInput, "no device can have the id '" + machine.id + "'",
                     "give small letters, digits, dots and hyphens"};
    const auto same = std::ranges::find(others, machine.id, &Machine::id);
    if (same != others.end())
        return Error{ErrorCode::BadInput, "there is already a device " + machine.id + " (" + same->name + ")",
                     "choose another id, or remove that one if it is your own"};
    const auto problems = problemsOf(machine, others);
    if (problems.empty()) return std::nullopt;
    Error error = problems.front().error;
    error.message = machine.id + ": " + error.message;
    return error;
}

/// Keys that a single device of a file can have; a misspelt one is named with the nearest of them.
std::optional<Error> refusedKey(const json& object, const std::vector<std::string>& known,
                                const std::string& where) {
    const auto unknown = unknownKeyOf(object, known);
    if (!unknown) return std::nullopt;
    std::string all;
    for (const std::string& word : known) all += (all.empty() ? "" : ", ") + word;
    return badInput(where + " has a key that is not known (" + *unknown + ")",
                    didYouMean(*unknown, known, fmt::format("known are {:s}", all)));
}

std::optional<Error> refusedKeyOfSheet(const json& sheet, const std::string& what) {
    static const std::vector<std::string> keys = [] {
        std::vector<std::string> known{
            "id",     "name",      "backend",         "compute_capability",
            "source", "link_name", "peak_flop_per_s", "measured_matmul_flop_per_s"};
        for (const DeviceFigure& figure : deviceFigures())
            if (figure.key.find('.') == std::string_view::npos) known.emplace_back(figure.key);
        return known;
    }();
    static const std::vector<std::string> dtypes = [] {
        std::vector<std::string> known;
        known.reserve(kAllDtypes.size());
        for (const Dtype dtype : kAllDtypes) known.emplace_back(dtypeName(dtype));
        return known;
    }();
    if (auto error = refusedKey(sheet, keys, what)) return error;
    for (const char* key : {"peak_flop_per_s", "measured_matmul_flop_per_s"})
        if (sheet.contains(key))
            if (auto error = refusedKey(sheet[key], dtypes, what + ": " + key)) return error;
    return std::nullopt;
}

/// What a list of devices always has and a sheet that people write may leave out; 80e9 is a whole number, and
/// fp8 is e4m3, fp4 e2m1, as in our own data sheets.
void completeSheet(json& sheet) {
    for (const char* key : {"backend", "source", "peak_flop_per_s", "memory_bytes", "bandwidth_bytes_per_s"})
        if (!sheet.contains(key)) sheet[key] = json();
    if (sheet["backend"].is_null()) sheet["backend"] = "";
    if (sheet["source"].is_null()) sheet["source"] = "entered by hand";
    if (sheet["peak_flop_per_s"].is_null()) sheet["peak_flop_per_s"] = json::object();
    json& bytes = sheet["memory_bytes"];
    if (bytes.is_number_float() && bytes.get<double>() == std::floor(bytes.get<double>()) &&
        std::fabs(bytes.get<double>()) < 9e15)
        bytes = static_cast<std::int64_t>(bytes.get<double>());
    for (const char* rates : {"peak_flop_per_s", "measured_matmul_flop_per_s"})
        for (const auto& [usual, own] : {std::pair{"fp8", "fp8_e4m3"}, std::pair{"fp4", "fp4_e2m1"}})
            if (sheet.contains(rates) && sheet[rates].is_object() && sheet[rates].contains(usual) &&
                !sheet[rates].contains(own)) {
                sheet[rates][own] = sheet[rates][usual];
                sheet[rates].erase(usual);
            }
}

Result<void> saveOwnDevices(const std::vector<Machine>& machines) {
    return keepInDataFolder(ownDevicesPath(), devicesToText(machines), kOwnDevices);
}

}  // namespace

std::string ownDevicesPath() {
    const std::string folder = dataFolder();
    return folder.empty() ? folder : folder + "/devices.json";
}

Result<std::vector<Machine>> loadOwnDevices() {
    const std::string path = ownDevicesPath();
    std::error_code problem;
    if (path.empty() || !std::filesystem::exists(path, problem)) return std::vector<Machine>();
    auto machines = importDevices(path);
    if (machines.has_value()) return machines;
    return Error{machines.error().code, machines.error().message,
                 "correct the file, or move it away and begin a new one"};
}

Result<void> putOwnDevice(const Machine& machine) {
    PLUMB_TRY(const FileLock lock, lockInDataFolder(ownDevicesPath(), kOwnDevices));
    PLUMB_TRY(std::vector<Machine> machines, loadOwnDevices());
    std::vector<Machine> others = HardwareDatabase::builtIn().machines;
    if (std::ranges::find(others, machine.id, &Machine::id) != others.end())
        return Error{ErrorCode::BadInput, "a built-in record cannot be changed (" + machine.id + ")",
                     "duplicate it under another name"};
    others.insert(others.end(), machines.begin(), machines.end());
    if (const auto problems = problemsOf(machine, others); !problems.empty()) return problems.front().error;
    const auto old = std::ranges::find(machines, machine.id, &Machine::id);
    if (old != machines.end())
        *old = machine;
    else if (machines.size() >= kMostDevices)
        return Error{ErrorCode::BadInput, "there are already 1000 devices of your own", "delete some"};
    else
        machines.push_back(machine);
    return saveOwnDevices(machines);
}

Result<void> addOwnDevices(const std::vector<Machine>& added) {
    PLUMB_TRY(const FileLock lock, lockInDataFolder(ownDevicesPath(), kOwnDevices));
    PLUMB_TRY(std::vector<Machine> machines, loadOwnDevices());
    std::vector<Machine> others = HardwareDatabase::builtIn().machines;
    others.insert(others.end(), machines.begin(), machines.end());
    for (const Machine& machine : added) {
        if (const auto error = whyNotAdded(machine, others)) return *error;
        others.push_back(machine);
        machines.push_back(machine);
    }
    if (machines.size() > kMostDevices)
        return Error{ErrorCode::BadInput, "with these there would be more than 1000 devices of your own",
                     "delete some"};
    return saveOwnDevices(machines);
}

Result<void> removeOwnDevice(std::string_view id) {
    PLUMB_TRY(const FileLock lock, lockInDataFolder(ownDevicesPath(), kOwnDevices));
    PLUMB_TRY(std::vector<Machine> machines, loadOwnDevices());
    if (std::erase_if(machines, [&](const Machine& machine) { return machine.id == id; }) == 0) return {};
    return saveOwnDevices(machines);
}

std::string devicesToText(const std::vector<Machine>& machines) {
    json list = json::array();
    for (const Machine& machine : machines) {
        json entry = toJson(machine);
        entry.erase("costs");
        entry.erase("copies");
        entry.erase("prediction_check");
        list.push_back(std::move(entry));
    }
    return dumpJson(json{{"format", kOwnDevicesFormat}, {"version", kVersion}, {"devices", std::move(list)}},
                    1) +
           "\n";
}

Result<std::vector<Machine>> devicesFromText(std::string_view text, const std::string& what) {
    PLUMB_TRY(const json document, parseJson(text, what));
    JsonField::Problem problem;
    const JsonField root(document, what, problem);
    std::vector<Machine> machines = readDevices(root);
    if (problem) return *std::move(problem);
    return machines;
}

Result<std::vector<Machine>> sheetsFromText(std::string_view text, const std::string& what) {
    PLUMB_TRY(json document, parseJson(text, what));
    if (document.is_object() && !document.contains("format") && !document.contains("devices")) {
        completeSheet(document);
        if (const auto error = refusedKeyOfSheet(document, what)) return *error;
        document = json{{"format", kOwnDevicesFormat}, {"version", kVersion}, {"devices", {document}}};
    }
    JsonField::Problem problem;
    const JsonField root(document, what, problem);
    std::vector<Machine> machines = readDevices(root);
    if (problem) return *std::move(problem);
    return machines;
}

Result<std::vector<Machine>> importDevices(const std::string& path) {
    PLUMB_TRY(const std::string text, readFile(path, kMostOwnDevicesBytes));
    return devicesFromText(text, "the device file " + path);
}

Result<void> exportDevices(const std::vector<Machine>& machines, const std::string& path) {
    return writeFileAtomically(path, devicesToText(machines));
}

Machine renamedApart(Machine machine, const std::vector<Machine>& others) {
    const std::string base = machine.name;
    const auto taken = [&](const std::string& id, const std::string& name) {
        return std::ranges::any_of(others, [&](const Machine& other) {
            return sameLetters(other.id, id) || sameLetters(other.name, name) || sameLetters(other.id, name);
        });
    };
    const std::string id = machine.id.empty() ? idFrom(base) : machine.id;
    machine.id = id;
    for (int i = 2; taken(machine.id, machine.name); ++i) {
        machine.name = base + " (" + std::to_string(i) + ")";
        machine.id = idFrom(machine.name);
    }
    return machine;
}

KnownDevices KnownDevices::load() {
    KnownDevices known;
    known.local = localCpuCalibrated();
    known.database = HardwareDatabase::builtIn();
    if (auto own = loadOwnDevices(); own.has_value())
        known.own = std::move(own).value();
    else
        known.problem = own.error();
    for (const Machine& machine : known.own) {
        // An older program may have kept what a newer data base has too; what is built in stays.
        auto& all = known.database.machines;
        const bool taken = std::ranges::find(all, machine.id, &Machine::id) != all.end();
        if (!taken && problemsOf(machine, all).empty()) all.push_back(machine);
    }
    return known;
}

std::vector<Machine> KnownDevices::all() const {
    std::vector<Machine> machines{local};
    machines.insert(machines.end(), database.machines.begin(), database.machines.end());
    return machines;
}

Result<Machine> KnownDevices::find(std::string_view part) const {
    if (sameLetters(part, "local") || sameLetters(part, local.id) || sameLetters(part, local.name))
        return local;
    auto found = database.find(part);
    if (!found.has_value() && problem) return *problem;
    return found;
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/account/calibration_file.h"

#include "core/account/local_cpu.h"
#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/io/snapshot.h"
#include "core/io/system_error.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <pwd.h>
#include <unistd.h>

namespace plumb {

namespace {

using nlohmann::json;

constexpr int kCalibrationVersion = 1;
constexpr const char* kFormat = "plumbline.calibration";
constexpr std::size_t kMostBytes = std::size_t{16} << 20U;

/// FNV-1a: the same number on every machine and in every build, which std::hash does not promise.
std::string hashOf(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    std::string digits(16, '0');
    for (std::size_t i = 16; i-- > 0; hash >>= 4U) digits[i] = "0123456789abcdef"[hash & 15U];
    return digits;
}

json fingerprint() {
    const CpuIdentity identity = localCpuIdentity();
    return json{
        {"model", identity.model}, {"cores", identity.usableCores}, {"flags", hashOf(identity.flags)}};
}

/// Empty when neither the environment nor the user database names a home.
std::string dataFolder() {
    // The specification asks to ignore a relative path.
    if (const char* set = std::getenv("XDG_DATA_HOME"); set != nullptr && set[0] == '/')
        return std::string(set) + "/plumbline";
    const char* home = std::getenv("HOME");
    if (home == nullptr || home[0] == '\0') {
        const passwd* user = ::getpwuid(::getuid());
        home = user != nullptr ? user->pw_dir : nullptr;
    }
    return home != nullptr && home[0] != '\0' ? std::string(home) + "/.local/share/plumbline" : std::string();
}

Error damaged(const std::string& path, const std::string& what) {
    return Error{ErrorCode::BadInput, "the kept calibration " + path + " cannot be used (" + what + ")",
                 "run plumbline-cli calibrate again"};
}

}  // namespace

std::string calibrationPath(const Machine& machine) {
    const std::string folder = dataFolder();
    return folder.empty() ? folder : folder + "/calibration-" + machine.id + ".json";
}

Result<void> saveCalibration(const Machine& machine) {
    const std::string path = calibrationPath(machine);
    if (path.empty())
        return Error{ErrorCode::Io, "there is no folder to keep the calibration in",
                     "set HOME or XDG_DATA_HOME"};
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) return systemError("create the folder", folder.string(), problem.value());
    const json document{{"format", kFormat},
                        {"version", kCalibrationVersion},
                        {"program", programVersion()},
                        {"fingerprint", fingerprint()},
                        {"machine", toJson(machine)}};
    return writeFileAtomically(path, dumpJson(document) + "\n");
}

Result<std::optional<Machine>> loadCalibration(const Machine& machine) {
    const std::string path = calibrationPath(machine);
    std::error_code problem;
    if (path.empty() || !std::filesystem::exists(path, problem)) return std::optional<Machine>();
    PLUMB_TRY(const std::string text, readFile(path, kMostBytes));
    const json document = json::parse(text, nullptr, false);
    if (!document.is_object() || document.value("format", json()) != kFormat)
        return damaged(path, "it is not a calibration of Plumbline");
    const json version = document.value("version", json());
    if (!version.is_number_integer() || version.get<std::int64_t>() < 1)
        return damaged(path, "it has no version");
    if (version.get<std::int64_t>() > kCalibrationVersion)
        return damaged(path, "it was written by a newer version");
    if (document.value("fingerprint", json()) != fingerprint()) return std::optional<Machine>();
    if (!document.contains("machine")) return damaged(path, "it has no machine");
    auto kept = machineFromJson(document["machine"]);
    if (!kept.has_value()) return damaged(path, kept.error().message);
    if (kept->id != machine.id) return damaged(path, "it is of the machine '" + kept->id + "'");
    // Memory is not a ceiling: the limit of today's control group counts, not that of the calibration.
    Machine result = machine;
    result.bandwidthBytesPerSecond = kept->bandwidthBytesPerSecond;
    result.peakFlopPerSecond = kept->peakFlopPerSecond;
    result.perOpOverhead = kept->perOpOverhead;
    result.costs = std::move(kept->costs);
    result.checked = std::move(kept->checked);
    result.source = kept->source;
    return std::optional(std::move(result));
}

Machine localCpuCalibrated() {
    Machine machine = localCpu();
    auto kept = loadCalibration(machine);
    if (kept.has_value() && kept->has_value()) return **kept;
    if (!kept.has_value()) machine.source = "not calibrated: " + kept.error().text();
    return machine;
}

}  // namespace plumb

// SPDX-License-Identifier: Apache-2.0
#include "core/machine/calibration_file.h"

#include "core/base/program_version.h"
#include "core/io/data_folder.h"
#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/machine/local_cpu.h"
#include "core/machine/machine_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <vector>

namespace plumb {

namespace {

using nlohmann::json;

constexpr int kCalibrationVersion = 3;
constexpr const char* kCalibrationFormat = "plumbline.calibration";
constexpr std::size_t kMostCalibrationBytes = std::size_t{64} << 20U;
constexpr const char* kCalibration = "the calibration";
/// More than a full calibration takes (0.4 MB, and as much for each number of ranks), to find a full disk
/// before measuring.
constexpr std::size_t kRoomBytes = std::size_t{4} << 20U;

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

Error damaged(const std::string& path, const std::string& what) {
    return Error{ErrorCode::BadInput, "the kept calibration " + path + " cannot be used (" + what + ")",
                 "run plumbline-cli calibrate again"};
}

// It serves every GPU of its kind.
Result<void> writeCalibration(Machine machine) {
    machine.index.reset();
    machine.uuid.clear();
    const json document{{"format", kCalibrationFormat},
                        {"version", kCalibrationVersion},
                        {"program", programVersion()},
                        {"fingerprint", fingerprint()},
                        {"machine", toJson(machine)}};
    return keepInDataFolder(calibrationPath(machine), dumpJson(document) + "\n", kCalibration);
}

/// Whether both are of one measuring: all that a calibration measures is the same.
bool sameCalibration(const Machine& a, const Machine& b) {
    const auto measured = [](Machine machine) {
        machine.checked.reset();
        machine.memoryBytes.reset();
        return toJson(machine);
    };
    return measured(a) == measured(b);
}

Error notCalibratedYet(const Machine& machine) {
    return Error{
        ErrorCode::RunFailed,
        "the machine as a whole is not calibrated, and what is measured of ranks is kept beside that",
        fmt::format("run {} first", calibrateCommand(machine.backend))};
}

/// Empty when the new one is to be kept. `source`: of the earlier one.
std::string whyTheEarlierOneStays(const std::optional<CostTables>& measured,
                                  const std::optional<CostTables>& earlier, const std::string& source) {
    if (!measured || !measured->speed || !earlier || !earlier->speed) return {};
    const RelativeSpeed speed = relativeSpeed(measured->speed->probe, earlier->speed->probe);
    const double slowest = speed.slowest();
    constexpr double kClearly = 0.8;
    if (slowest >= kClearly || speed.fastest() > 1 / kClearly) return {};
    const char* const part = slowest == speed.product ? "matrix products"
                             : slowest == speed.copy  ? "copies"
                                                      : "single-threaded loops";
    return fmt::format(
        "the machine was {:.1f} times as fast at {} when it was {}, so that calibration stays in force; "
        "most likely other programs run now",
        1 / slowest, part, source);
}

}  // namespace

std::string calibrationPath(const Machine& machine) {
    const std::string folder = dataFolder();
    return folder.empty() ? folder : folder + "/calibration-" + machine.id + ".json";
}

Result<FileLock> claimCalibration() {
    // One for all devices: those of one machine share its processor and memory.
    const std::string path = dataFolder().empty() ? "" : dataFolder() + "/calibrating.lock";
    PLUMB_CHECK(makeDataFolder(path, kCalibration));
    PLUMB_TRY(auto lock, FileLock::tryAcquire(path));
    if (!lock)
        return Error{
            ErrorCode::RunFailed,
            "another program calibrates this machine at the moment, and two would measure each other",
            "wait until it has ended, then try again"};
    return *std::move(lock);
}

Result<void> checkCalibrationPlace(const Machine& machine) {
    const std::string path = calibrationPath(machine);
    PLUMB_CHECK(makeDataFolder(path, kCalibration));
    PLUMB_TRY(AtomicFile probe, AtomicFile::create(path));
    return probe.write(std::vector<std::byte>(kRoomBytes));
}

Result<void> saveCalibration(const Machine& machine) {
    PLUMB_TRY(const FileLock lock, lockInDataFolder(calibrationPath(machine), kCalibration));
    return writeCalibration(machine);
}

Result<KeptCalibration> keepCalibration(const Machine& measured, bool replaces) {
    PLUMB_TRY(const FileLock lock, lockInDataFolder(calibrationPath(measured), kCalibration));
    // One that cannot be used is made anew.
    const auto kept = loadCalibration(measured);
    KeptCalibration now{measured, {}};
    if (kept.has_value() && *kept) {
        const std::string note =
            replaces ? "" : whyTheEarlierOneStays(measured.costs, (*kept)->costs, (*kept)->source);
        if (!note.empty()) return KeptCalibration{**kept, note};
        if (now.machine.ofRanks.empty()) now.machine.ofRanks = (*kept)->ofRanks;
    }
    PLUMB_CHECK(writeCalibration(now.machine));
    return now;
}

Result<KeptCalibration> keepRankCosts(const Machine& machine, RankCosts measured, bool replaces) {
    PLUMB_TRY(const FileLock lock, lockInDataFolder(calibrationPath(machine), kCalibration));
    PLUMB_TRY(std::optional<Machine> kept, loadCalibration(machine));
    if (!kept) return notCalibratedYet(machine);
    std::vector<RankCosts>& all = kept->ofRanks;
    const auto place = std::ranges::lower_bound(all, measured.ranks, {}, &RankCosts::ranks);
    const bool isThere = place != all.end() && place->ranks == measured.ranks;
    if (isThere && !replaces) {
        std::string note = whyTheEarlierOneStays(measured.costs, place->costs, place->source);
        if (!note.empty()) return KeptCalibration{*std::move(kept), std::move(note)};
    }
    if (isThere)
        *place = std::move(measured);
    else
        all.insert(place, std::move(measured));
    PLUMB_CHECK(writeCalibration(*kept));
    return KeptCalibration{*std::move(kept), {}};
}

Result<void> checkIsCalibrated(const Machine& machine) {
    PLUMB_TRY(const std::optional<Machine> kept, loadCalibration(machine));
    return kept ? Result<void>() : notCalibratedYet(machine);
}

Result<void> savePredictionCheck(const Machine& machine) {
    PLUMB_TRY(const FileLock lock, lockInDataFolder(calibrationPath(machine), kCalibration));
    PLUMB_TRY(const std::optional<Machine> kept, loadCalibration(machine));
    if (kept && !sameCalibration(*kept, machine))
        return Error{
            ErrorCode::RunFailed,
            "the machine was calibrated anew while its predictions were checked, so the record is not kept",
            "run plumbline-cli check-prediction again"};
    return writeCalibration(machine);
}

Result<std::optional<Machine>> loadCalibration(const Machine& machine) {
    const std::string path = calibrationPath(machine);
    std::error_code problem;
    if (path.empty() || !std::filesystem::exists(path, problem)) return std::optional<Machine>();
    PLUMB_TRY(const std::string text, readFile(path, kMostCalibrationBytes));
    const auto parsed = parseJson(text, "it");
    if (!parsed.has_value()) return damaged(path, parsed.error().message);
    const json& document = *parsed;
    if (!document.is_object() || document.value("format", json()) != kCalibrationFormat)
        return damaged(path, "it is not a calibration of Plumbline");
    const json version = document.value("version", json());
    if (!version.is_number_integer() || version.get<std::int64_t>() < 1)
        return damaged(path, "it has no version");
    if (version.get<std::int64_t>() > kCalibrationVersion)
        return damaged(path, "it was written by a newer version");
    // The first had no times of rows of a file, the second a probe that did not notice who shares a core.
    if (version.get<std::int64_t>() < kCalibrationVersion)
        return damaged(path, "it was written by an older version, which timed fewer kinds of steps");
    if (document.value("fingerprint", json()) != fingerprint()) return std::optional<Machine>();
    if (!document.contains("machine")) return damaged(path, "it has no machine");
    auto kept = fromJson<Machine>(document["machine"]);
    if (!kept.has_value()) return damaged(path, kept.error().message);
    if (kept->id != machine.id) return damaged(path, "it is of the machine '" + kept->id + "'");
    // Memory is not a ceiling: the limit of today's control group counts, not that of the calibration.
    Machine result = machine;
    result.bandwidthBytesPerSecond = kept->bandwidthBytesPerSecond;
    result.peakFlopPerSecond = kept->peakFlopPerSecond;
    result.perOpOverhead = kept->perOpOverhead;
    result.costs = std::move(kept->costs);
    result.ofRanks = std::move(kept->ofRanks);
    result.copies = std::move(kept->copies);
    result.checked = std::move(kept->checked);
    result.source = kept->source;
    return std::optional(std::move(result));
}

Machine localCpuCalibrated() { return calibrated(localCpu()); }

Machine calibrated(Machine machine) {
    auto kept = loadCalibration(machine);
    if (kept.has_value() && kept->has_value()) return **kept;
    if (!kept.has_value()) machine.source = "not calibrated: " + kept.error().text();
    return machine;
}

}  // namespace plumb

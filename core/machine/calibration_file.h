// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_lock.h"
#include "core/machine/machine.h"

#include <optional>
#include <string>

namespace plumb {

/// Keeps and finds the calibration of this machine: one JSON file per machine id and program version of the
/// format, under $XDG_DATA_HOME/plumbline (or ~/.local/share/plumbline).
[[nodiscard]] Result<void> saveCalibration(const Machine& machine);
/// localCpu() with the ceilings of the saved calibration put in, when there is one for this very processor.
[[nodiscard]] Machine localCpuCalibrated();
/// The same for any machine of this computer.
[[nodiscard]] Machine calibrated(Machine machine);
[[nodiscard]] std::string calibrationPath(const Machine& machine);

/// The ceilings kept for `machine`; absent when none were kept or when they are of another processor (model,
/// cores or instruction sets differ), since those would be wrong here.
/// Errors: BadInput for a file that is damaged or of a newer version; Io when it cannot be read.
[[nodiscard]] Result<std::optional<Machine>> loadCalibration(const Machine& machine);

/// A lock to hold while a machine is calibrated: programs that measure at the same time measure each other.
/// Errors: RunFailed when another program holds it; Io when there is no folder for calibrations.
[[nodiscard]] Result<FileLock> claimCalibration();

/// Refuses before measuring what would fail afterwards: a folder or a file that cannot be written, a full
/// disk. Leaves nothing behind. Errors: Io.
[[nodiscard]] Result<void> checkCalibrationPlace(const Machine& machine);

/// What to do where an earlier calibration stays.
inline constexpr const char* kCalibrateWhenQuiet =
    "calibrate again when the machine is quiet; if it really changed, plumbline-cli calibrate --replace "
    "measures and keeps what it finds";

/// What is in force after a calibration.
struct KeptCalibration {
    Machine machine;
    std::string note;  ///< why that is not the new one; empty when it is
};

/// Keeps `measured`, unless a calibration of this processor is kept whose probe was clearly faster in one of
/// its parts and in none clearly slower: other programs ran in the new one, most likely, and the best of
/// several is what the machine can do. `replaces`: keeps it all the same. What was measured of ranks stays
/// where `measured` has none of it. Errors: as saveCalibration().
[[nodiscard]] Result<KeptCalibration> keepCalibration(const Machine& measured, bool replaces = false);

/// Keeps what was measured of ranks beside the calibration of `machine`, in place of what there was of as
/// many; the same holds as above. Errors: RunFailed without such a calibration; as saveCalibration().
[[nodiscard]] Result<KeptCalibration> keepRankCosts(const Machine& machine, RankCosts measured,
                                                    bool replaces = false);
/// Refuses before measuring ranks what keepRankCosts() would refuse. Errors: RunFailed; those of
/// loadCalibration().
[[nodiscard]] Result<void> checkIsCalibrated(const Machine& machine);

/// Keeps the errors of predictions in `machine`, whose other figures were loaded before they were checked.
/// Errors: RunFailed when the machine has been calibrated anew since; as saveCalibration().
[[nodiscard]] Result<void> savePredictionCheck(const Machine& machine);

}  // namespace plumb

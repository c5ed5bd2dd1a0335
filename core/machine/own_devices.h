// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/hardware_database.h"
#include "core/machine/machine.h"

#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// The file of the user's own devices, in the folder where calibrations are kept; empty when there is
/// no such folder.
[[nodiscard]] std::string ownDevicesPath();

/// The user's own devices; none when there is no file.
/// Errors: BadInput for a file that is damaged or of a newer version, Io when it cannot be read.
[[nodiscard]] Result<std::vector<Machine>> loadOwnDevices();

/// Adds a device, or replaces the one of the same id, in the file as it is now: what other programs add at
/// the same time stays.
/// Errors: BadInput for a device that problemsOf() finds something wrong with; as loadOwnDevices(); Io.
[[nodiscard]] Result<void> putOwnDevice(const Machine& machine);
/// Adds devices under ids and names that nobody has yet: all of them, or none. What other programs add at
/// the same time stays. Errors: BadInput with the device and what is wrong with it (an id or a name that is
/// taken, a figure that no device has); as loadOwnDevices(); Io.
[[nodiscard]] Result<void> addOwnDevices(const std::vector<Machine>& added);
/// Nothing happens when there is none of that id. Errors: as putOwnDevice().
[[nodiscard]] Result<void> removeOwnDevice(std::string_view id);

/// A file to pass on: format, version and the devices. Kept measurements of a calibration are left out.
[[nodiscard]] std::string devicesToText(const std::vector<Machine>& machines);
/// The devices of such a file. `what` names it in messages. Errors: BadInput with the field.
[[nodiscard]] Result<std::vector<Machine>> devicesFromText(std::string_view text, const std::string& what);
/// The same, and a single device without a list around it: {"name": "My card", "memory_bytes": 80e9, ...}.
/// A key that is not known is refused there, since its figure would be left out. Errors: BadInput with the
/// key or the field.
[[nodiscard]] Result<std::vector<Machine>> sheetsFromText(std::string_view text, const std::string& what);
/// Errors: as devicesFromText(), and Io.
[[nodiscard]] Result<std::vector<Machine>> importDevices(const std::string& path);
[[nodiscard]] Result<void> exportDevices(const std::vector<Machine>& machines, const std::string& path);

/// `machine` under an id, and a name where it has none of its own, that nobody in `others` has: "My card" and
/// "my-card", then "My card (2)" and "my-card-2".
[[nodiscard]] Machine renamedApart(Machine machine, const std::vector<Machine>& others);

/// Every device that can be planned with: this machine with its calibration, the built-in devices and the
/// user's own, in that order.
struct KnownDevices {
    HardwareDatabase database;     ///< built-in and own devices
    Machine local;                 ///< localCpuCalibrated()
    std::vector<Machine> own;      ///< also in `database`
    std::optional<Error> problem;  ///< why the own devices are not there

    [[nodiscard]] static KnownDevices load();
    [[nodiscard]] std::vector<Machine> all() const;
    /// As HardwareDatabase::find(); the local machine by its id, its whole name or "local". When nothing fits
    /// and the own devices could not be read, the error says that. Errors: BadInput.
    [[nodiscard]] Result<Machine> find(std::string_view part) const;
};

}  // namespace plumb

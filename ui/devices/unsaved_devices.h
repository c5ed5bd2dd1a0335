// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace plumb::ui {

class DeviceLibrary;

/// Names of the records of which something was typed and not saved; empty when there is none.
[[nodiscard]] QString unsavedDevices(const DeviceLibrary& library);
/// Runs `proceed` at once when nothing typed would be lost, else when the user lets it go.
void afterUnsavedDevices(QWidget& parent, const DeviceLibrary& library, const std::function<void()>& proceed);

}  // namespace plumb::ui

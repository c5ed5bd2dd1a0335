// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/calibration_watch.h"
#include "ui/engine/device_choices.h"
#include "ui/engine/engine_client.h"

#include <QObject>
#include <QString>

#include <optional>
#include <string>

namespace plumb::ui {

/// Asks every engine for its devices and keeps the choice of devices by what it tells of them; asks again
/// where another program has calibrated this computer.
class EngineDevices final : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    EngineDevices(EngineClient& engine, DeviceChoices& devices);

    /// Asks again, or starts an engine where none runs; noticed() says what was found.
    void rescan();
    /// From now on every engine is asked for PyTorch, too, which this interpreter runs; see
    /// protocol::Devices.
    void lookForPyTorch(const QString& interpreter);

signals:
    void noticed(const QString& message);

private:
    void ask();
    void take(const protocol::Event& event);

    EngineClient& m_engine;
    DeviceChoices& m_devices;
    std::optional<std::string> m_interpreter;  ///< of PyTorch; empty: nobody asks for it
    CalibrationWatch m_calibrations;
    bool m_rescanning = false;
    bool m_calibrates = false;  ///< the engine itself
};

}  // namespace plumb::ui

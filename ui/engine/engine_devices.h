// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/device_choices.h"
#include "ui/engine/engine_client.h"

#include <QObject>
#include <QString>

namespace plumb::ui {

/// Asks every engine for its devices and keeps the choice of devices by what it tells of them.
class EngineDevices final : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    EngineDevices(EngineClient& engine, DeviceChoices& devices);

    /// Asks again, or starts an engine where none runs; noticed() says what was found.
    void rescan();

signals:
    void noticed(const QString& message);

private:
    void take(const protocol::Event& event);

    EngineClient& m_engine;
    DeviceChoices& m_devices;
    bool m_rescanning = false;
};

}  // namespace plumb::ui

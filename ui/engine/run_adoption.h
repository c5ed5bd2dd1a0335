// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/device_choices.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/engine_work.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>

namespace plumb::ui {

/// Takes over a training that the engine does already when this window comes to it: as a run of its own, with
/// the curve from the first step on.
class RunAdoption final : public QObject {
    Q_OBJECT
public:
    /// All four outlive it. To be made after what takes the list of devices.
    RunAdoption(Workbench& workbench, EngineClient& engine, EngineWork& work, const DeviceChoices& devices);

signals:
    void noticed(const QString& message);

private:
    void take(std::int64_t id, const protocol::Run& run);

    Workbench& m_workbench;
    EngineWork& m_work;
    const DeviceChoices& m_devices;
};

}  // namespace plumb::ui

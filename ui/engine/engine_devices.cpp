// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_devices.h"

#include "ui/theme/text.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {

EngineDevices::EngineDevices(EngineClient& engine, DeviceChoices& devices)
    : m_engine(engine), m_devices(devices) {
    connect(&engine, &EngineClient::stateChanged, this, [this](EngineClient::State state) {
        if (state == EngineClient::State::Ready) ask();
    });
    connect(&engine, &EngineClient::eventArrived, this,
            [this](const EngineClient::EventPtr& event) { take(*event); });
    connect(&m_calibrations, &CalibrationWatch::changed, this, [this] {
        const bool isOfEngine = m_engine.state() == EngineClient::State::Ready && m_engine.place().isEmpty();
        if (!isOfEngine || m_calibrates) return;
        emit noticed(tr("Another program has calibrated this computer, and predictions follow it"));
        ask();
    });
}

void EngineDevices::rescan() {
    m_rescanning = true;
    if (m_engine.state() == EngineClient::State::Ready)
        ask();
    else if (m_engine.state() == EngineClient::State::Lost)
        m_engine.reconnect();
    else
        m_engine.restart();
}

void EngineDevices::lookForPyTorch(const QString& interpreter) {
    m_interpreter = interpreter.toStdString();
    ask();
}

void EngineDevices::ask() { m_engine.send(protocol::Devices{m_interpreter}); }

void EngineDevices::take(const protocol::Event& event) {
    if (const auto* list = std::get_if<protocol::DeviceList>(&event.body)) {
        if (std::exchange(m_rescanning, false)) {
            const auto available = std::ranges::count_if(list->devices, &protocol::DeviceEntry::available);
            emit noticed(
                tr("Looked for devices again: %1 of %2 can run").arg(available).arg(list->devices.size()));
        }
        m_devices.offer(list->devices, m_engine.place());
    }
    if (const auto* calibration = std::get_if<protocol::Calibrated>(&event.body)) {
        m_calibrations.know();
        m_devices.recalibrate(calibration->machine);
    }
    if (const auto* state = std::get_if<protocol::State>(&event.body))
        m_calibrates = state->state == protocol::EngineState::Calibrating;
}

}  // namespace plumb::ui

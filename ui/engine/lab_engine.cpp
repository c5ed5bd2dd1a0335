// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/lab_engine.h"

#include "ui/engine/run_controller.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"

#include <utility>

namespace plumb::ui {

LabEngine::LabEngine(RunController& controller, EngineClient& engine, QObject* parent)
    : QObject(parent), m_controller(controller), m_engine(engine) {
    connect(&engine, &EngineClient::eventArrived, this,
            [this](const EngineClient::EventPtr& event) { take(*event); });
    connect(&engine, &EngineClient::ended, this, &LabEngine::refuse);
    connect(&controller, &RunController::changed, this, &LabEngine::changed);
}

void LabEngine::inspect(TensorRole role, int layer, const QString& saveTo) {
    if (m_inspection != 0) return;
    m_inspection = m_engine.send(protocol::Inspect{role, layer, saveTo.toStdString()});
    if (m_inspection == 0) emit inspectionRefused(sentenceText(tr("The engine is not ready: restart it")));
}

QString LabEngine::whyNotTime() const {
    if (!m_controller.work().engineReady()) return tr("The engine is not ready");
    if (m_controller.work().busy() && m_timing == 0)
        return tr("The engine works on something else: stop that first");
    return {};
}

void LabEngine::time(const QString& expression, const DimensionSizes& sizes, Dtype dtype) {
    if (m_timing != 0 || !whyNotTime().isEmpty()) return;
    m_timing = m_engine.send(protocol::TimeEinsum{expression.toStdString(), sizes, dtype});
    if (m_timing == 0) emit timingRefused(sentenceText(tr("The engine is not ready: restart it")));
    emit changed();
}

void LabEngine::cancelTiming() {
    if (m_timing != 0) m_engine.send(protocol::Stop{});
}

void LabEngine::refuse(const QString& reason) {
    const QString sentence = sentenceText(reason);
    if (std::exchange(m_inspection, 0) != 0) emit inspectionRefused(sentence);
    if (std::exchange(m_timing, 0) != 0) {
        emit timingRefused(sentence);
        emit changed();
    }
}

void LabEngine::take(const protocol::Event& event) {
    if (event.id == 0) return;
    if (event.id == m_inspection) {
        if (const auto* values = std::get_if<protocol::TensorValues>(&event.body)) {
            m_inspection = 0;
            emit inspected(values->inspection);
        } else if (const auto* error = std::get_if<protocol::ErrorEvent>(&event.body)) {
            m_inspection = 0;
            emit inspectionRefused(errorSentence(error->error));
        }
        return;
    }
    if (event.id != m_timing) return;
    if (const auto* result = std::get_if<protocol::EinsumTimed>(&event.body)) {
        emit timed(*result);
    } else if (const auto* error = std::get_if<protocol::ErrorEvent>(&event.body)) {
        m_timing = 0;
        emit timingRefused(errorSentence(error->error));
        emit changed();
    } else if (std::holds_alternative<protocol::Finished>(event.body)) {
        m_timing = 0;
        emit changed();
    }
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/message_ends.h"

#include "ui/shell/session.h"
#include "ui/widgets/banner.h"

#include <utility>

namespace plumb::ui {

MessageEnds::MessageEnds(Session& session, Banner& banner, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_banner(banner),
      m_config(session.workbench.config()),
      m_device(session.workbench.session()->whatIf.machine().id),
      m_isRecording(session.workbench.recording() != nullptr) {
    connect(&session.document, &Document::changed, this, &MessageEnds::followReading);
    connect(&session.document, &Document::opened, this, &MessageEnds::followOpened);
    connect(&session.openedFiles, &OpenedFiles::opened, this, &MessageEnds::endOfDocument);
    connect(&session.workbench, &Workbench::sceneChanged, this, &MessageEnds::followScene);
    connect(&session.controller, &RunController::changed, this, &MessageEnds::followWork);
    connect(&session.engine.watch(), &EngineWatch::answering, this,
            [this] { m_banner.end(MessageSubject::Engine); });
    connect(&session.engine, &EngineClient::stateChanged, this, [this](EngineClient::State state) {
        if (state == EngineClient::State::Starting || state == EngineClient::State::Ready)
            m_banner.end(MessageSubject::Engine);
        if (state == EngineClient::State::Starting) m_banner.end(MessageSubject::Step);
    });
}

void MessageEnds::followReading() {
    const bool isReading = m_session.document.opening();
    if (!std::exchange(m_isReading, isReading) && isReading) m_saidBefore = m_banner.count();
}

void MessageEnds::followOpened() {
    if (m_banner.count() <= m_saidBefore) endOfDocument();
}

void MessageEnds::endOfDocument() {
    m_banner.end(MessageSubject::Step);
    m_banner.end(MessageSubject::Document);
}

void MessageEnds::followScene() {
    const Workbench& workbench = m_session.workbench;
    // A recorded step comes by opened(), and goes without.
    const bool isRecording = workbench.recording() != nullptr;
    if (std::exchange(m_isRecording, isRecording) && !isRecording) endOfDocument();
    const std::string& device = workbench.session()->whatIf.machine().id;
    if (workbench.config() == m_config && device == m_device) return;
    m_config = workbench.config();
    m_device = device;
    m_banner.end(MessageSubject::Step);
}

void MessageEnds::followWork() {
    const bool isBusy = m_session.controller.work().busy();
    if (!std::exchange(m_isBusy, isBusy) && isBusy) m_banner.end(MessageSubject::Step);
}

}  // namespace plumb::ui

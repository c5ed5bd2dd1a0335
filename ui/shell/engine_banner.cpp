// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/engine_banner.h"

#include "ui/shell/session.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/banner.h"

namespace plumb::ui {

EngineBanner::EngineBanner(Session& session, Banner& banner, QObject* parent)
    : QObject(parent), m_session(session), m_banner(banner) {
    connect(&session.controller.work(), &EngineWork::engineLost, this, [this](const QString& message) {
        // A recorded step hides what would run.
        const bool isHidden = m_session.workbench.recording() != nullptr;
        offerRestart(isHidden ? message : tr("%1; Run (F5) starts another and trains").arg(message));
    });
    connect(&session.controller, &RunController::engineSilent, this, &EngineBanner::offerRestart);
    connect(&session.engine, &EngineClient::late, this, &EngineBanner::offerRestart);
    connect(&session.engine, &EngineClient::connectionLost, this, &EngineBanner::offerReconnect);
}

void EngineBanner::offerRestart(const QString& message) {
    m_banner.showMessage(
        Banner::Kind::Error, sentenceText(message), tr("Restart"), [this] { m_session.engine.restart(); },
        MessageSubject::Engine);
}

void EngineBanner::offerReconnect(const QString& reason, int retryMs) {
    m_banner.showMessage(
        Banner::Kind::Error,
        tr("The connection to the engine is lost (%1). What it works on goes on there; the connection is "
           "tried again in %2.")
            .arg(reason, quantityText(retryMs / 1000.0, "s")),
        tr("Try now"), [this] { m_session.engine.reconnect(); }, MessageSubject::Engine);
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/engine_banner.h"

#include "ui/shell/session.h"
#include "ui/widgets/banner.h"

#include <utility>

namespace plumb::ui {

EngineBanner::EngineBanner(Session& session, Banner& banner, QObject* parent)
    : QObject(parent), m_session(session), m_banner(banner) {
    connect(&session.controller.work(), &EngineWork::engineLost, this, &EngineBanner::offerRestart);
    connect(&session.controller, &RunController::engineSilent, this, &EngineBanner::offerRestart);
    connect(&session.engine, &EngineClient::late, this, &EngineBanner::offerRestart);
    connect(&session.engine.watch(), &EngineWatch::answering, this, &EngineBanner::withdraw);
    connect(&session.engine, &EngineClient::stateChanged, this, [this](EngineClient::State state) {
        if (state != EngineClient::State::Off) withdraw();
    });
}

void EngineBanner::offerRestart(const QString& message) {
    m_shown = m_banner.showMessage(Banner::Kind::Error, message + QLatin1Char('.'), tr("Restart"),
                                   [this] { m_session.controller.restartEngine(); });
}

void EngineBanner::withdraw() {
    if (m_shown >= 0) m_banner.withdraw(std::exchange(m_shown, -1));
}

}  // namespace plumb::ui

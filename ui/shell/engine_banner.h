// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace plumb::ui {

class Banner;
struct Session;

/// Says in the banner what is wrong with the engine.
class EngineBanner final : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    EngineBanner(Session& session, Banner& banner, QObject* parent);

    /// `message`: without full stop.
    void offerRestart(const QString& message);

private:
    void offerReconnect(const QString& reason, int retryMs);

    Session& m_session;
    Banner& m_banner;
};

}  // namespace plumb::ui

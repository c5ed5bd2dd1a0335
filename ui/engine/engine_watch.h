// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace plumb::ui {

/// Notices that an engine lives but does not answer. Nothing is done about it: a long step may be under way.
class EngineWatch final : public QObject {
    Q_OBJECT
public:
    EngineWatch();

    /// How long a pause, a resumption or a stop may wait for its answer before silent().
    void setAnswerTimeout(int milliseconds) { m_answerTimer.setInterval(milliseconds); }
    /// How long a training that was faster may say nothing before silent().
    void setSilenceTimeout(int milliseconds) { m_silenceMs = milliseconds; }

    void sent(const decltype(protocol::Command::body)& body);
    void heard(const protocol::Event& event);
    void reset();  ///< another engine, or none
    /// A pause, a resumption or a stop has waited for its answer for longer than that.
    [[nodiscard]] bool commandWaits() const { return m_commandWaits; }
    [[nodiscard]] bool isSilent() const { return m_trainingSilent || m_commandWaits; }

signals:
    /// With how long it has been: once of a training and once of a command, until answering().
    void silent(int milliseconds);
    void answering();

private:
    void fallSilent(bool& kind, int milliseconds);

    QTimer m_answerTimer;
    QTimer m_silenceTimer;
    QElapsedTimer m_sinceEvent;
    qint64 m_longestGapMs = 0;  ///< between two events of the training
    int m_silenceMs;
    bool m_training = false;
    bool m_commandWaits = false;    ///< silent() was said of a command
    bool m_trainingSilent = false;  ///< silent() was said of a training
};

}  // namespace plumb::ui

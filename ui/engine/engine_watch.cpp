// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_watch.h"

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kAnswerTimeoutMs = 5000;
constexpr int kSilenceTimeoutMs = 5000;
constexpr int kGapsOfSilence = 3;  // a training of slow steps may be silent for longer

}  // namespace

EngineWatch::EngineWatch() : m_silenceMs(kSilenceTimeoutMs) {
    m_answerTimer.setSingleShot(true);
    m_answerTimer.setInterval(kAnswerTimeoutMs);
    connect(&m_answerTimer, &QTimer::timeout, this,
            [this] { fallSilent(m_commandWaits, m_answerTimer.interval()); });
    m_silenceTimer.setSingleShot(true);
    connect(&m_silenceTimer, &QTimer::timeout, this,
            [this] { fallSilent(m_trainingSilent, m_silenceTimer.interval()); });
}

void EngineWatch::sent(const decltype(protocol::Command::body)& body) {
    const bool awaited = std::holds_alternative<protocol::Pause>(body) ||
                         std::holds_alternative<protocol::Resume>(body) ||
                         std::holds_alternative<protocol::Stop>(body);
    if (awaited && !m_answerTimer.isActive()) m_answerTimer.start();
}

void EngineWatch::heard(const protocol::Event& event) {
    const auto* state = std::get_if<protocol::State>(&event.body);
    const bool finished = std::holds_alternative<protocol::Finished>(event.body);
    const bool answer = state || finished || std::holds_alternative<protocol::ErrorEvent>(event.body);
    if (state || finished) {
        m_training = state && state->state == protocol::EngineState::Running;
        m_longestGapMs = 0;
        m_silenceTimer.stop();
    } else if (m_training) {  // how long the first step takes is not known
        m_longestGapMs = std::max(m_longestGapMs, m_sinceEvent.elapsed());
        m_silenceTimer.start(
            static_cast<int>(std::max<qint64>(m_silenceMs, kGapsOfSilence * m_longestGapMs)));
    }
    m_sinceEvent.start();
    const bool wasSilent = isSilent();
    m_trainingSilent = false;
    if (answer) {
        m_answerTimer.stop();
        m_commandWaits = false;
    }
    if (wasSilent && !m_commandWaits) emit answering();
}

void EngineWatch::fallSilent(bool& kind, int milliseconds) {
    const bool said = kind;
    kind = true;
    if (!said) emit silent(milliseconds);
}

void EngineWatch::reset() {
    m_answerTimer.stop();
    m_silenceTimer.stop();
    m_training = m_commandWaits = m_trainingSilent = false;
}

}  // namespace plumb::ui

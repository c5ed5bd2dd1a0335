// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_attachment.h"

#include "core/base/program_version.h"

#include <algorithm>

namespace plumb::ui {
namespace {
constexpr int kFirstDelayMs = 500;
constexpr int kMostDoublings = 6;  // half a minute
}  // namespace

protocol::Hello EngineAttachment::hello() const {
    return {protocol::kVersion, programVersion(), m_session, m_newest, 0};
}

std::vector<protocol::Command> EngineAttachment::attach(const protocol::Hello& engine) {
    m_session = engine.session;
    m_attempts = 0;
    while (!m_unheard.empty() && m_unheard.front().id <= engine.lastCommand) m_unheard.pop_front();
    return {m_unheard.begin(), m_unheard.end()};
}

void EngineAttachment::sent(const protocol::Command& command) {
    if (isAttached()) m_unheard.push_back(command);
}

void EngineAttachment::heard(const protocol::Event& event) {
    m_newest = std::max(m_newest, event.sequence);
    // What it answers it has heard, and all before that.
    while (!m_unheard.empty() && m_unheard.front().id <= event.id) m_unheard.pop_front();
}

int EngineAttachment::nextDelayMs() {
    return kFirstDelayMs << static_cast<unsigned>(std::min(m_attempts++, kMostDoublings));
}

}  // namespace plumb::ui

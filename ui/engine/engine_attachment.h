// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace plumb::ui {

/// What a window remembers of an engine that outlives the connection to it, so that it can come back to where
/// it was (docs/protocol.md). Not attached: the engine is one that ends with its connection.
class EngineAttachment {
public:
    [[nodiscard]] bool isAttached() const { return !m_session.empty(); }
    /// The engine's process is the one of before, or nothing was known of any.
    [[nodiscard]] bool isOf(const protocol::Hello& engine) const {
        return m_session.empty() || m_session == engine.session;
    }
    /// What this window says first on a new connection.
    [[nodiscard]] protocol::Hello hello() const;

    /// The engine has answered; returns the commands that it has not heard, oldest first.
    [[nodiscard]] std::vector<protocol::Command> attach(const protocol::Hello& engine);
    void sent(const protocol::Command& command);
    void heard(const protocol::Event& event);
    /// How long to wait before the next attempt: longer each time, until the engine has answered.
    [[nodiscard]] int nextDelayMs();
    void reset() { *this = {}; }

private:
    std::string m_session;  ///< empty: not attached
    std::int64_t m_newest = 0;
    std::deque<protocol::Command> m_unheard;  ///< that the engine may not have heard
    int m_attempts = 0;
};

}  // namespace plumb::ui

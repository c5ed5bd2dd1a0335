// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_host.h"

#include "ui/settings/settings.h"
#include "ui/shell/main_window.h"
#include "ui/shell/view_actions.h"
#include "ui/theme/translations.h"

#include <utility>

namespace plumb::ui {

WindowHost::WindowHost(Settings& settings, Theme& theme, Translations& translations)
    : m_settings(settings),
      m_theme(theme),
      m_translations(translations),
      m_language(settings.language()),
      m_window(std::make_unique<MainWindow>(settings, theme)) {
    follow();
}

WindowHost::~WindowHost() = default;

void WindowHost::follow() {
    // Queued: the action belongs to the window that goes.
    for (const QString& id : ViewActions::languages())
        connect(m_window->actions().action(id), &QAction::triggered, this, &WindowHost::rebuild,
                Qt::QueuedConnection);
}

void WindowHost::rebuild() {
    if (m_settings.language() == m_language) return;
    m_language = m_settings.language();
    m_translations.use(m_language);
    auto fresh = std::make_unique<MainWindow>(m_settings, m_theme, nullptr, m_window.get());
    fresh->setWindowState(m_window->windowState());
    // Before the old one goes: a program without a window ends.
    if (m_window->isVisible()) fresh->show();
    m_window = std::move(fresh);
    follow();
    emit windowChanged();
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_host.h"

#include "ui/settings/settings.h"
#include "ui/shell/main_window.h"
#include "ui/shell/preferences_actions.h"
#include "ui/shell/view_actions.h"
#include "ui/theme/translations.h"

#include <utility>

namespace plumb::ui {

WindowHost::WindowHost(Settings& settings, Theme& theme, Translations& translations)
    : m_settings(settings),
      m_theme(theme),
      m_translations(translations),
      m_made(settings.preferences()),
      m_window(std::make_unique<MainWindow>(settings, theme)) {
    follow();
}

WindowHost::~WindowHost() = default;

void WindowHost::follow() {
    // Queued: the action belongs to the window that goes.
    for (const QString& id : ViewActions::languages())
        connect(m_window->actions().action(id), &QAction::triggered, this, &WindowHost::rebuild,
                Qt::QueuedConnection);
    connect(m_window->findChild<PreferencesActions*>(), &PreferencesActions::changed, this,
            &WindowHost::rebuild, Qt::QueuedConnection);
}

void WindowHost::rebuild() {
    const Preferences wanted = m_settings.preferences();
    if (!wanted.needsNewWindow(m_made)) return;
    if (wanted.language != m_made.language) m_translations.use(wanted.language);
    m_made = wanted;
    const auto preferences = m_window->findChild<PreferencesActions*>()->opened();
    auto fresh = std::make_unique<MainWindow>(m_settings, m_theme, nullptr, m_window.get());
    fresh->setWindowState(m_window->windowState());
    // Before the old one goes: a program without a window ends.
    if (m_window->isVisible()) fresh->show();
    m_window = std::move(fresh);
    if (preferences) m_window->findChild<PreferencesActions*>()->resume(*preferences);
    follow();
    emit windowChanged();
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences_actions.h"

#include "ui/preferences/preferences_dialog.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/view_actions.h"

#include <QWidget>

namespace plumb::ui {

PreferencesActions::PreferencesActions(ActionRegistry& actions, Settings& settings, Theme& theme,
                                       QWidget& window)
    : QObject(&window), m_actions(actions), m_settings(settings), m_theme(theme), m_window(window) {
    setObjectName(QStringLiteral("preferencesActions"));
    actions.add({QStringLiteral("edit.preferences"), tr("Pre&ferences…"),
                 tr("Choose theme, contrast, size of the letters, language, and how numbers are written"),
                 keys("Ctrl+,")},
                [this] { open(m_settings.preferences()); });
}

void PreferencesActions::open(const Preferences& before) {
    if (m_dialog) return m_dialog->activateWindow();
    make(before);
    m_dialog->open();
}

void PreferencesActions::make(const Preferences& before) {
    m_dialog = new PreferencesDialog(m_settings.preferences(), before, m_theme, &m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &PreferencesDialog::changed, this, &PreferencesActions::take);
}

void PreferencesActions::take(const Preferences& preferences) {
    m_settings.setPreferences(preferences);
    use(preferences, m_theme);
    m_actions.action(ViewActions::themeId(preferences.look.mode))->setChecked(true);
    m_actions.action(ViewActions::languages().at(static_cast<int>(preferences.language)))->setChecked(true);
    emit changed();
}

std::optional<PreferencesActions::Open> PreferencesActions::opened() const {
    if (!m_dialog || !m_dialog->isVisible()) return std::nullopt;
    const QWidget* const focused = m_dialog->focusWidget();
    return Open{m_dialog->before(), focused == nullptr ? QString() : focused->objectName(), m_dialog->pos()};
}

// Placed before it is shown: a window manager would centre it first, and put its title bar above the place
// that a shown one is moved to.
void PreferencesActions::resume(const Open& opened) {
    make(opened.before);
    m_dialog->move(opened.place);
    m_dialog->open();
    if (auto* const focused = m_dialog->findChild<QWidget*>(opened.focused); focused != nullptr)
        focused->setFocus();
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preset_actions.h"

#include "ui/run/presets_dialog.h"
#include "ui/run/run_panel.h"
#include "ui/run/save_preset.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/theme/house_style.h"

#include <QPushButton>

namespace plumb::ui {

PresetActions::PresetActions(ActionRegistry& actions, Session& session, Settings& settings, Theme& theme,
                             RunPanel& panel, QWidget& window)
    : QObject(&window),
      m_actions(actions),
      m_session(session),
      m_settings(settings),
      m_theme(theme),
      m_panel(panel),
      m_window(window),
      m_presets(settings) {
    setObjectName(QStringLiteral("presetActions"));
    actions.add({QStringLiteral("run.presets"), tr("Prese&ts…"),
                 tr("Choose, name and exchange configurations, your own and examples"), keys("Ctrl+Shift+L")},
                [this] { showDialog(); });
    actions.add({QStringLiteral("run.savePreset"),
                 tr("Save as a prese&t…"),
                 tr("Keep the settings of the panel under a name"),
                 {}},
                [this] { askName(); });
    auto* button = new QPushButton(tr("Presets…"), &panel);
    button->setObjectName(QStringLiteral("presetsButton"));
    button->setProperty(kQuietButton, true);
    button->setToolTip(actions.action(QStringLiteral("run.presets"))->statusTip());
    connect(button, &QPushButton::clicked, this, &PresetActions::showDialog);
    panel.setCorner(button);
    connect(&session.workbench, &Workbench::sceneChanged, this, &PresetActions::follow);
    follow();
}

bool PresetActions::canApply() const { return m_session.workbench.recording() == nullptr; }

void PresetActions::follow() {
    m_actions.enable("run.presets", canApply());
    m_actions.enable("run.savePreset", canApply());
}

void PresetActions::apply(const Preset& preset) {
    const Result<void> changed = m_session.history.change(preset.config, tr("“%1”").arg(preset.name));
    if (!changed.has_value()) emit failed(changed.error());
}

void PresetActions::showDialog() {
    if (!m_panel.commitEntries()) return;  // what is typed there belongs to the present configuration
    auto* dialog = new PresetsDialog(m_presets, m_session.workbench.config(), m_settings.lastFolder(),
                                     m_theme, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PresetsDialog::applied, this, [this, dialog](const Preset& preset) {
        apply(preset);
        dialog->close();
    });
    dialog->open();
}

void PresetActions::askName() {
    if (!m_panel.commitEntries()) return;
    askToSavePreset(m_window, m_presets, m_session.workbench.config(), [this](const Result<QString>& saved) {
        if (!saved.has_value()) return emit failed(saved.error());
        emit noticed(tr("“%1” is kept among the presets.").arg(*saved));
    });
}

}  // namespace plumb::ui

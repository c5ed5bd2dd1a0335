// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/preferences.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;

namespace plumb::ui {

/// How the window looks and speaks. What is chosen is in force at once; Cancel and Escape bring back what was
/// in force when the dialog was opened.
class PreferencesDialog final : public QDialog {
    Q_OBJECT
public:
    /// `now` is shown; `before` comes back on Cancel. They differ when a window in other words goes on with a
    /// dialog that was open.
    PreferencesDialog(const Preferences& now, const Preferences& before, Theme& theme,
                      QWidget* parent = nullptr);

    [[nodiscard]] const Preferences& now() const { return m_now; }
    [[nodiscard]] const Preferences& before() const { return m_before; }
    void reject() override;

signals:
    void changed(const plumb::ui::Preferences& now);

private:
    void buildLooks(QFormLayout& form, Theme& theme);
    void buildNumbers(QFormLayout& form);
    [[nodiscard]] QComboBox* addChoice(QFormLayout& form, const QString& label, const char* name,
                                       const QStringList& choices, const QString& tip);
    [[nodiscard]] QCheckBox* addCheck(QFormLayout& form, const QString& text, const char* name,
                                      const QString& tip);
    void take();  ///< what the controls say
    void set(const Preferences& preferences);
    void show(const Preferences& preferences);
    void showSample();

    Preferences m_now, m_before;
    QComboBox *m_theme = nullptr, *m_scale = nullptr, *m_decimal = nullptr, *m_group = nullptr,
              *m_bytes = nullptr, *m_language = nullptr;
    QCheckBox *m_contrast = nullptr, *m_safe = nullptr;
    QLabel* m_sample = nullptr;
};

}  // namespace plumb::ui

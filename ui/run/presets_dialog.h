// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/run/presets.h"

#include <QDialog>

#include <optional>

class QHBoxLayout;
class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace plumb::ui {

class Theme;

/// The user's presets and the examples of the program: apply, keep the present configuration as one, rename,
/// delete (which can be taken back while the dialog is open), export and import. Those that this program
/// cannot read are listed with the reason and stay as they are.
class PresetsDialog final : public QDialog {
    Q_OBJECT
public:
    /// `current` is what *Save* keeps; `folder`, where files are looked for.
    PresetsDialog(Presets& presets, RunConfig current, QString folder, Theme& theme,
                  QWidget* parent = nullptr);

    /// Reads a file, and says what came of it or why nothing did.
    void importFrom(const QString& path);
    void exportTo(const QString& path);

signals:
    void applied(const plumb::ui::Preset& preset);

private:
    [[nodiscard]] QPushButton* addButton(QHBoxLayout& row, const QString& text, const char* name,
                                         const QString& tip, void (PresetsDialog::*action)());
    void fill(const QString& chosen);
    void updateButtons();
    [[nodiscard]] std::optional<Preset> chosen() const;
    void sayWhatIsUnread();
    void apply();
    void save();
    void rename();
    void remove();
    void undo();
    void askImport();
    void askExport();
    void say(const QString& text, bool canUndo = false);
    void sayError(const Error& error);

    Presets& m_presets;
    RunConfig m_current;
    QString m_folder;
    QListWidget* m_list;
    QPlainTextEdit* m_detail;  ///< what the chosen one sets, or why it cannot be read
    QLabel* m_says;
    QPushButton *m_apply = nullptr, *m_rename = nullptr, *m_remove = nullptr, *m_export = nullptr,
                *m_undo = nullptr;
    QList<Preset> m_own;                     ///< as the list shows them
    std::optional<RemovedPreset> m_removed;  ///< the last one
};

}  // namespace plumb::ui

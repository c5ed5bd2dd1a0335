// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <QObject>
#include <QString>

#include <optional>

class QLabel;
class QLineEdit;
class QWidget;

namespace plumb::ui {

class ConfigHistory;
class SliderRow;
class Workbench;

/// Puts what the controls of the run panel ask for into force. A refusal leaves the configuration as it was,
/// and its sentence goes to where the user looks: the row, or the line, of the control.
class ConfigEditor final : public QObject {
    Q_OBJECT
public:
    ConfigEditor(Workbench& workbench, ConfigHistory& history);

    [[nodiscard]] const RunConfig& config() const;
    /// The line of refusals that have no place of their own.
    void setLastLine(QLabel* line) { m_lastLine = line; }

    void edit(const QString& setting, const RunConfig& config, SliderRow* row = nullptr, int gesture = 0);
    void editAt(QLabel* line, const QString& setting, const RunConfig& config);
    /// Puts an entry of `field` into force or shows in `line` why not; the text then stays as typed.
    bool submit(QLineEdit* field, QLabel* line, const Result<RunConfig>& entered, const QString& setting);

    /// Says at the control that is being edited, else in the last line, why something was refused.
    void showRefusal(const Error& error);

signals:
    void refused(const plumb::Error& error);
    void said(QWidget* where);  ///< where the sentence of a refusal stands now
    void edited();              ///< or refused: the controls go back to what is in force

private:
    void offerFix(const Error& error);

    Workbench& m_workbench;
    ConfigHistory& m_history;
    QLabel* m_lastLine = nullptr;
    SliderRow* m_row = nullptr;        ///< where the sentence of a refusal goes now,
    QLabel* m_line = nullptr;          ///< or here; null: the last line
    QLineEdit* m_field = nullptr;      ///< whose entry is being edited; null: none
    std::optional<RunConfig> m_asked;  ///< that is being put into force
    QString m_setting;                 ///< what of it is edited
};

}  // namespace plumb::ui

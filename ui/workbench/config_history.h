// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <QObject>
#include <QUndoStack>

namespace plumb::ui {

class Workbench;

/// Undo and redo of configuration changes. Changes of one gesture (a drag) count as one.
class ConfigHistory final : public QObject {
    Q_OBJECT
public:
    explicit ConfigHistory(Workbench& workbench, QObject* parent = nullptr);

    /// Puts `config` into force. `setting` names what changed ("batch"), for the menu and for merging:
    /// changes of the same setting with the same non-zero `gesture` become one step. Errors: those of
    /// Workbench::show(); nothing changed then.
    [[nodiscard]] Result<void> change(const RunConfig& config, const QString& setting, int gesture = 0);
    void clear() { m_stack.clear(); }  ///< another document: its past is not this one's
    [[nodiscard]] QUndoStack& stack() { return m_stack; }

signals:
    /// What has no place of its own to say so was refused: a step back or forth, or a choice in a view.
    void refused(const plumb::Error& error);

private:
    class Change;

    Workbench& m_workbench;
    QUndoStack m_stack;
};

}  // namespace plumb::ui

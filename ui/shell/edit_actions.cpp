// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/edit_actions.h"

#include "ui/shell/action_registry.h"

#include <QUndoStack>
#include <QWidget>

namespace plumb::ui {

EditActions::EditActions(ActionRegistry& actions, QUndoStack& stack, QWidget& window) : QObject(&window) {
    // QUndoStack's own actions would change their text outside the registry: these two mirror its state.
    QAction* undo = actions.add({QStringLiteral("edit.undo"), tr("&Undo"),
                                 tr("Take back the last change of a setting"), QKeySequence::Undo},
                                [&stack] { stack.undo(); });
    QAction* redo = actions.add({QStringLiteral("edit.redo"), tr("&Redo"),
                                 tr("Make the change again that was taken back"), keys("Ctrl+Shift+Z")},
                                [&stack] { stack.redo(); });
    undo->setEnabled(false);
    redo->setEnabled(false);
    connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::undoTextChanged, undo, [undo](const QString& what) {
        undo->setText(what.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(what));
    });
    connect(&stack, &QUndoStack::redoTextChanged, redo, [redo](const QString& what) {
        redo->setText(what.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(what));
    });
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/edit_actions.h"

#include "ui/shell/action_registry.h"
#include "ui/shell/view_stack.h"
#include "ui/widgets/in_sight.h"

#include <QApplication>
#include <QUndoStack>
#include <QWidget>

#include <utility>

namespace plumb::ui {

EditActions::EditActions(ActionRegistry& actions, QUndoStack& stack, ViewStack& views,
                         std::function<bool()> showsSettings, QWidget& window)
    : QObject(&window), m_actions(actions), m_views(views) {
    // Told first: a step that has more to say of it says so after.
    const auto tell = [this, showsSettings = std::move(showsSettings)](const QString& told,
                                                                       const QString& what) {
        if (!what.isEmpty() && !showsSettings()) emit noticed(told.arg(what));
    };
    // QUndoStack's own actions would change their text outside the registry: these two mirror its state.
    QAction* undo = actions.add({QStringLiteral("edit.undo"), tr("&Undo"),
                                 tr("Take back the last change of a setting"), QKeySequence::Undo},
                                [&stack, tell] {
                                    tell(tr("Taken back: %1"), stack.undoText());
                                    stack.undo();
                                });
    QAction* redo = actions.add({QStringLiteral("edit.redo"), tr("&Redo"),
                                 tr("Make the change again that was taken back"), keys("Ctrl+Shift+Z")},
                                [&stack, tell] {
                                    tell(tr("Made again: %1"), stack.redoText());
                                    stack.redo();
                                });
    actions.add({QStringLiteral("edit.find"), tr("&Find in this view"),
                 tr("Go to the search or the filter of the view that is shown, as / does in it; of a view "
                    "without one, find anything"),
                 keys("Ctrl+F")},
                [this] { find(); });
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

void EditActions::find() {
    const QWidget* const view = m_views.currentView();
    QShortcut* const find = view == nullptr ? nullptr : findKeyOf(*view);
    if (find == nullptr) return m_actions.action(QStringLiteral("view.search"))->trigger();
    emit find->activated();
    if (const QWidget* const field = QApplication::focusWidget(); field && view->isAncestorOf(field))
        bringIntoSight(*field);
}

}  // namespace plumb::ui

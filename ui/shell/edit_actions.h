// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QUndoStack;

namespace plumb::ui {

class ActionRegistry;

/// Undo and redo of settings, as actions of the registry.
class EditActions final : public QObject {
    Q_OBJECT
public:
    EditActions(ActionRegistry& actions, QUndoStack& stack, QWidget& window);
};

}  // namespace plumb::ui

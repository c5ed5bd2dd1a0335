// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QUndoStack;

namespace plumb::ui {

class ActionRegistry;
class ViewStack;

/// Undo and redo of settings, and the way to the search of a view, as actions of the registry.
class EditActions final : public QObject {
    Q_OBJECT
public:
    /// `showsSettings` says whether the settings are beside the view: what is undone is told where they are
    /// not.
    EditActions(ActionRegistry& actions, QUndoStack& stack, ViewStack& views,
                std::function<bool()> showsSettings, QWidget& window);

signals:
    void noticed(const QString& text);

private:
    void find();

    ActionRegistry& m_actions;
    ViewStack& m_views;
};

}  // namespace plumb::ui

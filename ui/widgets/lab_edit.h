// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QUndoStack>

#include <functional>

namespace plumb::ui {

/// Puts an edit of the Lab on the window's undo stack. `apply` and `revert` are called only while `owner`
/// lives; `apply` is called at once. Edits of one `gesture` (SliderRow::chosen()) are undone together; 0:
/// alone.
void pushEdit(QUndoStack& stack, QObject* owner, const QString& text, std::function<void()> apply,
              std::function<void()> revert, int gesture = 0);

/// The same where an edit puts `after` in the place of `before` in all that `owner` shows.
template <class Input>
void pushInput(QUndoStack& stack, QObject* owner, const QString& text, const Input& before,
               const Input& after, const std::function<void(const Input&)>& show, int gesture = 0) {
    pushEdit(
        stack, owner, text, [show, after] { show(after); }, [show, before] { show(before); }, gesture);
}

}  // namespace plumb::ui

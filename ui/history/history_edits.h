// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_store.h"

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QUndoStack;
class QWidget;

namespace plumb::ui {

class History;

/// What its user changes in the history: stars, tags, notes, removals and bounds. Each asks what it has to
/// and is one step of Undo.
class HistoryEdits final : public QObject {
    Q_OBJECT
public:
    /// `view` has the dialogs and owns it; the others outlive it.
    HistoryEdits(History& history, QUndoStack& undo, QWidget& view);

    void setFavourite(const std::vector<HistoryEntry>& entries, bool isFavourite);
    void askTags(const std::vector<HistoryEntry>& entries);
    void askNote(const std::vector<HistoryEntry>& entries);
    void remove(const HistoryStore::Ids& ids);
    void askMostBytes(const HistoryBounds& now);  ///< which is proposed
    void askMostEntries(const HistoryBounds& now);

private:
    using Work = std::function<Result<void>(HistoryStore&)>;
    struct Bound {
        QString title, question, shown, remedy;
        const char* unit;
        double least;
        std::int64_t HistoryBounds::*value;
    };
    /// `undone` is said when it is taken back; empty: nothing.
    void push(const QString& text, Work apply, Work revert, const QString& undone = {});
    void askBound(const Bound& bound);
    /// Tells what goes before it does.
    void confirm(const HistoryLoss& loss, std::function<void()> proceed);
    void askLoss(std::int64_t HistoryBounds::*of, std::int64_t value);
    void setBounds(const HistoryBounds& now, const HistoryBounds& wanted);

    History& m_history;
    QUndoStack& m_undo;
    QWidget& m_view;
    int m_boundsSet = 0;  ///< so often
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_store.h"
#include "ui/workbench/view.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QLineEdit;
class QMenu;
class QPushButton;
class QTableView;
class QUndoStack;

namespace plumb::ui {

class Card;
class History;
class HistoryEdits;
class HistoryModel;
class HistoryTrend;
class ToneLabel;

/// The tab of the history: a table of all runs with a search, and the trend of a figure over those that it
/// leaves. Opening, comparing and files are the window's, which is asked by signals.
class HistoryView final : public QWidget {
    Q_OBJECT
public:
    /// While it is shown it looks so often whether another window wrote.
    static constexpr int kLookMilliseconds = 2'000;

    /// `undo` takes what is changed. All outlive it.
    HistoryView(ViewContext context, History& history, QUndoStack& undo, QWidget* parent = nullptr);
    ~HistoryView() override;

    [[nodiscard]] std::vector<HistoryEntry> selected() const;
    /// The menu of the selected entries, for a right click and the menu key.
    void fillMenu(QMenu& menu);

signals:
    void openWanted(const plumb::ui::HistoryEntry& entry);
    void compareWanted(const std::vector<plumb::ui::HistoryEntry>& entries);
    void exportWanted(const std::vector<std::int64_t>& ids);  ///< empty: all
    void importWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildBar();
    void buildTable();
    void buildEmpty();
    void load();
    void look();
    void search();
    void showEntries(std::vector<HistoryEntry> entries);
    void showState();
    void showUsage(const HistoryUsage& usage);
    void refreshButtons();
    void selectRows(const HistoryStore::Ids& ids);
    [[nodiscard]] HistoryStore::Ids selectedIds() const;
    void openSelected();

    ViewContext m_context;
    History& m_history;
    HistoryEdits* m_edits;
    HistoryModel* m_model;
    HistoryTrend* m_trend = nullptr;
    QWidget* m_bar = nullptr;
    QLineEdit* m_search = nullptr;
    ToneLabel* m_problem = nullptr;
    ToneLabel* m_usage = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_compare = nullptr;
    Card* m_card = nullptr;
    QTableView* m_table = nullptr;
    QWidget* m_content = nullptr;
    QWidget* m_nothing = nullptr;  ///< in the table that a search leaves empty
    Card* m_empty = nullptr;
    ToneLabel* m_emptyText = nullptr;
    QTimer m_clock;
    std::optional<std::int64_t> m_seen;  ///< HistoryStore::changes() of what is shown
    HistoryBounds m_bounds;
};

}  // namespace plumb::ui

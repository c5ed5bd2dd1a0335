// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/operations/operations_filter.h"
#include "ui/widgets/scene_view.h"

#include <QElapsedTimer>
#include <QSet>
#include <QWidget>

#include <array>

class QPushButton;

namespace plumb::ui {

class OperationsFilterBar;
class OperationsTable;
class OperationsTotals;

/// Every operation of a step with its costs, predicted and measured: a tree table by phase and kind.
///
/// Compact: the phases and their kinds of operation, the essential columns. Full: every column (the header's
/// menu hides some), tree or list, a filter field ("/" goes to it) and what its rows add up to; Ctrl+C copies
/// rows as CSV. Choosing an operation chooses it in all views; phases and groups stay out of the choice.
class OperationsView final : public SceneView {
    Q_OBJECT
public:
    OperationsView(ViewContext context, ViewSize size, QWidget* parent = nullptr);

    [[nodiscard]] const OperationsModel& model() const { return *m_model; }
    /// What Ctrl+C puts on the clipboard: the selected rows, or all that are visible when none is selected.
    [[nodiscard]] QString csv() const;

signals:
    void viewWanted(const QString& id);  ///< the chosen operation in another view

private:
    void catchUp() override;
    void buildFilter();
    void buildColumnMenu();
    void openMenu(const QPoint& at);
    void setFlat(bool flat);
    /// Rows that are shown, or of them those that are selected where some are.
    [[nodiscard]] QString copied(bool selectedAlone, CopyFormat format) const;
    void applyFilter(const QString& text);
    void applyRange();
    void rememberExpansion();
    void restoreExpansion();
    void showSelection();
    void publishSelection(const QModelIndex& current);
    void describe();
    /// Puts the rows into the order of the figures of now; with `mayWait` not while somebody reads them.
    void keepSorted(bool mayWait);
    void sortWhenNobodyReads();
    bool eventFilter(QObject* watched, QEvent* event) override;
    void copy();
    /// Shows a column of counters as soon as there is something in it.
    void showIfCounted(OperationColumn column);
    [[nodiscard]] bool expandedByDefault(const QModelIndex& row) const;

    OperationsTable* m_table = nullptr;
    OperationsModel* m_model = nullptr;
    OperationsFilter* m_rows = nullptr;
    OperationsFilterBar* m_filter = nullptr;  ///< full view alone, as the next two
    OperationsTotals* m_totals = nullptr;
    QPushButton* m_sortNow = nullptr;
    OperationsQuery m_query;
    QSet<QString> m_expanded;   ///< row ids that were open beyond the default when rows were last lost ...
    QSet<QString> m_collapsed;  ///< ... and closed against it
    bool m_quiet = false;       ///< expansion or selection is ours, not the user's
    struct Chosen {
        QString row;  ///< its row id
        QString op;   ///< the operation that was selected for it
    };
    Chosen m_chosen;  ///< the last row that the user chose here; empty when the selection came from elsewhere
    std::shared_ptr<const Step> m_sortedStep;  ///< what the measured times were of when rows were sorted
    bool m_sortWaits = false;                  ///< rows are in the order of earlier figures ...
    QElapsedTimer m_sorted;                    ///< ... since when they are in it
    bool m_hadMeasured = false;
    std::array<bool, kOperationColumns> m_counted{};  ///< columns that there was something to show in
};

}  // namespace plumb::ui

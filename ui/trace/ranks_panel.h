// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_trace.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <cstdint>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace plumb::ui {

/// The ranks of a job beside each other: who holds the others up, a row for each rank, the collectives of
/// greatest skew and what does not fit together. Empty for a single trace.
class RanksPanel final : public QWidget {
    Q_OBJECT
public:
    explicit RanksPanel(Theme& theme, QWidget* parent = nullptr);

    void setTrace(std::shared_ptr<const OpenedTrace> opened);

signals:
    /// A collective was clicked: its part on the rank that came last, from its first beginning to its last
    /// end.
    void collectiveChosen(std::uint32_t slice, plumb::trace::Nanoseconds from, plumb::trace::Nanoseconds to);

private:
    void fillRanks();
    void fillCollectives();
    void fillFindings();
    void choose(const QTreeWidgetItem& item);

    std::shared_ptr<const OpenedTrace> m_opened;
    QLabel* m_verdict;
    QTreeWidget* m_ranks;
    QTreeWidget* m_collectives;
    QLabel* m_findings;
};

}  // namespace plumb::ui

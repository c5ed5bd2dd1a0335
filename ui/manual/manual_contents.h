// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/manual/manual_book.h"

#include <QTreeWidget>

namespace plumb::ui {

/// The pages of the manual with their sections, or those in which something was found.
class ManualContents final : public QTreeWidget {
    Q_OBJECT
public:
    explicit ManualContents(QWidget* parent = nullptr);

    void showAll(const ManualBook& book);
    void showHits(const ManualBook& book, const std::vector<ManualHit>& hits);
    /// Marks what is being read, without saying that it was chosen.
    void setPlace(const ManualPlace& place);

signals:
    void chosen(const ManualPlace& place);

private:
    QTreeWidgetItem* addPage(const ManualPage& page);
    static void addSection(QTreeWidgetItem& page, const ManualHit& section);

    bool m_isFilling = false;
    bool m_showsHits = false;
};

}  // namespace plumb::ui

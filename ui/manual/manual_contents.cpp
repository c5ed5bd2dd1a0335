// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/manual_contents.h"

#include <QHeaderView>
#include <QScopedValueRollback>

namespace plumb::ui {
namespace {

constexpr int kRoom = 7;  ///< above and below the letters of a row, together
constexpr int kPageRole = Qt::UserRole, kAnchorRole = Qt::UserRole + 1;

ManualPlace placeOfItem(const QTreeWidgetItem& item) {
    return {item.data(0, kPageRole).toString(), item.data(0, kAnchorRole).toString()};
}

}  // namespace

ManualContents::ManualContents(QWidget* parent) : QTreeWidget(parent) {
    setObjectName(QStringLiteral("manualContents"));
    setAccessibleName(tr("Contents of the manual"));
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(14);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    header()->setStretchLastSection(true);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        if (item != nullptr && !m_isFilling) emit chosen(placeOfItem(*item));
    });
}

QTreeWidgetItem* ManualContents::addPage(const ManualPage& page) {
    auto* item = new QTreeWidgetItem(this, {page.title});
    item->setData(0, kPageRole, page.id);
    item->setToolTip(0, page.title);
    item->setSizeHint(0, QSize(0, fontMetrics().height() + kRoom));
    return item;
}

void ManualContents::addSection(QTreeWidgetItem& page, const ManualHit& section) {
    auto* item = new QTreeWidgetItem(&page, {section.title});
    item->setData(0, kPageRole, section.place.page);
    item->setData(0, kAnchorRole, section.place.anchor);
    item->setToolTip(0, section.title);
    item->setSizeHint(0, page.sizeHint(0));
}

void ManualContents::showAll(const ManualBook& book) {
    const QScopedValueRollback filling(m_isFilling, true);
    clear();
    m_showsHits = false;
    for (const ManualPage& page : book.pages()) {
        QTreeWidgetItem* item = addPage(page);
        for (const PageHeading& heading : page.html.headings)
            if (heading.level == 2) addSection(*item, {{page.id, heading.anchor}, heading.text});
    }
}

void ManualContents::showHits(const ManualBook& book, const std::vector<ManualHit>& hits) {
    const QScopedValueRollback filling(m_isFilling, true);
    clear();
    m_showsHits = true;
    QTreeWidgetItem* page = nullptr;
    for (const ManualHit& hit : hits) {
        if (page == nullptr || page->data(0, kPageRole) != hit.place.page)
            page = addPage(*book.page(hit.place.page));
        if (!hit.place.anchor.isEmpty()) addSection(*page, hit);
    }
    expandAll();
}

void ManualContents::setPlace(const ManualPlace& place) {
    const QScopedValueRollback filling(m_isFilling, true);
    QTreeWidgetItem* here = nullptr;
    for (int i = 0; i < topLevelItemCount(); ++i) {
        QTreeWidgetItem* page = topLevelItem(i);
        const bool isHere = placeOfItem(*page).page == place.page;
        page->setExpanded(isHere || m_showsHits);
        if (isHere) here = page;
    }
    if (here == nullptr) return setCurrentItem(nullptr);
    QTreeWidgetItem* at = here;
    for (int i = 0; i < here->childCount(); ++i)
        if (placeOfItem(*here->child(i)) == place) at = here->child(i);
    setCurrentItem(at);
    scrollToItem(at);
}

}  // namespace plumb::ui

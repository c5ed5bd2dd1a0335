// SPDX-License-Identifier: GPL-3.0-or-later
// What of a window its user cannot read: texts without their room, and widgets out of sight.
#pragma once

#include "tests/ui/shell/shell_walk.h"
#include "ui/run/key_figures.h"
#include "ui/theme/text.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStringList>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTextDocument>
#include <QTreeView>

#include <algorithm>

namespace plumb::ui::test {

inline QString fact(const QWidget& widget, const QString& text, const QString& what) {
    return QStringLiteral("%1 \"%2\" %3").arg(QString::fromStdString(nameOf(widget)), text.left(60), what);
}

inline int textWidth(const QWidget& widget, const QString& text) {
    return widget.fontMetrics().size(Qt::TextShowMnemonic, text).width();
}

inline QString cutLabel(const QLabel& label) {
    const QString& text = label.text();
    if (text.isEmpty() || !label.pixmap(Qt::ReturnByValue).isNull()) return {};
    const QString tip = label.toolTip();
    if (text.endsWith(QChar(0x2026)) && tip.startsWith(text.chopped(1).trimmed()))
        return fact(label, text, QStringLiteral("is elided"));
    if (label.wordWrap())
        return label.heightForWidth(label.width()) <= label.height() + 1
                   ? QString()
                   : fact(label, text,
                          QStringLiteral("is %1 high and needs %2")
                              .arg(label.height())
                              .arg(label.heightForWidth(label.width())));
    const bool isRich = label.textFormat() == Qt::RichText;
    const int needed = isRich ? label.sizeHint().width() : textWidth(label, text);
    return needed <= label.width() + 1
               ? QString()
               : fact(label, text, QStringLiteral("is %1 wide and needs %2").arg(label.width()).arg(needed));
}

inline QString cutButton(const QAbstractButton& button) {
    if (button.text().isEmpty()) return {};
    const bool isPlain = button.inherits("QPushButton") || button.inherits("QToolButton");
    const int needed = isPlain ? textWidth(button, button.text()) + 4 : button.sizeHint().width();
    return needed <= button.width() + 1
               ? QString()
               : fact(button, button.text(),
                      QStringLiteral("is %1 wide and needs %2").arg(button.width()).arg(needed));
}

inline QString cutField(const QLineEdit& field) {
    const QString text = field.text().isEmpty() ? field.placeholderText() : field.displayText();
    const int needed = field.fontMetrics().horizontalAdvance(text) + 4;
    return needed <= field.width()
               ? QString()
               : fact(field, text, QStringLiteral("is %1 wide and needs %2").arg(field.width()).arg(needed));
}

inline QString cutChoice(const QComboBox& box) {
    QStyleOptionComboBox option;
    option.initFrom(&box);
    const QRect field =
        box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    return textWidth(box, box.currentText()) <= field.width() + 2
               ? QString()
               : fact(box, box.currentText(), QStringLiteral("has no room in %1").arg(field.width()));
}

/// Titles of columns, cells of the first rows, and a table that must be moved sideways.
inline QStringList cutCells(const QAbstractItemView& view) {
    QStringList found;
    const auto* const table = view.findChild<const QHeaderView*>(QString(), Qt::FindDirectChildrenOnly);
    const QHeaderView* header = nullptr;
    for (const auto* each : view.findChildren<const QHeaderView*>(QString(), Qt::FindDirectChildrenOnly))
        if (each->orientation() == Qt::Horizontal) header = each;
    if (table == nullptr || header == nullptr || header->model() == nullptr) return found;
    if (view.horizontalScrollBar()->maximum() > 1)
        found << fact(view, {},
                      QStringLiteral("is moved sideways by %1").arg(view.horizontalScrollBar()->maximum()));
    constexpr int kRows = 12;
    const QAbstractItemModel& model = *view.model();
    for (int column = 0; column < header->count(); ++column) {
        if (header->isSectionHidden(column)) continue;
        // Long marks of published trainings, which have given all other columns that may yield their room.
        if (column == 0 && view.objectName() == QLatin1String("evidenceRows")) continue;
        const QString title = model.headerData(column, Qt::Horizontal).toString();
        if (!header->isHidden() &&
            header->fontMetrics().horizontalAdvance(title) > header->sectionSize(column))
            found << fact(*header, title,
                          QStringLiteral("has no room in a column of %1").arg(header->sectionSize(column)));
        for (int row = 0; row < std::min(model.rowCount(), kRows); ++row) {
            const QModelIndex index = model.index(row, column);
            const QRect cell = view.visualRect(index);
            const QString text = index.data().toString();
            const auto font = index.data(Qt::FontRole);
            const QFontMetrics metrics(font.isValid() ? font.value<QFont>() : view.font());
            const bool isOneLine = cell.height() < 2 * metrics.lineSpacing();
            if (cell.intersects(view.viewport()->rect()) && isOneLine && !text.isEmpty() &&
                metrics.horizontalAdvance(text) > cell.width())
                found << fact(view, text, QStringLiteral("has no room in a cell of %1").arg(cell.width()));
        }
    }
    return found;
}

/// Whether it is the content of a scroll area, which may be larger than what is seen of it.
inline bool isScrolled(const QWidget& widget) {
    const auto* const area =
        widget.parentWidget() == nullptr
            ? nullptr
            : qobject_cast<const QAbstractScrollArea*>(widget.parentWidget()->parentWidget());
    return area != nullptr && area->viewport() == widget.parentWidget();
}

inline QString outOfSight(const QWidget& widget) {
    const QWidget* const parent = widget.parentWidget();
    if (parent == nullptr || widget.isWindow() || isScrolled(widget) ||
        parent->rect().contains(widget.geometry()))
        return {};
    const QRect at = widget.geometry();
    return fact(widget, {},
                QStringLiteral("at %1,%2 of %3 x %4 is out of %5 x %6")
                    .arg(at.x())
                    .arg(at.y())
                    .arg(at.width())
                    .arg(at.height())
                    .arg(parent->width())
                    .arg(parent->height()));
}

/// Widgets of one layout that lie over each other.
inline QStringList overlapping(const QWidget& widget) {
    QStringList found;
    if (widget.layout() == nullptr) return found;
    std::vector<const QWidget*> placed;
    for (const QWidget* each : widget.findChildren<const QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!each->isVisible() || each->size().isEmpty() ||
            widget.layout()->indexOf(const_cast<QWidget*>(each)) < 0)
            continue;
        for (const QWidget* other : placed)
            if (other->geometry().intersects(each->geometry()))
                found << fact(*each, {},
                              QStringLiteral("lies over ") + QString::fromStdString(nameOf(*other)));
        placed.push_back(each);
    }
    return found;
}

/// The innermost part that asks for most of the width.
inline const QWidget& widestPart(const QWidget& whole) {
    const QWidget* widest = nullptr;
    for (const QWidget* part : whole.findChildren<const QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (part->isVisible() && !part->isWindow() &&
            (widest == nullptr || part->minimumSizeHint().width() > widest->minimumSizeHint().width()))
            widest = part;
    return widest == nullptr || widest->minimumSizeHint().width() <= 0 ? whole : widestPart(*widest);
}

/// A page of which the right side is out of sight.
inline QString movedSideways(const QScrollArea& area) {
    const QLayout* const content = area.widget()->layout();
    const int margin = content == nullptr ? 0 : content->contentsMargins().right();
    const int by = area.horizontalScrollBar()->maximum() - margin;
    if (by <= 0) return {};
    const QWidget& part = widestPart(*area.widget());
    return fact(area, {},
                QStringLiteral("is moved sideways by %1, for %2 of %3")
                    .arg(by)
                    .arg(QString::fromStdString(nameOf(part)))
                    .arg(part.minimumSizeHint().width()));
}

/// Everything that is cut in what the window shows now, a sentence each.
inline QStringList cutIn(const QWidget& window) {
    QStringList found;
    const auto add = [&found](const QString& text) {
        if (!text.isEmpty()) found << text;
    };
    for (const QWidget* widget : window.findChildren<const QWidget*>()) {
        if (!widget->isVisible() || widget->size().isEmpty()) continue;
        add(outOfSight(*widget));
        found << overlapping(*widget);
        if (const auto* label = qobject_cast<const QLabel*>(widget)) add(cutLabel(*label));
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) add(cutButton(*button));
        if (const auto* field = qobject_cast<const QLineEdit*>(widget)) add(cutField(*field));
        if (const auto* box = qobject_cast<const QComboBox*>(widget)) add(cutChoice(*box));
        if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) found << cutCells(*view);
        if (const auto* area = qobject_cast<const QScrollArea*>(widget)) add(movedSideways(*area));
        if (const auto* tile = qobject_cast<const KeyFigureTile*>(widget))
            if (tile->width() < tile->minimumSizeHint().width())
                add(fact(*tile, tile->figure().title, QStringLiteral("has no room")));
    }
    return found;
}

}  // namespace plumb::ui::test

// SPDX-License-Identifier: GPL-3.0-or-later
// Every text of a window that people see, or hear from a screen reader.
#pragma once

#include "tests/ui/shell/shell_walk.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTextEdit>

#include <algorithm>
#include <functional>

namespace plumb::ui::test {

using TakeText = std::function<void(const QString& text, const std::string& where)>;

/// Titles, cells and their tool tips; of a tree what lies below, too.
inline void textsOfModel(const QAbstractItemView& view, const TakeText& take) {
    constexpr int kMostColumns = 40, kMostRows = 60, kMostLevels = 4;
    const QAbstractItemModel* const model = view.model();
    if (model == nullptr) return;
    const int columns = std::min(model->columnCount(), kMostColumns);
    for (int column = 0; column < columns; ++column)
        for (const int role : {int{Qt::DisplayRole}, int{Qt::ToolTipRole}})
            take(model->headerData(column, Qt::Horizontal, role).toString(), "a title of " + nameOf(view));
    const std::function<void(const QModelIndex&, int)> visit = [&](const QModelIndex& parent, int level) {
        for (int row = 0; row < std::min(model->rowCount(parent), kMostRows); ++row) {
            for (int column = 0; column < columns; ++column)
                for (const int role :
                     {int{Qt::DisplayRole}, int{Qt::ToolTipRole}, int{Qt::AccessibleTextRole}})
                    take(model->index(row, column, parent).data(role).toString(),
                         "column " + std::to_string(column) + " of " + nameOf(view));
            if (level < kMostLevels) visit(model->index(row, 0, parent), level + 1);
        }
    };
    visit({}, 0);
}

inline void textsOfAction(const QAction& action, const TakeText& take) {
    for (const QString& text : {action.text(), action.toolTip(), action.statusTip()})
        take(text, "the action " + action.objectName().toStdString());
}

/// Calls `take` with every text of what lies in `top`, shown now or not.
inline void textsOf(const QWidget& top, const TakeText& take) {
    for (const QWidget* widget : top.findChildren<const QWidget*>()) {
        const std::string name = nameOf(*widget);
        for (const QString& text :
             {widget->toolTip(), widget->accessibleName(), widget->accessibleDescription(),
              widget->statusTip(), widget->whatsThis()})
            take(text, name);
        if (QAccessibleInterface* said =
                widget->isVisible() ? QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget))
                                    : nullptr)
            for (const QAccessible::Text of : {QAccessible::Name, QAccessible::Description})
                take(said->text(of), "what is heard of " + name);
        if (const auto* label = qobject_cast<const QLabel*>(widget)) take(label->text(), name);
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) take(button->text(), name);
        if (const auto* box = qobject_cast<const QGroupBox*>(widget)) take(box->title(), name);
        if (const auto* field = qobject_cast<const QLineEdit*>(widget)) take(field->placeholderText(), name);
        if (const auto* text = qobject_cast<const QTextEdit*>(widget)) take(text->toPlainText(), name);
        if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget))
            take(text->placeholderText(), name);
        if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
            for (int i = 0; i < tabs->count(); ++i) take(tabs->tabText(i), name);
        if (const auto* choice = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < choice->count(); ++i)
                for (const int role : {int{Qt::DisplayRole}, int{Qt::ToolTipRole}})
                    take(choice->itemData(i, role).toString(), name);
        if (const auto* menu = qobject_cast<const QMenu*>(widget)) take(menu->title(), name);
        for (const QAction* action : widget->actions()) textsOfAction(*action, take);
        if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) textsOfModel(*view, take);
    }
}

}  // namespace plumb::ui::test

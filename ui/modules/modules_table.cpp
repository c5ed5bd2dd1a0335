// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/modules/modules_table.h"

#include "ui/modules/modules_model.h"
#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kNameMinimum = 140;  // logical pixels; below that a column gives way
constexpr int kBarWidth = 72;

}  // namespace

void ModulesDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const auto column = static_cast<ModuleColumn>(index.column());
    const QVariant value = index.data(ModulesModel::RawValueRole);
    const bool isName = column == ModuleColumn::Name;
    if (column == ModuleColumn::Share && value.isValid()) {
        QRect room = option.rect.adjusted(kPadding, 0, 0, 0);
        room.setWidth(kBarWidth);
        paintBar(*painter, room, value.toDouble(), ColorRole::Accent);
    }
    QFont font = option.font;
    if (isName && !index.parent().isValid()) font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    const bool isQuiet = !isName && (!value.isValid() || value.toDouble() == 0);
    painter->setPen(theme().color(isQuiet ? ColorRole::TextMuted : ColorRole::Text));
    paintText(*painter, option, option.rect, index);
    painter->restore();
}

ModulesTable::ModulesTable(const Theme& theme, int rowHeight, QWidget* parent) : TreeTable(theme, parent) {
    setItemDelegate(new ModulesDelegate(theme, rowHeight, this));
}

void ModulesTable::setModel(QAbstractItemModel* model) {
    TreeTable::setModel(model);
    layoutColumns();
}

void ModulesTable::setYielding(const QList<ModuleColumn>& columns) {
    m_yielding = columns;
    layoutColumns();
}

int ModulesTable::columnWidthFor(ModuleColumn column) const {
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(strong);
    int content = metrics.horizontalAdvance(QStringLiteral("888.8 kB"));
    if (column == ModuleColumn::Share)
        content = kBarWidth + TreeCells::kPadding + metrics.horizontalAdvance(QStringLiteral("100.0 %"));
    const int title = QFontMetrics(font()).horizontalAdvance(moduleColumnTitle(column));
    return widthForTexts(content, title);
}

void ModulesTable::layoutColumns() {
    fitColumns(scaled(kNameMinimum), m_yielding,
               [this](ModuleColumn column) { return columnWidthFor(column); });
}

}  // namespace plumb::ui

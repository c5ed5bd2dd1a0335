// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/modules/modules_table.h"

#include "ui/modules/modules_model.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kPadding = 12;
constexpr int kSlack = 4;          // digits of proportional fonts differ in width
constexpr int kNameMinimum = 140;  // logical pixels; below that a column gives way
constexpr int kBarWidth = 72;

}  // namespace

ModulesDelegate::ModulesDelegate(const Theme& theme, int rowHeight, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme), m_rowHeight(rowHeight) {}

QSize ModulesDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {QStyledItemDelegate::sizeHint(option, index).width(), m_rowHeight};
}

void ModulesDelegate::paintShare(QPainter* painter, const QRect& rect, double share) const {
    const qreal height = 6;
    const QRectF track(rect.left() + kPadding, rect.center().y() + 0.5 - height / 2, kBarWidth, height);
    QRectF bar = track;
    bar.setWidth(std::max(height, track.width() * std::clamp(share, 0.0, 1.0)));
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_theme.color(ColorRole::Track));
    painter->drawRoundedRect(track, height / 2, height / 2);
    painter->setBrush(m_theme.color(ColorRole::Accent));
    painter->drawRoundedRect(bar, height / 2, height / 2);
}

void ModulesDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const auto column = static_cast<ModuleColumn>(index.column());
    const QVariant value = index.data(ModulesModel::RawValueRole);
    const bool isName = column == ModuleColumn::Name;
    if (column == ModuleColumn::Share && value.isValid()) paintShare(painter, option.rect, value.toDouble());
    QFont font = option.font;
    if (isName && !index.parent().isValid()) font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    const bool isQuiet = !isName && (!value.isValid() || value.toDouble() == 0);
    painter->setPen(m_theme.color(isQuiet ? ColorRole::TextMuted : ColorRole::Text));
    const int right =
        option.widget ? option.widget->style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, option.widget)
                      : 4;
    const QRect inner = option.rect.adjusted(isName ? 0 : kPadding, 0, -right, 0);
    painter->drawText(inner,
                      static_cast<int>(Qt::AlignVCenter | (index.data(Qt::TextAlignmentRole).toInt() &
                                                           Qt::AlignHorizontal_Mask)),
                      QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, inner.width()));
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
    int content = metrics.horizontalAdvance(QStringLiteral("888 MFLOP"));
    if (column == ModuleColumn::Share)
        content = kBarWidth + kPadding + metrics.horizontalAdvance(QStringLiteral("100.0 %"));
    const int title = QFontMetrics(font()).horizontalAdvance(moduleColumnTitle(column));
    return std::max(content + kSlack, title) + kPadding +
           style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, this);
}

void ModulesTable::layoutColumns() {
    if (!model()) return;
    int wanted = 0;
    for (int i = 1; i < kModuleColumns; ++i) wanted += columnWidthFor(static_cast<ModuleColumn>(i));
    QList<ModuleColumn> gone;
    for (const ModuleColumn column : m_yielding) {
        if (viewport()->width() - wanted >= kNameMinimum) break;
        wanted -= columnWidthFor(column);
        gone.append(column);
    }
    for (int i = 1; i < kModuleColumns; ++i) {
        const auto column = static_cast<ModuleColumn>(i);
        setColumnHidden(i, gone.contains(column));
        if (!gone.contains(column)) header()->resizeSection(i, columnWidthFor(column));
    }
    header()->resizeSection(0, std::max(kNameMinimum, viewport()->width() - wanted));
}

}  // namespace plumb::ui

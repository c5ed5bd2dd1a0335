// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_totals.h"

#include "ui/operations/operations_model.h"
#include "ui/operations/operations_table.h"
#include "ui/theme/list_text.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QToolTip>

namespace plumb::ui {

OperationsTotals::OperationsTotals(const Theme& theme, OperationsTable& table, const OperationsModel& model,
                                   QWidget* parent)
    : QWidget(parent), m_theme(theme), m_table(table), m_model(model) {
    setObjectName(QStringLiteral("operationsTotals"));
    setFixedHeight(fontMetrics().height() + 14);
    const auto repaint = qOverload<>(&QWidget::update);
    connect(table.header(), &QHeaderView::sectionResized, this, repaint);
    connect(table.header(), &QHeaderView::sectionMoved, this, repaint);
    connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, this, repaint);
    connect(&theme, &Theme::changed, this, repaint);
}

QString OperationsTotals::text(int column) const {
    if (m_total.figures.ops == 0 && m_total.figures.ranOps == 0)
        return column == 0 ? tr("No operation") : QString();
    if (column == 0) return m_isPart ? tr("Sum of what is shown") : tr("Whole step");
    return cellText(m_model.tree(), m_total, static_cast<OperationColumn>(column));
}

void OperationsTotals::setTotal(const OperationsTree::Node& total, bool isPart) {
    m_total = total;
    m_isPart = isPart;
    QStringList figures;
    for (int column = 1; column < kOperationColumns; ++column)
        if (!m_table.isColumnHidden(column))
            figures << columnTitle(static_cast<OperationColumn>(column), total.figures.isWhatIf) + u' ' +
                           text(column);
    setAccessibleName(text(0));
    setAccessibleDescription(listText(figures));
    update();
}

void OperationsTotals::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(m_theme.color(ColorRole::CardBorder));
    painter.drawLine(0, 0, width(), 0);
    QFont font = m_table.font();
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QHeaderView* header = m_table.header();
    const int right = style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, &m_table);
    for (int column = 0; column < header->count(); ++column) {
        if (header->isSectionHidden(column)) continue;
        const QString figure = text(column);
        const int left = column == 0 ? right : TreeCells::kPadding;
        const QRect room(header->sectionViewportPosition(column) + left, 1,
                         header->sectionSize(column) - left - right, height() - 1);
        painter.setPen(m_theme.color(figure == absentText() ? ColorRole::TextMuted : ColorRole::TextStrong));
        painter.drawText(room, (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(figure, Qt::ElideRight, room.width()));
    }
}

bool OperationsTotals::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);  // NOLINT(*-static-cast-downcast): its type says so
    const int column = m_table.header()->logicalIndexAt(help->pos().x());
    if (column < 0 || m_model.tree().nodes().empty()) return QWidget::event(event);
    const auto of = static_cast<OperationColumn>(column);
    QToolTip::showText(help->globalPos(),
                       column == 0 ? tr("%1 operations").arg(m_total.figures.ops)
                                   : cellToolTip(m_model.tree(), m_total, of),
                       this);
    return true;
}

}  // namespace plumb::ui

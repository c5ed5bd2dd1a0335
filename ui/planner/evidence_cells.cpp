// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_cells.h"

#include "core/base/entry_at.h"
#include "ui/planner/evidence_parts.h"
#include "ui/planner/evidence_rows.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr qreal kUseDot = 4;
constexpr int kCellRoom = 18;  // of a column beside its text

/// A dot before the text: filled or hollow as in the chart. `fits`: of the row of the table.
void paintUse(QPainter& painter, const QRect& room, const QColor& color, bool fits) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.4));
    painter.setBrush(fits ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QPointF(room.left() + 11, room.center().y() + 0.5), kUseDot, kUseDot);
    painter.restore();
}

/// The cells of both tables: dots of the use, warnings on what misses the goals, the share held as a bar.
class EvidenceCells final : public QStyledItemDelegate {
public:
    EvidenceCells(const Theme& theme, const EvidenceModel& model, const EvidenceParts* parts,
                  const EvidenceRows* rows, QObject* parent)
        : QStyledItemDelegate(parent), m_theme(theme), m_model(model), m_parts(parts), m_rows(rows) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        if (m_parts != nullptr)
            paintPart(*painter, option, index, m_parts->row(index.row()));
        else
            paintRow(*painter, option, index, entryAt(m_model.rows(), entryAt(m_rows->order(), index.row())));
    }

private:
    void paintText(QPainter& painter, const QStyleOptionViewItem& item, const QModelIndex& index,
                   const QRect& room, ColorRole role) const {
        QFont font = item.font;
        if (const QVariant own = index.data(Qt::FontRole); own.isValid())
            font.setWeight(static_cast<QFont::Weight>(own.value<QFont>().weight()));
        painter.setFont(font);
        painter.setPen(m_theme.color(role));
        const QRect text = room.adjusted(6, 0, -8, 0);
        painter.drawText(
            text, index.data(Qt::TextAlignmentRole).toInt(),
            QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, text.width()));
    }
    void paintBase(QPainter& painter, const QStyleOptionViewItem& item) const {
        if (item.state & QStyle::State_Selected)
            painter.fillRect(item.rect, m_theme.color(ColorRole::Selection));
        else if (item.state & QStyle::State_MouseOver)
            painter.fillRect(item.rect, m_theme.color(ColorRole::Hover));
    }
    void paintPart(QPainter& painter, const QStyleOptionViewItem& item, const QModelIndex& index,
                   const EvidencePart& part) const {
        paintBase(painter, item);
        const auto column = static_cast<PartColumn>(index.column());
        QRect room = item.rect;
        const planner::ErrorGoals& goals = planner::goalsOf(m_model.filter().figure);
        const planner::ErrorSummary& summary = part.summary;
        if (column == PartColumn::Name) {
            if (part.isWhole) {
                paintUse(painter, room, m_theme.color(ColorRole::TextMuted), part.fits.value_or(false));
            }
            room.setLeft(room.left() + kEvidenceUseRoom);
        }
        const bool misses =
            summary.rows > 0 &&
            ((column == PartColumn::Median && summary.median > goals.median) ||
             (column == PartColumn::Ninetieth && part.isWhole && summary.ninetieth > goals.ninetieth) ||
             (column == PartColumn::Bias && part.isWhole && std::abs(summary.bias) > goals.bias) ||
             (column == PartColumn::Held && summary.held < goals.heldFrom));
        if (column == PartColumn::Held && summary.rows > 0) {
            const int text = QFontMetrics(item.font).horizontalAdvance(QStringLiteral("100.0 %")) + 16;
            const QRectF bar(room.left() + 8, room.center().y() - 2.0, room.width() - text - 8, 5);
            if (bar.width() > 16) paintHeld(painter, bar, summary.held, goals.heldFrom, misses);
        }
        paintText(painter, item, index, room,
                  misses         ? ColorRole::Warning
                  : part.isWhole ? ColorRole::TextStrong
                                 : ColorRole::Text);
    }
    void paintHeld(QPainter& painter, const QRectF& bar, double share, double meant, bool misses) const {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(ColorRole::Track));
        painter.drawRoundedRect(bar, 2.5, 2.5);
        painter.setBrush(m_theme.color(misses ? ColorRole::Warning : ColorRole::Good));
        painter.drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * share, bar.height())), 2.5, 2.5);
        const qreal x = bar.left() + bar.width() * meant;
        painter.setPen(QPen(m_theme.color(ColorRole::TextStrong), 1.4));
        painter.drawLine(QPointF(x, bar.top() - 3), QPointF(x, bar.bottom() + 3));
        painter.restore();
    }
    void paintRow(QPainter& painter, const QStyleOptionViewItem& item, const QModelIndex& index,
                  const planner::ValidatedRow& row) const {
        paintBase(painter, item);
        const auto column = static_cast<EvidenceColumn>(index.column());
        const planner::Figure figure = m_model.filter().figure;
        QRect room = item.rect;
        if (column == EvidenceColumn::Training) {
            paintUse(painter, room, m_theme.color(ColorRole::TextMuted), m_model.fits(row));
            room.setLeft(room.left() + kEvidenceUseRoom);
        }
        ColorRole role = ColorRole::Text;
        if (column == EvidenceColumn::Predicted) role = ColorRole::TextStrong;
        if (column == EvidenceColumn::Interval || column == EvidenceColumn::Remark ||
            column == EvidenceColumn::Source)
            role = ColorRole::TextMuted;
        if (column == EvidenceColumn::Error && !row.held(figure).value_or(true)) role = ColorRole::Warning;
        paintText(painter, item, index, room, role);
    }

    const Theme& m_theme;
    const EvidenceModel& m_model;
    const EvidenceParts* m_parts;
    const EvidenceRows* m_rows;
};

}  // namespace

QTableView* makeEvidenceTable(Theme& theme, const EvidenceModel& model, const char* name, Card* card,
                              QAbstractItemModel* rows, QObject* filter) {
    auto* table = new QTableView(card);
    table->setObjectName(QString::fromLatin1(name));
    setUpDataTable(*table);
    table->setModel(rows);
    table->setItemDelegate(new EvidenceCells(theme, model, qobject_cast<EvidenceParts*>(rows),
                                             qobject_cast<EvidenceRows*>(rows), table));
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setMouseTracking(true);
    table->horizontalHeader()->setMinimumSectionSize(24);
    table->horizontalHeader()->setStretchLastSection(false);
    table->installEventFilter(filter);
    table->viewport()->installEventFilter(filter);
    card->setContentMargins(6, 2, 6, 6);
    card->setContent(table);
    QObject::connect(&theme, &Theme::changed, table->viewport(), qOverload<>(&QWidget::update));
    return table;
}

int evidenceColumnWidth(const QTableView& table, int column, const QString& widest) {
    const QFontMetrics metrics(table.font());
    const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
    return std::max(metrics.horizontalAdvance(widest), metrics.horizontalAdvance(title)) + kCellRoom;
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/collective_picture.h"

#include "ui/theme/list_text.h"
#include "ui/theme/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kBetweenTexts = 8, kLeastSlice = 14;

}  // namespace

CollectivePicture::CollectivePicture(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setObjectName(QStringLiteral("collectivePicture"));
    setAccessibleName(tr("What each rank has of each slice"));
}

void CollectivePicture::showState(const CollectiveState& state) {
    m_state = state;
    setAccessibleDescription(sentencesText(QStringList{state.stepText} + state.moves));
    updateGeometry();
    update();
}

qreal CollectivePicture::nameRoom() const {
    return fontMetrics().horizontalAdvance(tr("rank %1").arg(lab::kMostCollectiveRanks - 1)) + kBetweenTexts;
}

qreal CollectivePicture::fromRoom() const {
    return fontMetrics().horizontalAdvance(
               tr("from %1", "a rank that sends").arg(lab::kMostCollectiveRanks - 1)) +
           kBetweenTexts;
}

QSize CollectivePicture::sizeHint() const {
    const int row = std::max(kLeastSlice, fontMetrics().height()) + 4;
    return {qRound(nameRoom() + fromRoom()) + kLeastSlice * m_state.collective.ranks,
            row * (m_state.collective.ranks + 1)};
}

QRectF CollectivePicture::cellOf(int rank, int slice) const {
    const qreal head = fontMetrics().height() + 4;
    const qreal high = (height() - head) / m_state.collective.ranks;
    const qreal wide = (width() - nameRoom() - fromRoom()) / m_state.collective.ranks;
    return QRectF(nameRoom() + slice * wide, head + rank * high, wide, high).adjusted(2, 2, -2, -2);
}

QString CollectivePicture::cameFrom(int rank) const {
    QStringList from;
    for (const lab::CollectiveMove& move : m_state.moving())
        if (move.to == rank) from << QString::number(move.from);
    if (from.isEmpty()) return {};
    return from.size() == 1 ? tr("from %1", "a rank that sends").arg(from.first())
                            : tr("from all", "ranks that send");
}

void CollectivePicture::paintEvent(QPaintEvent*) {
    if (m_state.has.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int ranks = m_state.collective.ranks;
    painter.setPen(color(ColorRole::TextMuted));
    // The numbers of the slices, as many as have room.
    const qreal wide = cellOf(0, 0).width() + 4;
    const int every =
        std::max(1, static_cast<int>(fontMetrics().horizontalAdvance(QStringLiteral("00 ")) / wide));
    for (int slice = 0; slice < ranks; slice += every)
        painter.drawText(QRectF(cellOf(0, slice).left() - 2, 0, wide, fontMetrics().height()),
                         Qt::AlignCenter, QString::number(slice));
    for (int rank = 0; rank < ranks; ++rank) {
        const QRectF first = cellOf(rank, 0), last = cellOf(rank, ranks - 1);
        painter.setPen(color(ColorRole::Text));
        painter.drawText(QRectF(0, first.top(), nameRoom() - kBetweenTexts, first.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, tr("rank %1").arg(rank));
        painter.setPen(color(ColorRole::TextMuted));
        painter.drawText(QRectF(last.right() + kBetweenTexts, first.top(), fromRoom(), first.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, cameFrom(rank));
        for (int slice = 0; slice < ranks; ++slice) {
            const QRectF cell = cellOf(rank, slice);
            const int addends = m_state.addends(rank, slice);
            painter.fillRect(cell, color(ColorRole::Track));
            QRectF filled = cell;
            filled.setWidth(cell.width() * addends / ranks);
            painter.fillRect(filled, color(addends == ranks ? ColorRole::Good : ColorRole::Accent));
        }
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(ColorRole::TextStrong), 2));
    for (const lab::CollectiveMove& move : m_state.moving())
        painter.drawRect(cellOf(move.to, move.slice).united(cellOf(move.to, move.slice + move.slices - 1)));
}

bool CollectivePicture::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_state.has.empty()) return PaintedChart::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int rank = 0; rank < m_state.collective.ranks; ++rank)
        for (int slice = 0; slice < m_state.collective.ranks; ++slice) {
            if (!cellOf(rank, slice).contains(help->pos())) continue;
            QToolTip::showText(help->globalPos(),
                               tr("rank %1, slice %2: addends of %3 of %4 ranks")
                                   .arg(rank)
                                   .arg(slice)
                                   .arg(m_state.addends(rank, slice))
                                   .arg(m_state.collective.ranks),
                               this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

}  // namespace plumb::ui

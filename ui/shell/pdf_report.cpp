// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/pdf_report.h"

#include "core/io/file.h"
#include "ui/shell/table_pages.h"

#include <QAbstractItemView>
#include <QPageLayout>
#include <QPageSize>
#include <QPicture>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace plumb::ui {

namespace {

constexpr int kPixelsPerInch = 96;
constexpr qreal kMarginMm = 10;
constexpr qreal kHeadingHeight = 30;
constexpr qreal kTablePoints = 8;

}  // namespace

// Each widget is written down first. One that painted with `painter` itself and clipped would bring its
// position into the clip around it once more when it takes its own back (Qt 6.4: QPainter::restore() puts
// clips in force again by the matrix of who paints now).
void paintClipped(QPainter& painter, QWidget& widget, const QRect& inSight) {
    QPicture own;
    QPainter onOwn(&own);
    widget.render(&onOwn, QPoint(), QRegion(), QWidget::RenderFlags());
    onOwn.end();
    painter.save();
    painter.setClipRect(inSight);
    painter.drawPicture(0, 0, own);
    painter.restore();
    for (QObject* each : widget.children()) {
        auto* child = qobject_cast<QWidget*>(each);
        if (child == nullptr || child->isHidden() || child->isWindow()) continue;
        const QRect part = inSight.translated(-child->pos()) & child->rect();
        if (part.isEmpty()) continue;
        painter.save();
        painter.translate(child->pos());
        paintClipped(painter, *child, part);
        painter.restore();
    }
}

PdfReport::PdfReport(QString heading)
    : m_heading(std::move(heading)), m_buffer(&m_content), m_writer(&m_buffer) {
    m_buffer.open(QIODevice::WriteOnly);
    m_writer.setResolution(kPixelsPerInch);
    m_writer.setPageLayout({QPageSize(QPageSize::A4), QPageLayout::Landscape,
                            QMarginsF(kMarginMm, kMarginMm, kMarginMm, kMarginMm), QPageLayout::Millimeter});
    m_writer.setTitle(m_heading);
    m_writer.setCreator(QStringLiteral("Plumbline"));
}

QRectF PdfReport::beginPage(const QFont& widgetFont, const QString& title) {
    if (m_pages++ == 0)
        m_painter.begin(&m_writer);
    else
        m_writer.newPage();
    const QRectF page(0, 0, m_writer.width(), m_writer.height());
    QFont font = widgetFont;
    font.setBold(true);
    m_painter.setFont(font);
    m_painter.setPen(Qt::black);
    m_painter.drawText(page, Qt::AlignLeft | Qt::AlignTop, title);
    font.setBold(false);
    m_painter.setFont(font);
    m_painter.drawText(page, Qt::AlignRight | Qt::AlignTop,
                       QObject::tr("%1 · page %2").arg(m_heading).arg(m_pages));
    return page.adjusted(0, kHeadingHeight, 0, 0);
}

void PdfReport::addPage(QWidget& widget, const QString& title) {
    const QRectF room = beginPage(widget.font(), title);
    const qreal scale = std::min({room.width() / widget.width(), room.height() / widget.height(), 1.0});
    m_painter.save();
    m_painter.translate(room.left() + (room.width() - widget.width() * scale) / 2, room.top());
    m_painter.scale(scale, scale);
    paintClipped(m_painter, widget, widget.rect());
    m_painter.restore();
}

int PdfReport::addTables(const QWidget& view, const QString& title) {
    QFont font = view.font();
    font.setPointSizeF(kTablePoints);
    const QSizeF room(m_writer.width(), m_writer.height() - kHeadingHeight);
    int added = 0;
    for (const QAbstractItemView* table : clippedTables(view)) {
        const TablePages pages(printedTable(*table), QFont(font, &m_writer), room);
        for (const TablePage& page : pages.pages()) {
            const QPointF at = beginPage(view.font(), title).topLeft();
            pages.paint(m_painter, page, at);
            ++added;
        }
    }
    return added;
}

Result<void> PdfReport::write(const QString& path) {
    m_painter.end();
    m_buffer.close();
    return writeFileAtomically(path.toStdString(),
                               {m_content.constData(), static_cast<std::size_t>(m_content.size())});
}

}  // namespace plumb::ui

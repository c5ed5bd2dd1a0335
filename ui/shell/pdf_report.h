// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QBuffer>
#include <QByteArray>
#include <QPainter>
#include <QPdfWriter>
#include <QRectF>
#include <QString>

class QWidget;

namespace plumb::ui {

/// Draws `widget` and what is in it, each within what of it is `inSight`: QWidget::render() leaves that to a
/// clip of the system, which writers of PDF do not have, so that whatever is scrolled away would be drawn
/// beside its place.
void paintClipped(QPainter& painter, QWidget& widget, const QRect& inSight);

/// A document of A4 pages across, each with a heading and a widget as it is shown, drawn as lines and
/// letters; what cannot be seen of its tables stands on pages of its own.
class PdfReport final {
public:
    /// `heading` stands at the top of every page.
    explicit PdfReport(QString heading);

    void addPage(QWidget& widget, const QString& title);
    /// A page or more for each table below `view` of which not everything can be seen; how many.
    int addTables(const QWidget& view, const QString& title);
    /// Ends the document and writes it, whole or not at all. Errors: Io with the system's reason.
    [[nodiscard]] Result<void> write(const QString& path);

private:
    /// Begins a page with its heading; the room below it.
    [[nodiscard]] QRectF beginPage(const QFont& font, const QString& title);

    QString m_heading;
    QByteArray m_content;
    QBuffer m_buffer;
    QPdfWriter m_writer;
    QPainter m_painter;
    int m_pages = 0;
};

}  // namespace plumb::ui

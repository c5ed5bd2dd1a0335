// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <Qt>

class QFontMetrics;
class QPainter;
class QRect;

namespace plumb::ui {

/// A text of one line, at the left, in the middle or at the right of the room and in the middle of its
/// height, cut where it does not fit. As QPainter draws it into a rectangle, without the layout of a
/// paragraph, which takes three times as long: a table has hundreds of cells in a frame.
void drawOneLine(QPainter& painter, const QRect& room, Qt::Alignment alignment, const QString& text,
                 Qt::TextElideMode elide = Qt::ElideRight);

/// The name, or where it has no room what stands before its brackets: "AdamW" of "AdamW (fused)".
[[nodiscard]] QString nameWithin(const QString& name, const QFontMetrics& metrics, int room);

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/app_icon.h"

#include <QPainter>
#include <QPixmap>
#include <QString>
#include <QSvgRenderer>

namespace plumb::gui {
namespace {

constexpr int kLargestOfWindow = 128;

/// A drawing is used where its pixels become whole ones.
QString drawingFor(int pixels) {
    switch (pixels) {
    case 16:
        return QStringLiteral(":/plumbline/icons/plumbline-16.svg");
    case 24:
    case 48:
        return QStringLiteral(":/plumbline/icons/plumbline-24.svg");
    case 32:
        return QStringLiteral(":/plumbline/icons/plumbline-32.svg");
    default:
        return QStringLiteral(":/plumbline/icons/plumbline.svg");
    }
}

}  // namespace

QImage appIconImage(int pixels) {
    QImage image(pixels, pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    QSvgRenderer(drawingFor(pixels)).render(&painter);
    return image;
}

QIcon appIcon() {
    QIcon icon;
    for (const int pixels : kIconSizes)
        if (pixels <= kLargestOfWindow) icon.addPixmap(QPixmap::fromImage(appIconImage(pixels)));
    return icon;
}

}  // namespace plumb::gui

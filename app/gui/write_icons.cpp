// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the icon in every size below a folder, as desktops look for it: FOLDER/16x16/apps/plumbline.png.
#include "app/gui/app_icon.h"

#include <QCoreApplication>
#include <QDir>
#include <QString>

#include <cstdio>

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: plumb_write_icons FOLDER\n");
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[1]);
    for (const int pixels : plumb::gui::kIconSizes) {
        const QString place = QStringLiteral("%1/%2x%2/apps").arg(folder).arg(pixels);
        const QString file = place + QStringLiteral("/plumbline.png");
        if (!QDir().mkpath(place) || !plumb::gui::appIconImage(pixels).save(file)) {
            std::fprintf(stderr, "plumb_write_icons: %s cannot be written\n", qPrintable(file));
            return 1;
        }
    }
    return 0;
}

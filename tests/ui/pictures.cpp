// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/pictures.h"

#include <QApplication>
#include <QDir>
#include <QSet>

#include <gtest/gtest.h>

namespace plumb::ui::test {

void inBothThemes(const std::function<void(Theme&)>& draw) {
    const QPalette before = QApplication::palette();
    for (const Theme::Mode mode : {Theme::Mode::Dark, Theme::Mode::Light}) {
        Theme theme;
        theme.setMode(mode);
        theme.apply(*qApp);
        draw(theme);
    }
    QApplication::setPalette(before);
}

QString themeName(const Theme& theme) {
    return theme.isDark() ? QStringLiteral("dark") : QStringLiteral("light");
}

int coloursIn(const QImage& image) {
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3) colours.insert(image.pixel(x, y));
    return static_cast<int>(colours.size());
}

QImage picture(QWidget& widget, const QString& name) {
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    const QImage image = widget.grab().toImage();
    if (const QString folder = qEnvironmentVariable("PLUMB_PICTURES"); !folder.isEmpty()) {
        QDir().mkpath(folder);
        EXPECT_TRUE(image.save(QStringLiteral("%1/%2.png").arg(folder, name)));
    }
    return image;
}

}  // namespace plumb::ui::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QImage>
#include <QString>
#include <QWidget>

#include <functional>

namespace plumb::ui::test {

/// Calls `draw` with the dark theme and with the light one, each applied to the application, whose palette is
/// as before afterwards.
void inBothThemes(const std::function<void(Theme&)>& draw);
/// "dark" or "light", for the names of pictures.
[[nodiscard]] QString themeName(const Theme& theme);
/// Different colours of every third pixel of every third line.
[[nodiscard]] int coloursIn(const QImage& image);
/// Returns a picture of the widget; where the environment's PLUMB_PICTURES names a folder it is kept there as
/// `name`.png to look at.
QImage picture(QWidget& widget, const QString& name);

}  // namespace plumb::ui::test

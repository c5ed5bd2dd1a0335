// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/scaled.h"

#include <QApplication>
#include <QFontInfo>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kUsualPixels = 10.0 * 96.0 / 72.0;  // of 10 points on 96 dots an inch

}  // namespace

int scaled(int pixels) {
    const double letters = QFontInfo(QApplication::font()).pixelSize() / std::floor(kUsualPixels);
    return static_cast<int>(std::lround(pixels * std::max(1.0, letters)));
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/preferences.h"

#include "ui/theme/text.h"

#include <QLocale>

namespace plumb::ui {

bool Preferences::needsNewWindow(const Preferences& other) const {
    return language != other.language || bytes != other.bytes || look.fontScale != other.look.fontScale ||
           !(numberStyleOf(decimal) == numberStyleOf(other.decimal));
}

NumberStyle numberStyleOf(DecimalMark mark) {
    NumberStyle style = numberStyleOf(QLocale::system());
    if (mark != DecimalMark::System) style.decimal = mark == DecimalMark::Comma ? "," : ".";
    return style;
}

void use(const Preferences& preferences, Theme& theme) {
    setNumberStyle(numberStyleOf(preferences.decimal));
    setByteUnits(preferences.bytes);
    theme.setLook(preferences.look);
}

}  // namespace plumb::ui

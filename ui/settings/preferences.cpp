// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/preferences.h"

#include "ui/theme/text.h"

#include <QLocale>

namespace plumb::ui {

bool Preferences::needsNewWindow(const Preferences& other) const {
    return language != other.language || bytes != other.bytes || look.fontScale != other.look.fontScale ||
           !(numberStyle() == other.numberStyle());
}

NumberStyle Preferences::numberStyle() const {
    NumberStyle style = numberStyleOf(QLocale::system());
    if (decimal != DecimalMark::System) style.decimal = decimal == DecimalMark::Comma ? "," : ".";
    switch (group) {
    case GroupMark::Space:
        break;
    case GroupMark::Mark:
        style.group = style.decimal == "," ? "." : ",";
        break;
    case GroupMark::Apostrophe:
        style.group = "\u2019";
        break;
    case GroupMark::None:
        style.group.clear();
        break;
    }
    return style;
}

void use(const Preferences& preferences, Theme& theme) {
    setNumberStyle(preferences.numberStyle());
    setByteUnits(preferences.bytes);
    theme.setLook(preferences.look);
}

}  // namespace plumb::ui

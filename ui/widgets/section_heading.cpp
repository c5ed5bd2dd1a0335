// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/section_heading.h"

#include "ui/theme/house_style.h"

#include <QLabel>

namespace plumb::ui {

QLabel* makeSectionHeading(const QString& text, Theme& theme, QWidget* parent) {
    auto* label = new QLabel(text.toUpper(), parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() - 1);
    font.setWeight(QFont::DemiBold);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.3);
    label->setFont(font);
    label->setContentsMargins(0, 6, 0, 0);
    followColor(label, theme, ColorRole::TextMuted);
    return label;
}

}  // namespace plumb::ui

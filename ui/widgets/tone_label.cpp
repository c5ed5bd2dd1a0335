// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tone_label.h"

#include <QPainter>

namespace plumb::ui {

ToneLabel::ToneLabel(Theme& theme, ColorRole tone, QWidget* parent)
    : QLabel(parent), m_theme(theme), m_tone(tone) {
    setTextFormat(Qt::PlainText);
    connect(&theme, &Theme::changed, this, &ToneLabel::restyle);
    restyle();
}

void ToneLabel::setTone(ColorRole tone) {
    if (tone == m_tone) return;
    m_tone = tone;
    restyle();
}

void ToneLabel::showText(const QString& text, ColorRole tone) {
    setTone(tone);
    if (text != this->text()) setText(text);
}

void ToneLabel::setStrong(qreal points) {
    QFont strong = font();
    strong.setPointSizeF(strong.pointSizeF() + points);
    strong.setWeight(QFont::DemiBold);
    setFont(strong);
}

void ToneLabel::setElided(int leastWidth) {
    m_elided = true;
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setMinimumWidth(leastWidth);
}

void ToneLabel::paintEvent(QPaintEvent* event) {
    if (!m_elided || wordWrap() || fontMetrics().horizontalAdvance(text()) <= contentsRect().width())
        return QLabel::paintEvent(event);
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(contentsRect(), static_cast<int>(alignment()),
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

void ToneLabel::restyle() {
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, m_theme.color(m_tone));
    setPalette(colors);
}

}  // namespace plumb::ui

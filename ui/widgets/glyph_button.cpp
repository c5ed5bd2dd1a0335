// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/glyph_button.h"

#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QPainter>

namespace plumb::ui {
namespace {

constexpr int kButtonSide = 28;  // logical pixels, at letters of the usual size
constexpr int kGlyphSide = 16;

// Glyphs are drawn in a box of 16 by 16 units around the origin.
constexpr double kBox = 16;

void lines(QPainter& painter, std::initializer_list<QLineF> all) {
    for (const QLineF& line : all) painter.drawLine(line);
}

void drawSliders(QPainter& painter) {
    lines(painter, {{-6.5, -4.5, 6.5, -4.5}, {-6.5, 0, 6.5, 0}, {-6.5, 4.5, 6.5, 4.5}});
    painter.setBrush(painter.pen().color());
    for (const QPointF& knob : {QPointF(-2, -4.5), QPointF(3, 0), QPointF(-3.5, 4.5)})
        painter.drawEllipse(knob, 1.4, 1.4);
}

void drawStep(QPainter& painter) {
    painter.drawPolyline(QPolygonF{QPointF(-6.5, 5.5), QPointF(-6.5, 1), QPointF(-3, 1), QPointF(-3, -2),
                                   QPointF(0.5, -2), QPointF(0.5, -5.5), QPointF(4, -5.5), QPointF(4, 2),
                                   QPointF(6.5, 2), QPointF(6.5, 5.5)});
}

void drawChip(QPainter& painter) {
    painter.drawRoundedRect(QRectF(-4.5, -4.5, 9, 9), 1.5, 1.5);
    painter.drawRect(QRectF(-1.5, -1.5, 3, 3));
    for (const double at : {-2.5, 2.5})
        lines(painter, {{at, -4.5, at, -7}, {at, 4.5, at, 7}, {-4.5, at, -7, at}, {4.5, at, 7, at}});
}

void drawGear(QPainter& painter) {
    painter.drawEllipse(QPointF(), 4.2, 4.2);
    painter.drawEllipse(QPointF(), 1.3, 1.3);
    constexpr int kTeeth = 8;
    for (int tooth = 0; tooth < kTeeth; ++tooth) {
        painter.drawLine(QLineF(4.4, 0, 6.6, 0));
        painter.rotate(360.0 / kTeeth);
    }
}

void drawGauge(QPainter& painter) {
    constexpr int kSixteenths = 16;  // of a degree: QPainter's unit of angles
    painter.drawArc(QRectF(-6.5, -6.5, 13, 13), -40 * kSixteenths, 260 * kSixteenths);
    painter.drawLine(QLineF(0, 0.5, 3.6, -3.2));
    painter.drawEllipse(QPointF(0, 0.5), 1, 1);
}

void drawSearch(QPainter& painter) {
    painter.drawEllipse(QPointF(-1, -1), 4.8, 4.8);
    painter.drawLine(QLineF(2.6, 2.6, 6.4, 6.4));
}

void fill(QPainter& painter, const QPolygonF& shape) {
    painter.setBrush(painter.pen().color());
    painter.drawPolygon(shape);
}

void drawInBox(QPainter& painter, Glyph glyph) {
    switch (glyph) {
    case Glyph::Menu:
        return lines(painter, {{-6, -4.5, 6, -4.5}, {-6, 0, 6, 0}, {-6, 4.5, 6, 4.5}});
    case Glyph::Open:
        return lines(painter, {{-2.5, -5, 2.5, 0}, {2.5, 0, -2.5, 5}});
    case Glyph::Close:
        return lines(painter, {{2.5, -5, -2.5, 0}, {-2.5, 0, 2.5, 5}});
    case Glyph::Sliders:
        return drawSliders(painter);
    case Glyph::Step:
        return drawStep(painter);
    case Glyph::Chip:
        return drawChip(painter);
    case Glyph::Gear:
        return drawGear(painter);
    case Glyph::Play:
        return fill(painter, QPolygonF{QPointF(-3.5, -5.5), QPointF(5.5, 0), QPointF(-3.5, 5.5)});
    case Glyph::Pause:
        return lines(painter, {{-2.8, -4.5, -2.8, 4.5}, {2.8, -4.5, 2.8, 4.5}});
    case Glyph::Stop:
        painter.drawRoundedRect(QRectF(-4.5, -4.5, 9, 9), 1, 1);
        return;
    case Glyph::Gauge:
        return drawGauge(painter);
    case Glyph::Search:
        return drawSearch(painter);
    }
}

}  // namespace

void drawGlyph(QPainter& painter, Glyph glyph, const QPointF& centre, double side, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(centre);
    painter.scale(side / kBox, side / kBox);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    drawInBox(painter, glyph);
    painter.restore();
}

GlyphButton::GlyphButton(Theme& theme, Glyph glyph, const QString& name, QWidget* parent)
    : QPushButton(parent), m_theme(theme), m_glyph(glyph) {
    setProperty(kQuietButton, true);
    setFocusPolicy(Qt::TabFocus);
    setToolTip(name);
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void GlyphButton::setGlyph(Glyph glyph) {
    m_glyph = glyph;
    update();
}

void GlyphButton::follow(QAction* action) {
    const auto refresh = [this, action] {
        setEnabled(action->isEnabled());
        QString name = action->text().remove(QLatin1Char('&'));
        setAccessibleName(name);
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        setToolTip(keys.isEmpty() ? name : tr("%1 (%2)").arg(name, keys));
    };
    connect(action, &QAction::changed, this, refresh);
    connect(this, &QPushButton::clicked, action, &QAction::trigger);
    refresh();
}

QSize GlyphButton::sizeHint() const {
    const int side = scaled(kButtonSide);
    return {side, side};
}

void GlyphButton::paintEvent(QPaintEvent* event) {
    QPushButton::paintEvent(event);
    QPainter painter(this);
    const bool isPrimary = property(kPrimaryButton).toBool();
    const QColor color = !isEnabled()  ? palette().color(QPalette::Disabled, QPalette::ButtonText)
                         : isPrimary   ? m_theme.color(ColorRole::AccentText)
                         : isChecked() ? m_theme.color(ColorRole::TextStrong)
                                       : m_theme.color(ColorRole::Text);
    drawGlyph(painter, m_glyph, QRectF(rect()).center(), scaled(kGlyphSide), color);
}

}  // namespace plumb::ui

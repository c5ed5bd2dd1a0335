// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/hover_card.h"

#include "ui/charts/within.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {
constexpr qreal kPadding = 10;
constexpr qreal kSwatchRoom = 16;
constexpr qreal kColumnGap = 16;
constexpr int kFromPointer = 16;
}  // namespace

HoverCard::HoverCard(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("hoverCard"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

QFont HoverCard::strongFont() const {
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    return strong;
}

void HoverCard::setContent(const HoverCardContent& content) {
    if (content == m_content) return;
    m_content = content;
    setAccessibleName(content.title);
    resize(sizeHint());
    update();
}

HoverCard::Columns HoverCard::columns() const {
    const QFontMetricsF plain(font());
    const QFontMetricsF strong(strongFont());
    Columns result;
    qsizetype count = m_content.header.size();
    for (const auto& row : m_content.rows) {
        count = std::max(count, row.values.size());
        result.name =
            std::max(result.name, (row.swatch ? kSwatchRoom : 0) + strong.horizontalAdvance(row.name));
    }
    result.values.fill(0, count);
    for (qsizetype i = 0; i < count; ++i) {
        result.values[i] = plain.horizontalAdvance(m_content.header.value(i));
        for (const auto& row : m_content.rows)
            result.values[i] = std::max(result.values[i], strong.horizontalAdvance(row.values.value(i)));
        result.total += kColumnGap + result.values[i];
    }
    result.total += result.name;
    result.total = std::max(result.total, strong.horizontalAdvance(m_content.title));
    for (const QString& footer : footerLines())
        result.total = std::max(result.total, plain.horizontalAdvance(footer));
    return result;
}

QSize HoverCard::sizeHint() const {
    const qreal line = QFontMetricsF(font()).height() + 2;
    const auto lines = static_cast<qreal>(1 + m_content.rows.size() + (m_content.header.isEmpty() ? 0 : 1) +
                                          footerLines().size());
    return {static_cast<int>(std::ceil(columns().total + 2 * kPadding)),
            static_cast<int>(std::ceil(lines * line + 2 * kPadding + 4))};
}

void HoverCard::showAt(const QPoint& at) {
    resize(sizeHint());
    const QRect room = parentWidget() ? parentWidget()->rect().adjusted(4, 4, -4, -4) : QRect(at, size());
    int x = at.x() + kFromPointer;
    if (x + width() > room.right()) x = at.x() - kFromPointer - width();
    const int y = at.y() - height() / 3;
    move(within(x, room.left(), room.right() - width()), within(y, room.top(), room.bottom() - height()));
    show();
    raise();
}

// The wheel may move what lies below the pointer, and tells no chart of it.
bool HoverCard::eventFilter(QObject* /*watched*/, QEvent* event) {
    if (event->type() == QEvent::Wheel) hide();
    return false;
}

void HoverCard::showEvent(QShowEvent* event) {
    qApp->installEventFilter(this);
    QWidget::showEvent(event);
}

void HoverCard::hideEvent(QHideEvent* event) {
    qApp->removeEventFilter(this);
    QWidget::hideEvent(event);
}

void HoverCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(ColorRole::FieldBorder), 1));
    painter.setBrush(m_theme.color(ColorRole::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const Columns layout = columns();
    const qreal line = QFontMetricsF(font()).height() + 2;
    qreal y = kPadding;
    const auto text = [&](const QRectF& box, Qt::Alignment align, const QString& value, bool strong,
                          ColorRole role) {
        painter.setFont(strong ? strongFont() : font());
        painter.setPen(m_theme.color(role));
        painter.drawText(box, static_cast<int>(align | Qt::AlignVCenter) | Qt::TextDontClip, value);
    };
    const auto valuesRow = [&](const QStringList& values, bool strong, ColorRole role) {
        qreal right = width() - kPadding;
        for (qsizetype i = layout.values.size() - 1; i >= 0; --i) {
            text({right - layout.values[i], y, layout.values[i], line}, Qt::AlignRight, values.value(i),
                 strong, role);
            right -= layout.values[i] + kColumnGap;
        }
    };
    text({kPadding, y, width() - 2 * kPadding, line}, Qt::AlignLeft, m_content.title, true,
         ColorRole::TextStrong);
    y += line + 4;
    if (!m_content.header.isEmpty()) {
        valuesRow(m_content.header, false, ColorRole::TextMuted);
        y += line;
    }
    for (const auto& row : m_content.rows) {
        const qreal indent = row.swatch ? kSwatchRoom : 0;
        if (row.swatch) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(resolve(m_theme, *row.swatch));
            painter.drawRoundedRect(QRectF(kPadding, y + line / 2 - 5, 10, 10), 2.5, 2.5);
        }
        text({kPadding + indent, y, layout.name, line}, Qt::AlignLeft, row.name, row.strong,
             row.strong ? ColorRole::TextStrong : ColorRole::TextMuted);
        valuesRow(row.values, row.strong, ColorRole::Text);
        y += line;
    }
    for (const QString& footer : footerLines()) {
        text({kPadding, y, width() - 2 * kPadding, line}, Qt::AlignLeft, footer, false, ColorRole::TextMuted);
        y += line;
    }
}

QStringList HoverCard::footerLines() const {
    return m_content.footer.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

void CardBeside::show(const HoverCardContent& content, const QWidget& surface, const QPointF& at) {
    QWidget* window = m_owner.window();
    if (!m_card) m_card = new HoverCard(m_theme, window);
    // It may reach out of the owner, which may have moved to another window.
    if (m_card->parentWidget() != window) m_card->setParent(window);
    m_card->setContent(content);
    m_card->showAt(surface.mapTo(window, at.toPoint()));
}

void CardBeside::hide() {
    if (m_card) m_card->hide();
}

const HoverCardContent* CardBeside::content() const {
    return m_card && m_card->isVisible() ? &m_card->content() : nullptr;
}

}  // namespace plumb::ui

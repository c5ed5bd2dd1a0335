// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/legend_row.h"

#include "ui/workbench/tab_order.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <functional>
#include <utility>

namespace plumb::ui {
namespace {
constexpr int kSwatchLine = 18;
constexpr int kGap = 6;
constexpr int kBetween = 14;
constexpr int kRowGap = 3;
}  // namespace

class LegendButton final : public QAbstractButton {
public:
    /// `isolate` is called where the entry is to be shown alone.
    LegendButton(Theme& theme, std::function<void()> isolate, QWidget* parent)
        : QAbstractButton(parent), m_theme(theme), m_isolate(std::move(isolate)) {}

    void setEntry(const LegendEntry& entry) {
        m_entry = entry;
        setObjectName(QStringLiteral("legend.") + entry.id);
        setText(entry.label);
        setCheckable(entry.checkable);
        setChecked(entry.checked);
        setFocusPolicy(entry.checkable ? Qt::TabFocus : Qt::NoFocus);
        setCursor(entry.checkable ? Qt::PointingHandCursor : Qt::ArrowCursor);
        setAccessibleName(entry.value.isEmpty() ? entry.label : entry.label + QLatin1Char(' ') + entry.value);
        setToolTip(entry.checkable
                       ? QObject::tr("Click to hide or show %1. Ctrl and a click, or Enter, shows it alone")
                             .arg(entry.label)
                       : QString());
        update();
    }
    [[nodiscard]] const LegendEntry& entry() const { return m_entry; }

    [[nodiscard]] QSize sizeHint() const override {
        const QFontMetrics metrics(smallFont());
        int width = swatchWidth() + kGap + metrics.horizontalAdvance(m_entry.label);
        if (!m_entry.value.isEmpty())
            width += kGap + QFontMetrics(strongFont()).horizontalAdvance(m_entry.value);
        return {width + 4, metrics.height() + 4};
    }

protected:
    void mousePressEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ControlModifier)) return isolate();
        QAbstractButton::mousePressEvent(event);
    }
    void mouseDoubleClickEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton) isolate();
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return isolate();
        QAbstractButton::keyPressEvent(event);
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QColor color = resolve(m_theme, m_entry.color);
        const bool on = !m_entry.checkable || isChecked();
        const qreal middle = height() / 2.0;
        using Swatch = LegendEntry::Swatch;
        if (m_entry.swatch == Swatch::Square) {
            painter.setPen(QPen(color, 1.2));
            painter.setBrush(on ? QBrush(color) : QBrush(Qt::NoBrush));
            painter.drawRoundedRect(QRectF(1.5, middle - kSwatch / 2.0 + 0.5, kSwatch - 1, kSwatch - 1), 2.5,
                                    2.5);
        } else if (m_entry.swatch == Swatch::Dot || m_entry.swatch == Swatch::Circle) {
            painter.setPen(QPen(color, 1.5));
            painter.setBrush(m_entry.swatch == Swatch::Dot ? QBrush(color) : QBrush(Qt::NoBrush));
            painter.drawEllipse(QPointF(1 + kSwatch / 2.0, middle), kSwatch / 2.0 - 1.2, kSwatch / 2.0 - 1.2);
        } else {
            QPen pen(color, 2);
            if (m_entry.swatch == Swatch::DashedLine) pen.setDashPattern({2.5, 2});
            painter.setPen(pen);
            painter.drawLine(QPointF(1, middle), QPointF(kSwatchLine, middle));
        }
        qreal x = swatchWidth() + kGap;
        const auto text = [&](const QString& value, const QFont& font, const QColor& pen) {
            painter.setFont(font);
            painter.setPen(pen);
            painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, value);
            x += QFontMetrics(font).horizontalAdvance(value) + kGap;
        };
        QFont label = smallFont();
        label.setStrikeOut(!on);
        text(m_entry.label, label,
             m_theme.color(underMouse() && m_entry.checkable ? ColorRole::Text : ColorRole::TextMuted));
        if (!m_entry.value.isEmpty())
            text(m_entry.value, strongFont(), m_theme.color(on ? ColorRole::Text : ColorRole::TextMuted));
        if (hasFocus()) {
            painter.setPen(QPen(m_theme.color(ColorRole::Accent), 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.8, 0.8, -0.8, -0.8), 3, 3);
        }
    }

private:
    void isolate() {
        if (m_entry.checkable) m_isolate();
    }
    [[nodiscard]] QFont smallFont() const {
        QFont small = font();
        small.setPointSizeF(small.pointSizeF() * 0.92);
        return small;
    }
    [[nodiscard]] QFont strongFont() const {
        QFont strong = smallFont();
        strong.setWeight(QFont::DemiBold);
        return strong;
    }
    [[nodiscard]] int swatchWidth() const {
        return m_entry.swatch == LegendEntry::Swatch::Line ||
                       m_entry.swatch == LegendEntry::Swatch::DashedLine
                   ? kSwatchLine
                   : kSwatch + 1;
    }

    Theme& m_theme;
    std::function<void()> m_isolate;
    LegendEntry m_entry;
};

LegendRow::LegendRow(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("legend"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&m_theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void LegendRow::setEntries(const QVector<LegendEntry>& entries) {
    if (entries == m_entries) return;
    m_entries = entries;
    while (m_buttons.size() > static_cast<std::size_t>(entries.size())) {
        delete m_buttons.back();
        m_buttons.pop_back();
    }
    while (m_buttons.size() < static_cast<std::size_t>(entries.size())) {
        auto* button = new LegendButton(
            m_theme, [this, place = m_buttons.size()] { isolate(m_buttons[place]->entry().id); }, this);
        connect(button, &QAbstractButton::clicked, this, [this, button] {
            if (button->entry().checkable) emit toggled(button->entry().id, button->isChecked());
        });
        setTabOrderOfAll(m_buttons.empty() ? static_cast<QWidget*>(this) : m_buttons.back(), *button);
        button->show();
        m_buttons.push_back(button);
    }
    for (std::size_t i = 0; i < m_buttons.size(); ++i)
        m_buttons[i]->setEntry(entries[static_cast<qsizetype>(i)]);
    const int before = height();
    if (arrange(width(), true) != before) updateGeometry();
}

void LegendRow::isolate(const QString& id) {
    const QVector<LegendEntry> before = m_entries;  // those that listen set others
    const auto chosen = std::ranges::find(before, id, &LegendEntry::id);
    if (chosen == before.end()) return;
    const auto isOfGroup = [&](const LegendEntry& entry) {
        return entry.checkable && (entry.groups & chosen->groups) != 0;
    };
    // A double click has begun with a click, which hid it.
    const bool isAlone = std::ranges::none_of(before, [&](const LegendEntry& entry) {
        return isOfGroup(entry) && entry.id != id && entry.checked;
    });
    for (const LegendEntry& entry : before) {
        const bool wanted = isAlone || entry.id == id;
        if (isOfGroup(entry) && entry.checked != wanted) emit toggled(entry.id, wanted);
    }
}

void LegendRow::setIndent(int pixels) {
    if (pixels == m_indent) return;
    m_indent = pixels;
    if (arrange(width(), true) != height()) updateGeometry();
}

int LegendRow::arrange(int width, bool move) const {
    int x = m_indent;
    int y = 0;
    int row = 0;
    for (LegendButton* button : m_buttons) {
        const QSize size = button->sizeHint();
        if (x > m_indent && x + size.width() > width) {
            x = m_indent;
            y += row + kRowGap;
            row = 0;
        }
        if (move)
            button->setGeometry(
                QRect(QPoint(x, y), QSize(std::min(size.width(), std::max(1, width - x)), size.height())));
        x += size.width() + kBetween;
        row = std::max(row, size.height());
    }
    return y + row;
}

int LegendRow::heightForWidth(int width) const { return arrange(width, false); }

QSize LegendRow::sizeHint() const { return {200, arrange(std::max(width(), 200), false)}; }

QSize LegendRow::minimumSizeHint() const { return {60, 0}; }

void LegendRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // The height was asked for with the indent of another width.
    if (arrange(width(), true) != height()) updateGeometry();
}

}  // namespace plumb::ui

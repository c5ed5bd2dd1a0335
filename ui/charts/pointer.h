// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointF>
#include <QString>

#include <functional>

class QMouseEvent;
class QWidget;

namespace plumb::ui {

/// What the mouse does to a widget that is drawn: it is over a place, has left, presses, drags, clicks. Right
/// and middle buttons stay with the widget. A press becomes a drag a few pixels away from where it began, and
/// no click any more; a double click is a press too. Positions are pixels of the widget.
class Pointer final : public QObject {
    Q_OBJECT
public:
    /// The widget outlives it and reports every move from now on.
    explicit Pointer(QWidget& widget);

    /// Asks for the text of the tool tip of a place; empty: none there.
    void setTip(std::function<QString(const QPointF& at)> tip) { m_tip = std::move(tip); }
    /// Where the button went down last.
    [[nodiscard]] QPointF pressedAt() const { return m_pressed; }

signals:
    void hovered(const QPointF& at);  ///< no button is down
    void left();
    void pressed(const QPointF& at, Qt::KeyboardModifiers modifiers);
    void dragged(const QPointF& to, const QPointF& before);
    void dropped();  ///< a drag is over
    void clicked(const QPointF& at);
    void doubleClicked(const QPointF& at);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QPointF& at);
    /// True: there is a tip, and it is shown.
    bool showTip(const QPoint& at, const QPoint& onScreen);

    QWidget& m_widget;
    std::function<QString(const QPointF&)> m_tip;
    QPointF m_pressed;
    QPointF m_last;
    bool m_isDown = false;
    bool m_isDragging = false;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>
#include <QScrollBar>

#include <vector>

class QAbstractScrollArea;
class QWidget;

namespace plumb::ui {

/// Lets the end of what is scrolled come out from behind the banner: while that covers it, it can be scrolled
/// so much further. Nothing moves by itself, neither when the banner comes nor when it goes; what needs no
/// scrolling is left alone, since a bar would move it.
class BannerRoom final : public QObject {
    Q_OBJECT
public:
    explicit BannerRoom(QObject* parent) : QObject(parent) {}

    /// For the areas in `views` whose lower end lies behind `covered`, in global coordinates.
    void give(const QWidget& views, const QRect& covered);
    void take();

private:
    struct Room {
        QPointer<QScrollBar> bar;
        int extra = 0;  ///< in steps of the bar
        int end = 0;    ///< of the area itself
    };
    void extend(std::size_t room);

    std::vector<Room> m_rooms;
    bool m_isExtending = false;
};

}  // namespace plumb::ui

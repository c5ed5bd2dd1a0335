// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>
#include <QWidget>

namespace plumb::ui {

class Banner;
class BannerRoom;
class SidePanel;

/// Lays the banner over the lower end of the views, where a message moves nothing that somebody is about to
/// click; over the upper end where the control that has the keyboard would lie behind it. What ends behind it
/// can be scrolled out from there.
class BannerPlace final : public QObject {
    Q_OBJECT
public:
    /// Takes the banner as a child of what `views` are in. Beside a panel that lies over them: it is read
    /// while that is used.
    BannerPlace(Banner& banner, QWidget& views, SidePanel& side);

    void place();  ///< another view is shown, too

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QRect placeAt(bool top) const;
    void uncover(const QWidget* focused);

    Banner& m_banner;
    QPointer<QWidget> m_views;
    QPointer<SidePanel> m_side;
    BannerRoom* m_room;
    bool m_isAtTop = false;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class Banner;
class ViewStack;
struct Session;

/// Says after a profile, and when a file was opened, how much the rules noticed, with a link to it. Silent
/// where they noticed nothing, or something else is being said.
class FindingNotice final : public QObject {
    Q_OBJECT
public:
    FindingNotice(Session& session, ViewStack& views, Banner& banner, QObject* parent);

private:
    void say();

    Session& m_session;
    ViewStack& m_views;
    Banner& m_banner;
};

}  // namespace plumb::ui

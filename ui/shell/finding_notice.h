// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace plumb::ui {

class Banner;
class ViewStack;
struct Session;

/// Says after a profile how long a step took, and after it and when a file was opened how much the rules
/// noticed, with a link to that. Silent where something else is being said, and on opening a file of which
/// they noticed nothing.
class FindingNotice final : public QObject {
    Q_OBJECT
public:
    FindingNotice(Session& session, ViewStack& views, Banner& banner, QObject* parent);

private:
    void sayProfiled();
    void sayOpened();
    /// Shows `text` with a link to the view.
    void show(const QString& text, const char* view, const QString& link);
    [[nodiscard]] bool isSilent() const;

    Session& m_session;
    ViewStack& m_views;
    Banner& m_banner;
};

}  // namespace plumb::ui

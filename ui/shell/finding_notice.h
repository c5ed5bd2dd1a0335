// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/job_runner.h"

#include <QObject>
#include <QString>

#include <functional>

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
    struct Noticed {
        int all = 0;
        int serious = 0;
    };
    void sayProfiled();
    void sayOpened();
    /// Counts on a worker what the rules notice, and has it said where that step is shown still.
    void count(std::function<void(const Noticed&)> say);
    /// Shows `text` with a link to the view.
    void show(const QString& text, const char* view, const QString& link);
    [[nodiscard]] bool isSilent() const;

    Session& m_session;
    ViewStack& m_views;
    Banner& m_banner;
    JobRunner m_counter;  // last: its destructor waits for the worker
};

}  // namespace plumb::ui

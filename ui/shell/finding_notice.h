// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/job_runner.h"

#include <QObject>
#include <QString>

#include <functional>
#include <utility>

namespace plumb::ui {

class Banner;
class ViewStack;
struct Session;

/// Says after a profile how long a step took, and after it and when a file was opened how much the rules
/// noticed, with a link to that. Silent where something else is being said, and on opening a file of which
/// they noticed nothing; but what a notice said before the profile does not silence it.
class FindingNotice final : public QObject {
    Q_OBJECT
public:
    /// `showsFindings` says whether the panel beside the views lists those of a recorded step.
    FindingNotice(Session& session, ViewStack& views, Banner& banner, std::function<bool()> showsFindings,
                  QObject* parent);

private:
    struct Noticed {
        int all = 0;
        int serious = 0;
    };
    void sayProfiled();
    void sayOpened();
    /// Counts on a worker what the rules notice, and has it said where that step is shown still.
    void count(int saidBefore, std::function<void(const Noticed&)> say);
    /// Shows `text` with a link to the view.
    void show(const QString& text, const char* view, const QString& link);
    /// A notice that is one of the first `saidBefore` messages does not keep it from speaking.
    [[nodiscard]] bool isSilent(int saidBefore) const;

    Session& m_session;
    ViewStack& m_views;
    Banner& m_banner;
    std::function<bool()> m_showsFindings;
    std::pair<int, int> m_leadsTo{-1, -1};  ///< the view of the newest notice, and its number
    int m_saidBefore = -1;  ///< messages when the profile that goes on told its first reading; -1: none did
    JobRunner m_counter;    // last: its destructor waits for the worker
};

}  // namespace plumb::ui

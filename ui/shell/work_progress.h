// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <cstdint>

class QProgressBar;

namespace plumb::ui {

class Banner;
class ViewStack;
struct Session;

/// How far the engine is with a job that counts its parts: a calibration, a profile. As it tells, never
/// guessed from the time that went by.
class WorkProgress final : public QObject {
    Q_OBJECT
public:
    WorkProgress(Session& session, QObject* parent);

    [[nodiscard]] std::int64_t done() const { return m_done; }
    /// 0 while it has not told, and when it works on nothing.
    [[nodiscard]] std::int64_t total() const { return m_total; }
    /// Puts it on a bar; without a total that one only says that it goes on.
    void showOn(QProgressBar& bar) const;

signals:
    void changed();

private:
    void set(std::int64_t done, std::int64_t total);

    std::int64_t m_done = 0, m_total = 0;
};

/// Says that a machine is calibrated, with a link to where its ceilings are shown.
class CalibrationNotice final : public QObject {
    Q_OBJECT
public:
    CalibrationNotice(Session& session, ViewStack& views, Banner& banner, QObject* parent);

private:
    bool m_calibrates = false;  ///< after the newest event
};

}  // namespace plumb::ui

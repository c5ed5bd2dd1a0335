// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QObject>

class QMenu;

namespace plumb::ui {

class ActionRegistry;
struct Session;

/// Which of several readings is shown: the prediction of the file or that of this version, and one of the
/// measurements of the session, all of which are kept.
class ReadingActions final : public QObject {
    Q_OBJECT
public:
    ReadingActions(ActionRegistry& actions, Session& session, QWidget& window);

    /// Lists the measurements in `menu`, anew each time it opens.
    void setMenu(QMenu& menu);

signals:
    void failed(const plumb::Error& error);

private:
    void refresh();
    void predictAgain();
    void fill(QMenu& menu);
    [[nodiscard]] bool canShow() const;  ///< another measurement
    void showMeasurement(std::size_t index);
    /// That many measurements later than the one that is shown; none shown counts as after the last.
    void showMeasurementBeside(int steps);

    ActionRegistry& m_actions;
    Session& m_session;
    QWidget& m_window;
};

}  // namespace plumb::ui

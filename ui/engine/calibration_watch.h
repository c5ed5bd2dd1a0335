// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QMap>
#include <QObject>
#include <QString>
#include <QTimer>

namespace plumb::ui {

/// Notices calibrations that another program kept on this computer: the command line, a second window.
class CalibrationWatch final : public QObject {
    Q_OBJECT
public:
    CalibrationWatch();

    /// Takes what is kept now as known: it was this program that kept it.
    void know();

signals:
    void changed();

private:
    void look();

    QFileSystemWatcher m_watcher;
    QTimer m_settle;
    QMap<QString, qint64> m_known;  ///< file name to when it was written, in ms
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/sparkline.h"
#include "ui/workbench/workbench.h"

#include <QString>
#include <QStringList>
#include <QVector>

namespace plumb::ui {

/// One number that the device of a run tells of itself, with its course so far.
struct DeviceCell {
    QString id;  ///< "deviceSmClock"
    QString caption;
    QString value;    ///< the newest; a dash while it is not known yet
    QString toolTip;  ///< mean, range, what it is and where it comes from
    Sparkline::Content course;
    int rank = 0;  ///< where there is no room for all, those of a higher rank go first
};

/// What the strip of the device shows of a run.
struct DeviceCells {
    QVector<DeviceCell> cells;  ///< without what the device does not tell
    QStringList disturbances;   ///< what held it back or shared it
    QStringList absent;         ///< what is not known, and why; each reason once
};
/// Pure; `run` may be null.
[[nodiscard]] DeviceCells makeDeviceCells(const TrainingRun* run);

}  // namespace plumb::ui

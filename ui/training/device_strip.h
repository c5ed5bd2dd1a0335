// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/device_cells.h"

#include <QVector>
#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace plumb::ui {

class Theme;
class ToneLabel;

/// What the device of the newest run tells of itself, live: numbers with their course under them, what held
/// it back, and in one line what is not known. Without a run it is not there.
class DeviceStrip final : public QWidget {
    Q_OBJECT
public:
    explicit DeviceStrip(Theme& theme, QWidget* parent = nullptr);

    void setCells(const DeviceCells& shown);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Cell {
        QWidget* box;
        ToneLabel* caption;
        ToneLabel* value;
        Sparkline* course;
        int rank = 0;
    };
    [[nodiscard]] Cell makeCell();
    /// Hides the cells for which there is no room.
    void fit();

    Theme& m_theme;
    QWidget* m_row;
    QHBoxLayout* m_rowLayout;
    QVector<Cell> m_cells;
    qsizetype m_used = 0;  ///< of the cells
    ToneLabel* m_disturbances;
    ToneLabel* m_absent;
};

}  // namespace plumb::ui

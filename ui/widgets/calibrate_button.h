// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

class QGridLayout;

namespace plumb::ui {

/// What a chart without ceilings offers: to calibrate this machine. Below the sentence in the middle of the
/// empty chart, and hidden until the chart is empty.
class CalibrateButton final : public QPushButton {
    Q_OBJECT
public:
    /// `chart`: the layout that has the chart in its first cell.
    CalibrateButton(const QString& name, QGridLayout& chart);

    /// Whether the engine can calibrate now, and whether it is doing so.
    void follow(bool possible, bool running);
};

}  // namespace plumb::ui

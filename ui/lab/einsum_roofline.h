// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/machine.h"
#include "ui/charts/chart_style.h"
#include "ui/lab/einsum_state.h"

#include <QCoreApplication>

#include <optional>

namespace plumb::ui {

class ChartPanel;

/// Draws an expression, its gradients and the ladder of examples on a device's roofline.
class EinsumRoofline {
    Q_DECLARE_TR_FUNCTIONS(plumb::ui::EinsumRoofline)
public:
    /// `chart` outlives it.
    explicit EinsumRoofline(ChartPanel& chart) : m_chart(chart) {}
    /// `device`: null, there is none. `measuredRate`: FLOP/s, where it was timed on this device.
    void show(const EinsumState& state, const Machine* device, std::optional<double> measuredRate);

private:
    /// Axes and roof; returns what is written beside it.
    [[nodiscard]] QVector<ChartLabel> showRoof(const EinsumState& state, std::optional<double> measuredRate);
    void showPoints(const EinsumState& state, std::optional<double> measuredRate, QVector<ChartLabel> labels);

    ChartPanel& m_chart;
};

}  // namespace plumb::ui

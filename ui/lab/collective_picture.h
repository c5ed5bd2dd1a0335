// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/painted_chart.h"
#include "ui/lab/collective_state.h"

namespace plumb::ui {

/// What each rank has of each slice after a step: a row a rank, a cell a slice, filled as far as addends are
/// in it; cells that came in this step have a frame, and beside the row stands from whom.
class CollectivePicture final : public PaintedChart {
    Q_OBJECT
public:
    explicit CollectivePicture(Theme& theme, QWidget* parent = nullptr);
    void showState(const CollectiveState& state);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

    /// Pixels of this widget.
    [[nodiscard]] QRectF cellOf(int rank, int slice) const;
    /// "from 3"; empty where nothing came.
    [[nodiscard]] QString cameFrom(int rank) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] qreal nameRoom() const;
    [[nodiscard]] qreal fromRoom() const;

    CollectiveState m_state;
};

}  // namespace plumb::ui

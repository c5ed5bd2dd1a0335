// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison.h"
#include "ui/charts/painted_chart.h"

#include <QColor>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace plumb::ui {

/// The last recorded step of both, one above the other from their beginnings on one scale: operations by
/// phase, or what ran on the device where that was recorded.
class TimelinePair final : public PaintedChart {
    Q_OBJECT
public:
    TimelinePair(Theme& theme, QWidget* parent = nullptr);

    /// False where one of both has no timeline: there is nothing to see.
    bool show(const Comparison& comparison, std::size_t index);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe(const QPointF& pixel);
    /// One step on the scale of both.
    struct Lane {
        std::shared_ptr<const Reading> reading;
        std::vector<TimelineRecord> records;  ///< by begin
        Seconds begin = 0;
        Seconds length = 0;
    };
    [[nodiscard]] static Lane laneOf(const ComparedStep& step);
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QRectF rowOf(std::size_t lane) const;
    [[nodiscard]] QColor colorOf(const Lane& lane, const TimelineRecord& record) const;
    void paintLane(QPainter& painter, std::size_t which) const;
    void paintAxis(QPainter& painter) const;

    std::array<Lane, 2> m_lanes;
    Seconds m_longest = 1;
};

}  // namespace plumb::ui

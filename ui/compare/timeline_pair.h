// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/painted_chart.h"
#include "ui/compare/compare_detail.h"

#include <QColor>

#include <cstddef>
#include <memory>
#include <optional>

namespace plumb::ui {

/// The last recorded step of both, one above the other from their beginnings on one scale: operations by
/// phase, or what ran on the device where that was recorded. The arrow keys go from one to the next, and from
/// step to step.
class TimelinePair final : public PaintedChart {
    Q_OBJECT
public:
    TimelinePair(Theme& theme, QWidget* parent = nullptr);

    /// False where one of both has no timeline: there is nothing to see.
    bool show(std::shared_ptr<const CompareDetail> detail);  ///< never null
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Of a record, by number.
    struct Place {
        std::size_t lane = 0;
        std::size_t record = 0;
    };
    void describe(const QPointF& pixel);
    /// What began last at a time; none before the first.
    [[nodiscard]] std::optional<Place> placeAt(std::size_t lane, Seconds time) const;
    [[nodiscard]] HoverCardContent cardOf(const Place& place) const;
    /// Shows the one that keys go on from; none: lets go.
    void setCurrent(std::optional<Place> place);
    [[nodiscard]] QRectF rectOf(const Place& place) const;
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QRectF rowOf(std::size_t lane) const;
    [[nodiscard]] QColor colorOf(const ComparedLane& lane, const TimelineRecord& record) const;
    void paintLane(QPainter& painter, std::size_t which) const;
    void paintAxis(QPainter& painter) const;

    std::shared_ptr<const CompareDetail> m_detail;
    Seconds m_longest = 1;
    std::optional<Place> m_current;
};

}  // namespace plumb::ui

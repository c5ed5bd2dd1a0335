// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"
#include "ui/charts/painted_chart.h"

namespace plumb::ui {

/// How many segments there are at a moment and what of them is in use.
[[nodiscard]] QString layoutText(const MemoryLayout& layout);

/// Segments as rows, each as wide as the others whatever its size, with the blocks in them: what is
/// allocated in the colour of its group, what waits for another stream hatched, what is free empty. A click
/// chooses what a block was allocated for; the arrow keys go from block to block, Enter chooses.
class SegmentsPicture final : public PaintedChart {
    Q_OBJECT
public:
    SegmentsPicture(Theme& theme, AllocatorState& state, QWidget* parent = nullptr);

    void setLayoutShown(MemoryLayout layout);
    [[nodiscard]] const MemoryLayout& layoutShown() const { return m_layout; }
    /// The block at a pixel; null: none.
    [[nodiscard]] const LayoutBlock* blockAt(const QPoint& pixel) const;
    [[nodiscard]] QRectF rowRect(std::size_t segment) const;

signals:
    void chosen(std::uint32_t allocation);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Of a block, by number.
    struct Place {
        std::size_t segment = 0;
        std::size_t block = 0;
    };
    [[nodiscard]] int rowHeight() const { return fontMetrics().height() + 8; }
    [[nodiscard]] qreal nameWidth() const;
    [[nodiscard]] std::size_t rowAt(int y) const { return static_cast<std::size_t>(y / rowHeight()); }
    [[nodiscard]] QBrush brushOf(const LayoutBlock& block) const;
    void paintSegment(QPainter& painter, std::size_t index) const;
    [[nodiscard]] std::optional<Place> placeAt(const QPoint& pixel) const;
    [[nodiscard]] const LayoutBlock& blockOf(const Place& place) const {
        return m_layout.segments[place.segment].blocks[place.block];
    }
    [[nodiscard]] QRectF blockRect(const Place& place) const;
    [[nodiscard]] HoverCardContent cardOf(const Place& place) const;
    /// Makes it the one that keys go on from; none: lets go.
    void setCurrent(std::optional<Place> place);
    void choose(const Place& place);

    AllocatorState& m_state;
    MemoryLayout m_layout;
    std::optional<Place> m_current;
};

}  // namespace plumb::ui

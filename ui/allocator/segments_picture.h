// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"
#include "ui/charts/painted_chart.h"

namespace plumb::ui {

/// Segments as rows, each as wide as the others whatever its size, with the blocks in them: what is
/// allocated in the colour of its group, what waits for another stream hatched, what is free empty.
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

private:
    [[nodiscard]] int rowHeight() const { return fontMetrics().height() + 8; }
    [[nodiscard]] qreal nameWidth() const;
    [[nodiscard]] std::size_t rowAt(int y) const { return static_cast<std::size_t>(y / rowHeight()); }
    [[nodiscard]] QBrush brushOf(const LayoutBlock& block) const;
    void paintSegment(QPainter& painter, std::size_t index) const;
    void showBlock(const LayoutSegment& segment, const LayoutBlock& block, const QPoint& at);

    AllocatorState& m_state;
    MemoryLayout m_layout;
};

}  // namespace plumb::ui

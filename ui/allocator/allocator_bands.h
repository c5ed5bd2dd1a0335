// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"
#include "ui/charts/painted_chart.h"

#include <span>
#include <vector>

namespace plumb::ui {

class AllocatorChart;

/// Annotated stretches on screen: one, or several at a level that are too narrow to be told apart.
struct BandPiece {
    double left = 0;
    double right = 0;
    int level = 0;
    std::size_t first = 0;  ///< index into OpenedDevice::bands of the earliest
    std::size_t count = 1;
};

/// The stretches that record_function named, below the chart and on its axis: those within others in rows of
/// their own. A click sets the cursor to the most live bytes in a stretch, a double click zooms to it; the
/// arrow keys go from one beginning to the next, Enter zooms. Hidden where the file has none.
class AllocatorBands final : public PaintedChart {
    Q_OBJECT
public:
    static constexpr int kMostLevels = 5;

    AllocatorBands(Theme& theme, AllocatorState& state, AllocatorChart& chart, QWidget* parent = nullptr);

    [[nodiscard]] std::span<const BandPiece> pieces();
    [[nodiscard]] QRectF rectOf(const BandPiece& piece) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void follow();
    void describe(const QPointF& pixel);
    /// Says to screen readers how many there are and which one the cursor is in.
    void sayWhere();
    [[nodiscard]] HoverCardContent cardOf(const AnnotationBand& band) const;
    /// The innermost one; null: none.
    [[nodiscard]] const AnnotationBand* bandAtCursor() const;
    void layoutPieces();
    [[nodiscard]] int levels() const;
    [[nodiscard]] double endOf(const AnnotationBand& band) const;
    [[nodiscard]] const BandPiece* pieceAt(const QPointF& at);
    [[nodiscard]] std::int64_t highestIn(const AnnotationBand& band) const;

    AllocatorState& m_state;
    AllocatorChart& m_chart;
    std::vector<BandPiece> m_pieces;
    bool m_isStale = true;
    int m_levels = 0;  ///< of the device, those that are not drawn too
};

}  // namespace plumb::ui

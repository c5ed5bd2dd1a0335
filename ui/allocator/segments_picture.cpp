// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/segments_picture.h"

#include "ui/allocator/allocator_axis.h"
#include "ui/theme/text.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace plumb::ui {

SegmentsPicture::SegmentsPicture(Theme& theme, AllocatorState& state, QWidget* parent)
    : PaintedChart(theme, parent), m_state(state) {
    setObjectName(QStringLiteral("allocatorSegments"));
    setAccessibleName(tr("Segments at the cursor"));
    connect(&state, &AllocatorState::keyChanged, this, qOverload<>(&QWidget::update));
    setEmptyText(tr("No segments are known at this moment."));
    connect(&pointer(), &Pointer::hovered, this, [this](const QPointF& pixel) {
        const QPoint at = pixel.toPoint();
        const LayoutBlock* block = blockAt(at);
        if (!block || !m_state.device()) return hideCard();
        showBlock(m_layout.segments[rowAt(at.y())], *block, at);
    });
    connect(&pointer(), &Pointer::pressed, this, [this](const QPointF& pixel) {
        const LayoutBlock* block = blockAt(pixel.toPoint());
        if (!block || !m_state.device() || block->allocation >= m_state.device()->replay.allocations.size())
            return;
        hideCard();
        emit chosen(block->allocation);
    });
}

void SegmentsPicture::setLayoutShown(MemoryLayout layout) {
    m_layout = std::move(layout);
    hideCard();
    setEmptyText(m_layout.segments.empty() ? tr("No segments are known at this moment.") : QString());
    setMinimumHeight(std::max(60, static_cast<int>(m_layout.segments.size()) * rowHeight()));
    update();
}

qreal SegmentsPicture::nameWidth() const {
    return QFontMetricsF(smallFont()).horizontalAdvance(QStringLiteral("888.8 MB")) + 10;
}

QRectF SegmentsPicture::rowRect(std::size_t segment) const {
    return {nameWidth(), static_cast<double>(segment) * rowHeight() + 2, width() - nameWidth() - 4,
            rowHeight() - 4.0};
}

const LayoutBlock* SegmentsPicture::blockAt(const QPoint& pixel) const {
    if (pixel.y() < 0 || rowAt(pixel.y()) >= m_layout.segments.size()) return nullptr;
    const LayoutSegment& segment = m_layout.segments[rowAt(pixel.y())];
    const QRectF row = rowRect(rowAt(pixel.y()));
    if (pixel.x() < row.left() || pixel.x() >= row.right()) return nullptr;
    const auto offset = static_cast<std::int64_t>((pixel.x() - row.left()) / row.width() *
                                                  static_cast<double>(segment.bytes));
    const auto next =
        std::ranges::upper_bound(segment.blocks, segment.address + offset, {}, &LayoutBlock::address);
    return next == segment.blocks.begin() ? nullptr : &*std::prev(next);
}

QBrush SegmentsPicture::brushOf(const LayoutBlock& block) const {
    if (block.state == BlockState::PendingFree) return {theme().color(ColorRole::Warning), Qt::BDiagPattern};
    const auto key = static_cast<std::size_t>(m_state.key());
    const MemoryGroups& groups = m_state.device()->groups[key];
    if (block.allocation >= groups.of.size()) return theme().color(ColorRole::Ghost);
    return color(groupColor(kCurveKeys[key], groups, groups.of[block.allocation]));
}

void SegmentsPicture::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    if (paintEmpty(painter)) return;
    if (!m_state.device()) return paintFocus(painter);
    painter.setFont(smallFont());
    const std::size_t last = rowAt(event->rect().bottom()) + 1;
    for (std::size_t i = rowAt(event->rect().top()); i < std::min(last, m_layout.segments.size()); ++i)
        paintSegment(painter, i);
}

void SegmentsPicture::paintSegment(QPainter& painter, std::size_t index) const {
    const LayoutSegment& segment = m_layout.segments[index];
    const QRectF row = rowRect(index);
    painter.setPen(theme().color(ColorRole::TextMuted));
    painter.drawText(QRectF(0, row.top(), nameWidth() - 8, row.height()), Qt::AlignRight | Qt::AlignVCenter,
                     bytesText(segment.bytes));
    painter.fillRect(row, theme().color(ColorRole::Track));
    const double perByte = row.width() / static_cast<double>(std::max<Bytes>(segment.bytes, 1));
    const QColor edge = theme().color(ColorRole::Card);
    double drawnTo = row.left() - 1;
    for (const LayoutBlock& block : segment.blocks) {
        if (block.state == BlockState::Inactive) continue;
        const double left = row.left() + static_cast<double>(block.address - segment.address) * perByte;
        const double right = left + std::max(1.0, static_cast<double>(block.bytes) * perByte);
        if (right <= drawnTo) continue;  // many within a pixel: the first one stands for them
        painter.fillRect(QRectF(left, row.top(), right - left, row.height()), brushOf(block));
        if (right - left > 4) painter.fillRect(QRectF(right - 1, row.top(), 1, row.height()), edge);
        drawnTo = right;
    }
    painter.setPen(theme().color(ColorRole::FieldBorder));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(row);
}

void SegmentsPicture::showBlock(const LayoutSegment& segment, const LayoutBlock& block, const QPoint& at) {
    HoverCardContent card;
    card.title = block.state == BlockState::Inactive      ? tr("Free block")
                 : block.state == BlockState::PendingFree ? tr("Freed, in use by another stream")
                                                          : tr("Allocated block");
    card.rows.push_back({tr("block"), {bytesText(block.bytes)}, {}, true});
    const MemoryReplay& replay = m_state.device()->replay;
    if (block.allocation < replay.allocations.size()) {
        const MemoryAllocation& each = replay.allocations[block.allocation];
        const AllocationSite site = m_state.memory()->sites().site(each.stack);
        card.rows.push_back({tr("asked for"), {bytesText(each.bytes)}});
        card.rows.push_back(
            {tr("category"), {groupText(MemoryKey::Category, replay.categories[each.category])}});
        if (!site.op.empty()) card.rows.push_back({tr("operation"), {toText(site.op)}});
        card.footer = toText(site.place);
    }
    card.rows.push_back({tr("segment"), {bytesText(segment.bytes)}});
    card.rows.push_back({tr("stream"), {QString::number(segment.stream)}});
    card.rows.push_back({tr("pool"), {segment.pool.empty() ? tr("not known") : toText(segment.pool)}});
    showCard(card, at);
}

}  // namespace plumb::ui

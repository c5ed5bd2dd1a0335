// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/segments_picture.h"

#include "ui/allocator/allocator_axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/text.h"

#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollArea>

#include <algorithm>

namespace plumb::ui {

namespace {
/// Of a block in the row of its segment.
QRectF blockRectIn(const QRectF& row, const LayoutSegment& segment, const LayoutBlock& block) {
    const double perByte = row.width() / static_cast<double>(std::max<Bytes>(segment.bytes, 1));
    return {row.left() + static_cast<double>(block.address - segment.address) * perByte, row.top(),
            std::max(1.0, static_cast<double>(block.bytes) * perByte), row.height()};
}
}  // namespace

QString layoutText(const MemoryLayout& layout) {
    QString text = tr("%1 segments · reserved %2 · allocated %3 · free %4, largest %5")
                       .arg(layout.sums.segments)
                       .arg(bytesText(layout.sums.reserved), bytesText(layout.sums.allocated),
                            bytesText(layout.sums.free), bytesText(layout.sums.largestFree));
    if (layout.sums.pending > 0) text += tr(" · waiting for a stream %1").arg(bytesText(layout.sums.pending));
    if (layout.unplaced > 0) text += tr(" · in no known segment %1").arg(bytesText(layout.unplaced));
    return text;
}

SegmentsPicture::SegmentsPicture(Theme& theme, AllocatorState& state, QWidget* parent)
    : PaintedChart(theme, parent), m_state(state) {
    setObjectName(QStringLiteral("allocatorSegments"));
    setAccessibleName(tr("Segments at the cursor"));
    setFocusPolicy(Qt::TabFocus);
    connect(&state, &AllocatorState::keyChanged, this, qOverload<>(&QWidget::update));
    setEmptyText(tr("No segments are known at this moment."));
    connect(&pointer(), &Pointer::hovered, this, [this](const QPointF& pixel) {
        const std::optional<Place> place = placeAt(pixel.toPoint());
        if (!place || !m_state.device()) return hideCard();
        showCard(cardOf(*place), pixel.toPoint());
    });
    connect(&pointer(), &Pointer::pressed, this, [this](const QPointF& pixel) {
        if (const std::optional<Place> place = placeAt(pixel.toPoint())) choose(*place);
    });
}

void SegmentsPicture::setLayoutShown(MemoryLayout layout) {
    m_layout = std::move(layout);
    hideCard();
    setEmptyText(m_layout.segments.empty() ? tr("No segments are known at this moment.") : QString());
    setMinimumHeight(std::max(60, static_cast<int>(m_layout.segments.size()) * rowHeight()));
    setCurrent({});
}

void SegmentsPicture::choose(const Place& place) {
    const std::uint32_t allocation = blockOf(place).allocation;
    if (!m_state.device() || allocation >= m_state.device()->replay.allocations.size()) return;
    hideCard();
    emit chosen(allocation);
}

void SegmentsPicture::setCurrent(std::optional<Place> place) {
    m_current = place;
    update();
    const QString all = m_layout.segments.empty() ? QString() : layoutText(m_layout);
    if (!place || !m_state.device()) return setAccessibleDescription(all);
    const HoverCardContent card = cardOf(*place);
    setAccessibleDescription(QStringLiteral("%1; %2").arg(cardText(card), all));
    const QPointF below(blockRect(*place).left(), rowRect(place->segment).bottom());
    if (auto* area = qobject_cast<QScrollArea*>(parentWidget()->parentWidget()))
        area->ensureVisible(0, below.toPoint().y(), 0, rowHeight());
    showCard(card, below.toPoint());
}

qreal SegmentsPicture::nameWidth() const {
    return QFontMetricsF(smallFont()).horizontalAdvance(QStringLiteral("888.8 MB")) + 10;
}

QRectF SegmentsPicture::rowRect(std::size_t segment) const {
    return {nameWidth(), static_cast<double>(segment) * rowHeight() + 2, width() - nameWidth() - 4,
            rowHeight() - 4.0};
}

std::optional<SegmentsPicture::Place> SegmentsPicture::placeAt(const QPoint& pixel) const {
    if (pixel.y() < 0 || rowAt(pixel.y()) >= m_layout.segments.size()) return {};
    const std::size_t row = rowAt(pixel.y());
    const LayoutSegment& segment = m_layout.segments[row];
    const QRectF rect = rowRect(row);
    if (pixel.x() < rect.left() || pixel.x() >= rect.right()) return {};
    const auto offset = static_cast<std::int64_t>((pixel.x() - rect.left()) / rect.width() *
                                                  static_cast<double>(segment.bytes));
    const auto next =
        std::ranges::upper_bound(segment.blocks, segment.address + offset, {}, &LayoutBlock::address);
    if (next == segment.blocks.begin()) return {};
    return Place{row, static_cast<std::size_t>(next - segment.blocks.begin()) - 1};
}

const LayoutBlock* SegmentsPicture::blockAt(const QPoint& pixel) const {
    const std::optional<Place> place = placeAt(pixel);
    return place ? &blockOf(*place) : nullptr;
}

QRectF SegmentsPicture::blockRect(const Place& place) const {
    return blockRectIn(rowRect(place.segment), m_layout.segments[place.segment], blockOf(place));
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
    if (m_current && hasFocus()) {
        painter.setPen(QPen(theme().color(ColorRole::Accent), 2));
        painter.drawRect(blockRect(*m_current));
    }
    paintFocus(painter);
}

void SegmentsPicture::paintSegment(QPainter& painter, std::size_t index) const {
    const LayoutSegment& segment = m_layout.segments[index];
    const QRectF row = rowRect(index);
    painter.setPen(theme().color(ColorRole::TextMuted));
    painter.drawText(QRectF(0, row.top(), nameWidth() - 8, row.height()), Qt::AlignRight | Qt::AlignVCenter,
                     bytesText(segment.bytes));
    painter.fillRect(row, theme().color(ColorRole::Track));
    const QColor edge = theme().color(ColorRole::Card);
    double drawnTo = row.left() - 1;
    for (const LayoutBlock& block : segment.blocks) {
        if (block.state == BlockState::Inactive) continue;
        const QRectF rect = blockRectIn(row, segment, block);
        if (rect.right() <= drawnTo) continue;  // many within a pixel: the first one stands for them
        painter.fillRect(rect, brushOf(block));
        if (rect.width() > 4) painter.fillRect(QRectF(rect.right() - 1, row.top(), 1, row.height()), edge);
        drawnTo = rect.right();
    }
    painter.setPen(theme().color(ColorRole::FieldBorder));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(row);
}

HoverCardContent SegmentsPicture::cardOf(const Place& place) const {
    const LayoutSegment& segment = m_layout.segments[place.segment];
    const LayoutBlock& block = blockOf(place);
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
    return card;
}

/// The arrows go along a segment, and up and down to the block nearest to the one before.
void SegmentsPicture::keyPressEvent(QKeyEvent* event) {
    const bool chooses = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (m_current && chooses) return choose(*m_current);
    if (event->key() == Qt::Key_Escape && m_current) {
        hideCard();
        return setCurrent({});
    }
    if (m_layout.segments.empty() || !m_state.device()) return PaintedChart::keyPressEvent(event);
    const Place from = m_current.value_or(Place());
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        if (!m_current) return setCurrent(from);
        const std::size_t last = m_layout.segments.size() - 1;
        const std::size_t row = event->key() == Qt::Key_Up
                                    ? from.segment - std::min<std::size_t>(from.segment, 1)
                                    : std::min(from.segment + 1, last);
        const int x = qRound(blockRect(from).center().x());
        return setCurrent(placeAt({x, qRound(rowRect(row).center().y())}).value_or(Place{row, 0}));
    }
    const int count = static_cast<int>(m_layout.segments[from.segment].blocks.size());
    const auto next = steppedTo(event->key(), m_current ? static_cast<int>(from.block) : -1, count);
    if (!next) return PaintedChart::keyPressEvent(event);
    setCurrent(Place{from.segment, static_cast<std::size_t>(*next)});
}

}  // namespace plumb::ui

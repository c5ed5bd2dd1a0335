// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/allocator_bands.h"

#include "ui/allocator/allocator_chart.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/within.h"
#include "ui/theme/text.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <array>

namespace plumb::ui {

namespace {
constexpr qreal kBandGap = 2;     ///< between rows of bands
constexpr qreal kNarrowBand = 3;  ///< pixels below which neighbours become one
constexpr qreal kBandText = 5;    ///< room at both sides of a name

/// A stretch in which nothing happened has its beginning.
bool isInBand(const AnnotationBand& band, std::int64_t position) {
    return position == band.from || (position > band.from && position < band.to);
}
}  // namespace

AllocatorBands::AllocatorBands(Theme& theme, AllocatorState& state, AllocatorChart& chart, QWidget* parent)
    : PaintedChart(theme, parent), m_state(state), m_chart(chart) {
    setObjectName(QStringLiteral("allocatorBands"));
    setAccessibleName(tr("Annotated stretches"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&state, &AllocatorState::deviceChanged, this, &AllocatorBands::follow);
    connect(&pointer(), &Pointer::hovered, this, &AllocatorBands::describe);
    connect(&pointer(), &Pointer::pressed, this, [this](const QPointF& pixel) {
        if (const BandPiece* piece = pieceAt(pixel))
            m_state.setCursor(highestIn(m_state.device()->bands[piece->first]));
    });
    connect(&pointer(), &Pointer::doubleClicked, this, [this](const QPointF& pixel) {
        const BandPiece* piece = pieceAt(pixel);
        if (!piece) return;
        const AnnotationBand& band = m_state.device()->bands[piece->first];
        m_chart.fitPositions(band.from, band.to);
    });
    connect(&state, &AllocatorState::cursorChanged, this, [this] {
        sayWhere();
        update();
    });
    connect(&chart, &AllocatorChart::windowChanged, this, [this] {
        m_isStale = true;
        hideCard();
        update();
    });
    follow();
}

void AllocatorBands::follow() {
    m_isStale = true;
    m_levels = 0;
    const OpenedDevice* device = m_state.device();
    if (device)
        for (const AnnotationBand& band : device->bands) m_levels = std::max(m_levels, band.level + 1);
    setVisible(m_levels > 0);
    sayWhere();
    hideCard();
    updateGeometry();
    update();
}

const AnnotationBand* AllocatorBands::bandAtCursor() const {
    const AnnotationBand* found = nullptr;
    for (const AnnotationBand& band : m_state.device()->bands)
        if (isInBand(band, m_state.cursor()) && (found == nullptr || band.level > found->level))
            found = &band;
    return found;
}

void AllocatorBands::sayWhere() {
    if (!m_state.device()) return setAccessibleDescription({});
    const QString all = tr("Stretches: %1, levels: %2").arg(m_state.device()->bands.size()).arg(m_levels);
    const AnnotationBand* const here = bandAtCursor();
    setAccessibleDescription(here ? tr("At the cursor %1. %2").arg(cardText(cardOf(*here)), all) : all);
}

int AllocatorBands::levels() const { return std::min(m_levels, kMostLevels); }

QSize AllocatorBands::sizeHint() const {
    const qreal row = QFontMetricsF(smallFont()).height() + 2 + kBandGap;
    return {600, qRound(std::max(1, levels()) * row + 2)};
}

QRectF AllocatorBands::rectOf(const BandPiece& piece) const {
    const qreal high = QFontMetricsF(smallFont()).height() + 2;
    return {piece.left, 1 + piece.level * (high + kBandGap), piece.right - piece.left, high};
}

double AllocatorBands::endOf(const AnnotationBand& band) const {
    const std::int64_t last = m_state.device()->history.lastPosition();
    return m_chart.xOf(std::min(band.to, last));
}

void AllocatorBands::layoutPieces() {
    m_isStale = false;
    m_pieces.clear();
    const OpenedDevice* device = m_state.device();
    if (!device) return;
    const double left = m_chart.window().left, right = left + m_chart.window().width;
    std::array<int, kMostLevels> narrow{};  // index of the last narrow piece of a level, from 1
    for (std::size_t i = 0; i < device->bands.size(); ++i) {
        const AnnotationBand& band = device->bands[i];
        if (band.level >= kMostLevels) continue;
        const double from = m_chart.xOf(band.from);
        const double to = std::max(endOf(band), from + 1);
        if (to < left || from > right) continue;
        int& before = narrow.at(static_cast<std::size_t>(band.level));
        const bool isNarrow = to - from < kNarrowBand;
        if (isNarrow && before > 0) {
            BandPiece& piece = m_pieces[static_cast<std::size_t>(before) - 1];
            if (from <= piece.right + 1) {
                piece.right = std::max(piece.right, std::min(to, right));
                ++piece.count;
                continue;
            }
        }
        m_pieces.push_back({std::max(from, left), std::min(to, right), band.level, i});
        before = isNarrow ? static_cast<int>(m_pieces.size()) : 0;
    }
}

std::span<const BandPiece> AllocatorBands::pieces() {
    if (m_isStale) layoutPieces();
    return m_pieces;
}

const BandPiece* AllocatorBands::pieceAt(const QPointF& at) {
    const auto all = pieces();
    const auto found = std::ranges::find_if(
        all, [&](const BandPiece& piece) { return rectOf(piece).adjusted(-1, 0, 1, 0).contains(at); });
    return found == all.end() ? nullptr : &*found;
}

std::int64_t AllocatorBands::highestIn(const AnnotationBand& band) const {
    const MemoryHistory& history = m_state.device()->history;
    const std::int64_t from = std::min(band.from, history.lastPosition());
    return history.highestWithin(from, std::clamp(band.to - 1, from, history.lastPosition()));
}

void AllocatorBands::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setFont(smallFont());
    const OpenedDevice* device = m_state.device();
    if (!device) return;
    const QFontMetricsF metrics(smallFont());
    painter.setPen(theme().color(ColorRole::TextMuted));
    const QString title =
        m_levels > kMostLevels ? tr("%1 of %2 levels").arg(kMostLevels).arg(m_levels) : tr("annotated");
    painter.drawText(QRectF(0, 1, m_chart.window().left - 8, metrics.height() + 2),
                     Qt::AlignRight | Qt::AlignVCenter, title);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const BandPiece& piece : pieces()) {
        const AnnotationBand& band = device->bands[piece.first];
        const QRectF rect = rectOf(piece).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool isHere = piece.count == 1 && isInBand(band, m_state.cursor());
        painter.setPen(QPen(theme().color(isHere ? ColorRole::Accent : ColorRole::FieldBorder), 1));
        painter.setBrush(theme().color(isHere ? ColorRole::Selection : ColorRole::Track));
        if (rect.width() < kNarrowBand)
            painter.fillRect(rectOf(piece), theme().color(ColorRole::TextMuted));
        else
            painter.drawRoundedRect(rect, 2, 2);
        if (piece.count > 1) continue;
        const QRectF room = rect.adjusted(kBandText, 0, -kBandText, 0);
        const QString name = metrics.elidedText(toText(band.name), Qt::ElideRight, room.width());
        if (room.width() < metrics.horizontalAdvance(QStringLiteral("mm…"))) continue;
        painter.setPen(theme().color(isHere ? ColorRole::TextStrong : ColorRole::Text));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
    }
    paintFocus(painter);
}

void AllocatorBands::describe(const QPointF& pixel) {
    const BandPiece* piece = pieceAt(pixel);
    if (!piece) return hideCard();
    const AnnotationBand& band = m_state.device()->bands[piece->first];
    if (piece->count == 1) return showCard(cardOf(band), pixel.toPoint());
    showCard({.title = tr("%1 stretches").arg(piece->count),
              .rows = {{.name = tr("the first"), .values = {toText(band.name)}}}},
             pixel.toPoint());
}

HoverCardContent AllocatorBands::cardOf(const AnnotationBand& band) const {
    const MemoryHistory& history = m_state.device()->history;
    HoverCardContent card;
    const std::int64_t last = std::min(band.to - 1, history.lastPosition());
    card.title = toText(band.name);
    card.rows.push_back({tr("from"), {m_state.shortMomentText(std::min(band.from, history.lastPosition()))}});
    card.rows.push_back(
        {tr("to"),
         {band.to > history.lastPosition() ? tr("the end of the trace") : m_state.shortMomentText(band.to)}});
    card.rows.push_back({tr("entries"), {QString::number(band.to - band.from)}});
    const Bytes before = history.liveAt(band.from - 1), after = history.liveAt(last);
    card.rows.push_back({tr("live before it"), {bytesText(before)}});
    card.rows.push_back({tr("at most in it"), {bytesText(history.liveAt(highestIn(band)))}, {}, true});
    card.rows.push_back({tr("live after it"), {bytesText(after)}});
    return card;
}

void AllocatorBands::keyPressEvent(QKeyEvent* event) {
    const bool isBack = event->key() == Qt::Key_Left;
    const bool zooms =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_F;
    if (!m_state.device() || (!isBack && !zooms && event->key() != Qt::Key_Right))
        return PaintedChart::keyPressEvent(event);
    if (zooms) {
        if (const AnnotationBand* here = bandAtCursor()) m_chart.fitPositions(here->from, here->to);
        return;
    }
    std::optional<std::int64_t> next;
    for (const AnnotationBand& band : m_state.device()->bands) {
        if (!isBack && band.from > m_state.cursor()) {
            next = band.from;
            break;
        }
        if (isBack && band.from < m_state.cursor()) next = band.from;
    }
    if (!next) return;
    m_state.setCursor(*next);
    const TimeWindow& shown = m_chart.window();
    const double x = within(m_chart.xOf(*next), shown.left, shown.left + shown.width);
    if (const AnnotationBand* here = bandAtCursor()) showCard(cardOf(*here), QPointF(x, height()).toPoint());
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/lane_chart.h"

#include "core/base/entry_at.h"
#include "ui/charts/axis.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr qreal kLabelGap = 10;
constexpr qreal kRowGap = 3, kPairGap = 10;
constexpr qreal kMostCompute = 52, kTrafficPart = 0.45;  // height of a lane of traffic, of one of compute
constexpr qreal kTickRoom = 96;
constexpr double kHollowLane = 0.18;

}  // namespace

LaneChart::LaneChart(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setFocusPolicy(Qt::StrongFocus);
    connect(&pointer(), &Pointer::hovered, this,
            [this](const QPointF& at) { point(placeAt(at), at.toPoint()); });
    connect(&pointer(), &Pointer::left, this, [this] { point({}, {}); });
    connect(&pointer(), &Pointer::clicked, this, [this](const QPointF& at) {
        const BarAt place = placeAt(at);
        if (place.row >= 0 && barAt(place).op >= 0) emit collectiveChosen(barAt(place).op);
    });
}

void LaneChart::setRows(LaneRows rows, std::shared_ptr<const Step> step) {
    m_rows = std::move(rows);
    m_step = std::move(step);
    m_pointed = {};
    hideCard();
    // No higher than its lanes can be, so that what explains them stands below them.
    const int pairs = std::max<int>(1, static_cast<int>(m_rows.rows.size()) / 2);
    const qreal least = leastLane(), compute = std::max(least, kMostCompute);
    const qreal pair = compute + std::max(least, compute * kTrafficPart) + kRowGap + kPairGap;
    setMaximumHeight(static_cast<int>(rulerHeight() + pairs * pair) + 8);
    updateGeometry();
    update();
}

void LaneChart::setSelectedOp(std::int32_t op) {
    if (m_selectedOp == op) return;
    m_selectedOp = op;
    update();
}

QString LaneChart::rowName(int row) const {
    const LaneRow& lane = entryAt(m_rows.rows, row);
    if (lane.lane == Lane::Traffic) return tr("traffic");
    return lane.isMeasured ? tr("measured") : tr("predicted");
}

qreal LaneChart::labelWidth() const {
    const QFontMetricsF metrics(smallFont());
    qreal width = 0;
    for (int row = 0; row < static_cast<int>(m_rows.rows.size()); ++row)
        width = std::max(width, metrics.horizontalAdvance(rowName(row)));
    return kChartSide + width + kLabelGap;
}

qreal LaneChart::asideWidth() const {
    const QFontMetricsF metrics(smallFont());
    qreal width = 0;
    for (const LaneRow& row : m_rows.rows) width = std::max(width, metrics.horizontalAdvance(row.aside));
    return width > 0 ? width + kLabelGap : 0;
}

qreal LaneChart::rulerHeight() const { return QFontMetricsF(smallFont()).height() + 6; }

qreal LaneChart::leastLane() const { return QFontMetricsF(smallFont()).height() + 2; }

// A pair of lanes is as high as the room lets it be, traffic half as high as what computes.
QRectF LaneChart::rowRect(int row) const {
    const int pairs = std::max<int>(1, static_cast<int>(m_rows.rows.size()) / 2);
    const qreal least = leastLane();
    const qreal room = (height() - rulerHeight() - 6 - (pairs - 1) * kPairGap) / pairs - kRowGap;
    const qreal compute =
        std::clamp(std::min(room / (1 + kTrafficPart), room - least), least, std::max(least, kMostCompute));
    const qreal traffic = std::max(least, compute * kTrafficPart);
    const qreal top = rulerHeight() + (row / 2) * (compute + traffic + kRowGap + kPairGap);
    const bool isTraffic = row % 2 == 1;
    return {labelWidth(), isTraffic ? top + compute + kRowGap : top, laneEnd() - labelWidth(),
            isTraffic ? traffic : compute};
}

qreal LaneChart::toX(Seconds at) const {
    const qreal left = labelWidth(), right = laneEnd();
    return left + (right - left) * (m_rows.whole() > 0 ? at / m_rows.whole() : 0);
}

QRectF LaneChart::barRect(int row, int bar) const {
    const LaneBar& of = entryAt(entryAt(m_rows.rows, row).bars, bar);
    const QRectF lane = rowRect(row);
    const qreal left = toX(of.begin);
    return {left, lane.top(), std::max(1.0, toX(of.end) - left), lane.height()};
}

const LaneBar& LaneChart::barAt(const BarAt& at) const {
    return entryAt(entryAt(m_rows.rows, at.row).bars, at.bar);
}

LaneChart::BarAt LaneChart::placeAt(const QPointF& at) const {
    constexpr qreal kSlack = 1;  // a short collective can be pointed at
    for (int row = 0; row < static_cast<int>(m_rows.rows.size()); ++row) {
        if (!rowRect(row).contains(at)) continue;
        for (int bar = 0; bar < static_cast<int>(entryAt(m_rows.rows, row).bars.size()); ++bar)
            if (barRect(row, bar).adjusted(-kSlack, 0, kSlack, 0).contains(at)) return {row, bar};
    }
    return {};
}

void LaneChart::paintRuler(QPainter& painter) const {
    const QFontMetricsF metrics(smallFont());
    painter.setFont(smallFont());
    const qreal right = laneEnd();
    const int most = std::max(2, static_cast<int>((right - labelWidth()) / kTickRoom));
    for (const AxisTick& tick : axisTicks({{}, QStringLiteral("s"), false, 0, m_rows.whole()}, most)) {
        const qreal x = toX(tick.value);
        painter.setPen(color(ColorRole::Grid));
        painter.drawLine(QPointF(x, rulerHeight() - 3),
                         QPointF(x, rowRect(static_cast<int>(m_rows.rows.size()) - 1).bottom() + 4));
        const qreal wide = metrics.horizontalAdvance(tick.label) + 2;
        const qreal left = std::clamp(x - wide / 2, labelWidth() - wide / 2, right - wide);
        painter.setPen(color(ColorRole::Axis));
        painter.drawText(QRectF(left, 0, wide, metrics.height()), Qt::AlignCenter, tick.label);
    }
}

void LaneChart::paintRow(QPainter& painter, int row) const {
    const LaneRow& lane = entryAt(m_rows.rows, row);
    const QRectF room = rowRect(row);
    painter.setFont(smallFont());
    painter.setPen(
        color(lane.isMeasured && lane.lane == Lane::Compute ? ColorRole::TextStrong : ColorRole::TextMuted));
    painter.drawText(QRectF(kChartSide, room.top(), labelWidth() - kLabelGap - kChartSide, room.height()),
                     Qt::AlignRight | Qt::AlignVCenter, rowName(row));
    painter.setPen(color(ColorRole::TextMuted));
    painter.drawText(
        QRectF(room.right() + kLabelGap, room.top(), width() - room.right() - kLabelGap, room.height()),
        Qt::AlignLeft | Qt::AlignVCenter, lane.aside);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(ColorRole::Track));
    painter.drawRoundedRect(room, 3, 3);
    const QFontMetricsF metrics(smallFont());
    for (int index = 0; index < static_cast<int>(lane.bars.size()); ++index) {
        const LaneBar& bar = entryAt(lane.bars, index);
        const QRectF box = barRect(row, index);
        const bool isWait = bar.kind == LaneBar::Kind::Wait;
        const QColor full = isWait                               ? color(ColorRole::Warning)
                            : bar.kind == LaneBar::Kind::Traffic ? color(Category::Communication)
                            : bar.kind == LaneBar::Kind::Between ? color(ColorRole::Ghost)
                                                                 : color(bar.phase);
        const QRectF inside = box.width() > 3 ? box.adjusted(0.5, 0.5, -0.5, -0.5) : box;
        const qreal round = box.width() > 8 ? 2.5 : 0;
        if (isWait) {
            painter.setPen(QPen(full, 1, Qt::DotLine));
            painter.setBrush(QBrush(full, Qt::BDiagPattern));
            painter.drawRect(inside);
        } else if (lane.isMeasured) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(full);
            painter.drawRoundedRect(inside, round, round);
        } else {
            painter.setPen(QPen(full, 1));
            painter.setBrush(mixedColors(full, color(ColorRole::Card), kHollowLane));
            painter.drawRoundedRect(inside, round, round);
        }
        if (bar.op >= 0 && bar.op == m_selectedOp) {
            painter.setPen(QPen(color(ColorRole::Accent), 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(inside.adjusted(-1, -1, 1, 1), 3, 3);
        }
        if (m_pointed == BarAt{row, index}) {
            painter.setPen(QPen(color(ColorRole::TextStrong), 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(inside, round, round);
        }
        if (isWait || bar.kind == LaneBar::Kind::Traffic) continue;
        const QString name = barName(*m_step, m_rows, bar), brief = briefBarName(m_rows, bar);
        const QString text = metrics.horizontalAdvance(name) + 8 <= box.width()    ? name
                             : metrics.horizontalAdvance(brief) + 4 <= box.width() ? brief
                                                                                   : QString();
        painter.setPen(lane.isMeasured ? textOn(full) : color(ColorRole::Text));
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

/// Where the predicted step ends, across the measured lanes.
void LaneChart::paintEnds(QPainter& painter) const {
    if (m_rows.predicted <= 0 || m_rows.measured <= 0) return;
    const qreal x = toX(m_rows.predicted);
    painter.setPen(QPen(color(ColorRole::Predicted), 1.2, Qt::DashLine));
    painter.drawLine(QPointF(x, rulerHeight() - 2),
                     QPointF(x, rowRect(static_cast<int>(m_rows.rows.size()) - 1).bottom() + 2));
}

void LaneChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (paintEmpty(painter) || m_rows.rows.empty() || !m_step) return;
    paintRuler(painter);
    for (int row = 0; row < static_cast<int>(m_rows.rows.size()); ++row) paintRow(painter, row);
    paintEnds(painter);
    paintFocus(painter);
}

void LaneChart::point(const BarAt& at, const QPoint& pixel) {
    m_pointed = at;
    update();
    if (at.row < 0) return hideCard();
    const LaneBar& bar = barAt(at);
    HoverCardContent card;
    card.title = barName(*m_step, m_rows, bar);
    card.rows.push_back({tr("takes"), {quantityText(bar.end - bar.begin, "s")}, {}, true});
    card.rows.push_back({tr("begins at"), {quantityText(bar.begin, "s")}, {}, false});
    if (bar.op >= 0)
        card.rows.push_back(
            {tr("sends"), {quantityText(static_cast<double>(m_step->op(bar.op).wireBytes), "B")}, {}, false});
    card.footer = entryAt(m_rows.rows, at.row).isMeasured ? tr("measured, of step %1").arg(m_rows.step)
                                                          : tr("predicted, of the first rank");
    showCard(card, pixel);
}

void LaneChart::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(m_rows.rows.size());
    if (count == 0) return QWidget::keyPressEvent(event);
    BarAt next = m_pointed.row < 0 ? BarAt{0, -1} : m_pointed;
    const auto barsOf = [this](int row) { return static_cast<int>(entryAt(m_rows.rows, row).bars.size()); };
    switch (event->key()) {
    case Qt::Key_Left:
        --next.bar;
        break;
    case Qt::Key_Right:
        ++next.bar;
        break;
    case Qt::Key_Home:
        next.bar = 0;
        break;
    case Qt::Key_End:
        next.bar = barsOf(next.row) - 1;
        break;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        next.row = std::clamp(next.row + (event->key() == Qt::Key_Down ? 1 : -1), 0, count - 1);
        // What is on at the same moment.
        const Seconds when = m_pointed.row < 0 ? 0 : barAt(m_pointed).begin;
        next.bar = 0;
        while (next.bar + 1 < barsOf(next.row) && barAt({next.row, next.bar}).end <= when) ++next.bar;
        break;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_pointed.row >= 0 && barAt(m_pointed).op >= 0) emit collectiveChosen(barAt(m_pointed).op);
        return;
    case Qt::Key_Escape:
        if (m_pointed.row < 0) return QWidget::keyPressEvent(event);
        return point({}, {});
    default:
        return QWidget::keyPressEvent(event);
    }
    if (barsOf(next.row) == 0) return;
    next.bar = std::clamp(next.bar, 0, barsOf(next.row) - 1);
    point(next, barRect(next.row, next.bar).center().toPoint());
}

QSize LaneChart::sizeHint() const { return {scaled(420), scaled(190)}; }

QSize LaneChart::minimumSizeHint() const {
    const int pairs = std::max<int>(1, static_cast<int>(m_rows.rows.size()) / 2);
    return {scaled(200),
            static_cast<int>(rulerHeight() + pairs * (2 * leastLane() + kRowGap + kPairGap) + 8)};
}

}  // namespace plumb::ui

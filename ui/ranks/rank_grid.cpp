// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_grid.h"

#include "core/base/entry_at.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"

#include <QKeyEvent>
#include <QLinearGradient>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr qreal kCellGap = 6;
constexpr qreal kCellSide = 8;  // inside of a cell
constexpr qreal kShareBar = 4;
constexpr qreal kPlainCell = 12;
constexpr double kCellFaint = 0.32,
                 kCellFull = 0.78;  // shares of the colour in the cells of the least and the most
constexpr double kMostWider = 1.9, kMostHigher = 1.45;  // than a cell has to be

}  // namespace

RankGrid::RankGrid(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setFocusPolicy(Qt::StrongFocus);
    connect(&pointer(), &Pointer::hovered, this,
            [this](const QPointF& at) { point(rankAt(at), at.toPoint()); });
    connect(&pointer(), &Pointer::left, this, [this] { point(-1, {}); });
    connect(&pointer(), &Pointer::pressed, this, [this](const QPointF& at) {
        if (const int rank = rankAt(at); rank >= 0) choose(rank);
    });
}

void RankGrid::setState(const RanksState* state, RankFigure colouredBy) {
    m_state = state;
    m_by = colouredBy;
    m_pointed = -1;
    m_layout.reset();
    m_chosen = std::clamp(m_chosen, 0, std::max(0, count() - 1));
    hideCard();
    updateGeometry();
    update();
}

void RankGrid::setChosen(int rank) {
    m_chosen = std::clamp(rank, 0, std::max(0, count() - 1));
    update();
}

int RankGrid::count() const { return m_state ? static_cast<int>(m_state->shown.size()) : 0; }

QString RankGrid::valueText(const ShownRank& rank) const { return figureText(rank.figure(m_by), m_by); }

QString RankGrid::predictedText(const ShownRank& rank) const {
    const auto predicted = ShownRank::figure(rank.predicted, m_by);
    if (!ShownRank::figure(rank.measured, m_by)) return predicted ? tr("predicted") : QString();
    return tr("%1 predicted").arg(figureText(predicted, m_by));
}

QSizeF RankGrid::leastCell(Form form) const {
    if (form == Form::Plain) return {kPlainCell, kPlainCell};
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(strong), small(smallFont());
    qreal width = 0;
    for (const ShownRank& rank : m_state->shown) {
        width = std::max({width, metrics.horizontalAdvance(valueText(rank)),
                          small.horizontalAdvance(rankText(rank.number))});
        if (form == Form::Whole) width = std::max(width, small.horizontalAdvance(predictedText(rank)));
    }
    qreal height = small.height() + metrics.height() + 2 * kCellSide - 4;
    if (form == Form::Whole) height += small.height() + kShareBar + 8;
    return {width + 2 * kCellSide, height};
}

qreal RankGrid::legendHeight() const { return QFontMetricsF(smallFont()).height() * 2 + 16; }

const RankGrid::Layout& RankGrid::layout() const {
    if (!m_layout) m_layout = laidOut();
    return *m_layout;
}

void RankGrid::resizeEvent(QResizeEvent* event) {
    m_layout.reset();
    PaintedChart::resizeEvent(event);
}

void RankGrid::changeEvent(QEvent* event) {
    m_layout.reset();
    PaintedChart::changeEvent(event);
}

// The first form in which all cells have room; the last one has it always.
RankGrid::Layout RankGrid::laidOut() const {
    const qreal titles = QFontMetricsF(smallFont()).height() + 4;
    const QRectF room(0, 0, width() - 2 * kChartSide, height() - legendHeight());
    for (const Form form : {Form::Whole, Form::Brief, Form::Plain}) {
        Layout made{form, count(), leastCell(form), titles};
        const qreal gap = form == Form::Plain ? 2 : kCellGap;
        const int most = std::max(1, static_cast<int>((room.width() + gap) / (made.cell.width() + gap)));
        const int lines = (count() + most - 1) / std::max(1, most);
        made.columns = std::max(1, (count() + lines - 1) / std::max(1, lines));
        if (lines > 1) made.top = 2;  // columns that are no axis have no titles
        const bool hasRoom = made.top + lines * (made.cell.height() + gap) - gap <= room.height();
        if (!hasRoom && form != Form::Plain) continue;
        const qreal free = (room.width() + gap) / made.columns - gap;
        const qreal widest = form == Form::Plain ? kPlainCell * 2 : made.cell.width() * kMostWider;
        made.cell.setWidth(std::clamp(widest, 1.0, std::max(1.0, free)));
        if (hasRoom && form == Form::Whole)
            made.cell.setHeight(std::clamp((room.height() - made.top + gap) / lines - gap, made.cell.height(),
                                           made.cell.height() * kMostHigher));
        if (!hasRoom) made.cell.setHeight(std::max(2.0, (room.height() - made.top + gap) / lines - gap));
        return made;
    }
    return {};
}

QRectF RankGrid::cellRect(int rank) const {
    const Layout& made = layout();
    const qreal gap = made.form == Form::Plain ? 2 : kCellGap;
    const int row = rank / made.columns, column = rank % made.columns;
    return {kChartSide + column * (made.cell.width() + gap), made.top + row * (made.cell.height() + gap),
            made.cell.width(), made.cell.height()};
}

int RankGrid::rankAt(const QPointF& at) const {
    if (!emptyText().isEmpty()) return -1;
    for (int rank = 0; rank < count(); ++rank)
        if (cellRect(rank).contains(at)) return rank;
    return -1;
}

double RankGrid::shareOfRange(double value) const {
    const auto least = m_state->least(m_by), most = m_state->most(m_by);
    // Ranks that differ by less than one can read are alike.
    constexpr double kAlike = 1e-3;
    if (!least || !most || *most - *least <= kAlike * std::abs(*most)) return 1;
    return (value - *least) / (*most - *least);
}

QColor RankGrid::cellColor(int rank) const {
    const auto value = entryAt(m_state->shown, rank).figure(m_by);
    if (!value) return color(ColorRole::Field);
    return mixedColors(color(Category::Parameters), color(ColorRole::Card),
                       kCellFaint + (kCellFull - kCellFaint) * shareOfRange(*value));
}

void RankGrid::paintCell(QPainter& painter, const Layout& made, int index) const {
    const ShownRank& rank = entryAt(m_state->shown, index);
    const QRectF box = cellRect(index);
    const qreal round = made.form == Form::Plain ? 2 : 5;
    const bool isChosen = index == m_chosen;
    painter.setPen(isChosen             ? QPen(color(ColorRole::Accent), 2)
                   : index == m_pointed ? QPen(color(ColorRole::TextMuted), 1)
                                        : QPen(Qt::NoPen));
    painter.setBrush(cellColor(index));
    painter.drawRoundedRect(isChosen ? box.adjusted(1, 1, -1, -1) : box, round, round);
    if (made.form == Form::Plain) return;
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const QFontMetricsF small(smallFont()), metrics(strong);
    const QColor ink = textOn(cellColor(index));
    const QRectF inside = box.adjusted(kCellSide, kCellSide - 3, -kCellSide, -kCellSide + 3);
    painter.setPen(ink);
    painter.setFont(smallFont());
    painter.drawText(QRectF(inside.topLeft(), QSizeF(inside.width(), small.height())),
                     Qt::AlignLeft | Qt::AlignVCenter, rankText(rank.number));
    painter.setFont(strong);
    painter.setPen(ink);
    QRectF line(inside.left(), inside.top() + small.height(), inside.width(), metrics.height());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, valueText(rank));
    if (made.form != Form::Whole) return;
    line = QRectF(inside.left(), line.bottom(), inside.width(), small.height());
    painter.setFont(smallFont());
    painter.setPen(ink);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, predictedText(rank));
    if (!m_state->share) return;
    const QRectF track(inside.left(), inside.bottom() - kShareBar, inside.width(), kShareBar);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(ColorRole::Track));
    painter.drawRoundedRect(track, kShareBar / 2, kShareBar / 2);
    const double share =
        ShownRank(rank).figure(RankFigure::Memory).value_or(0) / static_cast<double>(*m_state->share);
    QRectF filled = track;
    filled.setWidth(std::max(kShareBar, track.width() * std::min(1.0, share)));
    painter.setBrush(color(share > 1 ? ColorRole::Bad : ColorRole::TextStrong));
    painter.drawRoundedRect(filled, kShareBar / 2, kShareBar / 2);
}

void RankGrid::paintLegend(QPainter& painter) const {
    const QFontMetricsF metrics(smallFont());
    painter.setFont(smallFont());
    const auto least = m_state->least(m_by), most = m_state->most(m_by);
    const qreal top = cellRect(count() - 1).bottom() + 14;
    qreal left = kChartSide;
    if (most) {
        const QString from = figureText(least, m_by), to = figureText(most, m_by);
        const bool isOne = shareOfRange(*least) == 1;
        const qreal wide =
            std::max(96.0, metrics.horizontalAdvance(from) + metrics.horizontalAdvance(to) + 20);
        const QRectF bar(left, top, wide, 6);
        QLinearGradient gradient(bar.topLeft(), bar.topRight());
        const QColor strong = color(Category::Parameters), paper = color(ColorRole::Card);
        gradient.setColorAt(0, mixedColors(strong, paper, isOne ? kCellFull : kCellFaint));
        gradient.setColorAt(1, mixedColors(strong, paper, kCellFull));
        painter.setPen(Qt::NoPen);
        painter.setBrush(gradient);
        painter.drawRoundedRect(bar, 3, 3);
        painter.setPen(color(ColorRole::TextMuted));
        const QRectF below(bar.left(), bar.bottom() + 3, bar.width(), metrics.height());
        painter.drawText(below, (isOne ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter,
                         isOne ? to : from);
        if (!isOne) painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, to);
        left = bar.right() + 24;
    } else {
        const QString none = tr("not known: no time is predicted and none was measured");
        painter.setPen(color(ColorRole::TextMuted));
        painter.drawText(QRectF(left, top, width() - left - kChartSide, 2 * metrics.height()),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, none);
        return;
    }
    if (!m_state->share || layout().form != Form::Whole) return;
    const QString of = tr("of %1").arg(bytesText(*m_state->share));
    if (left + std::max(52.0, metrics.horizontalAdvance(of)) > width() - kChartSide) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(ColorRole::Track));
    painter.drawRoundedRect(QRectF(left, top + 1, 52, kShareBar), kShareBar / 2, kShareBar / 2);
    painter.setBrush(color(ColorRole::TextStrong));
    painter.drawRoundedRect(QRectF(left, top + 1, 26, kShareBar), kShareBar / 2, kShareBar / 2);
    painter.setPen(color(ColorRole::TextMuted));
    painter.drawText(QRectF(left, top + 9, width() - left, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, of);
}

void RankGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (paintEmpty(painter) || count() == 0) return;
    const Layout& made = layout();
    if (made.top > 2) {
        painter.setFont(smallFont());
        painter.setPen(color(ColorRole::TextMuted));
        for (int rank = 0; rank < count(); ++rank) {
            const QRectF box = cellRect(rank);
            const Place& place = entryAt(m_state->shown, rank).place;
            const QString title = m_state->tensor > 1
                                      ? tr("data %1 · tensor %2").arg(place.data).arg(place.tensor)
                                      : tr("data %1").arg(place.data);
            if (made.form != Form::Plain)
                painter.drawText(QRectF(box.left(), 0, box.width(), box.top() - 2),
                                 Qt::AlignHCenter | Qt::AlignVCenter, title);
        }
    }
    for (int rank = 0; rank < count(); ++rank) paintCell(painter, made, rank);
    paintLegend(painter);
    paintFocus(painter);
}

void RankGrid::point(int rank, const QPoint& at) {
    m_pointed = rank;
    update();
    if (rank < 0) return hideCard();
    showCard(rankCard(*m_state, entryAt(m_state->shown, rank)), at);
}

void RankGrid::choose(int rank) {
    if (rank == m_chosen) return;
    m_chosen = rank;
    update();
    emit rankChosen(rank);
}

void RankGrid::keyPressEvent(QKeyEvent* event) {
    if (count() == 0) return QWidget::keyPressEvent(event);
    int rank = m_chosen;
    switch (event->key()) {
    case Qt::Key_Left:
        --rank;
        break;
    case Qt::Key_Right:
        ++rank;
        break;
    case Qt::Key_Up:
        rank -= layout().columns;
        break;
    case Qt::Key_Down:
        rank += layout().columns;
        break;
    case Qt::Key_Home:
        rank = 0;
        break;
    case Qt::Key_End:
        rank = count() - 1;
        break;
    case Qt::Key_Escape:
        if (m_pointed < 0) return QWidget::keyPressEvent(event);
        return point(-1, {});
    default:
        return QWidget::keyPressEvent(event);
    }
    if (rank < 0 || rank >= count()) rank = m_chosen;
    choose(rank);
    point(rank, cellRect(rank).center().toPoint());
}

QSize RankGrid::sizeHint() const {
    if (count() == 0) return {scaled(280), scaled(150)};
    const QSizeF cell = leastCell(Form::Whole);
    const int columns = std::min(count(), 4);
    return {static_cast<int>(columns * (cell.width() + kCellGap) + 2 * kChartSide),
            static_cast<int>(cell.height() + legendHeight()) + scaled(24)};
}

QSize RankGrid::minimumSizeHint() const {
    if (count() == 0) return {scaled(160), scaled(110)};
    return {scaled(160), static_cast<int>(leastCell(Form::Whole).height() + legendHeight()) + scaled(22)};
}

HoverCardContent rankCard(const RanksState& state, const ShownRank& rank) {
    HoverCardContent card;
    card.title = rankText(rank.number);
    card.header = {RankGrid::tr("predicted"), RankGrid::tr("measured")};
    const auto add = [&](const QString& name, const std::optional<double>& predicted,
                         const std::optional<double>& measured, RankFigure unit) {
        card.rows.push_back({name, {figureText(predicted, unit), figureText(measured, unit)}, {}, false});
    };
    const auto sent = [](const std::optional<RankReading>& of, Bytes RankReading::*which) {
        return of ? std::optional<double>(static_cast<double>((*of).*which)) : std::nullopt;
    };
    const auto addFigure = [&](const QString& name, RankFigure which) {
        add(name, ShownRank::figure(rank.predicted, which), ShownRank::figure(rank.measured, which), which);
    };
    addFigure(RankGrid::tr("peak memory"), RankFigure::Memory);
    addFigure(RankGrid::tr("step"), RankFigure::Time);
    addFigure(RankGrid::tr("waiting for others"), RankFigure::Waiting);
    add(RankGrid::tr("sent in a step"), sent(rank.predicted, &RankReading::sentBytes),
        sent(rank.measured, &RankReading::sentBytes), RankFigure::Memory);
    add(RankGrid::tr("received"), sent(rank.predicted, &RankReading::receivedBytes),
        sent(rank.measured, &RankReading::receivedBytes), RankFigure::Memory);
    if (state.share) card.footer = RankGrid::tr("A rank has %1 of the memory").arg(bytesText(*state.share));
    return card;
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/figure_tiles.h"

#include "core/measure/spread.h"
#include "ui/compare/difference_model.h"
#include "ui/compare/difference_table.h"
#include "ui/theme/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr int kTileGap = 10;
constexpr int kTileWidth = 210;
constexpr int kTileSide = 14;
constexpr int kHeadGap = 8;              ///< between a figure's name and what became of it
constexpr std::size_t kAlwaysShown = 3;  // step time, samples per second, peak memory

/// Parts of another figure are rows of the table alone.
bool isKeyFigure(const DifferenceRow& row) {
    return row.name != "matmul FLOPs" && !row.name.ends_with(" at the peak");
}

std::optional<Spread> spreadOf(const ComparedStep& step, std::string_view unit) {
    const Totals& totals = step.reading->totals;
    if (!step.isMeasured()) return std::nullopt;
    if (unit == "s") return totals.spread;
    return unit == "/s" ? spreadOfQuotient(totals.samplesPerSecond, totals.seconds, totals.spread)
                        : std::nullopt;
}

/// What stands at the right of the title.
QString tileVerdict(const DifferenceRow& row) {
    const QString percent = shareText(row.judgement);
    switch (row.judgement.change) {
    case Change::Less:
    case Change::More:
        return percent;
    case Change::None:
    case Change::WithinNoise:
    case Change::Disturbed:
        return coreText(verdictOf(row));
    case Change::Unknown:
        break;
    }
    return row.judgement.ratio ? percent : coreText(verdictOf(row));
}

/// What stands below the whiskers' names; empty: nothing to say.
QString tileNote(const DifferenceRow& row) {
    if (row.judgement.change == Change::Unknown && row.judgement.ratio) return tr("noise not known");
    if (row.judgement.change == Change::WithinNoise && row.judgement.band)
        return *row.judgement.band < 1
                   ? tr("within ± %1 %").arg(numberText(*row.judgement.band * 100, 'f', 1))
                   : tr("within ×/÷ %1").arg(numberText(1 + *row.judgement.band, 'g', 3));
    if (row.judgement.change == Change::Disturbed) return shareText(row.judgement);
    return {};
}

}  // namespace

std::vector<FigureTileContent> figureTiles(const Comparison& comparison, std::size_t index, bool onlyReal) {
    std::vector<FigureTileContent> tiles;
    const std::vector<DifferenceRow> rows = differences(comparison, index, DifferenceOf::Figures);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!isKeyFigure(rows[i]) || (onlyReal && i >= kAlwaysShown && !rows[i].isReal())) continue;
        tiles.push_back({rows[i],
                         {spreadOf(comparison.steps.front(), rows[i].unit),
                          spreadOf(comparison.steps[index], rows[i].unit)}});
    }
    return tiles;
}

FigureTile::FigureTile(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void FigureTile::show(const FigureTileContent& content) {
    m_content = content;
    const DifferenceRow& row = content.row;
    const auto valueText = [&](const std::optional<double>& value) {
        return value ? quantityText(*value, row.unit) : tr("not known");
    };
    setAccessibleName(tr("%1: baseline %2, other %3, %4, %5")
                          .arg(capitalised(coreText(row.name)), valueText(row.baseline), valueText(row.other),
                               coreText(percentText(row.judgement)), coreText(verdictOf(row))));
    setToolTip(accessibleName());
    update();
}

int FigureTile::headWidth() const {
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    return QFontMetrics(font()).horizontalAdvance(capitalised(coreText(m_content.row.name))) + kHeadGap +
           QFontMetrics(strong).horizontalAdvance(tileVerdict(m_content.row)) + 2 * kTileSide + 2;
}

QSize FigureTile::sizeHint() const { return {kTileWidth, fontMetrics().height() * 3 + 58}; }

void FigureTile::paintWhiskers(QPainter& painter, const QRectF& area) const {
    const std::array values{m_content.row.baseline, m_content.row.other};
    double low = INFINITY, high = -INFINITY;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values.at(i)) continue;
        const auto& spread = m_content.spreads.at(i);
        low = std::min(low, spread ? spread->low : *values.at(i));
        high = std::max(high, spread ? spread->high : *values.at(i));
    }
    if (!(low <= high)) return;
    const auto placeOf = [&](double value) {
        const double share = high > low ? (value - low) / (high - low) : 0.5;
        return area.left() + 5 + share * (area.width() - 10);
    };
    constexpr std::array kRoles{ColorRole::Baseline, ColorRole::Compared};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const qreal y = area.top() + 5 + 10 * static_cast<qreal>(i);
        painter.setPen(QPen(m_theme.color(ColorRole::Grid), 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (!values.at(i)) continue;
        const QColor color = m_theme.color(kRoles.at(i));
        painter.setPen(QPen(color, 1.4));
        if (const auto& spread = m_content.spreads.at(i)) {
            const qreal from = placeOf(spread->low), to = placeOf(spread->high);
            painter.drawLine(QPointF(from, y), QPointF(to, y));
            for (const qreal x : {from, to}) painter.drawLine(QPointF(x, y - 3.5), QPointF(x, y + 3.5));
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(QPointF(placeOf(*values.at(i)), y), 3.2, 3.2);
    }
}

void FigureTile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(ColorRole::CardBorder), 1));
    painter.setBrush(m_theme.color(ColorRole::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    const DifferenceRow& row = m_content.row;
    const QRectF inner = QRectF(rect()).adjusted(kTileSide, 9, -kTileSide, -8);
    const qreal line = fontMetrics().height();

    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const QString verdict = tileVerdict(row);
    painter.setFont(strong);
    painter.setPen(m_theme.color(toneOf(row)));
    const qreal verdictWidth = QFontMetricsF(strong).horizontalAdvance(verdict);
    painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), line), Qt::AlignRight, verdict);
    painter.setFont(font());
    painter.setPen(m_theme.color(ColorRole::TextMuted));
    painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), line), Qt::AlignLeft,
                     fontMetrics().elidedText(capitalised(coreText(row.name)), Qt::ElideRight,
                                              static_cast<int>(inner.width() - verdictWidth - kHeadGap)));

    QFont large = strong;
    large.setPointSizeF(font().pointSizeF() + 3);
    const qreal top = inner.top() + line + 4, height = QFontMetricsF(large).height();
    const QRectF left(inner.left(), top, inner.width() / 2, height);
    const QRectF right = left.translated(inner.width() / 2, 0);
    const auto valueText = [&](const std::optional<double>& value) {
        return value ? quantityText(*value, row.unit) : toText(kNoNumber);
    };
    QFont plain = large;
    plain.setWeight(QFont::Normal);
    painter.setFont(plain);
    painter.setPen(m_theme.color(ColorRole::TextMuted));
    painter.drawText(left, Qt::AlignLeft | Qt::AlignVCenter, valueText(row.baseline));
    painter.setFont(large);
    painter.setPen(m_theme.color(ColorRole::TextStrong));
    painter.drawText(right, Qt::AlignLeft | Qt::AlignVCenter, valueText(row.other));

    QFont small = font();
    small.setPointSizeF(small.pointSizeF() - 1.5);
    painter.setFont(small);
    const qreal below = top + height + 1, smallLine = QFontMetricsF(small).height();
    painter.setPen(m_theme.color(ColorRole::Baseline));
    painter.drawText(QRectF(left.left(), below, left.width(), smallLine), Qt::AlignLeft, tr("baseline"));
    const QString note = tileNote(row);
    painter.setPen(m_theme.color(note.isEmpty() ? ColorRole::Compared : ColorRole::TextMuted));
    painter.drawText(QRectF(right.left(), below, right.width(), smallLine), Qt::AlignLeft,
                     note.isEmpty() ? tr("other") : note);
    paintWhiskers(painter, QRectF(inner.left(), inner.bottom() - 21, inner.width(), 20));
}

FigureTiles::FigureTiles(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("compareFigures"));
    setAccessibleName(tr("Key figures"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FigureTiles::show(const std::vector<FigureTileContent>& contents) {
    while (m_tiles.size() < contents.size()) m_tiles.push_back(new FigureTile(m_theme, this));
    m_shown = contents.size();
    for (std::size_t i = 0; i < m_tiles.size(); ++i) {
        m_tiles[i]->setVisible(i < m_shown);
        if (i < m_shown) m_tiles[i]->show(contents[i]);
    }
    arrange();
    updateGeometry();
}

int FigureTiles::leastWidth() const {
    int least = kTileWidth;
    for (std::size_t i = 0; i < m_shown; ++i) least = std::max(least, m_tiles[i]->headWidth());
    return least;
}

int FigureTiles::columnsFor(int width) const {
    const int fitting = std::max(1, (width + kTileGap) / (leastWidth() + kTileGap));
    return std::clamp(fitting, 1, std::max(1, static_cast<int>(m_shown)));
}

int FigureTiles::heightForWidth(int width) const {
    if (m_shown == 0) return 0;
    const int columns = columnsFor(width), rows = (static_cast<int>(m_shown) + columns - 1) / columns;
    const int height = m_tiles.front()->sizeHint().height();
    return rows * height + (rows - 1) * kTileGap;
}

QSize FigureTiles::sizeHint() const { return {4 * (kTileWidth + kTileGap), heightForWidth(width())}; }
QSize FigureTiles::minimumSizeHint() const { return {kTileWidth, heightForWidth(width())}; }

void FigureTiles::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void FigureTiles::arrange() {
    if (m_shown == 0) return;
    const int columns = columnsFor(width());
    const int tile = (width() + kTileGap) / columns - kTileGap;
    const int height = m_tiles.front()->sizeHint().height();
    for (std::size_t i = 0; i < m_shown; ++i) {
        const int place = static_cast<int>(i);
        m_tiles[i]->setGeometry((place % columns) * (tile + kTileGap),
                                (place / columns) * (height + kTileGap), tile, height);
    }
}

}  // namespace plumb::ui

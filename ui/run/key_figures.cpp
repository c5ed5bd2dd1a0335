// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/key_figures.h"

#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"
#include "ui/widgets/help_anchor.h"
#include "ui/workbench/workbench.h"

#include <QPainter>
#include <QResizeEvent>

#include <algorithm>
#include <numeric>

namespace plumb::ui {
namespace {

constexpr int kTileTop = 8, kTileBottom = 7, kLineGap = 2;
constexpr int kStripTop = 7, kStripBottom = 6;
constexpr int kFigureSide = 13;
constexpr int kNarrow = 150;  ///< a tile below this width has narrower margins
constexpr int kNarrowSide = 7;
constexpr int kGap = 8;                          ///< between the two numbers at least, and between tiles
constexpr int kLowArea = 660;                    ///< the strip is for a place of views below this height
constexpr double kLarger = 4, kLeastLarger = 1;  ///< points by which a number is larger than a text
constexpr double kSmaller = 0.5, kCaptionSmaller = 2;
const auto kNoFigure = QStringLiteral("–");

ColorRole roleOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::Good:
        return ColorRole::Good;
    case Verdict::Warning:
        return ColorRole::Warning;
    case Verdict::Bad:
        return ColorRole::Bad;
    case Verdict::None:
        break;
    }
    return ColorRole::TextMuted;
}

QFont sized(QFont font, double points, QFont::Weight weight) {
    font.setPointSizeF(points);
    font.setWeight(weight);
    return font;
}

QFont ofTitle(const QFont& base) { return sized(base, base.pointSizeF() - kSmaller, QFont::Normal); }

QFont ofDifference(const QFont& base, Verdict verdict) {
    return sized(base, base.pointSizeF() - kSmaller,
                 verdict == Verdict::None ? QFont::Normal : QFont::DemiBold);
}

QFont ofCaption(const QFont& base) { return sized(base, base.pointSizeF() - kCaptionSmaller, QFont::Normal); }

QFont ofMeasured(const QFont& base, double larger) {
    return sized(base, base.pointSizeF() + larger, QFont::DemiBold);
}

QFont ofPredicted(const QFont& base, double larger) {
    return sized(base, base.pointSizeF() + larger - 1, QFont::Normal);
}

int widthOf(const QFont& with, const QString& text) { return QFontMetrics(with).horizontalAdvance(text); }

}  // namespace

KeyFigureTile::KeyFigureTile(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void KeyFigureTile::setFigure(const KeyFigure& figure) {
    if (m_figure == figure) return;
    m_figure = figure;
    setObjectName(figure.id);
    setToolTip(withHelpHint(figure.toolTip));
    setAccessibleName(figure.predicted.isEmpty()
                          ? tr("%1: %2 %3, %4")
                                .arg(figure.title, figure.measuredCaption, figure.measured, figure.difference)
                          : tr("%1: %2 %3, %4 %5, difference %6")
                                .arg(figure.title, figure.predictedCaption, figure.predicted,
                                     figure.measuredCaption, figure.measured, figure.difference));
    update();
}

void KeyFigureTile::setForm(Form form) {
    if (m_form == form) return;
    m_form = form;
    update();
}

int KeyFigureTile::captionWidth(const QString& caption) const {
    return m_form == Form::Tile ? widthOf(ofCaption(font()), caption) : 0;
}

QSize KeyFigureTile::minimumSizeHint() const {
    const int top = widthOf(ofTitle(font()), m_figure.title) + kGap / 2 +
                    widthOf(ofDifference(font(), m_figure.verdict), m_figure.difference);
    int numbers = std::max(widthOf(ofMeasured(font(), kLeastLarger), m_figure.measured),
                           captionWidth(m_figure.measuredCaption));
    if (!m_figure.predicted.isEmpty())
        numbers += kGap + std::max(widthOf(ofPredicted(font(), kLeastLarger), m_figure.predicted),
                                   captionWidth(m_figure.narrowCaption));
    const bool isTile = m_form == Form::Tile;
    int height = QFontMetrics(ofTitle(font())).height() + kLineGap +
                 QFontMetrics(ofMeasured(font(), isTile ? kLarger : kLeastLarger)).height();
    if (isTile) height += kLineGap + QFontMetrics(ofCaption(font())).height();
    height += isTile ? kTileTop + kTileBottom : kStripTop + kStripBottom;
    return {std::max(top, numbers) + 2 * kNarrowSide + 2, height};
}

void KeyFigureTile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_form == Form::Tile) {
        painter.setPen(m_theme.color(ColorRole::CardBorder));
        painter.setBrush(m_theme.color(ColorRole::Card));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    }
    const int side =
        width() < kNarrow || minimumSizeHint().width() + 2 * (kFigureSide - kNarrowSide) > width()
            ? kNarrowSide
            : kFigureSide;
    paintTop(painter, side);
    paintNumbers(painter, side);
}

void KeyFigureTile::paintTop(QPainter& painter, int side) const {
    const QFont title = ofTitle(font());
    const QFont difference = ofDifference(font(), m_figure.verdict);
    const QRect line(side, m_form == Form::Tile ? kTileTop : kStripTop, width() - 2 * side,
                     QFontMetrics(title).height());
    painter.setFont(title);
    painter.setPen(m_theme.color(ColorRole::TextMuted));
    const int room = line.width() - widthOf(difference, m_figure.difference) - kGap / 2;
    painter.drawText(line, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                     QFontMetrics(title).elidedText(m_figure.title, Qt::ElideRight, room));
    painter.setFont(difference);
    painter.setPen(m_theme.color(roleOf(m_figure.verdict)));
    painter.drawText(line, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), m_figure.difference);
}

void KeyFigureTile::paintNumbers(QPainter& painter, int side) const {
    const bool isTile = m_form == Form::Tile;
    const bool known = m_figure.measured != kNoFigure;
    // Without a word below it, a dash before a number is a minus sign.
    const bool both = !m_figure.predicted.isEmpty() && (isTile || !known || m_figure.predicted != kNoFigure);
    const int inside = width() - 2 * side;
    // The range beside the tier goes first when room gets scarce; the tier stays.
    const int least = std::max(widthOf(ofMeasured(font(), kLarger), m_figure.measured),
                               captionWidth(m_figure.measuredCaption));
    const bool isWide = captionWidth(m_figure.predictedCaption) + 3 * kGap + least <= inside;
    const QString caption = isWide ? m_figure.predictedCaption : m_figure.narrowCaption;
    // Both numbers must be readable in a narrow window: the font shrinks before text is cut.
    double larger = isTile ? kLarger : kLeastLarger + 1;
    int column = 0, measured = 0;
    for (;; larger -= kSmaller) {
        measured = std::max(widthOf(ofMeasured(font(), larger), m_figure.measured),
                            captionWidth(m_figure.measuredCaption));
        column =
            both ? std::max(widthOf(ofPredicted(font(), larger), m_figure.predicted), captionWidth(caption)) +
                       kGap
                 : 0;
        if (column + measured <= inside || larger <= kLeastLarger) break;
    }
    // Columns line up from tile to tile as long as both numbers have room.
    const int most = inside - measured;
    if (both && isTile) column = std::max(column, std::min(inside * 46 / 100, most));

    const int top = (isTile ? kTileTop : kStripTop) + QFontMetrics(ofTitle(font())).height() + kLineGap;
    const int line = QFontMetrics(ofMeasured(font(), isTile ? kLarger : kLeastLarger)).height();
    const auto draw = [&](int left, int y, int height, const QFont& with, ColorRole role,
                          const QString& text) {
        painter.setFont(with);
        painter.setPen(m_theme.color(role));
        painter.drawText(QRect(left, y, width() - left, height),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), text);
    };
    if (both) draw(side, top, line, ofPredicted(font(), larger), ColorRole::Predicted, m_figure.predicted);
    draw(side + column, top, line,
         known ? ofMeasured(font(), larger) : sized(font(), font().pointSizeF() + larger, QFont::Normal),
         known ? ColorRole::Measured : ColorRole::TextMuted, m_figure.measured);
    if (!isTile) return;
    const int below = top + line + kLineGap;
    const int captionLine = QFontMetrics(ofCaption(font())).height();
    if (both) draw(side, below, captionLine, ofCaption(font()), ColorRole::TextMuted, caption);
    draw(side + column, below, captionLine, ofCaption(font()), ColorRole::TextMuted,
         m_figure.measuredCaption);
}

KeyFigures::KeyFigures(ViewContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("keyFigures"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    for (std::size_t i = 0; i < makeKeyFigures(*context.workbench.scene(), nullptr).size(); ++i)
        m_tiles.push_back(new KeyFigureTile(context.theme, this));
    connect(&context.workbench, &Workbench::sceneChanged, this, &KeyFigures::refresh);
    connect(&context.workbench.runs(), &TrainingRuns::changed, this, &KeyFigures::refresh);
    connect(&context.theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    parent->installEventFilter(this);
    // One row until it is laid out: in the width that a new widget has, each figure would be a row, and a
    // window for a low screen would be made as high as all of them.
    constexpr int kWide = 4000;
    resize(kWide, height());
    refresh();
}

void KeyFigures::refresh() {
    const auto runs = shownTrainings(m_context.workbench);
    const auto figures =
        makeKeyFigures(*m_context.workbench.scene(), trainingOf(*m_context.workbench.scene(), runs));
    for (std::size_t i = 0; i < figures.size(); ++i) m_tiles[i]->setFigure(figures[i]);
    arrange();
}

/// Widest of the tiles that stand in that column, of so many.
int KeyFigures::leastOfColumn(int column, int columns) const {
    int widest = 0;
    for (auto i = static_cast<std::size_t>(column); i < m_least.size();
         i += static_cast<std::size_t>(columns))
        widest = std::max(widest, m_least[i]);
    return widest;
}

/// Left ends of the columns, and the right end of the last: tiles are of one width, cells of the strip as
/// wide as their texts and a share of what is left.
std::vector<int> KeyFigures::columnEnds(int columns) const {
    const bool isTile = m_form == KeyFigureTile::Form::Tile;
    const int gap = isTile ? kGap : 0;
    std::vector<int> leasts(static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column)
        leasts[static_cast<std::size_t>(column)] = leastOfColumn(column, columns);
    if (isTile) std::ranges::fill(leasts, *std::ranges::max_element(leasts));
    const int room = width() + gap - std::accumulate(leasts.begin(), leasts.end(), columns * gap);
    std::vector<int> ends{0};
    ends.reserve(leasts.size() + 1);
    int taken = 0;
    for (int column = 0; column < columns; ++column) {
        taken += leasts[static_cast<std::size_t>(column)] + gap;
        ends.push_back(taken + room * (column + 1) / columns);
    }
    return ends;
}

// As many columns as leave each tile the width of its texts, of those that fill every row.
void KeyFigures::arrange() {
    const int count = static_cast<int>(m_tiles.size());
    m_least.resize(m_tiles.size());
    int height = 0;
    for (std::size_t i = 0; i < m_tiles.size(); ++i) {
        m_tiles[i]->setForm(m_form);
        const QSize least = m_tiles[i]->minimumSizeHint();
        m_least[i] = std::max(m_least[i], least.width());
        height = std::max(height, least.height());
    }
    const int gap = m_form == KeyFigureTile::Form::Tile ? kGap : 0;
    const auto hasRoom = [&](const std::vector<int>& ends) {
        for (std::size_t column = 0; column + 1 < ends.size(); ++column)
            if (ends[column + 1] - ends[column] - gap <
                leastOfColumn(static_cast<int>(column), static_cast<int>(ends.size()) - 1))
                return false;
        return true;
    };
    int columns = count;
    std::vector<int> ends = columnEnds(columns);
    while (columns > 1 && (count % columns != 0 || !hasRoom(ends))) ends = columnEnds(--columns);
    for (int i = 0; i < count; ++i) {
        const auto column = static_cast<std::size_t>(i % columns);
        m_tiles[static_cast<std::size_t>(i)]->setGeometry(ends[column], i / columns * (height + gap),
                                                          ends[column + 1] - gap - ends[column], height);
    }
    setFixedHeight(count / columns * (height + gap) - gap + legendHeight());
    update();
}

int KeyFigures::legendHeight() const {
    return m_form == KeyFigureTile::Form::Strip ? QFontMetrics(ofCaption(font())).height() : 0;
}

/// Which of the two numbers of each cell is which, in their colours and weights: cells have no room for it.
void KeyFigures::paintLegend(QPainter& painter) const {
    // FLOPs have no range and no tier beside the word.
    const auto flops = std::ranges::find(m_tiles, QStringLiteral("flops"),
                                         [](const KeyFigureTile* tile) { return tile->figure().id; });
    if (flops == m_tiles.end()) return;
    const KeyFigure& figure = (*flops)->figure();
    QFont strong = ofCaption(font());
    strong.setWeight(QFont::DemiBold);
    int left = kFigureSide;
    const auto draw = [&](const QFont& with, ColorRole role, const QString& text) {
        painter.setFont(with);
        painter.setPen(m_context.theme.color(role));
        painter.drawText(QRect(left, height() - legendHeight() - 2, width() - left, legendHeight()),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), text);
        left += widthOf(with, text) + kGap;
    };
    draw(ofCaption(font()), ColorRole::Predicted, figure.predictedCaption);
    draw(strong, ColorRole::Measured, figure.measuredCaption);
}

void KeyFigures::paintEvent(QPaintEvent*) {
    if (m_form == KeyFigureTile::Form::Tile) return;
    constexpr int kRuleInset = 8;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_context.theme.color(ColorRole::CardBorder));
    painter.setBrush(m_context.theme.color(ColorRole::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    for (const KeyFigureTile* tile : m_tiles) {
        const QRectF cell(tile->geometry());
        if (cell.left() > 0)
            painter.drawLine(QPointF(cell.left() + 0.5, cell.top() + kRuleInset),
                             QPointF(cell.left() + 0.5, cell.bottom() - kRuleInset));
    }
    paintLegend(painter);
}

void KeyFigures::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() == event->oldSize().width()) return;
    m_least.clear();
    arrange();
}

bool KeyFigures::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) {
        const auto form = parentWidget()->height() < scaled(kLowArea) ? KeyFigureTile::Form::Strip
                                                                      : KeyFigureTile::Form::Tile;
        if (form != m_form) {
            m_form = form;
            m_least.clear();
            arrange();
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace plumb::ui

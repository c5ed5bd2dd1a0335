// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/key_figures.h"

#include "ui/theme/theme.h"
#include "ui/widgets/help_anchor.h"
#include "ui/workbench/workbench.h"

#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kHeight = 76;
constexpr int kFigureSide = 13;
constexpr int kNarrow = 150;  ///< a tile below this width has narrower margins
constexpr int kNarrowSide = 7;
constexpr int kGap = 8;  ///< between the two numbers at least

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

}  // namespace

KeyFigureTile::KeyFigureTile(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setFixedHeight(kHeight);
    setMinimumWidth(108);  // six of them beside a panel on a screen of 1024 pixels
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

void KeyFigureTile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.color(ColorRole::CardBorder));
    painter.setBrush(m_theme.color(ColorRole::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);

    const int side = width() < kNarrow ? kNarrowSide : kFigureSide;
    const int inside = width() - 2 * side;
    const double base = font().pointSizeF();
    const auto draw = [&](const QRect& where, Qt::Alignment alignment, const QFont& with, ColorRole role,
                          const QString& text) {
        painter.setFont(with);
        painter.setPen(m_theme.color(role));
        const QString shown = QFontMetrics(with).elidedText(text, Qt::ElideRight, where.width());
        painter.drawText(where, static_cast<int>(alignment | Qt::AlignVCenter), shown);
    };
    const QFont small = sized(font(), base - 0.5, QFont::Normal);
    const QFont bold = sized(font(), base - 0.5, QFont::DemiBold);
    const int differenceWidth = QFontMetrics(bold).horizontalAdvance(m_figure.difference) + 2;
    draw({side, 9, inside - differenceWidth - 4, 16}, Qt::AlignLeft, small, ColorRole::TextMuted,
         m_figure.title);
    draw({width() - side - differenceWidth, 9, differenceWidth, 16}, Qt::AlignRight,
         m_figure.verdict == Verdict::None ? small : bold, roleOf(m_figure.verdict), m_figure.difference);

    // Both numbers must be readable in a narrow window: the font shrinks before text is cut.
    const bool both = !m_figure.predicted.isEmpty();
    const QFont tiny = sized(font(), base - 2, QFont::Normal);
    // The range beside the tier goes first when room gets scarce; the tier stays.
    const auto widthOf = [&](const QString& text) { return QFontMetrics(tiny).horizontalAdvance(text); };
    const int least =
        std::max(QFontMetrics(sized(font(), base + 4, QFont::DemiBold)).horizontalAdvance(m_figure.measured),
                 widthOf(m_figure.measuredCaption));
    const bool isWide = widthOf(m_figure.predictedCaption) + 3 * kGap + least <= inside;
    const QString predictedCaption = isWide ? m_figure.predictedCaption : m_figure.narrowCaption;
    const int caption = widthOf(predictedCaption);
    double points = base + 4;
    int column = 0, measured = 0;
    for (;; points -= 0.5) {
        const int predicted =
            QFontMetrics(sized(font(), points - 1, QFont::Normal)).horizontalAdvance(m_figure.predicted);
        measured = QFontMetrics(sized(font(), points, QFont::DemiBold)).horizontalAdvance(m_figure.measured);
        column = both ? std::max(predicted, caption) + kGap : 0;
        if (column + measured <= inside || points <= base - 3) break;
    }
    // Columns line up from tile to tile as long as both numbers have room.
    if (both) column = std::max(column, std::min(inside * 46 / 100, inside - measured));
    const bool known = m_figure.measured != QStringLiteral("–");
    const QRect left(side, 28, column - 4, 24);
    const QRect right(side + column, 28, inside - column + 4, 24);
    if (both) {
        draw(left, Qt::AlignLeft, sized(font(), points - 1, QFont::Normal), ColorRole::Predicted,
             m_figure.predicted);
        draw(left.translated(0, 23), Qt::AlignLeft, tiny, ColorRole::TextMuted, predictedCaption);
    }
    draw(right, Qt::AlignLeft, sized(font(), points, known ? QFont::DemiBold : QFont::Normal),
         known ? ColorRole::Measured : ColorRole::TextMuted, m_figure.measured);
    draw(right.translated(0, 23), Qt::AlignLeft, tiny, ColorRole::TextMuted, m_figure.measuredCaption);
}

KeyFigures::KeyFigures(ViewContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("keyFigures"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    for (std::size_t i = 0; i < makeKeyFigures(*context.workbench.scene(), nullptr).size(); ++i) {
        m_tiles.push_back(new KeyFigureTile(context.theme, this));
        layout->addWidget(m_tiles.back(), 1);
    }
    connect(&context.workbench, &Workbench::sceneChanged, this, &KeyFigures::refresh);
    connect(&context.workbench.runs(), &TrainingRuns::changed, this, &KeyFigures::refresh);
    refresh();
}

void KeyFigures::refresh() {
    const auto runs = shownTrainings(m_context.workbench);
    const auto figures =
        makeKeyFigures(*m_context.workbench.scene(), runs.empty() ? nullptr : runs.back().get());
    for (std::size_t i = 0; i < figures.size(); ++i) m_tiles[i]->setFigure(figures[i]);
}

}  // namespace plumb::ui

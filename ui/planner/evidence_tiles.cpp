// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_tiles.h"

#include "core/base/entry_at.h"
#include "ui/planner/evidence_text.h"
#include "ui/theme/text.h"

#include <QGridLayout>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr int kTileSides = 12;
constexpr int kEvidenceTiles = 6;
constexpr int kNarrowColumns = 3;
constexpr int kTileGap = 8;

QFont smallOf(QFont font) {
    font.setPointSizeF(font.pointSizeF() - 1);
    return font;
}

/// Of the two values.
QFont largeOf(QFont font) {
    font.setPointSizeF(font.pointSizeF() + 3);
    return font;
}

}  // namespace

EvidenceTile::EvidenceTile(Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::NoFocus);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void EvidenceTile::show(const Content& content) {
    m_content = content;
    setAccessibleName(tr("%1: fitted %2, validated only %3%4")
                          .arg(content.title, content.fitted, content.validated,
                               content.goal.isEmpty() ? QString() : QStringLiteral(", ") + content.goal));
    setToolTip(accessibleName());
    update();
}

QSize EvidenceTile::sizeHint() const { return minimumSizeHint(); }

/// Room for both values, the longest that there can be, and for what they are of.
QSize EvidenceTile::minimumSizeHint() const {
    QFont strong = largeOf(font());
    strong.setWeight(QFont::DemiBold);
    const int value =
        std::max(QFontMetrics(strong).horizontalAdvance(QStringLiteral("−0.000 ")),
                 QFontMetrics(smallOf(font())).horizontalAdvance(tr("validated") + QLatin1Char(' ')));
    return {2 * (value + kTileSides), fontMetrics().height() * 3 + 24};
}

void EvidenceTile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isLit = focusPolicy() != Qt::NoFocus && (underMouse() || hasFocus());
    painter.setPen(QPen(m_theme.color(isLit ? ColorRole::Accent : ColorRole::CardBorder), 1));
    painter.setBrush(m_theme.color(isLit ? ColorRole::Hover : ColorRole::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    const QRect inner = rect().adjusted(kTileSides, 7, -kTileSides, -6);
    const QFont small = smallOf(font());
    const QFontMetrics smallMetrics(small);
    const int goal = m_content.goal.isEmpty() ? 0 : smallMetrics.horizontalAdvance(m_content.goal) + 8;
    const int title = fontMetrics().horizontalAdvance(m_content.title);
    const bool hasRoom = title + goal <= inner.width();
    painter.setPen(m_theme.color(ColorRole::Text));
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop,
                     fontMetrics().elidedText(m_content.title, Qt::ElideRight, inner.width()));
    if (hasRoom) {
        painter.setFont(small);
        painter.setPen(m_theme.color(ColorRole::TextMuted));
        painter.drawText(inner, Qt::AlignRight | Qt::AlignTop, m_content.goal);
    }
    QFont large = largeOf(font());
    const QRect left(inner.left(), inner.top() + fontMetrics().height() + 2, inner.width() / 2,
                     QFontMetrics(large).height());
    const QRect right = left.translated(inner.width() / 2, 0);
    painter.setFont(large);
    painter.setPen(m_theme.color(ColorRole::TextMuted));
    painter.drawText(left, Qt::AlignLeft | Qt::AlignVCenter, m_content.fitted);
    large.setWeight(QFont::DemiBold);
    painter.setFont(large);
    painter.setPen(m_theme.color(m_content.misses ? ColorRole::Warning : ColorRole::TextStrong));
    painter.drawText(right, Qt::AlignLeft | Qt::AlignVCenter, m_content.validated);
    painter.setFont(small);
    painter.setPen(m_theme.color(ColorRole::TextMuted));
    const QRect below(left.left(), inner.top(), left.width(), inner.height());
    painter.drawText(below, Qt::AlignLeft | Qt::AlignBottom, tr("fitted"));
    painter.drawText(below.translated(inner.width() / 2, 0), Qt::AlignLeft | Qt::AlignBottom,
                     smallMetrics.horizontalAdvance(tr("validated only")) <= below.width()
                         ? tr("validated only")
                         : tr("validated"));
}

EvidenceTiles::EvidenceTiles(Theme& theme, EvidenceModel& model, QWidget* parent)
    : QWidget(parent), m_model(model) {
    m_grid = new QGridLayout(this);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(kTileGap);
    for (int i = 0; i < kEvidenceTiles; ++i) {
        auto* tile = new EvidenceTile(theme, this);
        tile->setObjectName(QStringLiteral("evidenceTile%1").arg(i));
        m_tiles.push_back(tile);
    }
    arrange(kEvidenceTiles);
    EvidenceTile* last = m_tiles.back();
    last->setFocusPolicy(Qt::TabFocus);
    last->setCursor(Qt::PointingHandCursor);
    connect(last, &EvidenceTile::clicked, this, &EvidenceTiles::withoutWanted);
    connect(&model, &EvidenceModel::filtered, this, &EvidenceTiles::refresh);
}

void EvidenceTiles::arrange(int columns) {
    if (columns == m_columns) return;
    for (int i = 0; i < kEvidenceTiles; ++i) {
        m_grid->addWidget(entryAt(m_tiles, i), i / columns, i % columns);
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    }
    m_columns = columns;
    updateGeometry();
}

/// Of the narrower arrangement, whichever there is.
QSize EvidenceTiles::minimumSizeHint() const {
    const int tile = m_tiles.front()->minimumSizeHint().width();
    return {kNarrowColumns * tile + (kNarrowColumns - 1) * kTileGap, QWidget::minimumSizeHint().height()};
}

void EvidenceTiles::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int tile = m_tiles.front()->minimumSizeHint().width();
    const bool isWide = width() >= kEvidenceTiles * tile + (kEvidenceTiles - 1) * kTileGap;
    arrange(isWide ? kEvidenceTiles : kNarrowColumns);
}

void EvidenceTiles::refresh() {
    const EvidencePart fitted = m_model.whole(true), validated = m_model.whole(false);
    const planner::ErrorGoals& goals = planner::goalsOf(m_model.filter().figure);
    const planner::ErrorSummary &f = fitted.summary, &v = validated.summary;
    const auto text = [](const planner::ErrorSummary& of, const QString& value) {
        return of.rows > 0 ? value : QStringLiteral("–");
    };
    const bool any = v.rows > 0;
    const std::array contents{
        EvidenceTile::Content{
            tr("Rows"), tr("%1 of %2 shown").arg(m_model.shown().size()).arg(m_model.withFigure()),
            QString::number(f.rows + fitted.without), QString::number(v.rows + validated.without)},
        EvidenceTile::Content{tr("Median error"), tr("goal %1").arg(evidenceShare(goals.median, 0)),
                              text(f, evidenceShare(f.median)), text(v, evidenceShare(v.median)),
                              any && v.median > goals.median},
        EvidenceTile::Content{tr("90 % within"), tr("goal %1").arg(evidenceShare(goals.ninetieth, 0)),
                              text(f, evidenceShare(f.ninetieth)), text(v, evidenceShare(v.ninetieth)),
                              any && v.ninetieth > goals.ninetieth},
        EvidenceTile::Content{tr("Bias"), tr("goal ±%1").arg(numberText(goals.bias, 'f', 2)),
                              text(f, evidenceBias(f.bias)), text(v, evidenceBias(v.bias)),
                              any && std::abs(v.bias) > goals.bias},
        EvidenceTile::Content{
            tr("Range holds"), tr("goal %1 to %2 %").arg(100 * goals.heldFrom).arg(100 * goals.heldTo),
            text(f, evidenceShare(f.held)), text(v, evidenceShare(v.held)), any && v.held < goals.heldFrom},
        EvidenceTile::Content{tr("No prediction"), tr("why ›"), QString::number(fitted.without),
                              QString::number(validated.without)}};
    static_assert(contents.size() == kEvidenceTiles);
    for (std::size_t i = 0; i < contents.size(); ++i) entryAt(m_tiles, i)->show(contents.at(i));
    m_tiles[3]->setToolTip(m_model.filter().figure == planner::Figure::Time
                               ? tr("Mean of ln(predicted / published): above 0 predicted too slow")
                               : tr("Mean of ln(predicted / published): above 0 predicted too much"));
    m_tiles.back()->setToolTip(tr("List them with the reason"));
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/range_chart.h"

#include "core/base/entry_at.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_picture.h"
#include "ui/theme/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr int kRowHeight = 16;
constexpr qreal kBarHeight = 8;
constexpr int kTop = 4;
constexpr qreal kArrow = 5;
// From less than one bit to more than fp64, by powers: fp4 stands as far from bf16 as bf16 from fp64.
constexpr double kLeastDigits = 0.2, kMostDigits = 25;
const auto kNameRoom = QStringLiteral("fp8 E4M3 ");

/// Formats with lines of their own in the lower chart; tf32 and fp16 have as many digits, and so on: their
/// labels are merged by the chart.
QString lineId(const NumberFormat& format) { return toText(format.name); }

}  // namespace

double significantDigits(const NumberFormat& format, double magnitude) {
    if (!(magnitude >= format.leastSubnormal()) || magnitude > format.largest()) return 0;
    const double bits = magnitude >= format.leastNormal()
                            ? format.mantissaBits + 1
                            : std::floor(std::log2(magnitude / format.leastSubnormal())) + 1;
    return bits * std::log10(2.0);
}

RangeBars::RangeBars(Theme& theme, ChartPanel& axis, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_axis(axis) {
    setObjectName(QStringLiteral("dtypeRangeBars"));
    setAccessibleName(tr("Range of every format"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize RangeBars::sizeHint() const {
    return {300, kTop + kRowHeight * static_cast<int>(numberFormats().size())};
}

void RangeBars::showState(const DtypeState& state) {
    m_state = state;
    QStringList rows;
    for (const DtypeRow& row : state.rows)
        rows << tr("%1 from %2 to %3")
                    .arg(coreText(row.format.label), labNumber(row.format.leastSubnormal()),
                         labNumber(row.format.largest()));
    setAccessibleDescription(rows.join(QStringLiteral("; ")));
    update();
}

qreal RangeBars::xOf(double magnitude) const {
    const double shown = std::clamp(magnitude, RangeChart::kLeast, RangeChart::kMost);
    return m_axis.toPixel({shown, 0}).x();
}

RangeBars::Bar RangeBars::barOf(std::size_t row) const {
    const NumberFormat& format = numberFormats()[row];
    Bar bar;
    const qreal y = kTop + static_cast<qreal>(row) * kRowHeight + (kRowHeight - kBarHeight) / 2;
    const qreal left = xOf(format.leastSubnormal());
    const qreal middle = xOf(format.leastNormal());
    const qreal right = xOf(format.largest());
    bar.subnormal = {left, y, middle - left, kBarHeight};
    bar.normal = {middle, y, right - middle, kBarHeight};
    bar.beyondLeft = format.leastSubnormal() < RangeChart::kLeast;
    bar.beyondRight = format.largest() > RangeChart::kMost;
    return bar;
}

void RangeBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot = m_axis.plotRect();
    const QColor fill = m_theme.color(ColorRole::BitExponent);
    QColor faint = fill;
    faint.setAlphaF(0.35F);
    const auto formats = numberFormats();
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() - 1.5);
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const Bar bar = barOf(i);
        const qreal top = kTop + static_cast<qreal>(i) * kRowHeight;
        painter.setFont(font());
        painter.setPen(m_theme.color(ColorRole::Text));
        painter.drawText(QRectF(0, top, plot.left() - 8, kRowHeight), Qt::AlignRight | Qt::AlignVCenter,
                         coreText(formats[i].label));
        painter.setPen(QPen(m_theme.color(ColorRole::Grid), 1));
        painter.drawLine(QPointF(plot.left(), bar.normal.center().y()),
                         QPointF(plot.right(), bar.normal.center().y()));
        painter.setPen(Qt::NoPen);
        painter.fillRect(bar.subnormal, faint);
        painter.fillRect(bar.normal, fill);
        painter.setBrush(fill);
        const qreal middle = bar.normal.center().y();
        if (bar.beyondLeft) {
            const qreal x = bar.normal.left();
            painter.drawPolygon(
                QPolygonF{{x, middle - kBarHeight}, {x - kArrow - 2, middle}, {x, middle + kBarHeight}});
        }
        if (bar.beyondRight) {
            const qreal x = bar.normal.right();
            painter.drawPolygon(
                QPolygonF{{x, middle - kBarHeight}, {x + kArrow + 2, middle}, {x, middle + kBarHeight}});
        }
        // The limits stand where there is room beside the bar, and inside the axis.
        painter.setFont(small);
        painter.setPen(m_theme.color(ColorRole::TextMuted));
        const QString most = bar.beyondRight ? QString() : numberText(formats[i].largest(), 'g', 5);
        // On the colour of the card, so that no line runs through the digits.
        const auto limit = [&](const QString& text, qreal edge, bool before) {
            const qreal wide = painter.fontMetrics().horizontalAdvance(text);
            const QRectF box(before ? edge - wide - 6 : edge + 6, top + 1, wide, kRowHeight - 2);
            if (box.left() < plot.left() - 6) return;  // the name of the format stands there
            painter.fillRect(box.adjusted(-2, 0, 2, 0), m_theme.color(ColorRole::Card));
            painter.drawText(box, Qt::AlignCenter, text);
        };
        if (!most.isEmpty()) limit(most, bar.normal.right(), false);
        if (!bar.beyondLeft)
            limit(numberText(formats[i].leastSubnormal(), 'g', 3), bar.subnormal.left(), true);
    }
    const double magnitude = std::fabs(m_state.value);
    if (magnitude >= RangeChart::kLeast && magnitude <= RangeChart::kMost) {
        painter.setPen(QPen(m_theme.color(ColorRole::Accent), 1.2, Qt::DashLine));
        painter.drawLine(QPointF(xOf(magnitude), 0), QPointF(xOf(magnitude), height()));
    }
}

bool RangeBars::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = (help->pos().y() - kTop) / kRowHeight;
        if (row >= 0 && row < static_cast<int>(m_state.rows.size()))
            QToolTip::showText(help->globalPos(), entryAt(m_state.rows, row).range, this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

RangeChart::RangeChart(Theme& theme, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("dtypeRange"));
    setAccessibleName(tr("Digits and range of the formats"));
    new PictureMenu(*this, theme);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_digits = new ChartPanel(theme, this);
    m_digits->setObjectName(QStringLiteral("dtypeDigits"));
    m_digits->setAccessibleName(tr("Significant decimal digits over the magnitude"));
    m_digits->setCrosshair(ChartPanel::Crosshair::Vertical);
    m_bars = new RangeBars(theme, *m_digits, this);
    layout->addWidget(m_bars);
    layout->addWidget(m_digits, 1);
    m_digits->setAxis(ChartAxis::X, {tr("magnitude"), {}, true, kLeast, kMost, true});
    m_digits->setAxis(ChartAxis::Y,
                      {tr("decimal digits"), {}, true, kLeastDigits, kMostDigits, true, kNameRoom});
    QVector<ChartLabel> labels;
    for (const NumberFormat& format : numberFormats()) {
        const double top = significantDigits(format, format.leastNormal());
        const double least = format.leastSubnormal();
        const double normal = std::max(format.leastNormal(), kLeast);
        const double most = std::min(format.largest(), kMost);
        m_digits->addLine(lineId(format), {{}, ColorRole::BitExponent, 1.6, Qt::SolidLine, 1, false});
        QVector<QPointF> points;
        if (format.leastSubnormal() >= kLeast) {
            points.push_back({least, kLeastDigits});
            for (double at = least; at < normal; at *= 2)
                points.push_back({at, significantDigits(format, at)});
        }
        points.push_back({normal, top});
        points.push_back({most, top});
        if (format.largest() <= kMost) points.push_back({most * 1.0001, kLeastDigits});
        m_digits->setLine(lineId(format), points);
        ChartLabel label{{most, top}, coreText(format.label), ColorRole::Text,
                         false,       format.bits(),          Qt::AlignRight | Qt::AlignVCenter};
        label.merges = true;
        labels.push_back(label);
    }
    m_digits->setLabels(labels);
    m_digits->setLegendVisible(false);
    connect(m_digits, &ChartPanel::hovered, this, [this](const QPointF& at, const QPointF&) {
        HoverCardContent card;
        card.title = tr("magnitude %1").arg(numberText(at.x(), 'g', 3));
        card.header = {tr("digits"), tr("spacing")};
        for (const NumberFormat& format : numberFormats()) {
            const double digits = significantDigits(format, at.x());
            const StoredNumber stored = store(format, at.x());
            const bool inside = digits > 0 && stored.above;
            card.rows.push_back(
                {coreText(format.label),
                 {inside ? numberText(digits, 'f', 1) : QStringLiteral("–"),
                  inside ? numberText(*stored.above - stored.value, 'g', 3) : verdictText(stored)},
                 std::nullopt,
                 false});
        }
        card.footer = tr("digits: significant bits × log10(2); spacing: to the next number");
        m_digits->showCard(card);
    });
    connect(m_digits, &ChartPanel::left, m_digits, &ChartPanel::hideCard);
}

RangeChart::~RangeChart() = default;

void RangeChart::showState(const DtypeState& state) {
    m_bars->showState(state);
    const double magnitude = std::fabs(state.value);
    if (magnitude >= kLeast && magnitude <= kMost)
        m_digits->setMarker(QStringLiteral("value"), {magnitude, std::nullopt, labNumber(state.value),
                                                      ColorRole::Accent, Qt::DashLine, 1.2, 100});
    else
        m_digits->removeMarker(QStringLiteral("value"));
}

}  // namespace plumb::ui

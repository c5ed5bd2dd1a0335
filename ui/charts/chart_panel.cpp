// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_panel.h"

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/legend_row.h"

#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {

namespace {
constexpr int kPlotBeforeLegend = 100;  // logical pixels of height that the plot has before there is a legend
}

ChartPanel::ChartPanel(Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_canvas(new ChartCanvas(theme, this)),
      m_legend(new LegendRow(theme, this)),
      m_card(theme, *this) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_canvas, 1);
    layout->addWidget(m_legend);
    m_legend->hide();
    new PictureMenu(*this, theme);
    connect(m_canvas, &ChartCanvas::plotPlaced, m_legend,
            [this](const QRectF& plot) { m_legend->setIndent(static_cast<int>(plot.left())); });
    connect(m_legend, &LegendRow::toggled, this, &ChartPanel::legendToggled);
    connect(m_canvas, &ChartCanvas::pointerMoved, this,
            [this](const QPointF& pixel) { emit hovered(toData(pixel), pixel); });
    connect(m_canvas, &ChartCanvas::pointerLeft, this, [this] {
        hideCard();
        emit left();
    });
    connect(m_canvas, &ChartCanvas::pressed, this, [this](const QPointF& pixel) {
        setFocus(Qt::MouseFocusReason);
        emit clicked(toData(pixel), pixel);
    });
}

void ChartPanel::setAxis(ChartAxis axis, const AxisOptions& options) {
    if (this->axis(axis) != options)
        (axis == ChartAxis::X ? m_canvas->edit().x : m_canvas->edit().y) = options;
}

AxisOptions ChartPanel::axis(ChartAxis axis) const {
    return axis == ChartAxis::X ? m_canvas->content().x : m_canvas->content().y;
}

void ChartPanel::addLine(const QString& id, const LineStyle& style) {
    auto& lines = m_canvas->edit().lines;
    const auto found =
        std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.id == id; });
    if (found != lines.end())
        found->style = style;
    else
        lines.push_back({id, style, {}});
    refreshLegend();
}

void ChartPanel::setLine(const QString& id, const QVector<QPointF>& points) {
    for (auto& line : m_canvas->edit().lines) {
        if (line.id == id) line.points = points;
    }
}

void ChartPanel::removeLine(const QString& id) {
    m_canvas->removeLine(id);
    refreshLegend();
}

QStringList ChartPanel::lineIds() const {
    QStringList ids;
    for (const auto& line : m_canvas->content().lines) ids.push_back(line.id);
    return ids;
}

void ChartPanel::setAreas(const ChartAreas& areas) { m_canvas->edit().areas = areas; }
void ChartPanel::setMarker(const QString& id, const ChartMarker& marker) {
    m_canvas->edit().markers[id] = marker;
}
void ChartPanel::removeMarker(const QString& id) { m_canvas->edit().markers.erase(id); }
void ChartPanel::setLabels(const QVector<ChartLabel>& labels) { m_canvas->edit().labels = labels; }
void ChartPanel::setBands(const QVector<ChartBand>& bands) { m_canvas->edit().bands = bands; }
void ChartPanel::setForbiddenAbove(std::optional<double> y) { m_canvas->edit().forbiddenAbove = y; }
void ChartPanel::setCrosshair(Crosshair crosshair) { m_canvas->edit().crosshair = crosshair; }

void ChartPanel::setMarks(const QVector<ChartMark>& marks, const QVector<ChartJoin>& joins) {
    auto& content = m_canvas->edit();
    content.marks = marks;
    content.joins = joins;
}

void ChartPanel::setHighlight(std::optional<std::pair<double, double>> range, const ChartColor& color) {
    auto& content = m_canvas->edit();
    content.highlight = range;
    content.highlightColor = color;
}

void ChartPanel::setLegend(const QVector<LegendEntry>& entries) {
    m_ownLegend = true;
    m_legend->setEntries(entries);
    fitLegend();
}

void ChartPanel::setLegendVisible(bool visible) {
    m_legendVisible = visible;
    fitLegend();
}

void ChartPanel::fitLegend() {
    // In a low card the plot goes before the legend: squeezed together they would print over each other.
    const bool room = height() - m_legend->heightForWidth(width()) >= kPlotBeforeLegend;
    m_legend->setVisible(m_legendVisible && room && !m_legend->entries().isEmpty());
}

void ChartPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitLegend();
}

void ChartPanel::refreshLegend() {
    if (m_ownLegend) return;
    QVector<LegendEntry> entries;
    for (const auto& line : m_canvas->content().lines) {
        if (!line.style.label.isEmpty())
            entries.push_back({line.id,
                               line.style.label,
                               {},
                               line.style.color,
                               line.style.pen == Qt::SolidLine ? LegendEntry::Swatch::Line
                                                               : LegendEntry::Swatch::DashedLine,
                               false,
                               true});
    }
    m_legend->setEntries(entries);
    fitLegend();
}

void ChartPanel::setEmptyText(const QString& text) {
    if (text == emptyText()) return;
    m_canvas->edit().emptyText = text;
    if (!text.isEmpty()) hideCard();
}

QString ChartPanel::emptyText() const { return m_canvas->content().emptyText; }

void ChartPanel::showCard(const HoverCardContent& content, std::optional<QPointF> at) {
    const std::optional<QPointF> point = at ? at : m_canvas->pointer();
    if (point) m_card.show(content, *this, *point);
}

void ChartPanel::hideCard() { m_card.hide(); }

QPointF ChartPanel::toPixel(const QPointF& value) const { return m_canvas->layOut().toPixel(value); }
QPointF ChartPanel::toData(const QPointF& pixel) const { return m_canvas->layOut().toData(pixel); }

std::optional<int> ChartPanel::markAt(const QPointF& pixel, qreal reach) const {
    const ChartLayout& layout = m_canvas->layOut();
    std::optional<int> nearest;
    double best = reach * reach;
    for (const ChartMark& mark : m_canvas->content().marks) {
        if (mark.tag < 0) continue;
        const QPointF away = layout.toPixel(mark.position) - pixel;
        const double distance = QPointF::dotProduct(away, away);
        if (distance <= best) {
            best = distance;
            nearest = mark.tag;
        }
    }
    return nearest;
}

QRectF ChartPanel::plotRect() const { return m_canvas->layOut().plot(); }

QVector<ChartPanel::PlacedText> ChartPanel::placedLabels() const {
    QVector<PlacedText> placed;
    for (const ChartLayout::Label& label : m_canvas->layOut().labels()) placed.push_back(label.text);
    return placed;
}

QVector<ChartPanel::PlacedText> ChartPanel::tickLabels(ChartAxis axis) const {
    return m_canvas->layOut().tickTexts(axis);
}

QImage ChartPanel::toImage(qreal scale) {
    QImage image(size() * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(m_theme.color(ColorRole::Card));
    m_canvas->layOut();
    render(&image, QPoint(), QRegion(), QWidget::DrawChildren);
    return image;
}

QSize ChartPanel::sizeHint() const { return {480, 300}; }
QSize ChartPanel::minimumSizeHint() const { return {180, 120}; }

void ChartPanel::keyPressEvent(QKeyEvent* event) {
    static constexpr std::array kKeys{Qt::Key_Left,   Qt::Key_Right,    Qt::Key_Up,
                                      Qt::Key_Down,   Qt::Key_Home,     Qt::Key_End,
                                      Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Escape};
    if (std::find(kKeys.begin(), kKeys.end(), event->key()) == kKeys.end() ||
        event->modifiers() & Qt::ControlModifier) {
        QWidget::keyPressEvent(event);
        return;
    }
    emit keyPressed(event->key());
}

void ChartPanel::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    // The frame is for those who move by keyboard; a window that opens has not been moved in yet.
    m_canvas->setFocusShown(event->reason() == Qt::TabFocusReason ||
                            event->reason() == Qt::BacktabFocusReason ||
                            event->reason() == Qt::ShortcutFocusReason);
}

void ChartPanel::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_canvas->setFocusShown(false);
    hideCard();
}

std::optional<int> steppedTo(int key, int current, int count) {
    const int page = std::max(1, count / 10);
    int next = current;
    switch (key) {
    case Qt::Key_Left:
        next = current < 0 ? count - 1 : current - 1;
        break;
    case Qt::Key_Right:
        next = current + 1;
        break;
    case Qt::Key_PageUp:
        next = current - page;
        break;
    case Qt::Key_PageDown:
        next = current + page;
        break;
    case Qt::Key_Home:
        next = 0;
        break;
    case Qt::Key_End:
        next = count - 1;
        break;
    default:
        return std::nullopt;
    }
    return std::clamp(next, 0, count - 1);
}

}  // namespace plumb::ui

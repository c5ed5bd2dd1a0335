// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_trend.h"

#include "core/base/entry_at.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/history/history_model.h"
#include "ui/history/history_names.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/size_field.h"

#include <QComboBox>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

constexpr qreal kTrendDot = 4.5;

/// Colours that can be told apart, in the order in which versions get them.
ChartColor trendColour(int program) {
    constexpr std::array kColours{Category::Parameters,     Category::Activations,
                                  Category::OptimizerState, Category::Gradients,
                                  Category::Data,           Category::MasterParameters,
                                  Category::Workspace,      Category::ActivationGradients};
    return kColours.at(static_cast<std::size_t>(program) % kColours.size());
}

int placeIn(QStringList& list, const QString& text) {
    if (!list.contains(text)) list << text;
    return static_cast<int>(list.indexOf(text));
}

QString trendLineOf(int group) { return QStringLiteral("group%1").arg(group); }

}  // namespace

Trend trendOf(const std::vector<HistoryEntry>& entries, const QString& figure, TrendGrouping grouping) {
    std::vector<const HistoryEntry*> ordered;
    ordered.reserve(entries.size());
    for (const HistoryEntry& entry : entries) ordered.push_back(&entry);
    std::ranges::stable_sort(ordered, {},
                             [](const HistoryEntry* entry) { return std::pair(entry->began, entry->id); });
    Trend trend;
    QStringList keys;
    for (const HistoryEntry* entry : ordered) {
        const HistoryFigure* found = entry->figure(figure, true);
        if (found == nullptr) found = entry->figure(figure, false);
        if (found == nullptr) continue;
        const bool isByDevice = grouping == TrendGrouping::Device;
        TrendPoint point;
        point.id = entry->id;
        point.place = static_cast<int>(trend.points.size());
        point.value = found->value;
        point.low = found->low;
        point.high = found->high;
        point.isMeasured = found->isMeasured;
        // Configurations that differ may have one title, and devices one name.
        point.group = placeIn(keys, isByDevice ? entry->deviceId + entry->device : entry->configKey);
        if (point.group == trend.groups.size())
            trend.groups << (isByDevice ? deviceText(entry->device.toStdString())
                                        : tr("%1 (%2)").arg(entry->title, entry->configKey));
        point.program = placeIn(trend.programs, historyVersion(entry->program));
        const double least = std::min(point.value, point.low.value_or(point.value));
        const double most = std::max(point.value, point.high.value_or(point.value));
        trend.least = trend.points.empty() ? least : std::min(trend.least, least);
        trend.most = trend.points.empty() ? most : std::max(trend.most, most);
        trend.points.push_back(point);
    }
    return trend;
}

HistoryTrend::HistoryTrend(Theme& theme, QWidget* parent)
    : QObject(parent),
      m_card(new Card(theme, tr("Trend"), parent)),
      m_chart(new ChartPanel(theme, m_card)),
      m_figure(new QComboBox(m_card)),
      m_grouping(new SegmentedControl(theme, {tr("By configuration"), tr("By device")},
                                      QStringLiteral("historyGrouping"), m_card)) {
    m_card->setObjectName(QStringLiteral("historyTrendCard"));
    m_figure->setObjectName(QStringLiteral("historyFigure"));
    m_figure->setAccessibleName(tr("Figure of the trend"));
    for (const HistoryFigureSpec& spec : historyFigures())
        m_figure->addItem(historyFigureTitle(spec), QString::fromLatin1(spec.name));
    m_grouping->setAccessibleName(tr("What a line of the trend joins"));
    m_grouping->setCurrent(0);
    m_card->addHeaderWidget(m_grouping);
    m_card->addHeaderWidget(m_figure);
    m_chart->setObjectName(QStringLiteral("historyTrend"));
    m_chart->setAccessibleName(tr("Trend of a figure over the runs"));
    m_card->setContent(m_chart);
    m_card->setContentMargins(6, 0, 6, 6);
    connect(m_figure, &QComboBox::currentIndexChanged, this, &HistoryTrend::show);
    connect(m_grouping, &SegmentedControl::chosen, this, &HistoryTrend::show);
    connect(m_chart, &ChartPanel::hovered, this, [this](const QPointF&, const QPointF& pixel) {
        if (const auto at = m_chart->markAt(pixel))
            showCard(*at);
        else
            m_chart->hideCard();
    });
    connect(m_chart, &ChartPanel::left, m_chart, &ChartPanel::hideCard);
    connect(m_chart, &ChartPanel::clicked, this, [this](const QPointF&, const QPointF& pixel) {
        if (const auto at = m_chart->markAt(pixel)) emit chosen(entryAt(m_trend.points, *at).id);
    });
    connect(m_chart, &ChartPanel::keyPressed, this, &HistoryTrend::step);
    show();
}

const HistoryFigureSpec& HistoryTrend::figure() const {
    return *historyFigure(m_figure->currentData().toString());
}

const HistoryEntry& HistoryTrend::entryOf(const TrendPoint& point) const {
    return *std::ranges::find(m_entries, point.id, &HistoryEntry::id);
}

void HistoryTrend::setEntries(std::vector<HistoryEntry> entries) {
    m_entries = std::move(entries);
    show();
}

void HistoryTrend::setSelected(std::optional<std::int64_t> id) {
    if (m_selected == id) return;
    m_selected = id;
    showMarks();
}

void HistoryTrend::show() {
    const auto grouping = static_cast<TrendGrouping>(std::max(0, m_grouping->current()));
    m_trend = trendOf(m_entries, QString::fromLatin1(figure().name), grouping);
    m_chart->setEmptyText(!m_trend.points.empty() ? QString()
                          : m_entries.empty()
                              ? tr("The search leaves no run to show a trend of")
                              : tr("None of the runs in the table has this figure: choose another one"));
    m_card->setSubtitle(m_trend.points.size() == 1 ? tr("1 run")
                                                   : tr("%1 runs").arg(groupedDigits(
                                                         static_cast<std::int64_t>(m_trend.points.size()))),
                        tr("Filled: measured; hollow: predicted. The bar is the spread."));
    showAxes();
    showMarks();
    showLegend();
}

void HistoryTrend::showAxes() {
    const double room = m_trend.most > m_trend.least ? (m_trend.most - m_trend.least) / 10
                                                     : std::max(1e-12, std::abs(m_trend.most) / 10);
    const auto range =
        niceRange(m_trend.least - (m_trend.least > room ? room : 0), m_trend.most + room, false);
    const bool isShare = QLatin1String(figure().unit) == QLatin1String("%");
    m_chart->setAxis(ChartAxis::Y, {.title = historyFigureTitle(figure()),
                                    .unit = isShare ? QString() : QString::fromLatin1(figure().unit),
                                    .min = range.first,
                                    .max = range.second});
    const auto count = static_cast<double>(m_trend.points.size());
    m_chart->setAxis(ChartAxis::X, {.title = tr("runs, the oldest at the left"),
                                    .min = -0.5,
                                    .max = std::max(count, 1.0) - 0.5,
                                    .ticks = false});
    QVector<ChartBand> bands;
    for (const TrendPoint& point : m_trend.points) {
        const QString version = entryAt(m_trend.programs, point.program);
        if (bands.isEmpty() || bands.back().label != version)
            bands.push_back({.from = point.place - 0.5, .label = version, .shaded = bands.size() % 2 == 1});
        bands.back().to = point.place + 0.5;
    }
    m_chart->setBands(bands);
}

void HistoryTrend::showMarks() {
    for (const QString& line : std::exchange(m_lines, {})) m_chart->removeLine(line);
    QVector<ChartMark> marks;
    QVector<ChartJoin> spreads;
    std::vector<QVector<QPointF>> lines(static_cast<std::size_t>(m_trend.groups.size()));
    for (const TrendPoint& point : m_trend.points) {
        const ChartColor colour = trendColour(point.program);
        marks.push_back({QPointF(point.place, point.value), colour, point.isMeasured, kTrendDot, point.place,
                         m_selected == point.id});
        if (point.low && point.high)
            spreads.push_back({QPointF(point.place, *point.low), QPointF(point.place, *point.high), colour});
        entryAt(lines, point.group).push_back(QPointF(point.place, point.value));
    }
    for (int group = 0; group < m_trend.groups.size(); ++group) {
        if (entryAt(lines, group).size() < 2) continue;
        m_lines << trendLineOf(group);
        m_chart->addLine(m_lines.back(), {.color = ColorRole::TextMuted, .width = 1, .opacity = 0.7});
        m_chart->setLine(m_lines.back(), entryAt(lines, group));
    }
    m_chart->setMarks(marks, spreads);
    m_chart->setAccessibleDescription(
        tr("%1, runs that have it: %2, from %3 to %4. Arrow keys go from run to run.")
            .arg(historyFigureTitle(figure()),
                 groupedDigits(static_cast<std::int64_t>(m_trend.points.size())),
                 historyFigureText(figure(), m_trend.least), historyFigureText(figure(), m_trend.most)));
}

void HistoryTrend::showLegend() {
    QVector<LegendEntry> legend;
    for (int program = 0; program < m_trend.programs.size(); ++program) {
        const auto runs = std::ranges::count(m_trend.points, program, &TrendPoint::program);
        legend.push_back({QString::number(program), m_trend.programs[program], groupedDigits(runs),
                          trendColour(program), LegendEntry::Swatch::Dot});
    }
    if (std::ranges::any_of(m_trend.points, [](const TrendPoint& point) { return !point.isMeasured; }))
        legend.push_back({QStringLiteral("predicted"),
                          tr("predicted"),
                          {},
                          ColorRole::TextMuted,
                          LegendEntry::Swatch::Circle});
    m_chart->setLegend(legend);
}

void HistoryTrend::showCard(int place) {
    const TrendPoint& point = entryAt(m_trend.points, place);
    const HistoryEntry& entry = entryOf(point);
    HoverCardContent card;
    card.title = historyTitle(entry);
    card.rows.push_back({historyFigureTitle(figure()), {historyFigureText(figure(), point.value)}, {}, true});
    card.rows.push_back({tr("when"), {historyTime(entry.began)}});
    card.rows.push_back({tr("device"), {deviceText(entry.device.toStdString())}});
    card.rows.push_back({tr("version"), {entry.program}, trendColour(point.program)});
    card.footer = historyFigureFacts(entry, figure());
    m_chart->showCard(card, m_chart->toPixel(QPointF(point.place, point.value)));
}

void HistoryTrend::step(int key) {
    if (m_trend.points.empty()) return;
    if (key == Qt::Key_Escape) return m_chart->hideCard();
    const auto now =
        std::ranges::find_if(m_trend.points, [&](const TrendPoint& point) { return m_selected == point.id; });
    const int current = now == m_trend.points.end() ? -1 : static_cast<int>(now - m_trend.points.begin());
    const auto next = steppedTo(key, current, static_cast<int>(m_trend.points.size()));
    if (!next) return;
    emit chosen(entryAt(m_trend.points, *next).id);
    showCard(*next);
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_entry.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;

namespace plumb::ui {

class Card;
class ChartPanel;
class SegmentedControl;
class Theme;

/// One run of a trend.
struct TrendPoint {
    std::int64_t id = 0;
    int place = 0;  ///< among all runs that have the figure, the oldest is 0
    double value = 0;
    std::optional<double> low, high;
    bool isMeasured = false;
    int group = 0;    ///< into Trend::groups
    int program = 0;  ///< into Trend::programs
};

/// A figure over the runs that have it, the oldest first.
struct Trend {
    std::vector<TrendPoint> points;
    QStringList groups;    ///< titles, in the order in which they first ran
    QStringList programs;  ///< versions, in the order in which they first ran
    /// Smallest and largest value with spreads; 0 and 1 where there is none.
    double least = 0, most = 1;
};

enum class TrendGrouping : std::uint8_t { Configuration, Device };

/// The measured value where there is one, else the predicted one, of which the point says so.
[[nodiscard]] Trend trendOf(const std::vector<HistoryEntry>& entries, const QString& figure,
                            TrendGrouping grouping);

/// The card with the trend of a figure that is chosen there: dots coloured by version with their spread, runs
/// of one configuration or device joined by a line.
class HistoryTrend final : public QObject {
    Q_OBJECT
public:
    HistoryTrend(Theme& theme, QWidget* parent);

    [[nodiscard]] Card* card() const { return m_card; }
    void setEntries(std::vector<HistoryEntry> entries);
    void setSelected(std::optional<std::int64_t> id);

signals:
    void chosen(std::int64_t id);  ///< a dot was clicked, or stepped to

private:
    void show();
    void showAxes();
    void showMarks();
    void showLegend();
    void showCard(int point);
    void step(int key);
    [[nodiscard]] const HistoryFigureSpec& figure() const;
    [[nodiscard]] const HistoryEntry& entryOf(const TrendPoint& point) const;

    std::vector<HistoryEntry> m_entries;
    Trend m_trend;
    std::optional<std::int64_t> m_selected;
    QStringList m_lines;
    Card* m_card;
    ChartPanel* m_chart;
    QComboBox* m_figure;
    SegmentedControl* m_grouping;
};

}  // namespace plumb::ui

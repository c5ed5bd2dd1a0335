// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_state.h"
#include "ui/widgets/scene_view.h"

#include <QTimer>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace plumb::ui {

class ActionLink;
class LegendRow;
class SegmentedControl;
class TimelineCanvas;
class TimelineSumsModel;

/// What happened when in the last profiled steps: ops and their predictions, kernels, copies and memory, over
/// a table of sums for the range that is selected, or for all of it.
///
/// A bar that is chosen selects its op in all views, and the other way round.
class TimelineView final : public SceneView {
    Q_OBJECT
public:
    explicit TimelineView(ViewContext context, QWidget* parent = nullptr);
    ~TimelineView() override;

    [[nodiscard]] const TimelineState& state() const { return m_state; }
    [[nodiscard]] const TimelineSumsModel& sums() const { return *m_sums; }

    /// Chooses the next (1) or previous (-1) bar that the search finds, after the current one.
    void findNext(int direction);
    /// The range that is selected; nothing: all of it.
    [[nodiscard]] std::optional<TimeRange> range() const;
    /// Selects a range and brings it into view; nothing happens without a timeline.
    void showRange(const TimeRange& range);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void catchUp() override;
    void buildHeader();
    [[nodiscard]] QWidget* buildLanes();
    [[nodiscard]] QWidget* buildSums();
    [[nodiscard]] QWidget* buildEmpty();
    void showEmpty();
    void takeSelection(const QString& opId);
    void chooseBar(const BarPlace& place);
    void search();
    void showMarks();
    void showSums();
    /// The ops of the canvas's range narrow the other views, and theirs is shown on the canvas.
    void publishRange();
    void takeRange();
    /// Whether a bar is of the operations that are chosen, where these are several stretches.
    [[nodiscard]] bool isChosen(const TimelineBar& bar) const;
    void showLegend();

    QStackedWidget* m_pages = nullptr;
    QLabel* m_empty = nullptr;
    ActionLink* m_profile = nullptr;  ///< below the sentence of an empty view
    TimelineCanvas* m_canvas = nullptr;
    LegendRow* m_legend = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_found = nullptr;
    QPushButton* m_previous = nullptr;
    QPushButton* m_next = nullptr;
    SegmentedControl* m_predictedAt = nullptr;
    QLabel* m_rangeText = nullptr;
    QPushButton* m_clearRange = nullptr;
    QTableView* m_table = nullptr;
    TimelineSumsModel* m_sums = nullptr;
    QTimer m_sumsTimer;  ///< sums once a frame, however fast a range is dragged
    TimelineState m_state;
    std::vector<BarPlace> m_matches;  ///< by time
    std::vector<bool> m_apart;  ///< ops of the reading that are chosen; empty where they are one stretch
    bool m_choosing = false;    ///< the selection comes from here
    bool m_quietRange = false;  ///< the canvas's range is not the user's doing
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/training/training_state.h"
#include "ui/workbench/view.h"

#include <QHash>
#include <QTimer>
#include <QWidget>

class QLabel;
class QSlider;
class QStackedWidget;
class QVBoxLayout;

namespace plumb::ui {

class Card;
class ChartPanel;
class LayerScales;
class SegmentedControl;
class TrainingCompanions;
class TrainingFigures;

/// The loss over steps or seconds on a log axis, live, with the earlier runs of the session as ghosts.
///
/// Of an earlier run the mean is drawn alone: dashes through a noisy curve cannot be read.
/// Brings its own card. Compact: the curve and one line of figures. Full: figures, legend of runs, smoothing,
/// choice of axis, how the run ended, curves of other metrics below that of the loss, and on a page of its
/// own the scale of the tensors by layer. However often the workbench reports, the view draws at most once
/// per frame, and nothing while it is hidden; it catches up when it is shown or painted.
class TrainingView final : public QWidget {
    Q_OBJECT
public:
    enum class Page { Curves, Layers };

    TrainingView(ViewContext context, ViewSize size, QWidget* parent = nullptr);
    ~TrainingView() override;

    /// Draws the workbench's runs as they are now, without waiting for the frame.
    void refresh();
    void setOptions(const TrainingOptions& options);
    /// Pre: Full.
    void showPage(Page page);
    [[nodiscard]] Page page() const;
    [[nodiscard]] const TrainingOptions& options() const { return m_options; }
    [[nodiscard]] int refreshCount() const { return m_refreshes; }  ///< frames drawn so far
    [[nodiscard]] std::size_t keptPoints() const;                   ///< points held for drawing, of all runs

signals:
    void openRequested();  ///< the full view was asked for (Compact only)

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Shown {
        std::shared_ptr<const RunRecord> run;
        QString id;               ///< of its line; the smooth one is id + "~"
        std::int64_t count = -1;  ///< of the history when the curve was made
        TrainingOptions options;
        TrainingCurve curve;
        bool newest = false;
    };

    void buildControls();
    void buildPages(QWidget* content, QVBoxLayout& column);
    void trainingChanged();
    void collectCurves();
    void showCurves();
    void showRange();
    void showLegend();
    void showFigures();
    /// How far the mean reaches: "±120 steps".
    [[nodiscard]] QString windowText(double steps) const;
    /// The card beside `pixel` of `chart`, and a line at `x` through the other charts.
    void hover(double x, ChartPanel* chart, const QPointF& pixel);
    void leave();
    [[nodiscard]] const Shown* newestShown() const;
    void moveCursor(int key);
    [[nodiscard]] bool isVisibleRun(std::size_t index) const;
    [[nodiscard]] ChartColor colorOf(const Shown& shown) const;

    ViewContext m_context;
    ViewSize m_size;
    Card* m_card = nullptr;
    ChartPanel* m_chart = nullptr;
    TrainingFigures* m_figures = nullptr;
    QLabel* m_outcome = nullptr;
    QLabel* m_note = nullptr;
    QSlider* m_smoothing = nullptr;
    QLabel* m_window = nullptr;
    SegmentedControl* m_axis = nullptr;
    QLabel* m_smoothingLabel = nullptr;
    SegmentedControl* m_pageChoice = nullptr;
    QStackedWidget* m_pages = nullptr;
    TrainingCompanions* m_companions = nullptr;  ///< null where compact, as the layers
    LayerScales* m_layers = nullptr;
    QTimer m_frame;
    TrainingOptions m_options;
    std::vector<Shown> m_shown;
    QHash<QString, bool> m_toggled;  ///< visibility that the user chose, by run id
    AxisOptions m_horizontal;        ///< of all charts; the lowest shows it
    double m_cursor = -1;            ///< x of the keyboard's cursor
    int m_refreshes = 0;
    bool m_dirty = true;
};

}  // namespace plumb::ui

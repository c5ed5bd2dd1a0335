// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/shown_runs.h"
#include "ui/training/training_divergence.h"
#include "ui/workbench/view.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;
class QSlider;
class QStackedWidget;
class QVBoxLayout;

namespace plumb::ui {

class Card;
class ChartPanel;
class DeviceStrip;
class LayerScales;
class LossChart;
class MarkedStretchRow;
class RunsPage;
class SegmentedControl;
class TrainingCompanions;
class TrainingCursor;
class TrainingFigures;
class TrainingZoom;

/// The loss over steps or seconds on a log axis, live, with the earlier runs of the session as ghosts.
///
/// Brings its own card. Compact: the curve and one line of figures. Full: figures, legend of runs, smoothing,
/// choice of axis, figures of a stretch of steps that is marked in a curve, how the run ended, whether its
/// loss diverges and what to try, curves of other metrics below that of the loss, and on pages of their own
/// the scale of the tensors by layer and the runs of the session. However often the workbench reports, the
/// view draws at most once per frame, and nothing while it is hidden; it catches up when it is shown or
/// painted.
class TrainingView final : public QWidget {
    Q_OBJECT
public:
    enum class Page { Curves, Layers, Runs };

    TrainingView(ViewContext context, ViewSize size, QWidget* parent = nullptr);
    ~TrainingView() override;

    /// Draws the workbench's runs as they are now, without waiting for the frame.
    void refresh();
    void setOptions(const TrainingOptions& options);
    /// Whether there is a page of layers: a recorder notes no scales of tensors.
    [[nodiscard]] bool hasLayers() const;
    /// Pre: Full.
    void showPage(Page page);
    [[nodiscard]] Page page() const;
    [[nodiscard]] const TrainingOptions& options() const { return m_options; }
    [[nodiscard]] int refreshCount() const { return m_refreshes; }  ///< frames drawn so far
    [[nodiscard]] std::size_t keptPoints() const {
        return m_shown.keptPoints();
    }  ///< points of all runs, for drawing

signals:
    void openRequested();  ///< the full view was asked for (Compact only)

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildControls();
    void buildPages(QWidget* content, QVBoxLayout& column);
    void buildZoom();
    void trainingChanged();
    void switchCurve(const QString& id, bool on);
    void showFigures();
    /// A sentence in a line of its own; without one there is no line.
    void say(QLabel& label, const QString& text, ColorRole role) const;

    ViewContext m_context;
    ViewSize m_size;
    Card* m_card = nullptr;
    ChartPanel* m_chart = nullptr;
    TrainingFigures* m_figures = nullptr;
    MarkedStretchRow* m_stretch = nullptr;  ///< null where compact, as the next
    DeviceStrip* m_device = nullptr;        ///< null where compact, as the figures
    QLabel* m_outcome = nullptr;
    QLabel* m_note = nullptr;
    QLabel* m_notice = nullptr;  ///< the loss diverges
    DivergenceWatch m_watch;
    QSlider* m_smoothing = nullptr;
    QLabel* m_window = nullptr;
    SegmentedControl* m_axis = nullptr;
    QLabel* m_smoothingLabel = nullptr;
    SegmentedControl* m_pageChoice = nullptr;
    QStackedWidget* m_pages = nullptr;
    TrainingCompanions* m_companions = nullptr;  ///< null where compact, as the layers
    LayerScales* m_layers = nullptr;
    RunsPage* m_runs = nullptr;
    QTimer m_frame;
    TrainingOptions m_options;
    ShownRuns m_shown;
    std::unique_ptr<LossChart> m_drawing;
    std::unique_ptr<TrainingCursor> m_cursor;
    TrainingZoom* m_zoom = nullptr;                ///< null where compact, as the button
    QPushButton* m_reach = nullptr;                ///< to the end of all runs, or of the newest
    std::shared_ptr<const TrainingRun> m_reachOf;  ///< the newest one when that was chosen
    int m_refreshes = 0;
    bool m_dirty = true;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/layer_scales_state.h"
#include "ui/workbench/late_view.h"
#include "ui/workbench/view.h"

#include <memory>

class QLabel;
class QTableView;

namespace plumb::ui {

class ChartPanel;
class RangeTableModel;
class SegmentedControl;

/// The scale of the tensors layer by layer: activations going forward, gradients going back, at the first and
/// at the newest step with statistics, with what the initial weights let expect. A naive initialisation is
/// seen to explode, a scaled one to stay flat. Below, the over- and underflow of narrow formats.
class LayerScales final : public LateView {
    Q_OBJECT
public:
    explicit LayerScales(ViewContext context, QWidget* parent = nullptr);

    void showRun(std::shared_ptr<const TrainingRun> run);  ///< null: none yet
    /// Whether steps are marked, which do not narrow what is shown: then it says so.
    void setMarked(bool isMarked);

private:
    struct Side {
        ChartPanel* chart = nullptr;
        SegmentedControl* choice = nullptr;
        std::array<ScaleKind, 2> kinds{};
    };
    Side makeSide(const QString& title, const char* name, std::array<ScaleKind, 2> kinds);
    [[nodiscard]] ScaleKind kindOf(const Side& side) const;
    void showSide(const Side& side);
    void showRanges();
    void hover(const Side& side, double x, const QPointF& pixel);
    void catchUp() override;

    ViewContext m_context;
    std::shared_ptr<const TrainingRun> m_run;
    std::optional<std::int64_t> m_shownStep;  ///< step of the newest statistics on screen
    Side m_forward, m_backward;
    bool m_isMarked = false;
    QLabel* m_note = nullptr;
    QLabel* m_rangesTitle = nullptr;
    QLabel* m_rangesNote = nullptr;
    QTableView* m_table = nullptr;
    RangeTableModel* m_model = nullptr;
};

}  // namespace plumb::ui

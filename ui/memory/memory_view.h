// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/memory/memory_state.h"
#include "ui/widgets/scene_view.h"

class QLabel;
class QLineEdit;
class QTableView;

namespace plumb::ui {

class ChartPanel;
class TensorTableModel;

/// Memory over one step: stacked areas by category, the predicted line over them, the peak, the device's
/// limit.
///
/// Compact: the curve. Full: the curve above a table of every tensor of the step. Hover shows the bytes of an
/// op exactly, a click or the arrow keys select it in all views.
class MemoryView final : public SceneView {
    Q_OBJECT
public:
    MemoryView(ViewContext context, ViewSize size, QWidget* parent = nullptr);
    ~MemoryView() override;

    [[nodiscard]] const MemoryState& state() const { return m_state; }

private:
    void catchUp() override;
    void buildChart();
    void buildTable();
    void showCurve();
    void showWhatIfPeak();
    void showSelection();
    void showTensor();
    void showLegend();
    void hover(double x);
    void moveSelection(int key);

    ChartPanel* m_chart = nullptr;
    TensorTableModel* m_tensors = nullptr;
    QTableView* m_table = nullptr;
    QLineEdit* m_filter = nullptr;
    QLabel* m_tableTotals = nullptr;
    QLabel* m_plain = nullptr;
    QLabel* m_device = nullptr;
    MemoryState m_state;
    CategoryMask m_hidden{};
};

}  // namespace plumb::ui

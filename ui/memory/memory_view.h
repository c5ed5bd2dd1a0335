// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/memory/memory_state.h"
#include "ui/widgets/scene_view.h"
#include "ui/workbench/op_range.h"

#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace plumb::ui {

class ChartPanel;
class ChartZoom;
class ColumnFit;
class SegmentedControl;
class TensorTableModel;

/// Memory over one step: stacked areas by category, the predicted line over them, the peak, the device's
/// limit.
///
/// Compact: the curve. Full: the curve above a table of the tensors that are in memory during one op: the
/// selected one, else the one under the pointer, else that of the peak; or of all tensors of the step. Hover
/// shows the bytes of an op exactly, a click or the arrow keys select it in all views. Full also zooms (see
/// ChartZoom), has an axis of time as well, and narrows all views to a range of ops that is drawn in it.
class MemoryView final : public SceneView {
    Q_OBJECT
public:
    MemoryView(ViewContext context, ViewSize size, QWidget* parent = nullptr);
    ~MemoryView() override;

    [[nodiscard]] const MemoryState& state() const { return m_state; }
    /// The op whose tensors the table has, of the sliders' plan; -1: all tensors of the step.
    [[nodiscard]] int tableOp() const;

private:
    void catchUp() override;
    void buildChart();
    void buildTools();
    void buildTable();
    void showCurve();
    void showWhatIfPeak();
    void showSelection();
    void showMarks();  ///< bookmarks of the document
    void showTable();
    void sayTable();
    void takeTensor();
    void showTensor();
    [[nodiscard]] int selectedOp() const;
    /// The op of the highest curve, within the range of operations where one is chosen.
    [[nodiscard]] int peakOp() const;
    /// The operations that all views are narrowed to, where they are of this step.
    [[nodiscard]] const OpSet& shownRange() const;
    void showLegend();
    void hover(double x);
    void moveSelection(int key);
    void drawRange(double from, double to);
    void stepRange(int by);
    void showRange();

    ChartPanel* m_chart = nullptr;
    ChartZoom* m_zoom = nullptr;  ///< this and the next two: Full only
    SegmentedControl* m_axisKind = nullptr;
    QPushButton* m_showAll = nullptr;
    TensorTableModel* m_tensors = nullptr;
    Card* m_tableCard = nullptr;
    SegmentedControl* m_tableScope = nullptr;
    QTableView* m_table = nullptr;
    ColumnFit* m_columns = nullptr;
    QLineEdit* m_filter = nullptr;
    QLabel* m_tableTotals = nullptr;
    QLabel* m_plain = nullptr;
    QLabel* m_device = nullptr;
    MemoryState m_state;
    CategoryMask m_hidden{};
    std::size_t m_marks = 0;           ///< bookmarks that are drawn
    int m_hoveredOp = -1;              ///< of the sliders' plan
    std::optional<TensorId> m_tensor;  ///< chosen in the table, whether or not that shows it now
    bool m_isArranging = false;        ///< the table's rows change, and not the user's choice
};

}  // namespace plumb::ui

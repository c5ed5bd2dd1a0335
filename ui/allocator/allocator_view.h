// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"
#include "ui/workbench/view.h"

#include <QWidget>

class QComboBox;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QVBoxLayout;

namespace plumb::ui {

class AllocatorChart;
class ComparedPanel;
class LegendRow;
class SegmentedControl;
class ToneLabel;

/// The memory snapshot that is open: what it is and what it does not say, memory over the trace of a device,
/// what lives at the cursor, and what grew since another snapshot.
class AllocatorView final : public QWidget {
    Q_OBJECT
public:
    /// `baseline`: the snapshot that `file` is compared with.
    AllocatorView(const ViewContext& context, OpenedAs<OpenedSnapshot>& file,
                  OpenedAs<OpenedSnapshot>& baseline, QWidget* parent = nullptr);

    [[nodiscard]] AllocatorState& state() { return m_state; }

private:
    void build();
    [[nodiscard]] QWidget* buildDetails();
    [[nodiscard]] QWidget* buildLower();
    void askBaseline();
    void showBaseline();
    void showFile();
    void showDevice();
    void showLegend();

    Theme& m_theme;
    OpenedAs<OpenedSnapshot>& m_file;
    OpenedAs<OpenedSnapshot>& m_baseline;
    AllocatorState m_state;
    ToneLabel* m_name;
    ToneLabel* m_facts;
    ToneLabel* m_settings;
    QVBoxLayout* m_gaps;
    QComboBox* m_devices;
    SegmentedControl* m_keys;
    ToneLabel* m_moment;
    QPushButton* m_toPeak;
    QPushButton* m_toOutOfMemory;
    QPushButton* m_compare;
    SegmentedControl* m_lowerChoice;  ///< what stands below the chart, while there is a baseline
    QStackedWidget* m_lower = nullptr;
    ComparedPanel* m_compared;
    AllocatorChart* m_chart;
    LegendRow* m_legend;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"
#include "ui/workbench/view.h"

#include <QWidget>

class QComboBox;
class QPushButton;
class QSplitter;
class QVBoxLayout;

namespace plumb::ui {

class AllocatorChart;
class LegendRow;
class SegmentedControl;
class ToneLabel;

/// The memory snapshot that is open: what it is and what it does not say, memory over the trace of a device.
class AllocatorView final : public QWidget {
    Q_OBJECT
public:
    AllocatorView(const ViewContext& context, OpenedAs<OpenedSnapshot>& file, QWidget* parent = nullptr);

    [[nodiscard]] AllocatorState& state() { return m_state; }

private:
    void build();
    [[nodiscard]] QWidget* buildDetails();
    void showFile();
    void showDevice();
    void showLegend();

    Theme& m_theme;
    OpenedAs<OpenedSnapshot>& m_file;
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
    AllocatorChart* m_chart;
    LegendRow* m_legend;
};

}  // namespace plumb::ui

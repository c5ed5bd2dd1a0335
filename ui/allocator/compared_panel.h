// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory_snapshot/memory_comparison.h"
#include "ui/allocator/allocator_state.h"
#include "ui/engine/job_runner.h"

#include <QWidget>

#include <vector>

class QTableView;

namespace plumb::ui {

class ComparedModel;
class SegmentedControl;
class Theme;
class ToneLabel;

/// What grew from another snapshot to the open one, what is new, less and gone: at the peaks or the ends of
/// the device that both have, by a key. Works on a worker.
class ComparedPanel final : public QWidget {
    Q_OBJECT
public:
    ComparedPanel(Theme& theme, AllocatorState& state, QWidget* parent = nullptr);

    /// The one that the open snapshot is held against; null: none.
    void setBaseline(std::shared_ptr<const OpenedMemory> baseline);
    [[nodiscard]] bool isComparing() const { return m_runner.busy(); }

signals:
    void closeWanted();

private:
    void build();
    void compare();
    void showRows();
    [[nodiscard]] const OpenedDevice* baselineDevice() const;
    [[nodiscard]] QString whyNothing() const;
    void showHead(Bytes before, Bytes after);

    AllocatorState& m_state;
    std::shared_ptr<const OpenedMemory> m_baseline;
    std::vector<SiteComparison> m_all;  ///< also what is the same
    bool m_isSwapped = false;           ///< from the open snapshot to the other
    ToneLabel* m_head;
    ToneLabel* m_sums;
    ToneLabel* m_nothing;
    SegmentedControl* m_keys;
    SegmentedControl* m_moments;
    SegmentedControl* m_shown;
    ComparedModel* m_model;
    QTableView* m_table;
    JobRunner m_runner;  // last: its destructor waits for the worker
};

}  // namespace plumb::ui

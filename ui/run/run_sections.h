// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the run panel that say where and how a run goes, and the buttons that start it.
#pragma once

#include "ui/engine/job_runner.h"
#include "ui/run/panel_rows.h"
#include "ui/run/run_panel_state.h"

#include <QObject>

#include <functional>

class QComboBox;
class QPushButton;

namespace plumb::ui {

class ConfigEditor;
class Meter;
class SegmentedControl;

/// The device, and how much its counters read while it profiles.
class DeviceSection final : public QObject {
    Q_OBJECT
public:
    DeviceSection(const PanelRows& rows, ConfigEditor& editor, RunController& controller);
    void show(const RunPanelState& state);

private:
    void buildCounters(const PanelRows& rows, RunController& controller);
    void showDevices(const RunPanelState& state);
    /// The device of an entry, shared by as many ranks as it says.
    void choose(int item);

    ConfigEditor& m_editor;
    RunController& m_controller;
    QComboBox* m_device;
    QLabel* m_note;
    QLabel* m_error = nullptr;
    SegmentedControl* m_counters = nullptr;
    QLabel* m_countersNote = nullptr;
    std::vector<DeviceItem> m_devices;  ///< that the box lists
};

/// Learning rate, number of steps and seed.
class RateSection final : public QObject {
    Q_OBJECT
public:
    RateSection(const PanelRows& rows, ConfigEditor& editor, RunController& controller);
    void show(const RunPanelState& state);
    /// Takes what is typed and not yet entered; false when it cannot be used. One line for all three: the
    /// first sentence stays.
    [[nodiscard]] bool commit() { return submitLearningRate() && submitSeed() && submitSteps(); }
    /// Gives up what is typed; false when `field` is another section's.
    bool revert(QLineEdit* field);
    void enterSteps(const QString& steps);

private:
    bool submitLearningRate();
    bool submitSeed();
    bool submitSteps();

    ConfigEditor& m_editor;
    RunController& m_controller;
    QLineEdit *m_learningRate, *m_steps, *m_seed;
    QLabel* m_error;
};

/// How much of the memory a step takes, and the largest batch that fits there.
class MemorySection final : public QObject {
    Q_OBJECT
public:
    MemorySection(const PanelRows& rows, Workbench& workbench, RunController& controller);
    void show(const RunPanelState& state);

signals:
    void batchWanted(qint64 batch);

private:
    void addProofRow(const PanelRows& rows);
    void findMaximum();
    void showMaximum(std::int64_t batch);
    void showProof();

    Workbench& m_workbench;
    RunController& m_controller;
    JobRunner m_job;
    std::int64_t m_maximumBatch = 0;  ///< 0: not known, or none fits
    Meter* m_meter;
    QLabel* m_used;
    QPushButton* m_maximum;
    QLabel* m_proof = nullptr;
    QPushButton* m_prove = nullptr;
};

/// Run, Stop, Profile, and Apply while another configuration runs than the panel shows.
class RunButtons final : public QObject {
    Q_OBJECT
public:
    /// What starts something starts it when `commit` is true.
    RunButtons(const PanelRows& rows, RunController& controller, const std::function<bool()>& commit);
    void show(const RunPanelState& state);
    /// The line above the buttons.
    [[nodiscard]] QLabel* errorLine() const { return m_error; }

private:
    QPushButton *m_apply, *m_run, *m_stop, *m_profile;
    QLabel* m_error;
};

}  // namespace plumb::ui

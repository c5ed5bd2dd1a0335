// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/job_runner.h"
#include "ui/views/view.h"
#include "ui/widgets/run_panel_state.h"

#include <QScrollArea>

#include <functional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace plumb::ui {

class ConfigHistory;
class Meter;
class SegmentedControl;
class FilePicker;

/// The left side of the window: what to run, where, whether it fits, and the buttons that run it.
class RunPanel final : public QWidget {
    Q_OBJECT
public:
    using UsePath = std::function<void(const QString&)>;
    RunPanel(ViewContext context, RunController& controller, ConfigHistory& history,
             QWidget* parent = nullptr);

signals:
    void fileWanted(const QString& title, const plumb::ui::RunPanel::UsePath& use);

private:
    void buildModel(QVBoxLayout& layout);
    void buildStep(QVBoxLayout& layout);
    void buildTraining(QVBoxLayout& layout);
    void buildMemory(QVBoxLayout& layout);
    void buildButtons(QVBoxLayout& layout);
    QLabel* addHeading(QVBoxLayout& layout, const QString& text);
    void addLabelled(QVBoxLayout& layout, const QString& label, QWidget* widget, int width = 0);
    SliderRow* addSlider(QVBoxLayout& layout, const QString& label, const char* name, const char* option,
                         std::function<RunConfig(RunConfig, std::int64_t)> with);

    /// Puts a change into force; an invalid one leaves the configuration and shows why at `row`.
    void edit(const QString& setting, const RunConfig& config, SliderRow* row = nullptr, int gesture = 0);
    void refresh();
    void refreshMaximum();
    void submitLearningRate();
    void submitSeed();
    void submitSteps();

    ViewContext m_context;
    RunController& m_controller;
    ConfigHistory& m_history;
    JobRunner m_maximumJob;
    RunPanelState m_state;
    std::int64_t m_maximumBatch = 0;

    SliderRow *m_dim = nullptr, *m_layers = nullptr, *m_outputs = nullptr, *m_batch = nullptr,
              *m_microBatch = nullptr, *m_checkpointEvery = nullptr;
    SegmentedControl *m_activation = nullptr, *m_checkpoint = nullptr, *m_precision = nullptr;
    QCheckBox* m_masterWeights = nullptr;
    QComboBox *m_optimizer = nullptr, *m_device = nullptr;
    QLineEdit *m_learningRate = nullptr, *m_seed = nullptr, *m_steps = nullptr;
    QLabel *m_inputError = nullptr, *m_used = nullptr;
    QPushButton* m_maximum = nullptr;
    FilePicker *m_data = nullptr, *m_targets = nullptr;
    Meter* m_meter = nullptr;
    QPushButton *m_run = nullptr, *m_stop = nullptr, *m_profile = nullptr, *m_apply = nullptr;
    SliderRow* m_errorRow = nullptr;
};

}  // namespace plumb::ui

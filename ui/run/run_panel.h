// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/job_runner.h"
#include "ui/run/run_panel_state.h"
#include "ui/theme/theme.h"
#include "ui/workbench/view.h"

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
class FilePicker;
class Meter;
class OptionForm;
class SegmentedControl;

/// The left side of the window: what to run, where, whether it fits, and the buttons that run it.
class RunPanel final : public QWidget {
    Q_OBJECT
public:
    using UsePath = std::function<void(const QString&)>;
    RunPanel(ViewContext context, RunController& controller, ConfigHistory& history,
             QWidget* parent = nullptr);

    /// The two files of own data. Either may come first: what is chosen is held and shown until both are
    /// there, then they come into force together with the sizes that they have, as one step to undo.
    enum class DataFile { Features, Targets };
    void chooseFile(DataFile which, const QString& path);  ///< an empty path: no file
    /// Takes what is typed and not yet entered. False when something in the panel cannot be used; its
    /// sentence stands beside it, and nothing should run.
    [[nodiscard]] bool commitEntries();

signals:
    void fileWanted(const QString& title, const plumb::ui::RunPanel::UsePath& use);
    void folderWanted(const QString& title, const plumb::ui::RunPanel::UsePath& use);
    void checkpointWanted(const QString& title, const plumb::ui::RunPanel::UsePath& use);

private:
    void buildModel(QVBoxLayout& layout);
    void buildStep(QVBoxLayout& layout);
    void buildCheckpoint(QVBoxLayout& layout);
    void buildPrecision(QVBoxLayout& layout);
    void buildTraining(QVBoxLayout& layout);
    void buildAdvanced(QVBoxLayout& layout);
    void buildMemory(QVBoxLayout& layout);
    void buildCounters(QVBoxLayout& layout);
    void buildButtons(QVBoxLayout& layout);
    /// Hidden while there is none.
    QLabel* addSentence(QVBoxLayout& layout, const char* name, ColorRole role = ColorRole::Bad);
    QLabel* addHeading(QVBoxLayout& layout, const QString& text);
    void addLabelled(QVBoxLayout& layout, const QString& label, QWidget* widget, int width = 0);
    SliderRow* addSlider(QVBoxLayout& layout, const QString& label, const char* name, const char* option,
                         std::function<RunConfig(RunConfig, std::int64_t)> with);

    /// Puts a change into force; an invalid one leaves the configuration and shows why at `row`.
    void edit(const QString& setting, const RunConfig& config, SliderRow* row = nullptr, int gesture = 0);
    void refresh();
    void refreshMaximum();
    void showAdvanced(bool open);
    bool submitBudget();
    bool submitLearningRate();
    bool submitSeed();
    bool submitSteps();
    /// Puts an entry of `field` into force or shows at it why not; the text then stays as typed.
    bool submitted(QLineEdit* field, QLabel* line, const Result<void>& parsed, const QString& setting,
                   const RunConfig& config);
    void applyFiles();
    void showSentence(QLabel* line, const QString& sentence);
    bool eventFilter(QObject* watched, QEvent* event) override;

    ViewContext m_context;
    RunController& m_controller;
    ConfigHistory& m_history;
    JobRunner m_maximumJob;
    RunPanelState m_state;
    std::int64_t m_maximumBatch = 0;

    SliderRow *m_dim = nullptr, *m_layers = nullptr, *m_outputs = nullptr, *m_batch = nullptr,
              *m_microBatch = nullptr, *m_checkpointEvery = nullptr;
    SegmentedControl *m_activation = nullptr, *m_checkpoint = nullptr, *m_precision = nullptr,
                     *m_counters = nullptr;
    QCheckBox *m_masterWeights = nullptr, *m_fp32Gradients = nullptr;
    QWidget* m_budgetRow = nullptr;
    QLineEdit* m_budget = nullptr;
    QWidget* m_folded = nullptr;
    OptionForm* m_options = nullptr;
    QPushButton* m_advanced = nullptr;
    QComboBox *m_optimizer = nullptr, *m_device = nullptr;
    QLineEdit *m_learningRate = nullptr, *m_seed = nullptr, *m_steps = nullptr;
    QLabel *m_inputError = nullptr, *m_used = nullptr, *m_checkpointError = nullptr,
           *m_precisionNote = nullptr, *m_deviceNote = nullptr, *m_countersNote = nullptr;
    QPushButton* m_maximum = nullptr;
    FilePicker *m_data = nullptr, *m_targets = nullptr;
    Meter* m_meter = nullptr;
    QPushButton *m_run = nullptr, *m_stop = nullptr, *m_profile = nullptr, *m_apply = nullptr;
    QLabel *m_dataError = nullptr, *m_footError = nullptr;
    SliderRow* m_errorRow = nullptr;    ///< where the sentence of a refusal goes,
    QLabel* m_errorLine = nullptr;      ///< or here; null: the line above the buttons
    QString m_features, m_targetsFile;  ///< chosen and not yet in force
    std::string m_dataInForce, m_targetsInForce;
};

}  // namespace plumb::ui

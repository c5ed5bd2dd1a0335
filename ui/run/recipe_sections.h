// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the run panel that say what a step computes: the model, the batch, what is kept of the forward
// pass, the precision and the optimizer.
#pragma once

#include "ui/run/panel_rows.h"
#include "ui/run/run_panel_state.h"

#include <QObject>

class QCheckBox;
class QComboBox;

namespace plumb::ui {

class ConfigEditor;
class SegmentedControl;

/// Width, depth, outputs and activation.
class ModelSection final : public QObject {
    Q_OBJECT
public:
    ModelSection(const PanelRows& rows, ConfigEditor& editor);
    void show(const RunPanelState& state);

private:
    SliderRow *m_dim, *m_layers, *m_outputs;
    SegmentedControl* m_activation;
};

/// Batch and micro-batch.
class BatchSection final : public QObject {
    Q_OBJECT
public:
    BatchSection(const PanelRows& rows, ConfigEditor& editor);
    void show(const RunPanelState& state);
    void setBatch(std::int64_t batch);

private:
    ConfigEditor& m_editor;
    SliderRow *m_batch, *m_microBatch;
};

/// Which activations are kept, and the budget that decides it.
class RecomputeSection final : public QObject {
    Q_OBJECT
public:
    RecomputeSection(const PanelRows& rows, ConfigEditor& editor, Workbench& workbench);
    void show(const RunPanelState& state);
    /// Takes what is typed and not yet entered; false when it cannot be used.
    [[nodiscard]] bool commit();
    /// Gives up what is typed; false when `field` is another section's.
    bool revert(const QLineEdit* field);

private:
    ConfigEditor& m_editor;
    SegmentedControl* m_policy;
    SliderRow* m_every;
    QWidget* m_budgetRow;
    QLineEdit* m_budget;
    QLabel* m_error;
};

/// The number format, and what is kept in fp32 beside it.
class PrecisionSection final : public QObject {
    Q_OBJECT
public:
    PrecisionSection(const PanelRows& rows, ConfigEditor& editor);
    void show(const RunPanelState& state);

private:
    SegmentedControl* m_precision;
    QLabel* m_note;
    QCheckBox *m_masterWeights, *m_fp32Gradients;
};

/// The update rule.
class OptimizerSection final : public QObject {
    Q_OBJECT
public:
    OptimizerSection(const PanelRows& rows, ConfigEditor& editor);
    void show(const RunPanelState& state);

private:
    QComboBox* m_optimizer;
};

}  // namespace plumb::ui

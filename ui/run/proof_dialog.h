// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/job_runner.h"
#include "ui/engine/run_controller.h"
#include "ui/theme/theme.h"
#include "ui/workbench/workbench.h"

#include <QDialog>

#include <optional>

class QGridLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace plumb::ui {

/// Asks for the limit of a proof, shows how far it is, and what came of it.
class ProofDialog final : public QDialog {
    Q_OBJECT
public:
    /// Opens one in front of `window`; it goes when it is closed. The others outlive it.
    static void ask(Theme& theme, Workbench& workbench, RunController& controller, QWidget* window);
    ProofDialog(Theme& theme, Workbench& workbench, RunController& controller, QWidget* parent = nullptr);

private:
    void buildForm();
    void buildResult();
    void buildButtons();
    [[nodiscard]] QLabel* addLine(const char* name, ColorRole role);
    /// What is typed; empty: nothing, or no size.
    /// Errors: BadInput where what was typed is no size, or may be two.
    [[nodiscard]] Result<Bytes> typedLimit() const;
    /// What was typed, or what the device has; empty: no size, or nobody knows.
    [[nodiscard]] std::optional<Bytes> limit() const;
    void prove();
    void refresh();
    void predict();
    void showBatches(std::int64_t most, std::int64_t next);
    void showProof();
    void showTrial(int row, const FitTrial& trial);

    Theme& m_theme;
    Workbench& m_workbench;
    RunController& m_controller;
    JobRunner m_job;
    QLineEdit* m_limit = nullptr;
    QLabel *m_batches = nullptr, *m_whyNot = nullptr, *m_verdict = nullptr, *m_enforced = nullptr;
    QWidget* m_trials = nullptr;
    QGridLayout* m_grid = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton *m_prove = nullptr, *m_cancel = nullptr, *m_close = nullptr;
    bool m_wasRunning = false;
};

}  // namespace plumb::ui

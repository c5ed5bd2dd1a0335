// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/runs_model.h"
#include "ui/workbench/view.h"

#include <QWidget>

#include <functional>

class QPushButton;
class QTableView;

namespace plumb::ui {

/// The runs of the session: what they reached and how far from the baseline, to be named, coloured, hidden,
/// compared and removed. What is changed here is kept with the document.
class RunsPage final : public QWidget {
    Q_OBJECT
public:
    explicit RunsPage(ViewContext context, QWidget* parent = nullptr);

    void showRuns();
    /// The figures are of this stretch from now on.
    void setStretch(const MarkedStretch& stretch);
    [[nodiscard]] const RunsModel& model() const { return *m_model; }

private:
    void buildTable();
    void buildButtons();
    [[nodiscard]] const RunRow* chosen() const;
    /// Changes the look of the chosen run.
    void change(const std::function<void(RunLook&)>& act);
    void changeOf(std::size_t index, const std::function<void(RunLook&)>& act);
    void removeChosen();
    void enableButtons();

    ViewContext m_context;
    RunsModel* m_model;
    MarkedStretch m_stretch;
    QTableView* m_table;
    QPushButton* m_rename = nullptr;
    QPushButton* m_color = nullptr;
    QPushButton* m_baseline = nullptr;
    QPushButton* m_remove = nullptr;
};

}  // namespace plumb::ui

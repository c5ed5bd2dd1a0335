// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/device_choice.h"
#include "ui/planner/planner_edits.h"

#include <QObject>

#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace plumb::ui {

class Card;
class RemarkTable;
class Theme;
class ToneLabel;

/// Devices that somebody could train on, and what they ask for them: which of them is cheapest or fastest.
/// Candidates are added and removed here, each as one step to undo, and one can be taken into the plan.
class PlannerCandidates final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `parent` gets the card.
    PlannerCandidates(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent);

    [[nodiscard]] Card* card() const { return m_card; }
    void show();
    void showProgress();
    /// Makes the card as high as what is in it needs.
    void fit();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        PlannerCandidate candidate;
        const planner::CandidatePlan* plan = nullptr;  ///< null: not worked out
    };
    QWidget* makeControls(QWidget* parent);
    void fillDevices();
    void fillRows();
    void showRow(int row);
    void add();
    void remove();
    void take(int row);

    Theme& m_theme;
    PlannerModel& m_model;
    PlannerEdits& m_edits;
    Card* m_card;
    QPushButton* m_cancel;
    QLineEdit *m_count = nullptr, *m_price = nullptr;
    QComboBox* m_devices = nullptr;
    QPushButton* m_remove = nullptr;
    RemarkTable* m_table = nullptr;
    ToneLabel* m_note = nullptr;
    std::vector<Row> m_rows;
    std::vector<std::string> m_deviceIds;  ///< as listed
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/planner_edits.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <map>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace plumb::ui {

class FieldRow;
class PlannerComputation;
class SegmentedControl;

/// The left side of the planner: model, recipe, devices, how the work is spread, and every assumption that
/// the answer goes by, each editable where it stands.
class PlannerPanel final : public QWidget {
    Q_OBJECT
public:
    PlannerPanel(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent = nullptr);

    void refresh();
    void focusInput(planner::Input input);
    /// Takes this width, within what its fields need and what they can use; nullopt: all there is.
    void fitWidth(std::optional<int> room);
    [[nodiscard]] static int leastWidth();

signals:
    void configWanted();
    void devicesWanted();

private:
    struct Row {
        planner::Input input{};
        FieldRow* field = nullptr;
    };
    QLabel* addHeading(QVBoxLayout& layout, const QString& text);
    void addRow(QVBoxLayout& layout, planner::Input input);
    void buildModel(QVBoxLayout& layout);
    void buildTraining(QVBoxLayout& layout);
    void refreshTraining();
    /// Takes what was typed of the targets, or of what is frozen.
    void takeParts(const QLineEdit& edit, const QString& text);
    QLineEdit* addEdit(QVBoxLayout& layout, const QString& label, const char* name, const QString& help,
                       QWidget** row = nullptr);
    void buildDevices(QVBoxLayout& layout);
    void buildSplit(QVBoxLayout& layout);
    void buildAssumptions(QVBoxLayout& layout);
    void fillModels();
    void fillDevices();
    void refreshRow(const Row& row);

    Theme& m_theme;
    PlannerModel& m_model;
    PlannerEdits& m_edits;
    PlannerComputation* m_computation;
    std::vector<Row> m_rows;
    QComboBox *m_models = nullptr, *m_recipes = nullptr, *m_devices = nullptr, *m_zero = nullptr;
    SegmentedControl* m_method = nullptr;
    QLineEdit *m_targets = nullptr, *m_frozen = nullptr;
    QWidget* m_targetsRow = nullptr;
    QCheckBox* m_sequence = nullptr;
    QLabel *m_modelNote = nullptr, *m_deviceNote = nullptr, *m_splitHeading = nullptr,
           *m_numbersHeading = nullptr;
    QWidget* m_zeroRow = nullptr;
    std::vector<std::string> m_deviceIds;  ///< as listed
};

}  // namespace plumb::ui

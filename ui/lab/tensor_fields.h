// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/tensor_state.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QPushButton;

namespace plumb::ui {

class ToneLabel;

/// The fields above the tensors: its shape and element type, the GPU and the bus to it, and the steps with
/// the buttons that change the marked one. Below them stands why what is typed cannot be used.
class TensorFields final : public QWidget {
    Q_OBJECT
public:
    TensorFields(Theme& theme, const std::vector<Machine>& gpus, QWidget* parent = nullptr);

    [[nodiscard]] TensorInput input() const;
    void setInput(const TensorInput& input);
    [[nodiscard]] bool hasDevice(const QString& id) const;
    void showError(const QString& sentence);  ///< empty: there is none
    /// Offers what can be done with this line of so many steps; line 0 is no step.
    void markStep(int row, int steps);

signals:
    void typing();
    void committed();
    void presetChosen(const TensorPreset& preset);
    void stepChosen(const QString& step);
    void moveRequested(int by);
    void removeRequested();

private:
    [[nodiscard]] QLineEdit* makeText(const char* name);
    [[nodiscard]] QComboBox* makeChoice(const char* name, int characters);
    [[nodiscard]] QComboBox* makePresets();
    [[nodiscard]] QComboBox* makeStepChoice();
    void fillBuses();
    [[nodiscard]] QHBoxLayout* makeTensorRow();
    [[nodiscard]] QHBoxLayout* makeStepRow();

    Theme& m_theme;
    QLineEdit *m_shape = nullptr, *m_steps = nullptr;
    QComboBox *m_dtype = nullptr, *m_device = nullptr, *m_bus = nullptr;
    QPushButton *m_up = nullptr, *m_down = nullptr, *m_remove = nullptr;
    ToneLabel* m_error = nullptr;
};

}  // namespace plumb::ui

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
    /// Empty: there is none. `meant`: the steps without their slip; empty: it is none.
    void showError(const QString& sentence, const QString& meant = {});
    /// Offers what can be done with this line of so many steps; line 0 is no step.
    void markStep(int row, int steps);
    /// With the device on a line of its own, which it has where all of them have no room on one.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void typing();
    void committed();
    void presetChosen(const TensorPreset& preset);
    void stepChosen(const QString& step);
    void moveRequested(int by);
    void removeRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addField(QHBoxLayout& row, const QString& text, QWidget* field, const QString& accessibleName);
    [[nodiscard]] QLineEdit* makeText(const char* name);
    [[nodiscard]] QComboBox* makeChoice(const char* name, int characters);
    [[nodiscard]] QComboBox* makePresets();
    [[nodiscard]] QComboBox* makeStepChoice();
    void fillBuses();
    [[nodiscard]] QHBoxLayout* makeTensorRow();
    [[nodiscard]] QHBoxLayout* makeStepRow();
    void setDeviceBelow(bool below);

    Theme& m_theme;
    QLineEdit *m_shape = nullptr, *m_steps = nullptr;
    QComboBox *m_dtype = nullptr, *m_device = nullptr, *m_bus = nullptr;
    QPushButton *m_up = nullptr, *m_down = nullptr, *m_remove = nullptr;
    ToneLabel* m_error = nullptr;
    QHBoxLayout *m_tensorRow = nullptr, *m_stepRow = nullptr;
    QWidget* m_where = nullptr;  ///< device and bus
    bool m_isDeviceBelow = false;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lab_page.h"
#include "ui/lab/tensor_state.h"

#include <QWidget>

class QSplitter;

namespace plumb::ui {

class TensorFields;
class TensorMemory;
class TensorSteps;

/// A tensor, what steps in the words of torch make of it, and where its elements lie in memory.
class TensorPage final : public QWidget {
    Q_OBJECT
public:
    explicit TensorPage(LabContext context, QWidget* parent = nullptr);
    ~TensorPage() override;

    [[nodiscard]] const TensorInput& input() const { return m_input; }
    [[nodiscard]] const TensorState& state() const { return m_state; }
    [[nodiscard]] int currentRow() const;   ///< the line whose tensor is drawn; 0 is the one before any step
    void take(const TensorPreset& preset);  ///< as an edit that can be undone
    void copy();

signals:
    /// Something of this page was taken back or made again: it wants to be seen.
    void revealed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void followParts();
    void takeKeptInput();
    [[nodiscard]] TensorState stateOf(const TensorInput& input) const;
    void commit();
    void change(const TensorInput& input, const QString& what);
    void changeSteps(const std::vector<lab::LayoutStep>& steps);
    void apply(const TensorInput& input);
    void showState(TensorState state);
    void showTensor();
    void editStep(int row, const QString& text);
    void addStep(const QString& text);
    void removeStep();
    void moveStep(int by);

    LabContext m_context;
    std::vector<Machine> m_gpus;
    TensorInput m_input;  ///< in force
    TensorState m_state;
    TensorFields* m_fields = nullptr;
    TensorSteps* m_steps = nullptr;
    TensorMemory* m_memory = nullptr;
    QSplitter* m_split = nullptr;
    bool m_laidOut = false;  ///< the splitter has its first sizes
};

}  // namespace plumb::ui

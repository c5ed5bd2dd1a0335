// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lab_page.h"
#include "ui/lab/tensor_state.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;

namespace plumb::ui {

class TensorModel;
class TensorPicture;
class ToneLabel;

/// A tensor, what steps in the words of torch make of it, and where its elements lie in memory.
class TensorPage final : public QWidget {
    Q_OBJECT
public:
    explicit TensorPage(LabContext context, QWidget* parent = nullptr);
    ~TensorPage() override;

    [[nodiscard]] const TensorInput& input() const { return m_input; }
    [[nodiscard]] const TensorState& state() const { return m_state; }
    [[nodiscard]] int currentRow() const;  ///< the line whose tensor is drawn; 0 is the one before any step
    void copy();

signals:
    /// Something of this page was taken back or made again: it wants to be seen.
    void revealed();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeControls();
    [[nodiscard]] QWidget* makeSteps();
    [[nodiscard]] QWidget* makePicture();
    [[nodiscard]] QWidget* makeStepButtons();
    [[nodiscard]] TensorInput typed() const;
    void typing();
    void commit();
    void change(const TensorInput& input, const QString& what);
    void apply(const TensorInput& input);
    void showState(TensorState state);
    void showTensor();
    void showAddress(const std::vector<std::int64_t>& indices, qint64 position);
    void editStep(int row, const QString& text);
    void addStep(const QString& text);
    void removeStep();
    void moveStep(int by);
    [[nodiscard]] TensorState stateOf(const TensorInput& input) const;

    LabContext m_context;
    std::vector<Machine> m_gpus;
    TensorInput m_input;  ///< in force
    TensorState m_state;
    QLineEdit *m_shape = nullptr, *m_steps = nullptr;
    QComboBox *m_dtype = nullptr, *m_device = nullptr, *m_bus = nullptr;
    ToneLabel *m_error = nullptr, *m_failure = nullptr, *m_summary = nullptr, *m_address = nullptr,
              *m_leftOut = nullptr;
    QSplitter* m_split = nullptr;
    bool m_laidOut = false;  ///< the splitter has its first sizes
    QTableView* m_table = nullptr;
    TensorModel* m_model = nullptr;
    TensorPicture* m_picture = nullptr;
    QPushButton *m_up = nullptr, *m_down = nullptr, *m_remove = nullptr;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/tensor_state.h"

#include <QWidget>

class QTableView;

namespace plumb::ui {

class TensorModel;
class ToneLabel;

/// The list of steps, one of which is marked; below it why a step fails, and what all of them cost.
class TensorSteps final : public QWidget {
    Q_OBJECT
public:
    explicit TensorSteps(Theme& theme, QWidget* parent = nullptr);

    /// Keeps the marked line; a mark on the last one stays on the last one.
    void showState(const TensorState& state);
    [[nodiscard]] int currentRow() const;  ///< 0 is the line before any step; -1: none
    void setCurrentRow(int row);

signals:
    void currentRowChanged();
    void stepEdited(int row, const QString& text);
    void moveRequested(int by);
    void removeRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTableView* m_table = nullptr;
    TensorModel* m_model = nullptr;
    ToneLabel *m_failure = nullptr, *m_summary = nullptr;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/step.h"
#include "ui/workbench/op_range.h"

#include <QAbstractTableModel>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace plumb::ui {

enum class TensorColumn { Name, Category, Bytes, Share, Shape, Dtype, FirstOp, LastOp };
inline constexpr int kTensorColumns = 8;
/// The unrounded value behind a cell, by which rows are sorted: bytes, op index, place in the plan.
inline constexpr int kTensorRawRole = Qt::UserRole;

/// Read-only table of the tensors of a plan, of the whole step or of those that are in memory during one of
/// its ops: a row per tensor, a column per TensorColumn.
///
/// Shares ownership of one immutable step. setStep() emits dataChanged while the tensors are the same ones
/// (selection and scroll position survive a slider move) and resets when they are not. Sorting and filtering
/// are the model's own: a proxy compares through QVariant, which at 256 layers takes longer than a frame.
class TensorTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit TensorTableModel(QObject* parent = nullptr);

    /// `op`: the tensors that are in memory during it; -1: all of the step.
    void setStep(std::shared_ptr<const Step> step, int op = -1);
    void setOp(int op);
    /// Of all tensors of the step those that are in memory during one of these ops; empty: every one.
    void setRange(const OpSet& ops);
    [[nodiscard]] int op() const { return m_op; }
    /// Rows whose name or category holds every word of `text`; empty: all.
    void setFilter(const QString& text);
    /// The tensor of a row, or nothing for an invalid row.
    [[nodiscard]] std::optional<TensorId> tensorAt(int row) const;
    /// The row of a tensor, or -1 when it is filtered out.
    [[nodiscard]] int rowOf(TensorId tensor) const;
    [[nodiscard]] Bytes shownBytes() const;  ///< sum over the rows
    /// What is in memory during the op, whatever the filter leaves of it; 0 where all of the step are shown.
    [[nodiscard]] Bytes aliveBytes() const { return m_aliveBytes; }
    [[nodiscard]] int aliveCount() const { return m_aliveCount; }
    [[nodiscard]] const std::shared_ptr<const Step>& step() const { return m_step; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    [[nodiscard]] std::vector<TensorId> arranged();
    [[nodiscard]] bool isShown(const StepTensor& tensor) const;
    [[nodiscard]] std::int64_t raw(TensorId tensor, TensorColumn column) const;
    [[nodiscard]] QString text(TensorId tensor, TensorColumn column) const;
    [[nodiscard]] bool passesFilter(TensorId tensor) const;
    void rearrange();

    std::shared_ptr<const Step> m_step;
    int m_op = -1;
    OpSet m_range;
    Bytes m_aliveBytes = 0;
    int m_aliveCount = 0;
    std::vector<TensorId> m_rows;  ///< filtered and sorted
    QStringList m_words;
    TensorColumn m_column = TensorColumn::Bytes;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_model.h"

#include <QAbstractTableModel>

#include <cstdint>

namespace plumb::ui {

enum class EvidenceColumn : std::uint8_t {
    Training,
    Source,
    Device,
    Published,
    Predicted,
    Interval,
    Error,
    Remark
};
constexpr EvidenceColumn lastOf(EvidenceColumn /*type*/) { return EvidenceColumn::Remark; }

/// The published trainings that are shown, sorted: the farthest off first, those without a prediction last.
class EvidenceRows final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Only : std::uint8_t { All, Outside, Without };

    /// `model` outlives it.
    explicit EvidenceRows(EvidenceModel& model, QObject* parent = nullptr);

    void setOnly(Only only);
    [[nodiscard]] Only only() const { return m_only; }
    /// How many of the shown rows each of these has.
    [[nodiscard]] int count(Only only) const;
    void refresh();
    void sort(int column, Qt::SortOrder order) override;

    /// Indices of the model's rows, as they stand here.
    [[nodiscard]] const std::vector<int>& order() const { return m_order; }
    [[nodiscard]] int placeOf(int row) const;  ///< -1: not here
    /// What stands here, tabs between the columns.
    [[nodiscard]] QString text() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] const planner::ValidatedRow& at(int row) const;
    [[nodiscard]] bool has(int row, Only only) const;
    [[nodiscard]] QString cell(const planner::ValidatedRow& row, EvidenceColumn column) const;
    [[nodiscard]] std::optional<double> key(const planner::ValidatedRow& row) const;
    void arrange();

    EvidenceModel& m_model;
    Only m_only = Only::All;
    EvidenceColumn m_by = EvidenceColumn::Error;
    Qt::SortOrder m_direction = Qt::DescendingOrder;
    std::vector<int> m_order;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"

#include <QAbstractTableModel>

#include <unordered_map>
#include <vector>

namespace plumb::ui {

/// What is alive at the cursor, the largest first. A filter keeps the rows that have all of its words.
class LivingModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Size, Category, Operation, Place, Made, Stream, kColumns };
    explicit LivingModel(AllocatorState& state, QObject* parent = nullptr);

    void setFilter(const QString& words);
    /// Requested bytes of the rows, and of all that is alive.
    [[nodiscard]] Bytes bytes() const { return m_bytes; }
    [[nodiscard]] Bytes allBytes() const { return m_allBytes; }
    [[nodiscard]] std::size_t allCount() const { return m_allCount; }
    /// Index into the replay's allocations.
    [[nodiscard]] std::uint32_t allocation(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// -1: no row shows it.
    [[nodiscard]] int rowOf(std::uint32_t allocation) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

signals:
    void deviceReplaced();  ///< allocations known by their index are others now; told before the reset

private:
    void fill();
    [[nodiscard]] const AllocationSite& site(std::uint32_t stack) const;
    [[nodiscard]] QString text(const MemoryAllocation& each, int column) const;
    [[nodiscard]] QString streamText(const MemoryAllocation& each) const;

    AllocatorState& m_state;
    QString m_filter;
    std::vector<std::uint32_t> m_rows;
    Bytes m_bytes = 0;
    Bytes m_allBytes = 0;
    std::size_t m_allCount = 0;
    mutable std::unordered_map<std::uint32_t, AllocationSite> m_sites;  ///< by stack, once asked for
};

}  // namespace plumb::ui

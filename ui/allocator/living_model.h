// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"
#include "ui/widgets/rows_model.h"

#include <unordered_map>
#include <vector>

namespace plumb::ui {

/// What is alive at the cursor, the largest first: indices into the replay's allocations. A filter keeps the
/// rows that have all of its words.
class LivingModel final : public RowsModel<std::uint32_t> {
    Q_OBJECT
public:
    static constexpr int kSize = 0, kCategory = 1, kOperation = 2, kPlace = 3, kMade = 4, kStream = 5;
    static constexpr int kColumns = 6;
    explicit LivingModel(AllocatorState& state, QObject* parent = nullptr);

    void setFilter(const QString& words);
    /// Requested bytes of the rows, and of all that is alive.
    [[nodiscard]] Bytes bytes() const { return m_bytes; }
    [[nodiscard]] Bytes allBytes() const { return m_allBytes; }
    [[nodiscard]] std::size_t allCount() const { return m_allCount; }
    /// -1: no row shows it.
    [[nodiscard]] int rowOf(std::uint32_t allocation) const;

signals:
    void deviceReplaced();  ///< allocations known by their index are others now; told before the reset

private:
    [[nodiscard]] int columns() const override { return kColumns; }
    [[nodiscard]] QVariant cell(const std::uint32_t& allocation, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;
    void fill();
    [[nodiscard]] const AllocationSite& site(std::uint32_t stack) const;
    [[nodiscard]] QString text(const MemoryAllocation& each, int column) const;
    [[nodiscard]] QString streamText(const MemoryAllocation& each) const;

    AllocatorState& m_state;
    QString m_filter;
    Bytes m_bytes = 0;
    Bytes m_allBytes = 0;
    std::size_t m_allCount = 0;
    mutable std::unordered_map<std::uint32_t, AllocationSite> m_sites;  ///< by stack, once asked for
};

}  // namespace plumb::ui

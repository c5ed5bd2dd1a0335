// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/timeline_sums.h"

#include <QAbstractTableModel>

namespace plumb::ui {

/// The sums over a stretch of the timeline, a row for each kind of op and each lane, all ops first.
class TimelineSumsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Column { Kind, Count, Measured, Share, Predicted, Difference, Flops, Rate, Bytes, Bandwidth };
    static constexpr int kColumns = static_cast<int>(Column::Bandwidth) + 1;
    /// The unrounded SI value behind a cell; invalid for a text and an unknown value.
    static constexpr int kRawValueRole = Qt::UserRole + 1;

    TimelineSumsModel(Theme& theme, QObject* parent);

    void setSums(TimelineSums sums);
    [[nodiscard]] const TimelineSums& sums() const { return m_sums; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// Whether the prediction is of another machine than that it ran on.
    [[nodiscard]] bool isWhatIf() const { return !m_sums.predictedFor.isEmpty(); }
    [[nodiscard]] const TimelineSum& sumAt(int row) const;
    [[nodiscard]] std::optional<double> value(const TimelineSum& sum, Column column) const;
    [[nodiscard]] QString text(const TimelineSum& sum, Column column) const;
    [[nodiscard]] QString toolTip(const TimelineSum& sum, Column column) const;

    Theme& m_theme;
    TimelineSums m_sums;
};

}  // namespace plumb::ui

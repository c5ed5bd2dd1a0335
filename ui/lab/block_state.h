// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/lab/block_format.h"
#include "ui/theme/theme.h"

#include <QString>

#include <vector>

namespace plumb::ui {

inline constexpr int kMostBlockNumbers = 32;

/// What one block format makes of the numbers.
struct BlockColumn {
    lab::BlockFormat format;
    std::vector<lab::StoredBlock> blocks;  ///< more than one where the format's block is shorter
    QString scale;                         ///< "2^-3 · 0x7C", of every block
    double rmsRelative = 0;                ///< root mean square error over root mean square of the numbers
    int zeros = 0;                         ///< numbers other than 0 that became 0
    int clipped = 0;                       ///< numbers that saturated

    [[nodiscard]] const StoredNumber& element(std::size_t index) const;
    [[nodiscard]] double value(std::size_t index) const;
    [[nodiscard]] const lab::StoredBlock& blockOf(std::size_t index) const;
};

/// A few numbers that share a scale, in every block format.
struct BlockState {
    std::vector<double> numbers;  ///< the typed value first, then its neighbours
    std::vector<BlockColumn> columns;
};
/// `first` is the typed value, `neighbours` a list of numbers between commas or blanks. Errors: BadInput for
/// what is not a finite number and for more than kMostBlockNumbers in all.
[[nodiscard]] Result<BlockState> makeBlockState(double first, const QString& neighbours);

/// Neighbours worth looking at; index into blockPresetNames().
[[nodiscard]] QStringList blockPresetNames();
[[nodiscard]] QString blockPreset(int index);

/// The table as text with tabs between the columns.
[[nodiscard]] QString blockTableText(const BlockState& state);

}  // namespace plumb::ui

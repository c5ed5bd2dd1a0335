// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enum_array.h"
#include "core/compare/aligned_memory.h"
#include "core/compare/comparison.h"
#include "core/compare/difference.h"
#include "core/compare/shift.h"
#include "core/measure/timeline.h"

#include <QPointF>
#include <QVector>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace plumb::ui {

/// The rows of one table of differences, with what is said of all of them together.
struct DifferenceRows {
    std::vector<DifferenceRow> rows;
    std::vector<std::uint32_t> bySize;  ///< the largest difference first, those that are not known last
    bool haveUnits = false;             ///< of several kinds, which no length of a bar has in common
    double largest = 0;                 ///< distance from the baseline, in measureOf()
    int real = 0;                       ///< really differ
    int alone = 0;                      ///< are in one step only
    int unknown = 0;                    ///< have a noise that is not known
    int unknownInBoth = 0;              ///< of these, in both steps
    int disturbed = 0;                  ///< were measured while the machine did something else
    int absent = 0;                     ///< have a number in neither step

    /// What the difference of a row is as large as: 1 of its unit, or its larger value where units differ.
    [[nodiscard]] double measureOf(const DifferenceRow& row) const;
};
[[nodiscard]] DifferenceRows differenceRows(std::vector<DifferenceRow> rows);

/// A curve of steps as far as a screen can tell its places apart: of more than so many, the lowest and the
/// highest value of each stretch.
struct MemoryLines {
    QVector<QPointF> baseline, other, difference;
    double lowestDifference = 0, highestDifference = 0;
    std::array<std::size_t, 2> peaks{};  ///< places of the largest values of both
};

/// Operations in the roofline: those with most time, as many as arrows can be told apart.
struct ComparedShifts {
    static constexpr std::size_t kMost = 40;
    std::vector<RooflineShift> shown;
    std::vector<RooflineShift> real;  ///< that really moved
    std::size_t all = 0;              ///< that could be shown
};

/// One step on the scale of both timelines.
struct ComparedLane {
    std::shared_ptr<const Reading> reading;
    std::vector<TimelineRecord> records;  ///< by begin
    Seconds begin = 0;
    Seconds length = 0;
};

/// One step against the baseline with all that the view shows of them, worked out where they were compared:
/// of steps with many thousand operations that takes longer than a frame. Immutable, shared with workers.
struct CompareDetail {
    AlignedMemory memory;
    MemoryLines lines;
    ComparedShifts shifts;
    EnumArray<DifferenceOf, DifferenceRows> tables;
    std::array<ComparedLane, 2> lanes;
};
/// Pre: index < comparison.steps.size(). Thread: any.
[[nodiscard]] std::shared_ptr<const CompareDetail> detailOf(const Comparison& comparison, std::size_t index);

}  // namespace plumb::ui

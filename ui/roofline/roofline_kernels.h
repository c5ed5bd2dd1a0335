// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel_report/kernel_report.h"
#include "ui/roofline/roofline_state.h"

namespace plumb::ui {

/// The kernels of a report beside a step in its roofline, as plain data.
struct RooflineKernels {
    KernelPoints points;
    QString file;                           ///< its name, for the legend
    MemoryLevel level = MemoryLevel::Dram;  ///< whose counted bytes place the points
    QStringList losses;                     ///< what could not be read
    QStringList missing;                    ///< what a place needs and kernels were not counted by

    [[nodiscard]] bool isEmpty() const { return file.isEmpty(); }
    [[nodiscard]] QString legend() const;  ///< "kernels of ncu.csv"
};
[[nodiscard]] RooflineKernels makeRooflineKernels(const KernelReport& report, const QString& path,
                                                  MemoryLevel level);

/// Widens the ranges of the axes until the kernels are in them, says in the subtitle what they are, and has a
/// chart where there are only they.
void addKernels(RooflineState& state, const RooflineKernels& kernels);

/// "ampere_sgemm_128x64 ×12", shortened.
[[nodiscard]] QString kernelLabel(const KernelPoint& point);
/// The card beside the pointer.
[[nodiscard]] HoverCardContent kernelCard(const RooflineState& state, const RooflineKernels& kernels,
                                          const KernelPoint& point);

}  // namespace plumb::ui

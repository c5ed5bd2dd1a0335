// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/step.h"
#include "ui/theme/text.h"

#include <QSet>
#include <QString>

namespace plumb::ui {

// What the legend of the roofline hides and shows, beside the phases. The first three are ways to tell a
// rate, the other two are roofs.
inline constexpr const char* kHollowSeries = "hollow";
inline constexpr const char* kFilledSeries = "filled";
inline constexpr const char* kKernelSeries = "kernels";
inline constexpr const char* kSheetSeries = "sheetRoofs";
inline constexpr const char* kMeasuredRoofSeries = "measuredRoofs";

[[nodiscard]] constexpr const char* roofSeries(bool calibrated) {
    return calibrated ? kMeasuredRoofSeries : kSheetSeries;
}

/// Which of them are shown: all that the user has not hidden.
struct RooflineSeries {
    QSet<QString> hidden;

    [[nodiscard]] bool isOn(const char* series) const {
        return !hidden.contains(QString::fromLatin1(series));
    }
    [[nodiscard]] bool isOn(Phase phase) const { return !hidden.contains(toText(phaseName(phase))); }
};

}  // namespace plumb::ui

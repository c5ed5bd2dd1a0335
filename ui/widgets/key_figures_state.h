// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench.h"

#include <QString>

#include <vector>

namespace plumb::ui {

enum class Verdict { None, Good, Warning, Bad };

/// One number of the row above the views, as text. "–" stands for what is not known.
struct KeyFigure {
    QString id;  ///< "peakMemory": stable, for tests and object names
    QString title;
    QString predicted;  ///< empty: this figure has no prediction (loss)
    QString measured;
    QString difference;  ///< measured against predicted, or "what-if" when they are of different steps
    Verdict verdict = Verdict::None;
    QString toolTip;  ///< exact values, the formula with the numbers put in, where each came from
    bool operator==(const KeyFigure&) const = default;
};

/// Pure function; `run` is the newest run of the session or null.
[[nodiscard]] std::vector<KeyFigure> makeKeyFigures(const Scene& scene, const RunRecord* run);

}  // namespace plumb::ui

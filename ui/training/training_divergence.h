// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/divergence.h"
#include "ui/workbench/training_runs.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>

namespace plumb::ui {

/// What is wrong, as a sentence with its figures.
[[nodiscard]] QString divergenceText(const Divergence& divergence);
/// What to try, the likeliest first, a sentence each, by what the run has not tried; of a recording nothing
/// is known.
[[nodiscard]] QStringList divergenceAdvice(const TrainingRun& run);

/// Says of the newest run when its loss diverges. Asked at every frame, it looks again only when losses came.
class DivergenceWatch {
public:
    /// Empty where nothing is wrong, or there is no run.
    [[nodiscard]] QString notice(const TrainingRun* run);

private:
    const TrainingRun* m_run = nullptr;  ///< never followed: it may be gone
    std::int64_t m_count = -1;
    QString m_notice;
};

}  // namespace plumb::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/data/batch_source.h"
#include "core/measure/step_metrics.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <optional>

namespace plumb {

/// Tells from the losses of a training whether it can go on, and if not, what is to blame: the data, or the
/// training itself.
class LossJudge {
public:
    /// `source`: what the training reads, null for synthetic data. `skipped`: earlier steps that updated
    /// nothing. The configuration and the source outlive it.
    LossJudge(const RunConfig& config, const BatchSource* source, std::int64_t skipped)
        : m_config(config), m_source(source), m_skipped(skipped) {}

    /// Why the training ends after this step, of which all come in order; absent where it goes on: also after
    /// a skipped step, which changed nothing (the next batch may be better: so does GradScaler), but not
    /// after many in a row. RunFailed with the step, and the row that holds a NaN, or a remedy.
    [[nodiscard]] std::optional<Error> judge(const StepMetrics& step);
    /// Steps that updated nothing, earlier ones too.
    [[nodiscard]] std::int64_t skippedSteps() const { return m_skipped; }

private:
    [[nodiscard]] std::optional<Error> badRow(std::int64_t step) const;
    [[nodiscard]] Error explain(const StepMetrics& step, std::int64_t updates) const;

    const RunConfig& m_config;
    const BatchSource* m_source;
    std::int64_t m_skipped;
    std::int64_t m_lostInARow = 0;  ///< steps up to the newest one whose loss was not finite
};

}  // namespace plumb

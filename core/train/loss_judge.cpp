// SPDX-License-Identifier: Apache-2.0
#include "core/train/loss_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace plumb {

namespace {

/// After so many steps in a row whose loss was not finite, a smaller loss scale will not help any more.
constexpr std::int64_t kMostLostInARow = 32;

}  // namespace

std::optional<Error> LossJudge::judge(const StepMetrics& step) {
    const std::int64_t updates = step.step - m_skipped;
    m_skipped += step.skipped ? 1 : 0;
    m_lostInARow = std::isfinite(step.loss) ? 0 : m_lostInARow + 1;
    if (m_lostInARow == 0) return std::nullopt;
    if (auto row = badRow(step.step)) return row;
    if (step.skipped && m_lostInARow < kMostLostInARow) return std::nullopt;
    return explain(step, updates);
}

/// The row of the batch of `step` that holds a value that is not finite.
std::optional<Error> LossJudge::badRow(std::int64_t step) const {
    if (m_source == nullptr) return std::nullopt;
    std::vector<float> x(static_cast<std::size_t>(m_config.dim));
    std::vector<float> t(static_cast<std::size_t>(m_config.outputWidth()));
    const auto isBad = [](float value) { return !std::isfinite(value); };
    for (std::int64_t sample = 0; sample < m_config.batch; ++sample) {
        const std::int64_t position = step * m_config.batch + sample;
        if (!m_source->copySamples(position, x, t).has_value()) break;
        if (!std::any_of(x.begin(), x.end(), isBad) && !std::any_of(t.begin(), t.end(), isBad)) continue;
        const std::optional<double> beyond = m_source->beyondFp32(position);
        return Error{ErrorCode::RunFailed,
                     fmt::format("the data holds {}, met at step {} ({})",
                                 beyond ? fmt::format("{}, which fp32 cannot hold", *beyond)
                                        : "a value that is not finite",
                                 step, m_source->describe(position)),
                     beyond ? "scale its column, or leave that row out" : "remove or replace that row"};
    }
    return std::nullopt;
}

/// Why a loss is not a number when the data is not to blame. `updates`: steps before this one that changed a
/// weight.
Error LossJudge::explain(const StepMetrics& step, std::int64_t updates) const {
    std::string value = std::isnan(step.loss) ? "not a number" : fmt::format("{}", step.loss);
    if (m_lostInARow > 1) value += fmt::format(" since step {}", step.step - m_lostInARow + 1);
    const bool naive = m_config.initialisation == Initialisation::Naive;
    if (updates > 0)
        return {ErrorCode::RunFailed,
                fmt::format("training diverged at step {} (loss {}, learning rate {})", step.step, value,
                            m_config.effectiveLearningRate()),
                naive ? "use scaled initial weights (--init scaled), or lower the learning rate with --lr"
                      : "lower the learning rate with --lr"};
    return {ErrorCode::RunFailed,
            fmt::format("the loss was not finite at step {}, before any weight changed (loss {})", step.step,
                        value),
            std::string(naive ? "use scaled initial weights (--init scaled): naive ones grow with every layer"
                        : m_config.scalesLoss()
                            ? "values overflow fp16 on the way forward: use bf16 or smaller "
                              "features"
                            : "use smaller features or targets")};
}

}  // namespace plumb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/shown_runs.h"

#include "ui/training/run_palette.h"

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr std::size_t kGhosts = 4;   // earlier runs that are shown unless the user says otherwise
constexpr int kGhostSmoothing = 20;  // least smoothing of an earlier run

}  // namespace

bool isRunShown(std::span<const std::shared_ptr<TrainingRun>> runs, std::size_t index) {
    return runs[index]->look.isShown.value_or(index + 1 + kGhosts >= runs.size());
}

ChartColor colorOfRun(const TrainingRun& run, bool newest) {
    if (run.look.color > 0) return runColor(run.look.color);
    return newest ? ColorRole::Accent : ColorRole::Ghost;
}

ChartColor ShownRun::color() const { return colorOfRun(*run, newest); }

void ShownRuns::collect(Runs runs, const TrainingOptions& wanted) {
    std::vector<ShownRun> next;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!isRunShown(runs, i)) continue;
        ShownRun shown;
        if (const auto old =
                std::ranges::find(m_shown, std::shared_ptr<const TrainingRun>(runs[i]), &ShownRun::run);
            old != m_shown.end())
            shown = std::move(*old);
        shown.run = runs[i];
        shown.id = QStringLiteral("run%1").arg(i);
        shown.newest = i + 1 == runs.size();
        // A curve that has ended is made once, not at every frame of the run that goes on.
        TrainingOptions options = wanted;
        if (!shown.newest) options.smoothing = std::max(options.smoothing, kGhostSmoothing);
        if (shown.count != runs[i]->history.count() || shown.options != options) {
            shown.curve = makeCurve(runs[i]->history, options);
            shown.count = runs[i]->history.count();
            shown.options = options;
        }
        next.push_back(std::move(shown));
    }
    m_shown = std::move(next);
}

const ShownRun* ShownRuns::newest() const {
    return !m_shown.empty() && m_shown.back().newest ? &m_shown.back() : nullptr;
}

bool ShownRuns::haveUnseen() const {
    return std::ranges::any_of(m_shown, [](const ShownRun& shown) {
        return !shown.curve.notPositive.isEmpty() || !shown.curve.notFinite.isEmpty();
    });
}

std::size_t ShownRuns::keptPoints() const {
    std::size_t sum = 0;
    for (const ShownRun& shown : m_shown)
        sum += shown.curve.points.size() +
               static_cast<std::size_t>(shown.curve.line.size() + shown.curve.smooth.size());
    return sum;
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_text.h"

#include "core/base/quantity.h"
#include "ui/theme/text.h"
#include "ui/training/training_metrics.h"

#include <QObject>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr std::int64_t kManySteps = 10;  // so many, and skipping most of them is no start but a mistake
constexpr double kShortSeconds = 10;     // a clock would show too few digits of less

QString elapsedText(double seconds) {
    return seconds < kShortSeconds ? quantityText(seconds, "s") : clockText(seconds);
}

}  // namespace

QString lossUnit(const TrainingRun& run) {
    if (!run.config.standardizeTargets || !run.config.readsFiles()) return {};
    return tr(", in units of the variance of the targets");
}

QString passText(const TrainingRun& run, std::int64_t step) {
    if (!run.recorded) return {};
    const auto found = std::ranges::lower_bound(run.recorded->steps, step, {}, &RecordedLoss::step);
    if (found == run.recorded->steps.end() || found->step != step) return {};
    return found->pass == "W" ? tr("W, to warm up") : toText(found->pass);
}

QString outcomeText(const QString& outcome) {
    static const QRegularExpression kSteps(QStringLiteral("after ([0-9]{4,18}) steps"));
    QString text = outcome;
    if (const auto found = kSteps.match(text); found.hasMatch())
        text.replace(found.capturedStart(1), found.capturedLength(1),
                     countText(found.captured(1).toLongLong()));
    return coreText(text.toStdString());
}

QString trainingSummary(const TrainingRun& run) {
    QStringList parts;
    if (!run.history.empty()) parts << tr("loss %1").arg(lossText(run.history.last().loss));
    if (run.stepsPerSecond > 0) parts << quantityText(run.stepsPerSecond, "") + tr(" steps/s");
    if (const auto seconds = secondsLeft(run)) parts << tr("ETA %1").arg(clockText(*seconds));
    if (!run.outcome.isEmpty()) parts << outcomeText(run.outcome);
    return parts.join(QStringLiteral(" · "));
}

QVector<TrainingFigures::Figure> trainingFigures(const TrainingRun* run) {
    const QString none = QStringLiteral("–");
    const bool hasLoss = run && !run->history.empty();
    const QString loss = hasLoss ? lossText(run->history.last().loss) : none;
    const bool hasRate = run && run->stepsPerSecond > 0;
    const double rate = hasRate ? run->stepsPerSecond : 0;
    const bool isRecorded = run && run->recorded;
    // A recording has no configuration.
    const std::int64_t samples = !run         ? 0
                                 : isRecorded ? (run->step ? run->step->samples : 0)
                                              : run->config.batch;
    const bool hasSamples = hasRate && samples > 0;
    const auto seconds = run ? secondsLeft(*run) : std::nullopt;
    const QString left = seconds ? clockText(*seconds) : QString();
    const QString wanted =
        run && run->stepsWanted > 0 ? tr(" of %1").arg(countText(run->stepsWanted)) : QString();
    QVector<TrainingFigures::Figure> figures{
        {QStringLiteral("figureLoss"), tr("loss"), loss,
         hasLoss ? lossText(run->history.last().loss, 17) + lossUnit(*run) : QString()},
        {QStringLiteral("figureStep"), tr("step"), run ? countText(run->stepsDone) + wanted : none,
         isRecorded ? tr("Steps of the recording") : tr("Optimizer steps done")},
        {QStringLiteral("figureSteps"), tr("steps/s"), hasRate ? quantityText(rate, "") : none,
         isRecorded ? tr("1 / median of the steps that the clock alone watched")
                    : tr("Measured by the engine's clock, with everything between the steps: of the last "
                         "second while the run goes on, of all of it once it has ended")},
        {QStringLiteral("figureSamples"), isRecorded ? tr("samples/s") : tr("samples/s overall"),
         hasSamples ? quantityText(rate * static_cast<double>(samples), "") : none,
         !hasSamples ? QString()
         : isRecorded
             ? tr("steps/s × samples of a step = %1 × %2").arg(quantityText(rate, ""), countText(samples))
             : tr("with everything between the steps: steps/s × batch = %1 × %2")
                   .arg(quantityText(rate, ""), countText(samples))},
        {QStringLiteral("figureElapsed"), tr("training time"),
         hasLoss ? elapsedText(run->history.last().seconds) : none,
         isRecorded ? tr("Since the recording began, with what its passes cost")
                    : tr("Since the start of training, pauses left out")},
    };
    if (!isRecorded)
        figures.append({QStringLiteral("figureLeft"), tr("left"), left.isEmpty() ? none : left,
                        left.isEmpty() ? tr("Known while a run with a number of steps goes on")
                                       : tr("steps left / steps per second")});
    if (run && run->config.scalesLoss()) {
        const double scale = hasLoss ? run->history.last().lossScale : kNotKnown;
        figures.append({QStringLiteral("figureScale"), tr("loss scale"), metricText(scale, Metric::LossScale),
                        tr("Factor on the loss of the newest step, so that small gradients do not become "
                           "0 in fp16")});
        figures.append({QStringLiteral("figureSkipped"), tr("skipped"), countText(run->skippedSteps),
                        tr("Steps in which a value did not fit in fp16: nothing was updated and the loss "
                           "scale backed off. Marked on the curve of the loss scale")});
    }
    return figures;
}

QStringList trainingNotes(const TrainingRun* run, bool unseen) {
    QStringList notes;
    if (run && run->recorded && !run->recorded->steps.empty()) {
        notes << tr("Steps that the recorder let run, each of one pass; the loss is %1.")
                     .arg(coreText(run->recorded->sourceText()));
        if (!run->recorded->absent.empty())
            notes << tr("Of some steps it is not known. %1").arg(coreText(run->recorded->absent));
    }
    if (unseen)
        notes << tr("A log axis has no place for losses that are zero, negative or not a number: they are "
                    "marked at its edges.");
    if (run && run->stepsDone >= kManySteps && 2 * run->skippedSteps > run->stepsDone)
        notes << tr("%1 of %2 steps were skipped, since a value did not fit in fp16: start with a lower loss "
                    "scale (Advanced).")
                     .arg(countText(run->skippedSteps), countText(run->stepsDone));
    return notes;
}

QString smoothingText(int smoothing, double steps) {
    if (smoothing <= 0) return tr("off");
    if (steps <= 0) return QStringLiteral("–");  // no run yet, or too few steps for a mean of this width
    return steps < 1000 ? QObject::tr("±%n steps", nullptr, static_cast<int>(std::lround(steps)))
                        : tr("±%1 steps").arg(quantityText(steps, ""));
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/key_figures_state.h"

#include "core/machine/attainable.h"
#include "core/machine/op_cost_key.h"
#include "core/measure/known_sum.h"
#include "core/measure/memory_roofs.h"
#include "core/measure/mfu_judgement.h"
#include "core/measure/noise_floor.h"
#include "core/measure/plain_memory.h"
#include "core/measure/spread.h"
#include "ui/theme/text.h"
#include "ui/widgets/size_field.h"
#include "ui/workbench/step_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace plumb::ui {
namespace {

const auto kUnknown = QStringLiteral("–");

QString quantity(std::optional<double> value, const char* unit) {
    return value ? quantityText(*value, unit) : kUnknown;
}

/// Seconds, rates and shares to twelve digits: "0.034601234567 s".
QString exact(std::optional<double> value, const char* unit) {
    return value ? numberText(*value, 'g', 12) + QLatin1Char(' ') + QString::fromLatin1(unit) : kUnknown;
}
QString exact(std::optional<std::int64_t> value, const char* unit) {
    return value ? exactText(*value, unit) : kUnknown;
}

Verdict judge(double share) {
    const double size = std::abs(share);
    if (size <= kGoodDifference) return Verdict::Good;
    return size <= kFairDifference ? Verdict::Warning : Verdict::Bad;
}

/// Sets difference and verdict from the prediction of what ran, which is what the measurement answers.
void compare(KeyFigure& figure, const Scene& scene, std::optional<double> predicted,
             std::optional<double> measured) {
    if (!measured) return;
    if (!predicted) return;
    if (!scene.sameConfig()) {
        // Two models: how far the one is from the other says nothing of the prediction.
        if (*measured != 0) figure.difference = relativeText(*predicted / *measured - 1);
        return;
    }
    if (*predicted == 0) return;
    const double share = *measured / *predicted - 1;
    figure.difference = relativeText(share);
    figure.verdict = judge(share);
}

/// A figure with what is known of it in `unit`, compared.
KeyFigure figureOf(const Scene& scene, const char* id, const QString& title, const char* unit,
                   std::optional<double> predicted, std::optional<double> measured) {
    KeyFigure figure{.id = QString::fromLatin1(id),
                     .title = title,
                     .predicted = quantity(predicted, unit),
                     .measured = quantity(measured, unit)};
    compare(figure, scene, predicted, measured);
    return figure;
}

QStringList provenance(const Scene& scene, const QString& predicted, const QString& measured) {
    QStringList lines{(scene.whatIf.isFiled ? tr("Predicted: %1 (read from the file)") : tr("Predicted: %1"))
                          .arg(predicted)};
    if (scene.measured) {
        lines << tr("Measured: %1 (source: %2, median of %3 steps)")
                     .arg(measured, coreText(sourceName(scene.measured->reading->source)))
                     .arg(scene.measured->reading->stepsMeasured);
        if (!scene.sameConfig())
            lines << tr("What-if / run − 1: what was measured is another step, %1 on %2")
                         .arg(coreText(scene.measured->step->title()), deviceText(scene.measured->machine()));
    }
    return lines;
}

/// A sentence of the core in lines that a tool tip has room for.
QString wrapped(const std::string& sentence) {
    constexpr qsizetype kWidth = 96;
    QString text;
    qsizetype length = 0;
    for (const QString& word : coreText(sentence).split(QLatin1Char(' '))) {
        const bool breaks = length > 0 && length + word.size() > kWidth;
        if (length > 0) text += breaks ? QStringLiteral("\n    ") : QStringLiteral(" ");
        if (breaks) length = 4;
        text += word;
        length += word.size() + 1;
    }
    return text;
}

KeyFigure peakMemory(const Scene& scene) {
    const MemoryReading& memory = scene.whatIf.prediction->memory;
    std::optional<std::int64_t> measured;
    if (scene.measured && scene.measured->reading->memory)
        measured = scene.measured->reading->memory->peakBytes;
    const bool says = saysMemory(*scene.whatIf.step);
    KeyFigure figure = figureOf(scene, "peakMemory", tr("Peak memory"), "B",
                                says ? std::optional(static_cast<double>(memory.peakBytes)) : std::nullopt,
                                asDouble(measured));
    if (!says) {
        figure.toolTip = tr("The step says nothing of memory: it was made of a trace without allocations");
        return figure;
    }
    if (measured && scene.sameConfig() && scene.whatIf.plan) {
        // Memory is exact or it is wrong: a share would round one byte away.
        const std::int64_t difference = *measured - memory.peakBytes;
        figure.difference = difference == 0 ? QStringLiteral("0 B")
                                            : (difference > 0 ? QStringLiteral("+") : QStringLiteral("−")) +
                                                  quantity(std::abs(static_cast<double>(difference)), "B");
        figure.verdict = difference == 0 ? Verdict::Good : Verdict::Bad;
    }
    QStringList lines =
        provenance(scene, exact(std::optional<std::int64_t>(memory.peakBytes), "B"), exact(measured, "B"));
    if (scene.measured)
        lines.last().replace(tr("source: %1").arg(coreText(sourceName(scene.measured->reading->source))),
                             tr("source: allocator"));
    QStringList parts;
    for (const Category category : kAllCategories)
        if (const Bytes bytes = memory.atPeak[category]; bytes > 0)
            parts << tr("%1 %2").arg(quantity(static_cast<double>(bytes), "B"),
                                     coreText(categoryLabel(category)));
    lines << tr("= %1").arg(parts.join(QStringLiteral(" + ")));
    if (memory.peakOp >= 0)
        lines << tr("during %1").arg(stepText(*scene.whatIf.step, scene.whatIf.step->opName(memory.peakOp)));
    if (scene.whatIf.plan) {
        const PlainMemory plain = plainMemory(*scene.whatIf.plan, memory);
        lines << wrapped("Plain sum: " + plain.sumText()) << wrapped(plain.differenceText());
    } else if (measured) {
        lines << tr("What the allocator gave out beyond the tensors is inside libraries");
    }
    figure.toolTip = lines.join(QLatin1Char('\n'));
    return figure;
}

QString ceilings(const Scene& scene) {
    const Dtype dtype = scene.whatIf.step->productDtype;
    const QString note =
        scene.whatIf.plan ? coreText(precisionNote(scene.config(), scene.whatIf.plan->traits)) : QString();
    return (note.isEmpty() ? QString() : tr("Note: %1").arg(note) + QLatin1Char('\n')) +
           tr("%1: %2 peak %3, bandwidth %4 (%5)")
               .arg(deviceText(scene.whatIf.machine()), toText(dtypeName(dtype)),
                    quantity(scene.whatIf.machine().peak(dtype), "FLOP/s"),
                    quantity(scene.whatIf.machine().bandwidthBytesPerSecond, "B/s"),
                    coreText(scene.whatIf.machine().source));
}

/// Where a rate lies, since the time of the step does; lines for a tool tip.
QStringList rateRanges(const Totals& predicted, const Totals& measured, std::optional<double> Totals::*rate,
                       const auto& write) {
    QStringList lines;
    if (const auto spread = spreadOfQuotient(predicted.*rate, predicted.seconds, predicted.spread))
        lines << tr("Predicted to lie between %1 and %2").arg(write(spread->low), write(spread->high));
    if (const auto spread = spreadOfQuotient(measured.*rate, measured.seconds, measured.spread))
        lines << tr("Measured: 10 % of the steps reached at most %1, 10 % at least %2")
                     .arg(write(spread->low), write(spread->high));
    return lines;
}

KeyFigure stepTime(const Scene& scene, const Totals& predicted, const Totals& measured) {
    KeyFigure figure = figureOf(scene, "stepTime", tr("Step time"), "s", predicted.seconds, measured.seconds);
    QStringList lines = provenance(scene, exact(predicted.seconds, "s"), exact(measured.seconds, "s"));
    if (predicted.spread)
        lines << tr("Predicted to lie between %1 and %2")
                     .arg(quantity(predicted.spread->low, "s"), quantity(predicted.spread->high, "s"));
    if (measured.spread)
        lines << tr("Measured: 10 % of the steps took at most %1, 10 % at least %2")
                     .arg(quantity(measured.spread->low, "s"), quantity(measured.spread->high, "s"));
    if (scene.measured)
        lines << tr("Measured: the clock over one whole step, without what a run does between two steps");
    const StepPlan* const plan = scene.whatIf.plan.get();
    const CostTables* const costs =
        plan != nullptr ? costsOf(scene.whatIf.machine(), plan->ranksOfMachine) : nullptr;
    if (costs != nullptr)
        lines << tr("Predicted = sum over %1 operations of executions × the time measured in calibrating, "
                    "interpolated by size, and %2 between two of them")
                     .arg(scene.whatIf.step->opCount())
                     .arg(quantity(secondsAfterOp(*costs, plan->traits), "s"));
    if (costs != nullptr && costs->replay && plan->traits.replaysSteps)
        lines << tr("Replayed as a graph: %1 between two nodes, less %2 that timing an operation by itself "
                    "adds")
                     .arg(quantity(costs->replay->betweenNodes, "s"), quantity(costs->replay->marks, "s"));
    if (costs == nullptr && (plan == nullptr || plan->ranksOfMachine == 1))
        lines
            << tr("Predicted = sum over %1 operations of executions × (max(FLOP / peak, bytes / bandwidth) + "
                  "%2 overhead)")
                   .arg(scene.whatIf.step->opCount())
                   .arg(quantity(scene.whatIf.machine().perOpOverhead, "s"));
    if (plan != nullptr)
        if (const std::string missing = notPredicted(scene.whatIf.config(), scene.whatIf.target);
            !missing.empty())
            lines << capitalised(coreText(missing));
    if (scene.whatIf.machine().checked) lines << toText(text(*scene.whatIf.machine().checked));
    lines << ceilings(scene);
    const auto missing = missingCeiling(scene.whatIf.machine(), scene.whatIf.step->productDtype);
    if (!predicted.seconds && missing) lines << tr("No prediction: %1").arg(coreText(missing->text()));
    figure.toolTip = lines.join(QLatin1Char('\n'));
    return figure;
}

KeyFigure flopsPerStep(const Scene& scene, const Totals& predicted, const Totals& measured) {
    std::optional<Flops> counted;
    if (scene.measured && scene.measured->reading->counterRun) counted = measured.flops;
    KeyFigure figure =
        figureOf(scene, "flops", tr("FLOP per step"), "", asDouble(predicted.flops), asDouble(counted));
    QStringList lines{tr("Predicted: %1").arg(exact(predicted.flops, "FLOP"))};
    const StepPlan* const plan = scene.whatIf.plan.get();
    if (plan != nullptr && plan->config.parallel.ranks() > 1) {
        figure.title = tr("FLOP of a rank");
        lines.prepend(tr("Of one of %1 ranks, which share the batch").arg(plan->config.parallel.ranks()));
    }
    lines << (counted ? tr("Measured: %1 (source: counter)").arg(exact(counted, "FLOP"))
                      : tr("Not measured: only hardware counters measure FLOP"));
    if (predicted.flops && predicted.matmulFlops)
        lines << tr("= %1 in matrix products + %2 element-wise")
                     .arg(exact(predicted.matmulFlops, "FLOP"),
                          exact(std::optional(*predicted.flops - *predicted.matmulFlops), "FLOP"));
    if (plan != nullptr) {
        const Flops rule = plan->ruleOfThumbFlops();
        const std::int64_t rows = plan->config.rankBatch();
        lines << tr("Rule of thumb 6·B·N = 6 · %1 · %2 = %3")
                     .arg(groupedDigits(rows), groupedDigits(rule / (6 * rows)),
                          exact(std::optional(rule), "FLOP"));
    }
    figure.toolTip = lines.join(QLatin1Char('\n'));
    return figure;
}

KeyFigure modelFlopsUtilisation(const Scene& scene, const Totals& predicted, const Totals& measured) {
    const auto percent = [](std::optional<double> share) {
        // No machine does more: the peak is too low, and a number would look as if it were possible.
        if (share && !impossibleUtilisation(*share, {}).empty()) return tr("> 100 %");
        return share ? numberText(std::min(*share, 1.0) * 100, 'f', 1) + QStringLiteral(" %") : kUnknown;
    };
    KeyFigure figure{.id = QStringLiteral("mfu"),
                     .title = tr("MFU"),
                     .predicted = percent(predicted.mfu),
                     .measured = percent(measured.mfu)};
    compare(figure, scene, predicted.mfu, measured.mfu);
    const auto impossible = [](std::optional<double> share, const Machine& machine) {
        return share ? impossibleUtilisation(*share, machine) : std::string();
    };
    std::string problem;
    if (scene.measured) problem = impossible(measured.mfu, scene.measured->machine());
    if (problem.empty()) problem = impossible(predicted.mfu, scene.whatIf.machine());
    if (!problem.empty()) {
        figure.difference = tr("ceiling too low");
        figure.verdict = Verdict::Bad;
    } else if (predicted.mfu && measured.mfu) {
        const double points =
            (*measured.mfu - *predicted.mfu) * (scene.sameConfig() ? 100 : -100);  // what-if - run
        figure.difference = (points < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
                            numberText(std::abs(points), 'f', 1) + QStringLiteral(" pt");
    }
    QStringList lines = provenance(scene, percent(predicted.mfu), percent(measured.mfu));
    lines << rateRanges(predicted, measured, &Totals::mfu, percent);
    lines << tr("= FLOP of the matrix products without recomputation / (step time × peak)");
    if (!problem.empty()) lines << wrapped(problem);
    lines << ceilings(scene);
    if (const auto mfu = measured.mfu && scene.sameConfig() ? measured.mfu : predicted.mfu;
        mfu && problem.empty())
        for (const std::string& line :
             judgeMfu(std::min(*mfu, 1.0), scene.whatIf.plan
                                               ? mfuCeiling(*scene.whatIf.plan, scene.whatIf.machine())
                                               : std::optional<MfuCeiling>()))
            lines << wrapped(line);
    figure.toolTip = lines.join(QLatin1Char('\n'));
    return figure;
}

KeyFigure throughput(const Scene& scene, const Totals& predicted, const Totals& measured) {
    KeyFigure figure = figureOf(scene, "throughput", tr("Samples/s"), "", predicted.samplesPerSecond,
                                measured.samplesPerSecond);
    QStringList lines = provenance(scene, exact(predicted.samplesPerSecond, "samples/s"),
                                   exact(measured.samplesPerSecond, "samples/s"));
    lines << rateRanges(predicted, measured, &Totals::samplesPerSecond,
                        [](double rate) { return quantity(rate, ""); });
    lines << tr("= batch %1 / step time").arg(groupedDigits(scene.whatIf.step->samples));
    lines << tr("In the step: what a run spends between two steps is left out. Training shows the rate with "
                "everything between");
    figure.toolTip = lines.join(QLatin1Char('\n'));
    return figure;
}

KeyFigure loss(const TrainingRun* run) {
    KeyFigure figure{.id = QStringLiteral("loss"),
                     .title = tr("Loss"),
                     .measured = kUnknown,
                     .toolTip = tr("No training of this step yet")};
    const bool isRecorded = run && run->recorded;
    if (isRecorded) figure.toolTip = coreText(run->recorded->whyNone());
    if (!run || run->history.empty()) return figure;
    const StepMetrics& last = run->history.last();
    figure.measured = lossText(last.loss);
    const QString exactLoss = std::isfinite(last.loss) ? numberText(last.loss, 'g', 9) : figure.measured;
    // Steps done, as everywhere; StepMetrics counts from 0.
    figure.difference = tr("step %1").arg(groupedDigits(last.step + 1));
    QStringList lines{
        tr("Measured: %1 at step %2 of %3").arg(exactLoss, groupedDigits(last.step + 1), run->title),
        isRecorded ? tr("= %1 (pass %2)")
                         .arg(coreText(run->recorded->sourceText()), toText(run->recorded->steps.back().pass))
                   : tr("= mean((y − t)²) over the batch and the outputs")};
    if (isRecorded) {
        figure.toolTip = lines.join(QLatin1Char('\n'));
        return figure;
    }
    if (const std::optional<double> floor = noiseFloor(run->config))
        lines << tr("Floor of the synthetic data: noise² = %1").arg(numberText(*floor));
    figure.toolTip = lines.join(QLatin1Char('\n'));
    return figure;
}

}  // namespace

const TrainingRun* trainingOf(const Scene& scene, std::span<const std::shared_ptr<TrainingRun>> trainings) {
    const StepPlan* const plan = (scene.measured ? scene.measured->plan : scene.whatIf.plan).get();
    for (auto run = trainings.rbegin(); run != trainings.rend(); ++run)
        if ((*run)->recorded || (plan != nullptr && (*run)->config == plan->config)) return run->get();
    return nullptr;
}

std::vector<KeyFigure> makeKeyFigures(const Scene& scene, const TrainingRun* run) {
    const Totals& predicted = scene.whatIf.prediction->totals;
    const Totals measured = scene.measured ? scene.measured->reading->totals : Totals{};
    std::vector<KeyFigure> figures{peakMemory(scene),
                                   stepTime(scene, predicted, measured),
                                   flopsPerStep(scene, predicted, measured),
                                   modelFlopsUtilisation(scene, predicted, measured),
                                   throughput(scene, predicted, measured),
                                   loss(run)};
    const bool isWhatIf = scene.measured && !scene.sameConfig();
    for (KeyFigure& figure : figures) {
        const bool isOfStep = !figure.predicted.isEmpty();
        figure.predictedCaption = figure.narrowCaption = isWhatIf ? tr("what-if") : tr("predicted");
        if (predicted.seconds && predicted.tier &&
            (figure.id == QLatin1String("stepTime") || figure.id == QLatin1String("mfu") ||
             figure.id == QLatin1String("throughput"))) {
            figure.narrowCaption = tierText(*predicted.tier);
            figure.predictedCaption = tr("%1, %2").arg(figure.predictedCaption, figure.narrowCaption);
            if (figure.id == QLatin1String("stepTime") && predicted.spread)
                figure.predictedCaption =
                    tr("%1 to %2, %3")
                        .arg(quantity(predicted.spread->low, "s"), quantity(predicted.spread->high, "s"),
                             figure.narrowCaption);
            figure.toolTip += QLatin1Char('\n') + wrapped(std::string(tierMeaning(*predicted.tier)));
        }
        figure.measuredCaption = isWhatIf && isOfStep ? tr("run") : tr("measured");
        if (figure.id == QLatin1String("peakMemory") && !scene.whatIf.plan) {
            // The tensors were seen while the step was written down: what they add up to is no forecast.
            figure.predictedCaption = figure.narrowCaption = tr("tensors");
            figure.measuredCaption = tr("allocator");
        }
    }
    return figures;
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_divergence.h"

#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/training/training_text.h"

#include <QCoreApplication>

namespace plumb::ui {
namespace {

struct DivergenceWords {
    Q_DECLARE_TR_FUNCTIONS(TrainingDivergence)
};

constexpr double kLowerRate = 3;  // a third of the rate is the usual next try
constexpr qsizetype kMostAdvice = 3;

}  // namespace

QString divergenceText(const Divergence& divergence) {
    const QString step = countText(divergence.step + 1);
    if (divergence.kind == Divergence::Kind::NotFinite)
        return DivergenceWords::tr("The training has diverged: the loss of step %1 is no finite number.")
            .arg(step);
    const QString text =
        DivergenceWords::tr("The loss diverges: its newest mean is %1, and it was %2 around step %3.")
            .arg(lossText(divergence.newest), lossText(divergence.lowest), step);
    return divergence.isAboveStart ? DivergenceWords::tr("%1 It lies above where it began.").arg(text) : text;
}

QStringList divergenceAdvice(const TrainingRun& run) {
    if (run.recorded)
        return {DivergenceWords::tr("Try a lower learning rate, clipped gradients, or a warm-up.")};
    const auto& config = run.config;
    const double rate = config.effectiveLearningRate();
    QStringList advice{DivergenceWords::tr("Try a lower learning rate: %1 instead of %2.")
                           .arg(lossText(rate / kLowerRate, 2), lossText(rate, 2))};
    if (config.readsFiles() && !config.standardize)
        advice << DivergenceWords::tr(
            "Standardize the features: columns of different size need different rates.");
    if (config.precision == Precision::Fp16 || config.precision == Precision::Fp8)
        advice << DivergenceWords::tr("Try bf16, which has the range of fp32.");
    if (config.clipNorm <= 0) advice << DivergenceWords::tr("Clip the gradients to a norm of 1 (Advanced).");
    if (config.warmUpSteps <= 0)
        advice << DivergenceWords::tr("Warm the learning rate up over the first 100 steps (Advanced).");
    return advice.mid(0, kMostAdvice);
}

QString DivergenceWatch::notice(const TrainingRun* run) {
    const std::int64_t count = run != nullptr ? run->history.count() : -1;
    if (run == m_run && count == m_count) return m_notice;
    m_run = run;
    m_count = count;
    m_notice.clear();
    const auto found = run != nullptr ? findDivergence(run->history) : std::nullopt;
    if (found) m_notice = sentencesText(QStringList(divergenceText(*found)) + divergenceAdvice(*run));
    return m_notice;
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_entry.h"

#include "ui/theme/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

struct KindWords {
    HistoryKind kind;
    const char* word;
    const char* title;
};

constexpr std::array kKindWords{
    KindWords{HistoryKind::Training, "training", QT_TRANSLATE_NOOP("plumb::ui", "Training")},
    KindWords{HistoryKind::Profile, "profile", QT_TRANSLATE_NOOP("plumb::ui", "Profile")},
    KindWords{HistoryKind::Curve, "curve", QT_TRANSLATE_NOOP("plumb::ui", "Checkpoint curve")}};

const KindWords& wordsOf(HistoryKind kind) { return *std::ranges::find(kKindWords, kind, &KindWords::kind); }

}  // namespace

const HistoryFigure* HistoryEntry::figure(const QString& name, bool isMeasured) const {
    const auto found = std::ranges::find_if(figures, [&](const HistoryFigure& figure) {
        return figure.isMeasured == isMeasured && figure.name == name;
    });
    return found == figures.end() ? nullptr : &*found;
}

QString historyKindWord(HistoryKind kind) { return QString::fromLatin1(wordsOf(kind).word); }

std::optional<HistoryKind> historyKindOf(const QString& word) {
    for (const KindWords& words : kKindWords)
        if (word.compare(QLatin1String(words.word), Qt::CaseInsensitive) == 0) return words.kind;
    return std::nullopt;
}

QString historyKindTitle(HistoryKind kind) { return tr(wordsOf(kind).title); }

const std::vector<HistoryFigureSpec>& historyFigures() {
    static const std::vector<HistoryFigureSpec> kSpecs{
        {"step_time", QT_TRANSLATE_NOOP("plumb::ui", "Step time"), "s", "time"},
        {"peak_memory", QT_TRANSLATE_NOOP("plumb::ui", "Peak memory"), "B", "peak"},
        {"loss", QT_TRANSLATE_NOOP("plumb::ui", "Loss at the end"), "", "loss"},
        {"least_loss", QT_TRANSLATE_NOOP("plumb::ui", "Lowest loss"), "", "lowest"},
        {"hold_out_loss", QT_TRANSLATE_NOOP("plumb::ui", "Loss of held-out samples"), "", "holdout"},
        {"samples_per_second", QT_TRANSLATE_NOOP("plumb::ui", "Samples per second"), "/s", "samples"},
        {"flop_per_second", QT_TRANSLATE_NOOP("plumb::ui", "FLOP per second"), "FLOP/s", "rate"},
        {"mfu", QT_TRANSLATE_NOOP("plumb::ui", "MFU"), "%", "mfu"},
        {"flops", QT_TRANSLATE_NOOP("plumb::ui", "FLOP per step"), "FLOP", "flop"},
        {"bytes", QT_TRANSLATE_NOOP("plumb::ui", "Bytes moved per step"), "B", "moved"},
        {"steps_per_second", QT_TRANSLATE_NOOP("plumb::ui", "Steps per second of the training"), "/s",
         "speed"},
        {"steps", QT_TRANSLATE_NOOP("plumb::ui", "Steps"), "", "steps"},
        {"least_peak_memory", QT_TRANSLATE_NOOP("plumb::ui", "Lowest peak of a curve"), "B", "leastpeak"},
        {"policies", QT_TRANSLATE_NOOP("plumb::ui", "Policies of a curve"), "", "policies"}};
    return kSpecs;
}

const HistoryFigureSpec* historyFigure(const QString& name) {
    const auto& specs = historyFigures();
    const auto found = std::ranges::find_if(specs, [&](const HistoryFigureSpec& spec) {
        return name.compare(QLatin1String(spec.name), Qt::CaseInsensitive) == 0 ||
               name.compare(QLatin1String(spec.shortName), Qt::CaseInsensitive) == 0;
    });
    return found == specs.end() ? nullptr : &*found;
}

QString historyFigureTitle(const HistoryFigureSpec& spec) { return tr(spec.title); }

QString historyFigureText(const HistoryFigureSpec& spec, double value) {
    constexpr double kPercent = 100;
    if (QString::fromLatin1(spec.name).endsWith(QStringLiteral("loss"))) return lossText(value);
    if (QLatin1String(spec.unit) == QLatin1String("%"))
        return tr("%1 %").arg(quantityText(value * kPercent, ""));
    return quantityText(value, spec.unit);
}

}  // namespace plumb::ui

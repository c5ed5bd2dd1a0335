// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/prediction_difference.h"

#include "core/measure/known_sum.h"
#include "core/measure/memory_roofs.h"
#include "ui/theme/text.h"
#include "ui/workbench/step_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace plumb::ui {

namespace {

QString valueText(const PredictedTwice& figure, std::optional<double> value) {
    if (!value) return QStringLiteral("–");
    if (std::string_view(figure.unit) == "%" && !impossibleUtilisation(*value, {}).empty())
        return tr("> 100 %");
    if (std::string_view(figure.unit) == "%") return numberText(*value * 100, 'f', 2) + QStringLiteral(" %");
    return quantityText(*value, figure.unit);
}

QString differenceText(const PredictedTwice& figure) {
    if (figure.file == figure.again) return figure.file ? tr("the same") : QStringLiteral("–");
    const auto share = figure.difference();
    if (!share) return tr("differs");
    return (*share < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
           numberText(std::abs(*share) * 100, 'g', 3) + QStringLiteral(" %");
}

QString row(const PredictedTwice& figure) {
    QString cells;
    for (const QString& text :
         {valueText(figure, figure.file), valueText(figure, figure.again), differenceText(figure)})
        cells += QStringLiteral("<td align='right'>%1</td>").arg(text.toHtmlEscaped());
    return QStringLiteral("<tr><td>%1</td>").arg(figure.name.toHtmlEscaped()) + cells +
           QStringLiteral("</tr>");
}

}  // namespace

std::optional<double> PredictedTwice::difference() const {
    if (!file || !again || *file == 0) return std::nullopt;
    return *again / *file - 1;
}

bool PredictionDifference::isNone() const {
    return opsThatDiffer == 0 && std::ranges::all_of(totals, [](const PredictedTwice& figure) {
               return figure.file == figure.again;
           });
}

PredictionDifference comparePredictions(const Step& step, const Prediction& file, const Prediction& again) {
    PredictionDifference result;
    const Totals& a = file.totals;
    const Totals& b = again.totals;
    result.totals = {
        {tr("Step time"), "s", a.seconds, b.seconds},
        {tr("Peak memory"), "B", static_cast<double>(file.memory.peakBytes),
         static_cast<double>(again.memory.peakBytes)},
        {tr("FLOP per step"), "", asDouble(a.flops), asDouble(b.flops)},
        {tr("Bytes per step"), "B", asDouble(a.bytes), asDouble(b.bytes)},
        {tr("MFU"), "%", a.mfu, b.mfu},
    };
    const auto apart = [](const PredictedTwice& figure) {
        return std::abs(figure.again.value_or(0) - figure.file.value_or(0));
    };
    const std::size_t count =
        std::min({static_cast<std::size_t>(step.opCount()), file.opSeconds.size(), again.opSeconds.size()});
    std::vector<std::size_t> differing;
    for (std::size_t i = 0; i < count; ++i)
        if (file.opSeconds[i] != again.opSeconds[i]) differing.push_back(i);
    result.opsThatDiffer = differing.size();
    const auto figureOf = [&](std::size_t i) {
        return PredictedTwice{QString(), "s", file.opSeconds[i], again.opSeconds[i]};
    };
    const std::size_t most = std::min(differing.size(), PredictionDifference::kMostOps);
    std::ranges::partial_sort(differing, differing.begin() + static_cast<std::ptrdiff_t>(most),
                              std::greater<>(), [&](std::size_t i) { return apart(figureOf(i)); });
    for (std::size_t i = 0; i < most; ++i) {
        PredictedTwice figure = figureOf(differing[i]);
        figure.name = stepText(step, step.opName(static_cast<std::int64_t>(differing[i])));
        result.ops.push_back(std::move(figure));
    }
    return result;
}

QString differencePage(const PredictionDifference& difference, const QString& program,
                       const QString& version) {
    QString page = QStringLiteral("<p>") +
                   tr("File: predicted by %1. Again: by %2, shown from now on in every view; the same action "
                      "brings the file's prediction back.")
                       .arg(program.toHtmlEscaped(), version.toHtmlEscaped()) +
                   QStringLiteral("</p>");
    page += QStringLiteral("<table cellpadding='4'><tr><th></th><th align='right'>%1</th>"
                           "<th align='right'>%2</th><th align='right'>%3</th></tr>")
                .arg(tr("file"), tr("again"), tr("difference"));
    for (const PredictedTwice& figure : difference.totals) page += row(figure);
    page +=
        QStringLiteral("</table><h3>%1</h3>")
            .arg(difference.opsThatDiffer == 0 ? tr("Every operation is predicted the same")
                                               : tr("%1 operations differ").arg(difference.opsThatDiffer));
    if (difference.ops.empty()) return page;
    page += QStringLiteral("<table cellpadding='4'>");
    for (const PredictedTwice& figure : difference.ops) page += row(figure);
    return page + QStringLiteral("</table>");
}

}  // namespace plumb::ui

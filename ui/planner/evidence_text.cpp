// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_text.h"

#include "core/base/dtype.h"
#include "core/base/entry_at.h"
#include "core/base/quantity.h"
#include "core/planner/explore.h"
#include "core/planner/step_parts.h"
#include "ui/planner/evidence_model.h"
#include "ui/planner/planner_inputs.h"
#include "ui/planner/planner_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"

#include <QStringList>

namespace plumb::ui {
namespace {

using planner::Figure;

const QString kNone = QStringLiteral("–");

std::string_view unitOf(Figure figure) { return figure == Figure::Time ? "s" : "B"; }

QString signedNumber(double value, int digits) {
    const QString size = numberText(value < 0 ? -value : value, 'f', digits);
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + size;
}

QString joined(const std::vector<std::string>& texts) {
    QStringList all;
    for (const std::string& text : texts) all << toText(text);
    return clausesText(all);
}

QString recomputationText(const planner::Recipe& recipe) {
    QString kind = coreText(planner::name(recipe.recompute));
    if (recipe.recompute != planner::Recompute::Full || recipe.recomputeShare >= 1) return kind;
    return tr("%1, of %2 of the layers").arg(kind, evidenceShare(recipe.recomputeShare, 0));
}

QString partsText(const planner::StepTime& step) {
    QStringList parts;
    for (const planner::StepPart& part : planner::kStepParts)
        if (const double seconds = step.*(part.seconds); seconds > 0)
            parts << QStringLiteral("%1 %2").arg(coreText(part.label), quantityText(seconds, "s"));
    return parts.join(QStringLiteral(" · "));
}

QString layoutOf(const planner::Scenario& scenario) {
    return tr("%1 devices, %2 in a node · %3")
        .arg(scenario.cluster.devices)
        .arg(scenario.cluster.devicesPerNode)
        .arg(coreText(planner::layoutText(scenario.parallel)));
}

QString batchOf(const planner::Scenario& scenario) {
    if (scenario.workload.batch <= 0) return tr("%1 tokens").arg(scenario.workload.sequence);
    return tr("%1 tokens · batch %2 · micro-batch %3")
        .arg(scenario.workload.sequence)
        .arg(scenario.workload.batch)
        .arg(scenario.parallel.microBatch);
}

QString predictedText(const planner::ValidatedRow& row, Figure figure) {
    const auto& range = row.predicted(figure);
    if (!range) return kNone;
    return tr("%1 · range %2 to %3")
        .arg(evidenceFigure(figure, range->expected), evidenceFigure(figure, range->low),
             evidenceFigure(figure, range->high));
}

QString verdictText(const planner::ValidatedRow& row, Figure figure) {
    const double off = *row.deviation(figure);
    const QString how = figure == Figure::Time ? (off > 0 ? tr("too slow") : tr("too fast"))
                                               : (off > 0 ? tr("too much") : tr("too little"));
    return tr("%1, %2 · %3")
        .arg(evidenceDeviation(off), how,
             *row.held(figure) ? tr("inside the range") : tr("outside the range"));
}

}  // namespace

QString evidenceTitle(const planner::ValidatedRow& row) {
    const QString id = toText(row.row->id);
    return id.mid(id.indexOf(QLatin1Char('/')) + 1);
}

QString evidenceFigure(Figure figure, const std::optional<double>& value) {
    return value ? quantityText(*value, unitOf(figure)) : kNone;
}

QString evidenceDeviation(const std::optional<double>& deviation) {
    return deviation ? signedNumber(100 * *deviation, 1) + QStringLiteral(" %") : kNone;
}

QString evidenceBias(double bias) { return signedNumber(bias, 3); }

QString evidenceShare(double share, int digits) {
    return numberText(100 * share, 'f', digits) + QStringLiteral(" %");
}

QString evidenceProblem(const planner::ValidatedRow& row, Figure figure) {
    if (!row.problem.empty()) return forWindow(coreText(row.problem));
    return figure == Figure::Memory ? forWindow(coreText(row.memoryProblem)) : QString();
}

QString evidenceSearchText(const planner::Evidence& evidence, const planner::ValidatedRow& row) {
    const planner::PublishedTraining& published = *row.row;
    const planner::EvidenceSource& source = evidence.sources[published.source];
    QStringList texts{toText(published.id),
                      toText(source.title),
                      toText(source.organisation),
                      toText(published.framework),
                      modelText(published.scenario.model),
                      toText(dtypeName(published.scenario.recipe.compute)),
                      recomputationText(published.scenario.recipe),
                      QString::number(published.year)};
    for (const planner::Division& division : planner::divisions())
        texts << toText(division.of(evidence, published));
    texts << toText(planner::familyOf(published));
    return texts.join(QLatin1Char(' '));
}

QVector<EvidenceFact> evidenceFacts(const EvidenceModel& model, const planner::ValidatedRow& row) {
    using Tone = EvidenceFact::Tone;
    const planner::PublishedTraining& published = *row.row;
    const planner::Scenario& scenario = published.scenario;
    QVector<EvidenceFact> facts;
    const auto add = [&](const QString& name, const QString& text, Tone tone = Tone::Plain,
                         bool begins = false) {
        if (!text.isEmpty()) facts.push_back({name, text, tone, begins});
    };
    const auto addFigure = [&](Figure figure, const QString& from) {
        add(figure == Figure::Time ? tr("Step, published") : tr("Memory, published"),
            evidenceFigure(figure, row.published(figure)) + from, Tone::Strong, true);
        add(tr("predicted"), predictedText(row, figure));
        if (row.deviation(figure))
            add(tr("error"), verdictText(row, figure), *row.held(figure) ? Tone::Plain : Tone::Warning);
        add(tr("no prediction"), evidenceProblem(row, figure), Tone::Warning);
        if (figure == Figure::Time && row.step) add(tr("parts"), partsText(*row.step), Tone::Muted);
    };
    const bool isTime = model.filter().figure == Figure::Time;
    const auto addTime = [&] {
        addFigure(Figure::Time,
                  published.step ? tr(" · printed: %1").arg(toText(published.step->from)) : QString());
    };
    if (isTime) addTime();
    if (published.memoryBytes) addFigure(Figure::Memory, tr(" · %1").arg(toText(published.memoryKind)));
    if (!isTime) addTime();
    add(tr("Model"),
        tr("%1 · %2 parameters")
            .arg(modelText(scenario.model),
                 grouped(planner::formatInput(planner::Input::Parameters, scenario.model.parameters()))),
        Tone::Plain, true);
    add(tr("Device"), deviceText(*scenario.cluster.device));
    add(tr("Layout"), layoutOf(scenario));
    add(tr("Precision"), toText(dtypeName(scenario.recipe.compute)));
    add(tr("Recomputation"), recomputationText(scenario.recipe));
    add(tr("Sequence"), batchOf(scenario));
    add(tr("Software"), tr("%1 (%2), %3")
                            .arg(toText(published.framework), toText(planner::name(scenario.software)))
                            .arg(published.year));
    add(tr("Read in"), toText(published.read), Tone::Plain, true);
    add(tr("Assumed"), joined(published.assumed), Tone::Muted);
    add(tr("Taken for it"), joined(published.taken), Tone::Muted);
    add(tr("Note"), coreText(published.note), Tone::Muted);
    return facts;
}

QByteArray evidenceCsv(const EvidenceModel& model, const std::vector<int>& rows) {
    QStringList header{QStringLiteral("id"), QStringLiteral("use")};
    for (const planner::Division& division : planner::divisions()) header << coreText(division.name);
    header << QStringLiteral("devices") << QStringLiteral("sequence");
    for (const char* figure : {"seconds", "memory"})
        for (const char* what : {"published", "low", "predicted", "high", "error", "held"})
            header << QStringLiteral("%1_%2").arg(QLatin1String(what), QLatin1String(figure));
    header << QStringLiteral("problem") << QStringLiteral("address");
    const auto quoted = [](QString text) {
        return QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
    };
    const auto number = [](const std::optional<double>& value) {
        return value ? QString::number(*value, 'g', 10) : QString();
    };
    QStringList lines{header.join(QLatin1Char(','))};
    for (const int index : rows) {
        const planner::ValidatedRow& row = entryAt(model.rows(), index);
        const planner::PublishedTraining& published = *row.row;
        QStringList cells{quoted(toText(published.id)),
                          model.fits(row) ? QStringLiteral("fit") : QStringLiteral("validate")};
        for (const planner::Division& division : planner::divisions())
            cells << quoted(toText(division.of(model.evidence(), published)));
        cells << QString::number(published.scenario.cluster.devices)
              << QString::number(published.scenario.workload.sequence);
        for (const Figure figure : {Figure::Time, Figure::Memory}) {
            const auto& range = row.predicted(figure);
            cells << number(row.published(figure));
            for (double planner::Range::*end :
                 {&planner::Range::low, &planner::Range::expected, &planner::Range::high})
                cells << number(range ? std::optional(*range.*end) : std::nullopt);
            cells << number(row.deviation(figure));
            const auto held = row.held(figure);
            cells << (!held ? QString() : *held ? QStringLiteral("yes") : QStringLiteral("no"));
        }
        cells << quoted(evidenceProblem(row, model.filter().figure))
              << quoted(toText(model.evidence().sources[published.source].address));
        lines << cells.join(QLatin1Char(','));
    }
    return lines.join(QLatin1Char('\n')).toUtf8() + '\n';
}

}  // namespace plumb::ui

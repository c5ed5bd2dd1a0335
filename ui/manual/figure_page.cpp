// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/figure_page.h"

#include "core/machine/tier.h"
#include "core/plan/step.h"
#include "ui/manual/figures.h"
#include "ui/manual/manual_values.h"
#include "ui/manual/markdown_html.h"
#include "ui/manual/table_figures.h"
#include "ui/theme/text.h"
#include "ui/training/training_metrics.h"

namespace plumb::ui {
namespace {

const char* categoryMeaning(Category category) {
    switch (category) {
    case Category::Parameters:
        return QT_TRANSLATE_NOOP("plumb::ui", "The copy of the weights that the matrix products use");
    case Category::MasterParameters:
        return QT_TRANSLATE_NOOP("plumb::ui",
                                 "The fp32 copy that the optimizer updates, where the products use a "
                                 "narrower format");
    case Category::OptimizerState:
        return QT_TRANSLATE_NOOP("plumb::ui",
                                 "What the optimizer keeps for each parameter, such as its moments");
    case Category::Gradients:
        return QT_TRANSLATE_NOOP("plumb::ui", "Gradients of the parameters");
    case Category::Activations:
        return QT_TRANSLATE_NOOP("plumb::ui", "Results of the layers that the backward pass reads, kept or "
                                              "recomputed");
    case Category::ActivationGradients:
        return QT_TRANSLATE_NOOP("plumb::ui", "Gradients of the loss by the results of the layers");
    case Category::Data:
        return QT_TRANSLATE_NOOP("plumb::ui", "Inputs and targets of the micro-batch");
    case Category::Communication:
        return QT_TRANSLATE_NOOP("plumb::ui", "What other ranks send, until it is added to what is there");
    case Category::Workspace:
        break;
    }
    return QT_TRANSLATE_NOOP("plumb::ui", "Result of the head and its gradient, casts, scratch of libraries, "
                                          "control tensors");
}

QString figureMarkdown(const Figure& figure) {
    QString text =
        QStringLiteral("### %1 {#%2}\n\n%3\n\n")
            .arg(tr(figure.name), QLatin1String(figure.id), withManualValues(tr(figure.definition)));
    if (figure.formula != nullptr)
        text += QStringLiteral("- %1\n").arg(tr("Formula: %1").arg(tr(figure.formula)));
    if (*figure.unit != '\0')
        text += QStringLiteral("- %1\n").arg(tr("Unit: %1").arg(QString::fromUtf8(figure.unit)));
    return text + QStringLiteral("- %1\n\n").arg(tr("Source: %1").arg(tr(figure.source)));
}

QString categoriesMarkdown() {
    QString text =
        QStringLiteral("### %1 {#categories}\n\n%2\n\n| %3 | %4 |\n| --- | --- |\n")
            .arg(tr("Categories of memory"), tr("What a byte is for; each tensor has one category."),
                 tr("Category"), tr("What it holds"));
    for (const Category category : kAllCategories)
        text += QStringLiteral("| {#%1}%2 | %3 |\n")
                    .arg(toText(categoryName(category)), capitalised(coreText(categoryLabel(category))),
                         tr(categoryMeaning(category)));
    return text + QLatin1Char('\n');
}

QString tiersMarkdown() {
    QString text = QStringLiteral("### %1 {#tiers}\n\n%2\n\n")
                       .arg(tr("Tier"), tr("How well a time is founded, the best first:"));
    for (const Tier tier : {Tier::Measured, Tier::Calibrated, Tier::Published, Tier::DataSheet})
        text += QStringLiteral("- %1\n").arg(capitalised(coreText(tierMeaning(tier))));
    return text + QLatin1Char('\n');
}

QString metricsMarkdown() {
    QString text = QStringLiteral("## %1 {#training}\n\n| %2 | %3 |\n| --- | --- |\n")
                       .arg(tr("Curves of a training"), tr("Curve"), tr("Meaning"));
    for (const Metric metric : kAllMetrics) {
        const MetricInfo info = metricInfo(metric);
        text += QStringLiteral("| {#%1Chart}%2 | %3 |\n")
                    .arg(QLatin1String(info.id), cellOfMarkdown(capitalised(info.label)),
                         cellOfMarkdown(info.toolTip));
    }
    return text + QLatin1Char('\n');
}

QString tableMarkdown(const TableFigures& table) {
    QString text =
        QStringLiteral("### %1 {#%2}\n\n| %3 | %4 | %5 | %6 | %7 |\n| --- | --- | --- | --- | --- |\n")
            .arg(table.title, table.anchor, tr("Column"), tr("Meaning"), tr("Formula"), tr("Unit"),
                 tr("Source"));
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const ColumnFigure& column = table.columns[i];
        text +=
            QStringLiteral("| {#%1}%2 | %3 | %4 | %5 | %6 |\n")
                .arg(columnAnchor(table.page, table.table, static_cast<int>(i)), cellOfMarkdown(column.title),
                     cellOfMarkdown(column.meaning), cellOfMarkdown(column.formula),
                     cellOfMarkdown(column.unit), cellOfMarkdown(column.source));
    }
    return text + QLatin1Char('\n');
}

}  // namespace

QString figurePageMarkdown(Theme& theme) {
    QString text;
    for (const FigureGroup group : kFigureGroups) {
        text += QStringLiteral("## %1 {#%2}\n\n").arg(figureGroupTitle(group), figureGroupAnchor(group));
        for (const Figure& figure : manualFigures())
            if (figure.group == group) text += figureMarkdown(figure);
        if (group == FigureGroup::Time) text += tiersMarkdown();
        if (group == FigureGroup::Memory) text += categoriesMarkdown();
    }
    text += metricsMarkdown();
    text += QStringLiteral("## %1 {#columns}\n\n").arg(tr("Columns of the tables"));
    for (const TableFigures& table : tableFigures(theme)) text += tableMarkdown(table);
    return text;
}

}  // namespace plumb::ui

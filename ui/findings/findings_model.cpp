// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/findings/findings_model.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/finding_text.h"
#include "ui/workbench/workbench.h"

#include <QColor>
#include <QFont>

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::ui {
namespace {

struct FindingColumnText {
    const char* title;
    const char* help;
};
// In the order of FindingColumn.
constexpr std::array<FindingColumnText, kFindingColumns> kFindingColumnTexts{
    {{QT_TRANSLATE_NOOP("plumb::ui", "Severity"),
      QT_TRANSLATE_NOOP("plumb::ui",
                        "By what is at stake: serious from 25 % of the time or the memory on, a warning "
                        "from 10 % on")},
     {QT_TRANSLATE_NOOP("plumb::ui", "Finding"),
      QT_TRANSLATE_NOOP("plumb::ui", "What was noticed, with its numbers")},
     {QT_TRANSLATE_NOOP("plumb::ui", "Source"),
      QT_TRANSLATE_NOOP("plumb::ui", "Where the first of its numbers is from")},
     {QT_TRANSLATE_NOOP("plumb::ui", "Where"),
      QT_TRANSLATE_NOOP("plumb::ui", "The view that shows it; a click leads there")},
     {QT_TRANSLATE_NOOP("plumb::ui", "What to try"),
      QT_TRANSLATE_NOOP("plumb::ui",
                        "A change of the configuration was planned and predicted before it is named")}}};

ColorRole roleOf(Severity severity) {
    switch (severity) {
    case Severity::Serious:
        return ColorRole::Bad;
    case Severity::Warning:
        return ColorRole::Warning;
    case Severity::Info:
        break;
    }
    return ColorRole::TextMuted;
}

}  // namespace

ShownStep shownStep(const Workbench& workbench) {
    ShownStep shown{workbench.scene(), std::nullopt};
    if (workbench.recording() != nullptr) return shown;
    const auto& runs = workbench.runs().all();
    const auto newest = std::find_if(runs.rbegin(), runs.rend(),
                                     [&](const auto& run) { return run->config == workbench.config(); });
    if (newest == runs.rend()) return shown;
    TrainingSeries& training = shown.training.emplace();
    training.steps = (*newest)->history.points();
    training.stepsDone = (*newest)->stepsDone;
    training.skippedSteps = (*newest)->skippedSteps;
    return shown;
}

Findings findingsOf(const ShownStep& shown) {
    return findingsOf(findableIn(*shown.scene, shown.training ? &*shown.training : nullptr));
}

QString severityText(Severity severity) {
    switch (severity) {
    case Severity::Serious:
        return tr("serious");
    case Severity::Warning:
        return tr("warning");
    case Severity::Info:
        break;
    }
    return tr("info");
}

QString viewName(std::string_view id) {
    constexpr std::array<std::pair<std::string_view, const char*>, 7> kViewNames{
        {{"overview", QT_TRANSLATE_NOOP("plumb::ui", "Overview")},
         {"memory", QT_TRANSLATE_NOOP("plumb::ui", "Memory")},
         {"operations", QT_TRANSLATE_NOOP("plumb::ui", "Operations")},
         {"roofline", QT_TRANSLATE_NOOP("plumb::ui", "Roofline")},
         {"timeline", QT_TRANSLATE_NOOP("plumb::ui", "Timeline")},
         {"training", QT_TRANSLATE_NOOP("plumb::ui", "Training")},
         {"checkpoint", QT_TRANSLATE_NOOP("plumb::ui", "Checkpoint")}}};
    for (const auto& [known, name] : kViewNames)
        if (known == id) return tr(name);
    return toText(id);
}

QString basisText(Basis basis) { return coreText(basisLabel(basis)); }

QString stakeText(const Finding& finding) {
    const QString share = amountText({finding.stake, "%"});
    return finding.stakeOf == StakeOf::Memory ? tr("%1 of the memory").arg(share)
                                              : tr("%1 of the time").arg(share);
}

void FindingsModel::setFindings(Findings findings) {
    beginResetModel();
    m_findings = std::move(findings);
    endResetModel();
}

const Finding* FindingsModel::at(int row) const {
    return row >= 0 && row < rowCount() ? &m_findings.found[static_cast<std::size_t>(row)] : nullptr;
}

int FindingsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_findings.found.size());
}

int FindingsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kFindingColumns;
}

QString FindingsModel::text(const Finding& finding, FindingColumn column) const {
    switch (column) {
    case FindingColumn::Severity:
        return severityText(finding.severity);
    case FindingColumn::Sentence:
        return sentenceText(finding.sentence);
    case FindingColumn::Source:
        return finding.figures.empty() ? QString() : basisText(finding.figures.front().basis);
    case FindingColumn::Place:
        return viewName(finding.view);
    case FindingColumn::Remedy:
        break;
    }
    return sentenceText(finding.remedy.advice);
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const {
    const Finding* const finding = at(index.row());
    if (finding == nullptr) return {};
    const auto column = static_cast<FindingColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(*finding, column);
    case Qt::ToolTipRole:
        return column == FindingColumn::Severity ? stakeText(*finding) : text(*finding, column);
    case Qt::AccessibleTextRole:
        return column == FindingColumn::Severity
                   ? tr("%1, %2").arg(text(*finding, column), stakeText(*finding))
                   : text(*finding, column);
    case Qt::ForegroundRole:
        if (column == FindingColumn::Severity) return m_theme.color(roleOf(finding->severity));
        if (column == FindingColumn::Place) return m_theme.color(ColorRole::Accent);
        return m_theme.color(column == FindingColumn::Sentence ? ColorRole::TextStrong : ColorRole::Text);
    case Qt::FontRole:
        if (column == FindingColumn::Severity && finding->severity == Severity::Serious) {
            QFont bold;
            bold.setWeight(QFont::DemiBold);
            return bold;
        }
        return {};
    case Qt::TextAlignmentRole:
        return int(Qt::AlignLeft | Qt::AlignTop);
    default:
        return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kFindingColumns) return {};
    const FindingColumnText& column = kFindingColumnTexts[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return tr(column.title);
    if (role == Qt::ToolTipRole) return tr(column.help);
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/budget_card.h"

#include "core/compare/difference.h"
#include "ui/compare/compared_steps.h"
#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/tone_label.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

QString limitText(const std::optional<double>& value, std::string_view unit) {
    if (!value) return toText(kNoNumber);
    return unit == "%" ? QStringLiteral("%1%2 %")
                             .arg(*value > 0 ? QStringLiteral("+") : QString())
                             .arg(numberText(*value * 100, 'f', 1))
                       : quantityText(*value, unit);
}

}  // namespace

BudgetCard::BudgetCard(Theme& theme, ComparedSteps& steps, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_steps(steps),
      m_card(new Card(theme, tr("Budget"), this)),
      m_content(new QWidget(m_card)),
      m_grid(new QGridLayout(m_content)),
      m_remove(new QPushButton(tr("Remove"), m_card)) {
    setObjectName(QStringLiteral("compareBudget"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
    auto* choose = new QPushButton(tr("Choose a budget…"), m_card);
    choose->setObjectName(QStringLiteral("compareBudgetChoose"));
    choose->setToolTip(tr("Hold the step in detail to limits of memory, time and FLOPs"));
    m_remove->setObjectName(QStringLiteral("compareBudgetRemove"));
    m_remove->setAccessibleName(tr("Remove the budget"));
    choose->setMinimumWidth(choose->sizeHint().width() + 18);
    m_card->addHeaderWidget(choose);
    m_card->addHeaderWidget(m_remove);
    m_card->setContent(m_content);
    m_card->setContentMargins(16, 6, 16, 12);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(24);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(4, 1);
    connect(choose, &QPushButton::clicked, this, &BudgetCard::budgetWanted);
    connect(m_remove, &QPushButton::clicked, &steps.budget(), &StepBudget::clear);
    refresh();
}

void BudgetCard::addLine(int row, const QStringList& cells, bool isKept) {
    for (int column = 0; column < cells.size(); ++column) {
        const ColorRole role = row == 0      ? ColorRole::TextMuted
                               : column == 3 ? (isKept ? ColorRole::Good : ColorRole::Bad)
                               : column == 4 ? ColorRole::TextMuted
                                             : ColorRole::Text;
        auto* label = new ToneLabel(m_theme, role, m_content);
        label->setText(cells[column]);
        if (column == 3 && row > 0) label->setStrong();
        label->setWordWrap(column == 4);
        m_grid->addWidget(label, row, column,
                          column == 1 || column == 2 ? Qt::AlignRight | Qt::AlignVCenter : Qt::Alignment());
    }
}

void BudgetCard::refresh() {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const StepBudget& budget = m_steps.budget();
    const Comparison* comparison = m_steps.comparison();
    const std::vector<BudgetLine> lines =
        comparison ? budget.lines(*comparison, m_steps.detailed()) : std::vector<BudgetLine>();
    m_remove->setVisible(!budget.path().isEmpty());
    if (lines.empty()) {
        m_card->setSubtitle(tr("a file of limits, as plumbline-cli check takes it"));
        return;
    }
    addLine(0, {tr("limit"), tr("allowed"), tr("value"), QString(), QString()}, true);
    int row = 1;
    for (const BudgetLine& line : lines)
        addLine(row++,
                {toText(line.name), limitText(line.limit, line.unit), limitText(line.value, line.unit),
                 line.isKept ? tr("kept") : tr("exceeded"), coreText(line.note)},
                line.isKept);
    const auto exceeded = std::ranges::count(lines, false, &BudgetLine::isKept);
    const QString file = QFileInfo(budget.path()).fileName();
    const QString step = toText(m_steps.steps()[m_steps.detailed()].label);
    m_card->setSubtitle(
        exceeded == 0
            ? tr("%1 keeps %2").arg(step, file)
            : tr("%1 exceeds %2 of %3 limits of %4").arg(step).arg(exceeded).arg(lines.size()).arg(file));
}

}  // namespace plumb::ui

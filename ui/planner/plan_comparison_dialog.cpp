// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_comparison_dialog.h"

#include "ui/planner/planner_inputs.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/screen_room.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kDiffers = Qt::UserRole;  // of the first cell of a row

/// In the language of the window; parts stand below what they are parts of, further in.
QString labelOf(const planner::ComparedRow& row) {
    const std::size_t inset = row.label.find_first_not_of(' ');
    return QString(static_cast<qsizetype>(inset), QLatin1Char(' ')) +
           coreText(std::string_view(row.label).substr(inset));
}

}  // namespace

PlanComparisonDialog::PlanComparisonDialog(Theme& theme, planner::PlanComparison comparison, QWidget* parent)
    : QDialog(parent), m_theme(theme), m_comparison(std::move(comparison)) {
    setObjectName(QStringLiteral("planComparison"));
    setAttribute(Qt::WA_DeleteOnClose);
    QStringList names;
    for (const std::string& name : m_comparison.names) names << toText(name);
    setWindowTitle(tr("Plans side by side: %1").arg(listText(names)));
    new QVBoxLayout(this);
    addTable("planComparisonInputs", tr("What goes in, what differs first"), m_comparison.inputs, false);
    addTable("planComparisonAnswers", tr("What comes of it"), m_comparison.answers, true);
    QStringList problems;
    for (std::size_t i = 0; i < m_comparison.problems.size(); ++i)
        for (const std::string& problem : m_comparison.problems[i])
            problems << tr("%1: %2").arg(names[static_cast<int>(i)], forWindow(coreText(problem)));
    auto* note = new QLabel(sentencesText(problems), this);
    note->setObjectName(QStringLiteral("planComparisonProblems"));
    note->setTextFormat(Qt::PlainText);
    note->setWordWrap(true);
    note->setVisible(!problems.isEmpty());
    layout()->addWidget(note);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout()->addWidget(buttons);
    connect(&theme, &Theme::changed, this, &PlanComparisonDialog::paint);
    paint();
    constexpr QSize kSize(860, 760);
    resize(std::clamp(fitColumns(), kSize.width(), std::max(kSize.width(), screenRoom(*this).width())),
           kSize.height());
}

QTableWidget* PlanComparisonDialog::addTable(const char* name, const QString& title,
                                             const std::vector<planner::ComparedRow>& rows,
                                             bool differences) {
    auto* heading = new QLabel(title, this);
    layout()->addWidget(heading);
    QStringList headers{QString()};
    for (const std::string& plan : m_comparison.names) headers << toText(plan);
    if (differences)
        for (std::size_t i = 1; i < m_comparison.names.size(); ++i)
            headers
                << tr("%1 over %2").arg(toText(m_comparison.names[i]), toText(m_comparison.names.front()));
    auto* table = new QTableWidget(static_cast<int>(rows.size()), static_cast<int>(headers.size()), this);
    table->setObjectName(QString::fromLatin1(name));
    table->setAccessibleName(title);
    setUpDataTable(*table);
    table->setHorizontalHeaderLabels(headers);
    for (int row = 0; row < table->rowCount(); ++row) {
        const planner::ComparedRow& each = rows[static_cast<std::size_t>(row)];
        QStringList cells{labelOf(each)};
        for (const std::string& text : each.texts) cells << coreText(text);
        for (std::size_t i = 1; differences && i < each.values.size(); ++i)
            cells << coreText(each.difference(i));
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            item->setToolTip(cells[column]);
            table->setItem(row, column, item);
        }
        table->item(row, 0)->setData(kDiffers, each.differs);
    }
    layout()->addWidget(table);
    m_tables.push_back(table);
    return table;
}

int PlanComparisonDialog::fitColumns() {
    constexpr int kMostText = 320, kMargins = 60;  // of a name; figures are shorter
    int needed = 0;
    for (QTableWidget* table : m_tables) {
        table->resizeColumnsToContents();
        QHeaderView& header = *table->horizontalHeader();
        for (int column = 1; column < table->columnCount(); ++column)
            table->setColumnWidth(column, std::min(header.sectionSize(column), kMostText));
        needed = std::max(needed, header.length());
        header.setSectionResizeMode(0, QHeaderView::Stretch);
    }
    return needed + kMargins;
}

void PlanComparisonDialog::paint() {
    for (QTableWidget* table : m_tables)
        for (int row = 0; row < table->rowCount(); ++row) {
            const bool differs = table->item(row, 0)->data(kDiffers).toBool();
            for (int column = 0; column < table->columnCount(); ++column)
                if (QTableWidgetItem* item = table->item(row, column)) {
                    QFont font = item->font();
                    font.setWeight(differs ? QFont::DemiBold : QFont::Normal);
                    item->setFont(font);
                    item->setForeground(
                        m_theme.color(differs ? ColorRole::TextStrong : ColorRole::TextMuted));
                }
        }
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_table.h"

#include "core/base/entry_at.h"
#include "core/base/quantity.h"
#include "ui/planner/planner_columns.h"
#include "ui/planner/remark_table.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

constexpr int kTableGap = 6;
constexpr int kTableHeight = 300;  // six rows with their remarks
// Columns of the ways to spread the work.
constexpr int kRecompute = 1, kSharding = 2, kTensor = 6, kPipeline = 7, kContext = 8, kExpert = 9,
              kMicroBatch = 10, kChunks = 11;
constexpr int kForTheTime = 3, kEnergy = 4, kBalance = 5;  // and of the devices

/// Headings stand over their columns: at the left over texts, at the right over numbers.
template <class IsText>
void alignHeader(QTableWidget& table, IsText isText) {
    for (int column = 0; column < table.columnCount(); ++column)
        table.horizontalHeaderItem(column)->setTextAlignment(
            (isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

}  // namespace

PlannerTable::PlannerTable(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent)
    : QObject(parent), m_theme(theme), m_model(model), m_edits(edits), m_card(new Card(theme, {}, parent)) {
    m_card->setObjectName(QStringLiteral("plannerTableCard"));
    m_card->setContentMargins(10, 4, 10, 10);
    auto* content = new QWidget(m_card);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kTableGap);
    m_table = new RemarkTable(theme, content);
    m_table->setObjectName(QStringLiteral("plannerTable"));
    m_table->setMinimumHeight(kTableHeight);
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row, int) { take(row); });
    connect(m_table, &QTableWidget::cellDoubleClicked, this, [this](int row, int) { take(row); });
    m_note = new QLabel(content);
    m_note->setObjectName(QStringLiteral("plannerTableNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    column->addWidget(m_table, 1);
    column->addWidget(m_note);
    m_card->setContent(content);
}

void PlannerTable::show() {
    const auto kind = m_model.question().table;
    m_card->setVisible(kind != PlannerQuestion::Table::None);
    if (kind == PlannerQuestion::Table::Shardings) fillShardings();
    if (kind == PlannerQuestion::Table::Devices) fillDevices();
    if (kind == PlannerQuestion::Table::None) m_table->setRowCount(0);
    if (kind != PlannerQuestion::Table::Shardings) m_table->setVisible(true);
    m_table->fit();
    fit();
}

void PlannerTable::fit() {
    const int note = m_note->text().isEmpty() ? 0 : m_note->heightForWidth(m_note->width());
    m_note->setMinimumHeight(note);
    m_card->content()->setMinimumHeight((m_table->isHidden() ? 0 : m_table->minimumHeight() + kTableGap) +
                                        note);
}

void PlannerTable::fillShardings() {
    const PlannerExplored& explored = m_model.explorer().explored();
    const planner::ShardingSearch& search = explored.shardings;
    m_card->setTitle(tr("Ways to spread the work"));
    m_table->setAccessibleName(m_card->title());
    // What it comes to before how it is spread: one chooses by it, and it is seen in a narrow window too.
    const ColumnTexts columns = shardingColumns();
    setColumnsName(*m_table, QStringLiteral("plannerTable"));
    setColumns(*m_table, columns);
    const int last = static_cast<int>(columns.size()) - 1;
    m_table->setRemarks(kSharding, {last});
    m_table->setYielding({kChunks, kContext, kExpert, kMicroBatch, kPipeline, kTensor, kRecompute});
    const auto isText = [last](int column) { return column < 3 || column == last; };
    m_table->setRowCount(static_cast<int>(search.plans.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const planner::ShardingOption& option = entryAt(search.plans, row);
        const planner::ParallelLayout& layout = option.layout;
        const QStringList cells{
            option.fits ? tr("yes") : tr("no"),
            coreText(planner::name(option.recompute)),
            layout.sharding == planner::Sharding::None ? tr("none")
            : layout.shardGroup > 0
                ? tr("ZeRO-%1 by %2").arg(static_cast<int>(layout.sharding)).arg(layout.shardGroup)
                : tr("ZeRO-%1").arg(static_cast<int>(layout.sharding)),
            quantityText(option.memoryBytes, "B"),
            quantityText(option.stepSeconds, "s"),
            QStringLiteral("%1 %").arg(numberText(100 * option.mfu, 'f', 1)),
            QString::number(layout.tensor),
            QString::number(layout.pipeline),
            QString::number(layout.context),
            QString::number(layout.expert),
            QString::number(layout.microBatch),
            QString::number(layout.chunks),
            kBehindNumber + coreText(option.why)};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment((isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            if (!option.fits) item->setForeground(m_theme.color(ColorRole::TextMuted));
            m_table->setItem(row, column, item);
        }
    }
    alignHeader(*m_table, isText);
    m_table->setColumnHidden(kExpert, !m_model.inputs().scenario.model.transformer() ||
                                          !m_model.inputs().scenario.model.transformer()->experts);
    QStringList batches;
    for (const planner::BatchOption& option : explored.batches)
        batches
            << coreText(option.label) + QStringLiteral(": ") +
                   (option.microBatch > 0
                        ? tr("%1 with %2").arg(option.microBatch).arg(quantityText(option.memoryBytes, "B"))
                        : tr("none fits"));
    const bool linear = m_model.inputs().scenario.model.linear() != nullptr;
    QStringList notes;
    if (!explored.tableProblem.isEmpty()) notes << explored.tableProblem;
    if (!search.tooLarge.empty())
        notes << tr("Faster with %1 (%2), but that %3.")
                     .arg(coreText(planner::layoutText(search.tooLarge.front().layout)),
                          quantityText(search.tooLarge.front().stepSeconds, "s"),
                          coreText(search.tooLarge.front().why));
    if (!batches.isEmpty())
        notes << (linear ? tr("Largest batch of a device: %1.")
                         : tr("Largest micro-batch by recomputation: %1."))
                     .arg(clausesText(batches));
    if (!search.plans.empty()) notes << tr("Enter or a double click takes a row.");
    if (notes.isEmpty() && m_model.explorer().progress()) notes << tr("Trying the combinations…");
    m_table->setVisible(explored.tableProblem.isEmpty());
    const QString note = sentencesText(notes);
    m_note->setText(note);
    m_card->setSubtitle(search.plans.empty() ? QString()
                        : search.fits()      ? tr("the fastest that fit first, of %1 tried").arg(search.tried)
                                             : tr("none fits; those that need the least memory first"));
}

void PlannerTable::fillDevices() {
    const PlannerExplored& explored = m_model.explorer().explored();
    m_card->setTitle(tr("Every device"));
    m_table->setAccessibleName(m_card->title());
    setColumnsName(*m_table, QStringLiteral("plannerDevices"));
    setColumns(*m_table, deviceColumns());
    m_table->setRemarks(0, {6});
    m_table->setYielding({kBalance, kEnergy, kForTheTime});
    const auto isText = [](int column) { return column == 0 || column == 6; };
    m_table->setRowCount(static_cast<int>(explored.devices.size()));
    const auto& chosen = m_model.inputs().scenario.cluster.device;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const planner::DeviceOption& option = entryAt(explored.devices, row);
        const QString none = QStringLiteral("–");
        const bool usable = option.problem.empty();
        QString remark = coreText(option.problem);  // its own row need not name the device
        remark.remove(QStringLiteral("the record of %1 has ").arg(deviceText(option.device)));
        const auto output = [&](planner::Output kind, std::optional<double> value) {
            return value ? grouped(planner::formatOutput(kind, *value)) : none;
        };
        const QStringList cells{
            deviceText(option.device),
            usable && option.devicesToHold > 0 ? output(planner::Output::DevicesToHold, option.devicesToHold)
                                               : none,
            output(planner::Output::Days, option.days) +
                (option.days && option.fits == false ? QStringLiteral(" ×") : QString()),
            output(planner::Output::DevicesToHold, option.devicesForDays),
            output(planner::Output::Energy, option.energyJoule),
            usable && option.intensity > 0 ? quantityText(option.intensity, "FLOP/B") : none,
            kBehindNumber + remark};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment((isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            if (!usable) item->setForeground(m_theme.color(ColorRole::TextMuted));
            if (chosen && chosen->id == option.device.id) {
                QFont strong = item->font();
                strong.setWeight(QFont::DemiBold);
                item->setFont(strong);
            }
            m_table->setItem(row, column, item);
        }
    }
    alignHeader(*m_table, isText);
    m_note->setText(explored.devices.empty() && m_model.explorer().progress()
                        ? tr("Comparing the devices…")
                        : tr("Enter or a double click takes a device. ×: the training does not fit as it is "
                             "spread. Balance: FLOP per byte at which its matrix products stop being limited "
                             "by memory."));
    m_card->setSubtitle(explored.devices.empty() ? QString() : tr("%1 devices").arg(explored.devices.size()));
}

void PlannerTable::take(int row) {
    if (m_model.question().table == PlannerQuestion::Table::Shardings) return m_edits.takeSharding(row);
    const auto& devices = m_model.explorer().explored().devices;
    if (row >= 0 && row < static_cast<int>(devices.size()))
        m_edits.setDevice(std::string(entryAt(devices, row).device.id));
}

}  // namespace plumb::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The map over two inputs and the tables: what is worked out beside the GUI thread.
#include "core/base/quantity.h"
#include "ui/charts/heat_map.h"
#include "ui/planner/planner_charts.h"
#include "ui/theme/house_style.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/slider_row.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

using planner::Input;

constexpr int kTableGap = 6;
constexpr QChar kEnSpace(0x2002);  // between a number at the right and a text at the left

QString quantity(double value, std::string_view unit) {
    return QString::fromStdString(formatQuantity(value, unit));
}

/// Headings stand over their columns: at the left over texts, at the right over numbers.
template <class IsText>
void alignHeader(QTableWidget& table, IsText isText) {
    for (int column = 0; column < table.columnCount(); ++column)
        table.horizontalHeaderItem(column)->setTextAlignment(
            (isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

}  // namespace

void PlannerCharts::buildMap() {
    m_mapCard = new Card(m_theme, tr("Map"), this);
    m_mapCard->setContentMargins(8, 2, 8, 8);
    m_mapValue = new SegmentedControl(m_theme, {tr("step time"), tr("memory")},
                                      QStringLiteral("plannerMapValue"), m_mapCard);
    connect(m_mapValue, &SegmentedControl::chosen, this,
            [this](int index) { m_model.setMapOfMemory(index == 1); });
    const auto axis = [&](const char* name, const QString& label) {
        auto* box = new QComboBox(m_mapCard);
        box->setObjectName(QString::fromLatin1(name));
        box->setAccessibleName(label);
        box->setToolTip(label);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(7);
        box->setMaxVisibleItems(20);
        for (const Input input : mapInputs())
            box->addItem(fromView(planner::info(input).label), static_cast<int>(input));
        connect(box, &QComboBox::activated, this, [this] {
            m_model.setMapAxes(static_cast<Input>(m_mapX->currentData().toInt()),
                               static_cast<Input>(m_mapY->currentData().toInt()));
        });
        return box;
    };
    m_mapX = axis("plannerMapX", tr("Input to the right"));
    m_mapY = axis("plannerMapY", tr("Input upwards"));
    m_cancel = new QPushButton(tr("Cancel"), m_mapCard);
    m_cancel->setObjectName(QStringLiteral("plannerCancel"));
    m_cancel->setProperty(kQuietButton, true);
    m_cancel->setToolTip(tr("Stops working out the pictures; the answer stays"));
    connect(m_cancel, &QPushButton::clicked, &m_model, &PlannerModel::cancel);
    m_mapCard->addHeaderWidget(m_cancel);
    m_mapCard->addHeaderWidget(m_mapValue);
    auto* content = new QWidget(m_mapCard);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto* axes = new QHBoxLayout;
    axes->setContentsMargins(8, 0, 8, 0);
    axes->setSpacing(6);
    const auto word = [&](const QString& text, QComboBox* box) {
        auto* label = new QLabel(text, content);
        label->setBuddy(box);
        followColor(label, m_theme, ColorRole::TextMuted);
        axes->addWidget(label);
        axes->addWidget(box, 1);
    };
    word(tr("over"), m_mapX);
    word(tr("and"), m_mapY);
    column->addLayout(axes);
    m_map = new HeatMap(m_theme, content);
    column->addWidget(m_map, 1);
    m_map->setObjectName(QStringLiteral("plannerMap"));
    m_map->setAccessibleName(tr("Map over two inputs"));
    connect(m_map, &HeatMap::chosen, &m_model, &PlannerModel::takeCell);
    m_mapCard->setContent(content);
}

void PlannerCharts::buildTable() {
    m_tableCard = new Card(m_theme, {}, this);
    m_tableCard->setObjectName(QStringLiteral("plannerTableCard"));
    m_tableCard->setContentMargins(10, 4, 10, 10);
    auto* content = new QWidget(m_tableCard);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kTableGap);
    m_table = new QTableWidget(content);
    m_table->setObjectName(QStringLiteral("plannerTable"));
    setUpDataTable(*m_table);
    m_table->setMinimumHeight(240);
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row, int) { take(row); });
    connect(m_table, &QTableWidget::cellDoubleClicked, this, [this](int row, int) { take(row); });
    m_tableNote = new QLabel(content);
    m_tableNote->setObjectName(QStringLiteral("plannerTableNote"));
    m_tableNote->setTextFormat(Qt::PlainText);
    m_tableNote->setWordWrap(true);
    column->addWidget(m_table, 1);
    column->addWidget(m_tableNote);
    m_tableCard->setContent(content);
}

void PlannerCharts::showMap() {
    const auto& map = m_model.map();
    const bool memory = m_model.inputs().mapOfMemory;
    m_mapValue->setCurrent(memory ? 1 : 0);
    const auto progress = m_model.progress();
    showProgress();
    HeatMap::Content content;
    content.valueTitle = memory ? tr("memory per device") : tr("step time");
    content.notAllowed = tr("does not fit");
    content.format = [memory](double value) { return quantity(value, memory ? "B" : "s"); };
    if (map) {
        const auto axis = [&](const planner::Axis& from, HeatMap::Axis& to, int& current) {
            const planner::InputInfo& info = planner::info(from.input);
            to.title = fromView(info.label);
            const auto now = planner::numberOf(m_model.inputs().scenario, from.input);
            for (std::size_t i = 0; i < from.values.size(); ++i) {
                to.ticks << shortInputText(from.input, from.values[i]);
                if (now.has_value() && *now == from.values[i]) current = static_cast<int>(i);
            }
        };
        axis(map->x, content.x, content.currentX);
        axis(map->y, content.y, content.currentY);
        for (const planner::MapCell& cell : map->cells) {
            HeatMap::Cell shown;
            if (cell.possible && (memory || cell.stepSeconds > 0)) {
                shown.value = memory ? cell.memoryBytes : cell.stepSeconds;
                shown.allowed = cell.fits;
                shown.rows.push_back(
                    memory ? HoverCardContent::Row{tr("step time"),
                                                   {cell.stepSeconds > 0 ? quantity(cell.stepSeconds, "s")
                                                                         : QStringLiteral("–")},
                                                   std::nullopt,
                                                   false}
                           : HoverCardContent::Row{tr("memory per device"),
                                                   {quantity(cell.memoryBytes, "B")},
                                                   std::nullopt,
                                                   false});
                shown.footer = cell.fits ? tr("click takes these values") : tr("does not fit");
            } else {
                shown.footer = forWindow(QString::fromStdString(cell.problem));
            }
            content.cells.push_back(shown);
        }
    }
    m_map->setContent(content);
    QString empty = m_model.mapProblem();
    if (empty.isEmpty() && !memory && map && m_model.inputs().scenario.model.count())
        empty = tr("A mere number of parameters has no operations to time; there is a map of its memory");
    if (empty.isEmpty() && (!map || map->cells.empty()) && !progress)
        empty = tr("Cancelled: change an input to try again");
    m_map->setEmptyText(progress && !map ? QString() : empty);
}

void PlannerCharts::showProgress() {
    m_map->setProgress(m_model.progress());
    m_cancel->setVisible(m_model.progress().has_value());
}

void PlannerCharts::showTable() {
    const auto kind = m_model.question().table;
    m_tableCard->setVisible(kind != PlannerQuestion::Table::None);
    if (kind == PlannerQuestion::Table::Shardings) fillShardings();
    if (kind == PlannerQuestion::Table::Devices) fillDevices();
    if (kind == PlannerQuestion::Table::None) m_table->setRowCount(0);
    if (kind != PlannerQuestion::Table::Shardings) {
        m_table->setColumnHidden(9, false);
        m_table->setVisible(true);
    }
    constexpr int kBetween = 14;
    for (int i = 0; i < m_table->columnCount(); ++i) {
        m_table->resizeColumnToContents(i);
        m_table->setColumnWidth(i, m_table->columnWidth(i) + kBetween);
    }
    // A remark may be long; a number stays beside its neighbours.
    m_table->horizontalHeader()->setStretchLastSection(kind == PlannerQuestion::Table::Devices);
    fitTable();
}

/// The card is as high as table and note need it: of a text that wraps, a grid asks for less.
void PlannerCharts::fitTable() {
    const int note = m_tableNote->text().isEmpty() ? 0 : m_tableNote->heightForWidth(m_tableNote->width());
    m_tableNote->setMinimumHeight(note);
    m_tableCard->content()->setMinimumHeight(
        (m_table->isHidden() ? 0 : m_table->minimumHeight() + kTableGap) + note);
}

void PlannerCharts::fillShardings() {
    const PlannerExplored& explored = m_model.explored();
    m_tableCard->setTitle(tr("Ways to spread the work"));
    m_table->setAccessibleName(m_tableCard->title());
    // What it comes to before how it is spread: one chooses by it, and it is seen in a narrow window too.
    const QStringList headers{tr("fits"),      tr("recompute"), tr("sharding"),   tr("memory"),
                              tr("step time"), tr("MFU"),       tr("tensor"),     tr("pipeline"),
                              tr("context"),   tr("expert"),    tr("micro-batch")};
    const auto isText = [](int column) { return column < 3; };
    m_table->setColumnCount(static_cast<int>(headers.size()));
    m_table->setHorizontalHeaderLabels(headers);
    m_table->setRowCount(static_cast<int>(explored.shardings.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const planner::ShardingOption& option = explored.shardings[static_cast<std::size_t>(row)];
        const planner::ParallelPlan& plan = option.plan;
        const QStringList cells{option.fits ? tr("yes") : tr("no"),
                                fromView(planner::name(option.recompute)),
                                plan.sharding == planner::Sharding::None
                                    ? tr("none")
                                    : tr("ZeRO-%1").arg(static_cast<int>(plan.sharding)),
                                quantity(option.memoryBytes, "B"),
                                quantity(option.stepSeconds, "s"),
                                QStringLiteral("%1 %").arg(100 * option.mfu, 0, 'f', 1),
                                QString::number(plan.tensor),
                                QString::number(plan.pipeline),
                                QString::number(plan.context),
                                QString::number(plan.expert),
                                QString::number(plan.microBatch)};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment((isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            if (!option.fits) item->setForeground(m_theme.color(ColorRole::TextMuted));
            m_table->setItem(row, column, item);
        }
    }
    alignHeader(*m_table, isText);
    m_table->setColumnHidden(9, !m_model.inputs().scenario.model.transformer() ||
                                    !m_model.inputs().scenario.model.transformer()->experts);
    QStringList batches;
    for (const planner::BatchOption& option : explored.batches)
        batches << QString::fromStdString(option.label) + QStringLiteral(": ") +
                       (option.microBatch > 0
                            ? tr("%1 with %2").arg(option.microBatch).arg(quantity(option.memoryBytes, "B"))
                            : tr("none fits"));
    const bool linear = m_model.inputs().scenario.model.linear() != nullptr;
    QStringList notes;
    if (!explored.tableProblem.isEmpty()) notes << explored.tableProblem + QLatin1Char('.');
    if (!batches.isEmpty())
        notes << (linear ? tr("Largest batch of a device: %1.")
                         : tr("Largest micro-batch by recomputation: %1."))
                     .arg(batches.join(QStringLiteral("; ")));
    if (!explored.shardings.empty()) notes << tr("Enter or a double click takes a row.");
    if (notes.isEmpty() && m_model.progress()) notes << tr("Trying the combinations…");
    m_table->setVisible(explored.tableProblem.isEmpty());
    const QString note = notes.join(QLatin1Char(' '));
    m_tableNote->setText(note);
    const bool any = !explored.shardings.empty() && explored.shardings.front().fits;
    m_tableCard->setSubtitle(explored.shardings.empty() ? QString()
                             : any                      ? tr("the fastest that fit first")
                                   : tr("none fits; those that need the least memory first"));
}

void PlannerCharts::fillDevices() {
    const PlannerExplored& explored = m_model.explored();
    m_tableCard->setTitle(tr("Every device"));
    m_table->setAccessibleName(m_tableCard->title());
    const QStringList headers{tr("device"),           tr("to hold it"), tr("time"),
                              tr("for the time"),     tr("energy"),     tr("balance"),
                              kEnSpace + tr("remark")};
    const auto isText = [](int column) { return column == 0 || column == 6; };
    m_table->setColumnCount(static_cast<int>(headers.size()));
    m_table->setHorizontalHeaderLabels(headers);
    m_table->setRowCount(static_cast<int>(explored.devices.size()));
    const auto& chosen = m_model.inputs().scenario.cluster.device;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const planner::DeviceOption& option = explored.devices[static_cast<std::size_t>(row)];
        const QString none = QStringLiteral("–");
        const bool usable = option.problem.empty();
        QString remark = QString::fromStdString(option.problem);  // its own row need not name the device
        remark.remove(
            QStringLiteral("the record of %1 has ").arg(QString::fromStdString(option.device.name)));
        const auto output = [&](planner::Output kind, std::optional<double> value) {
            return value ? QString::fromStdString(planner::formatOutput(kind, *value)) : none;
        };
        const QStringList cells{QString::fromStdString(option.device.name),
                                usable && option.devicesToHold > 0
                                    ? output(planner::Output::DevicesToHold, option.devicesToHold)
                                    : none,
                                output(planner::Output::Days, option.days),
                                output(planner::Output::DevicesToHold, option.devicesForDays),
                                output(planner::Output::Energy, option.energyJoule),
                                usable && option.intensity > 0 ? quantity(option.intensity, "FLOP/B") : none,
                                kEnSpace + remark};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment((isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            if (!usable) item->setForeground(m_theme.color(ColorRole::TextMuted));
            if (chosen && chosen->id == option.device.id) {
                QFont strong = item->font();
                strong.setWeight(QFont::DemiBold);
                item->setFont(strong);
            }
            if (column == 6) item->setToolTip(QString::fromStdString(option.problem));
            m_table->setItem(row, column, item);
        }
    }
    alignHeader(*m_table, isText);
    m_tableNote->setText(
        explored.devices.empty() && m_model.progress()
            ? tr("Comparing the devices…")
            : tr("Enter or a double click takes a device. Balance: FLOP per byte at which its "
                 "matrix products stop being limited by memory."));
    m_tableCard->setSubtitle(explored.devices.empty() ? QString()
                                                      : tr("%1 devices").arg(explored.devices.size()));
}

void PlannerCharts::take(int row) {
    if (m_model.question().table == PlannerQuestion::Table::Shardings) return m_model.takeSharding(row);
    const auto& devices = m_model.explored().devices;
    if (row >= 0 && row < static_cast<int>(devices.size()))
        m_model.setDevice(std::string(devices[static_cast<std::size_t>(row)].device.id));
}

}  // namespace plumb::ui

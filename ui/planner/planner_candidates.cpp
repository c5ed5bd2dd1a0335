// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_candidates.h"

#include "core/base/entry_at.h"
#include "core/base/quantity.h"
#include "ui/planner/planner_columns.h"
#include "ui/planner/remark_table.h"
#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/slider_row.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/wrap_layout.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

using planner::Input;
using planner::Output;

constexpr int kCandidatesGap = 6;
constexpr int kCandidatesHeight = 210;  // four rows with their remarks, and the headings
constexpr int kFitsColumn = 2, kTimeColumn = 3, kCostColumn = 4, kEnergyColumn = 5, kMfuColumn = 6,
              kPriceColumn = 7, kWhyColumn = 8, kLayoutColumn = 9;
constexpr int kLetterRoom = 5;  // of a number of devices, and of a price

QString rangeText(Output output, const planner::Range& range) {
    return PlannerCandidates::tr("%1 to %2")
        .arg(grouped(planner::formatOutput(output, range.low)),
             grouped(planner::formatOutput(output, range.high)));
}

bool isOf(const planner::CandidatePlan& plan, const PlannerCandidate& candidate) {
    return plan.candidate.device.id == candidate.device && plan.candidate.devices == candidate.devices;
}

}  // namespace

PlannerCandidates::PlannerCandidates(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent)
    : QObject(parent),
      m_theme(theme),
      m_model(model),
      m_edits(edits),
      m_card(new Card(theme, tr("Which of these is cheaper?"), parent)) {
    m_card->setObjectName(QStringLiteral("plannerCandidatesCard"));
    m_card->setContentMargins(10, 4, 10, 10);
    m_cancel = m_card->addHeaderButton(tr("Cancel"), QStringLiteral("plannerCandidatesCancel"),
                                       tr("Stops trying the devices; the answer stays"));
    connect(m_cancel, &QPushButton::clicked, &m_model.explorer(), &PlannerExplorer::cancel);
    m_remove = m_card->addHeaderButton(tr("Remove"), QStringLiteral("plannerCandidateRemove"),
                                       tr("Removes the row that is selected"));
    connect(m_remove, &QPushButton::clicked, this, &PlannerCandidates::remove);
    auto* content = new QWidget(m_card);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kCandidatesGap);
    column->addWidget(makeControls(content));
    m_table = new RemarkTable(theme, content);
    m_table->setObjectName(QStringLiteral("plannerCandidates"));
    m_table->setAccessibleName(m_card->title());
    m_table->setMinimumHeight(kCandidatesHeight);
    m_table->installEventFilter(this);
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row, int) { take(row); });
    connect(m_table, &QTableWidget::cellDoubleClicked, this, [this](int row, int) { take(row); });
    connect(m_table, &QTableWidget::itemSelectionChanged, this, [this] { showRow(m_table->currentRow()); });
    m_note = new ToneLabel(theme, ColorRole::TextMuted, content);
    m_note->setObjectName(QStringLiteral("plannerCandidatesNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    column->addWidget(m_table, 1);
    column->addWidget(m_note);
    m_card->setContent(content);
}

QWidget* PlannerCandidates::makeControls(QWidget* parent) {
    auto* controls = new QWidget(parent);
    auto* line = new WrapLayout(controls, kCandidatesGap);
    const auto phrase = [line] {
        auto* words = new QHBoxLayout;
        words->setSpacing(kCandidatesGap);
        line->addLayout(words);
        return words;
    };
    const auto word = [&](const QString& text, QWidget* of) {
        auto* label = new QLabel(text, controls);
        label->setBuddy(of);
        followColor(label, m_theme, ColorRole::TextMuted);
        return label;
    };
    const auto edit = [&](const char* name, const QString& label, const QString& help) {
        auto* field = new QLineEdit(controls);
        field->setObjectName(QString::fromLatin1(name));
        field->setAccessibleName(label);
        field->setToolTip(help);
        field->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        field->setFixedWidth(kLetterRoom * field->fontMetrics().horizontalAdvance(QLatin1Char('0')) + 20);
        connect(field, &QLineEdit::returnPressed, this, &PlannerCandidates::add);
        return field;
    };
    m_count = edit("plannerCandidateCount", tr("Number of devices"),
                   capitalised(coreText(planner::info(Input::Devices).help)));
    m_count->setText(QStringLiteral("8"));
    m_devices = new QComboBox(controls);
    m_devices->setObjectName(QStringLiteral("plannerCandidateDevice"));
    m_devices->setAccessibleName(tr("Device"));
    m_devices->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_devices->setMinimumContentsLength(18);
    m_devices->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_devices->setMaxVisibleItems(24);
    m_price = edit("plannerCandidatePrice", tr("Price of a device hour in dollars"),
                   capitalised(coreText(planner::info(Input::DevicePrice).label)) + QStringLiteral(" [$/h]"));
    m_price->setPlaceholderText(QStringLiteral("–"));
    auto* add = new QPushButton(tr("Add"), controls);
    add->setObjectName(QStringLiteral("plannerCandidateAdd"));
    add->setToolTip(tr("Adds these devices, or gives those that are listed this price"));
    connect(add, &QPushButton::clicked, this, &PlannerCandidates::add);
    QHBoxLayout* const what = phrase();
    what->addWidget(m_count);
    what->addWidget(word(QStringLiteral("×"), m_devices));
    what->addWidget(m_devices, 1);
    QHBoxLayout* const price = phrase();
    price->addWidget(word(tr("at $/h"), m_price));
    price->addWidget(m_price);
    price->addWidget(add);
    return controls;
}

void PlannerCandidates::show() {
    m_card->setVisible(m_model.question().table == PlannerQuestion::Table::Devices);
    m_rows.clear();
    if (m_card->isHidden()) return m_table->setRowCount(0);
    fillDevices();
    const auto& choice = m_model.explorer().choice();
    if (choice)
        for (const planner::CandidatePlan& plan : choice->plans)
            m_rows.push_back({{std::string(plan.candidate.device.id), plan.candidate.devices,
                               plan.candidate.dollarsPerHour},
                              &plan});
    // What is no device here any more, and all of them while they are tried.
    for (const PlannerCandidate& candidate : m_model.inputs().candidates)
        if (!choice || std::ranges::none_of(choice->plans, [&](const planner::CandidatePlan& plan) {
                return isOf(plan, candidate);
            }))
            m_rows.push_back({candidate, nullptr});
    fillRows();
    showProgress();
    fit();
}

void PlannerCandidates::fillDevices() {
    const std::vector<Machine> machines = m_model.library().known().all();
    std::vector<std::string> ids;
    ids.reserve(machines.size());
    for (const Machine& machine : machines) ids.push_back(machine.id);
    if (ids == m_deviceIds) return;
    const auto& planned = m_model.inputs().scenario.cluster.device;
    const std::string before = m_devices->currentIndex() >= 0
                                   ? entryAt(m_deviceIds, m_devices->currentIndex())
                               : planned ? planned->id
                                         : std::string();
    m_devices->clear();
    for (const Machine& machine : machines) m_devices->addItem(deviceText(machine));
    m_deviceIds = std::move(ids);
    const auto found = std::ranges::find(m_deviceIds, before);
    m_devices->setCurrentIndex(found == m_deviceIds.end() ? 0
                                                          : static_cast<int>(found - m_deviceIds.begin()));
}

void PlannerCandidates::fillRows() {
    const auto alignment = [](int column) {
        const bool isText = column <= kFitsColumn || column >= kWhyColumn;
        return (isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
    };
    const QString none = QStringLiteral("–");
    setColumns(*m_table, candidateColumns());
    m_table->setRemarks(0, {kWhyColumn, kLayoutColumn});
    m_table->setYielding({kPriceColumn, kMfuColumn, kEnergyColumn});
    m_table->setRowCount(static_cast<int>(m_rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const PlannerCandidate& candidate = entryAt(m_rows, row).candidate;
        const planner::CandidatePlan* plan = entryAt(m_rows, row).plan;
        const Machine* device = m_model.library().find(candidate.device);
        const bool known = plan != nullptr && plan->problem.empty();
        QString why;
        if (plan) why = known ? capitalised(coreText(plan->why)) : forWindow(coreText(plan->problem));
        if (device == nullptr) why = tr("This device is not known here any more");
        const auto price = known ? plan->dollarsPerHour : candidate.dollarsPerHour;
        const QStringList cells{
            tr("%1 × %2")
                .arg(candidate.devices)
                .arg(device ? deviceText(*device) : deviceText(candidate.device)),
            known ? capitalised(coreText(plan->place)) : none,
            !known       ? none
            : plan->fits ? tr("yes")
                         : tr("no"),
            known ? grouped(planner::formatOutput(Output::Days, plan->days.expected)) : none,
            known && plan->dollars ? grouped(planner::formatOutput(Output::Cost, plan->dollars->expected))
                                   : none,
            known && plan->energyJoules
                ? grouped(planner::formatOutput(Output::Energy, plan->energyJoules->expected))
                : none,
            known ? QStringLiteral("%1 %").arg(numberText(100 * plan->mfu, 'f', 1)) : none,
            price ? numberText(*price) : none,
            kBehindNumber + why,
            known && plan->layout ? coreText(planner::layoutText(plan->layout->layout)) : none};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment(alignment(column));
            if (!known || !plan->fits) item->setForeground(m_theme.color(ColorRole::TextMuted));
            m_table->setItem(row, column, item);
        }
        if (!known) continue;
        m_table->item(row, kFitsColumn)
            ->setToolTip(
                tr("%1 of %2")
                    .arg(quantityText(plan->neededBytes, "B"), quantityText(plan->availableBytes, "B")));
        m_table->item(row, kTimeColumn)->setToolTip(rangeText(Output::Days, plan->days));
        if (plan->dollars)
            m_table->item(row, kCostColumn)->setToolTip(rangeText(Output::Cost, *plan->dollars));
    }
    for (int column = 0; column < m_table->columnCount(); ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(alignment(column));
    m_table->fit();
    m_remove->setEnabled(m_table->currentRow() >= 0);
}

void PlannerCandidates::showProgress() {
    const auto& explorer = m_model.explorer();
    const auto progress = explorer.choiceProgress();
    m_cancel->setVisible(progress.has_value());
    if (m_card->isHidden()) return;
    const auto& choice = explorer.choice();
    QString order;
    if (progress)
        order = tr("trying the devices: %1 %").arg(numberText(100 * *progress, 'f', 0));
    else if (choice && std::ranges::none_of(choice->plans, &planner::CandidatePlan::fits))
        order = tr("none fits");
    else if (choice)
        order = choice->priced ? tr("the cheapest that fit first") : tr("the fastest that fit first");
    m_card->setSubtitle(order);
    QStringList notes;
    if (choice) {
        const QString tokens = grouped(planner::formatInput(Input::Tokens, choice->tokens));
        notes << (choice->batch > 0
                      ? tr("%1 tokens, a batch of %2 sequences on each.").arg(tokens).arg(choice->batch)
                      : tr("%1 tokens.").arg(tokens));
        for (const std::string& note : choice->notes) notes << sentenceText(coreText(note));
        notes << tr("Enter or a double click takes a row, Delete removes it.");
    } else if (!explorer.choiceProblem().isEmpty()) {
        notes << explorer.choiceProblem();
    } else if (m_model.inputs().candidates.empty()) {
        notes << tr("Add devices to see on which of them the training is cheaper.");
    } else if (!progress && !explorer.progress()) {
        notes << tr("Cancelled: change an input to try again.");
    }
    m_note->showText(sentencesText(notes), ColorRole::TextMuted);
}

void PlannerCandidates::fit() {
    const int note = m_note->text().isEmpty() ? 0 : m_note->heightForWidth(m_note->width());
    m_note->setMinimumHeight(note);
    m_card->content()->setMinimumHeight(m_count->sizeHint().height() + kCandidatesGap + kCandidatesHeight +
                                        kCandidatesGap + note);
}

/// The row's values are there to be changed.
void PlannerCandidates::showRow(int row) {
    m_remove->setEnabled(row >= 0);
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return;
    const PlannerCandidate& candidate = entryAt(m_rows, row).candidate;
    m_count->setText(QString::number(candidate.devices));
    m_price->setText(candidate.dollarsPerHour ? QString::number(*candidate.dollarsPerHour) : QString());
    const auto found = std::ranges::find(m_deviceIds, candidate.device);
    if (found != m_deviceIds.end()) m_devices->setCurrentIndex(static_cast<int>(found - m_deviceIds.begin()));
}

void PlannerCandidates::add() {
    if (m_devices->currentIndex() < 0) return;
    // Read as the fields of the panel are.
    planner::Scenario typed = m_model.inputs().scenario;
    Result<void> read = enterInput(typed, Input::Devices, m_count->text());
    const bool priced = !m_price->text().trimmed().isEmpty();
    if (read.has_value() && priced) read = enterInput(typed, Input::DevicePrice, m_price->text());
    if (!read.has_value()) {
        m_note->showText(forWindow(read.error()), ColorRole::Bad);
        return fit();
    }
    PlannerCandidate candidate{.device = entryAt(m_deviceIds, m_devices->currentIndex()),
                               .devices = typed.cluster.devices};
    if (priced) candidate.dollarsPerHour = typed.given[Input::DevicePrice]->expected;
    PlannerInputs next = m_model.inputs();
    const auto same = std::ranges::find_if(next.candidates, [&](const PlannerCandidate& each) {
        return each.device == candidate.device && each.devices == candidate.devices;
    });
    if (same != next.candidates.end() && *same == candidate) return;
    if (same == next.candidates.end() && next.candidates.size() >= kMostCandidates) {
        m_note->showText(tr("More than %1 are not compared: remove one first").arg(kMostCandidates),
                         ColorRole::Bad);
        return fit();
    }
    if (same != next.candidates.end())
        *same = candidate;
    else
        next.candidates.push_back(candidate);
    m_edits.change(std::move(next), tr("adding of devices to compare"));
}

void PlannerCandidates::remove() {
    const int row = m_table->currentRow();
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return;
    PlannerInputs next = m_model.inputs();
    std::erase(next.candidates, entryAt(m_rows, row).candidate);
    m_edits.change(std::move(next), tr("removal of devices to compare"));
}

void PlannerCandidates::take(int row) {
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return;
    const planner::CandidatePlan* plan = entryAt(m_rows, row).plan;
    const auto& choice = m_model.explorer().choice();
    if (plan == nullptr || !plan->problem.empty() || !choice) return;
    PlannerInputs next = m_model.inputs();
    chooseDevice(next, plan->candidate.device);
    next.scenario.cluster.devices = plan->candidate.devices;
    if (plan->layout) next.scenario = planner::withSharding(next.scenario, *plan->layout, choice->batch);
    if (plan->candidate.dollarsPerHour)
        (void)planner::setInput(next.scenario, Input::DevicePrice, *plan->candidate.dollarsPerHour);
    m_edits.change(std::move(next), tr("change of the devices"));
}

bool PlannerCandidates::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        remove();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace plumb::ui

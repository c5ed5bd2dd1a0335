// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_tables.h"

#include "core/base/entry_at.h"
#include "core/base/enum_array.h"
#include "ui/planner/evidence_cells.h"
#include "ui/planner/evidence_parts.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QTableView>

#include <array>
#include <utility>

namespace plumb::ui {

EvidencePartsTable::EvidencePartsTable(Theme& theme, EvidenceModel& model, QWidget* parent)
    : QObject(parent),
      m_model(model),
      m_card(new Card(theme, tr("Errors"), parent)),
      m_parts(new EvidenceParts(this)) {
    QStringList names;
    for (const planner::Division& division : planner::divisions()) names << coreText(division.name);
    m_by = new SegmentedControl(theme, names, QStringLiteral("evidenceBy"), m_card);
    m_by->setCurrent(0);
    m_by->setAccessibleName(tr("What the trainings are divided by"));
    m_card->addHeaderWidget(m_by);
    auto* copy = m_card->addHeaderButton(tr("Copy"), QStringLiteral("evidencePartsCopy"),
                                         tr("Copy this table as text"));
    copy->setAccessibleName(copy->toolTip());
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_parts->text()); });
    m_table = makeEvidenceTable(theme, model, "evidenceParts", m_card, m_parts, this);
    m_table->setAccessibleName(m_card->title());
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    connect(m_by, &SegmentedControl::chosen, this, &EvidencePartsTable::show);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { narrow(index.row()); });
    connect(&model, &EvidenceModel::filtered, this, &EvidencePartsTable::show);
}

void EvidencePartsTable::show() {
    m_parts->setParts(m_model.parts(static_cast<std::size_t>(m_by->current())));
    fit();
}

/// The bar takes room where there is some; what tells least gives way where there is none.
void EvidencePartsTable::fit() {
    static constexpr std::array kYielding{PartColumn::Without, PartColumn::Ninetieth, PartColumn::Bias};
    static const EnumArray<PartColumn, const char*> kWidest{"",       "333",     "88.8 %", "888.8 %",
                                                            "−0.888", "100.0 %", ""};
    constexpr int kLeastName = 130, kBar = 70;
    EnumArray<PartColumn, int> widths{};
    int room = m_table->viewport()->width() - scaled(kLeastName);
    for (const PartColumn column : kEnumerators<PartColumn>) {
        if (column == PartColumn::Name) continue;
        const int at = static_cast<int>(column);
        widths[column] = evidenceColumnWidth(*m_table, at, QString::fromUtf8(kWidest[column]));
        room -= widths[column];
    }
    for (const PartColumn column : kYielding) {
        if (room >= 0) break;
        room += std::exchange(widths[column], 0);
    }
    if (room >= kBar) widths[PartColumn::Held] += kBar;
    for (const PartColumn column : kEnumerators<PartColumn>) {
        if (column == PartColumn::Name) continue;
        m_table->setColumnHidden(static_cast<int>(column), widths[column] == 0);
        if (widths[column] > 0) m_table->setColumnWidth(static_cast<int>(column), widths[column]);
    }
}

void EvidencePartsTable::narrow(int row) {
    const auto& part = m_parts->row(row);
    EvidenceFilter filter = m_model.filter();
    if (part.isWhole) {
        const auto use = *part.fits ? EvidenceFilter::Use::Fitted : EvidenceFilter::Use::Validated;
        filter.use = filter.use == use ? EvidenceFilter::Use::All : use;
    } else {
        QString& by = filter.parts.at(static_cast<std::size_t>(m_by->current()));
        by = by == part.name ? QString() : part.name;
    }
    m_model.setFilter(filter);
}

bool EvidencePartsTable::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) fit();
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(m_parts->text());
        return true;
    }
    return QObject::eventFilter(watched, event);
}

EvidenceRowsTable::EvidenceRowsTable(Theme& theme, EvidenceModel& model, QWidget* parent)
    : QObject(parent),
      m_model(model),
      m_card(new Card(theme, tr("Trainings"), parent)),
      m_rows(new EvidenceRows(model, this)),
      m_only(new SegmentedControl(theme, {tr("all"), tr("outside"), tr("without")},
                                  QStringLiteral("evidenceOnly"), m_card)) {
    m_only->setCurrent(0);
    m_only->setAccessibleName(tr("Which trainings are listed"));
    m_only->setSegmentToolTip(1, tr("Those whose published figure lies outside the predicted range"));
    m_only->setSegmentToolTip(2, tr("Those that are not predicted, with the reason"));
    m_card->addHeaderWidget(m_only);
    auto* copy = m_card->addHeaderButton(tr("Copy"), QStringLiteral("evidenceCopy"),
                                         tr("Copy the rows that are listed as text"));
    auto* csv = m_card->addHeaderButton(tr("CSV…"), QStringLiteral("evidenceCsv"),
                                        tr("Write the rows that the filters leave as CSV"));
    for (QPushButton* button : {copy, csv}) button->setAccessibleName(button->toolTip());
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_rows->text()); });
    connect(csv, &QPushButton::clicked, this, &EvidenceRowsTable::csvWanted);
    m_table = makeEvidenceTable(theme, model, "evidenceRows", m_card, m_rows, this);
    m_table->setAccessibleName(m_card->title());
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setSortIndicator(static_cast<int>(EvidenceColumn::Error), Qt::DescendingOrder);
    connect(header, &QHeaderView::sortIndicatorChanged, m_rows, &EvidenceRows::sort);
    connect(m_only, &SegmentedControl::chosen, this,
            [this](int index) { showOnly(static_cast<EvidenceRows::Only>(index)); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (index.isValid()) m_model.select(entryAt(m_rows->order(), index.row()));
            });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit planWanted(entryAt(m_rows->order(), index.row())); });
    connect(&model, &EvidenceModel::selectionChanged, this, &EvidenceRowsTable::follow);
    connect(m_rows, &QAbstractItemModel::modelReset, this, &EvidenceRowsTable::show);
}

void EvidenceRowsTable::showOnly(EvidenceRows::Only only) {
    m_only->setCurrent(static_cast<int>(only));
    m_rows->setOnly(only);
}

void EvidenceRowsTable::show() {
    const int listed = static_cast<int>(m_rows->order().size());
    m_card->setSubtitle(tr("%1 listed · %2 outside their range · %3 without a prediction")
                            .arg(listed)
                            .arg(m_rows->count(EvidenceRows::Only::Outside))
                            .arg(m_rows->count(EvidenceRows::Only::Without)));
    fit();
    follow();
}

/// Of the trainings that are listed; they are few enough to be looked at whenever the width changes.
QString EvidenceRowsTable::widestName() const {
    const QFontMetrics metrics(m_table->font());
    QString widest;
    int width = 0;
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        const QString name = m_rows->index(row, static_cast<int>(EvidenceColumn::Training)).data().toString();
        if (const int own = metrics.horizontalAdvance(name); own > width) {
            widest = name;
            width = own;
        }
    }
    return widest;
}

/// Widths for the widest texts; what the panel of the row says too gives way where it is narrow.
void EvidenceRowsTable::fit() {
    static const EnumArray<EvidenceColumn, const char*> kWidest{
        "",         "megatron-bridge",  "16384 × h100-sxm5-80gb",
        "888.8 ms", "888.8 ms",         "88.8 ms – 888.8 ms",
        "+888.8 %", "outside its range"};
    // The first goes first.
    static constexpr std::array kYielding{EvidenceColumn::Remark, EvidenceColumn::Interval,
                                          EvidenceColumn::Source, EvidenceColumn::Device};
    const int leastName =
        evidenceColumnWidth(*m_table, static_cast<int>(EvidenceColumn::Training), widestName()) +
        kEvidenceUseRoom;
    const bool isWithout = m_rows->only() == EvidenceRows::Only::Without;
    EnumArray<EvidenceColumn, int> widths{};
    int sum = 0;
    for (const EvidenceColumn column : kEnumerators<EvidenceColumn>) {
        const int at = static_cast<int>(column);
        if (column != EvidenceColumn::Training)
            widths[column] = evidenceColumnWidth(*m_table, at, QString::fromUtf8(kWidest[column]));
        // The reason is what matters where nothing is predicted.
        const bool isEmpty =
            isWithout && (column == EvidenceColumn::Predicted || column == EvidenceColumn::Interval ||
                          column == EvidenceColumn::Error);
        if (isEmpty) widths[column] = 0;
        sum += widths[column];
    }
    const int room = m_table->viewport()->width() - leastName;
    for (const EvidenceColumn column : kYielding) {
        if (sum <= room) break;
        if (isWithout && column == EvidenceColumn::Remark) continue;
        sum -= widths[column];
        widths[column] = 0;
    }
    const auto wide = isWithout ? EvidenceColumn::Remark : EvidenceColumn::Training;
    if (isWithout) widths[EvidenceColumn::Training] = leastName;
    for (const EvidenceColumn column : kEnumerators<EvidenceColumn>) {
        const int at = static_cast<int>(column);
        m_table->horizontalHeader()->setSectionResizeMode(at, column == wide ? QHeaderView::Stretch
                                                                             : QHeaderView::Fixed);
        m_table->setColumnHidden(at, column != wide && widths[column] == 0);
        if (column != wide && widths[column] > 0) m_table->setColumnWidth(at, widths[column]);
    }
}

void EvidenceRowsTable::follow() {
    const int place = m_model.selected() ? m_rows->placeOf(*m_model.selected()) : -1;
    if (place < 0) return m_table->clearSelection();
    if (m_table->currentIndex().row() != place || !m_table->selectionModel()->hasSelection())
        m_table->selectRow(place);
}

bool EvidenceRowsTable::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) fit();
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(m_rows->text());
        return true;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace plumb::ui

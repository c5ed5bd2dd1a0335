// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_tables.h"

#include "core/base/entry_at.h"
#include "core/base/enum_array.h"
#include "ui/planner/evidence_parts.h"
#include "ui/planner/evidence_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/segmented_control.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

constexpr qreal kUseDot = 4;
constexpr int kUseRoom = 18;
constexpr int kCellRoom = 18;  // of a column beside its text

/// A dot before the text: filled or hollow as in the chart. `fits`: of the row of the table.
void paintUse(QPainter& painter, const QRect& room, const QColor& color, bool fits) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.4));
    painter.setBrush(fits ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QPointF(room.left() + 11, room.center().y() + 0.5), kUseDot, kUseDot);
    painter.restore();
}

/// The cells of both tables: dots of the use, warnings on what misses the goals, the share held as a bar.
class EvidenceCells final : public QStyledItemDelegate {
public:
    EvidenceCells(const Theme& theme, const EvidenceModel& model, const EvidenceParts* parts,
                  const EvidenceRows* rows, QObject* parent)
        : QStyledItemDelegate(parent), m_theme(theme), m_model(model), m_parts(parts), m_rows(rows) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem item(option);
        if (m_parts != nullptr)
            paintPart(*painter, item, index, m_parts->row(index.row()));
        else
            paintRow(*painter, item, index, entryAt(m_model.rows(), entryAt(m_rows->order(), index.row())));
    }

private:
    void paintText(QPainter& painter, const QStyleOptionViewItem& item, const QModelIndex& index,
                   const QRect& room, ColorRole role) const {
        QFont font = item.font;
        if (const QVariant own = index.data(Qt::FontRole); own.isValid())
            font.setWeight(static_cast<QFont::Weight>(own.value<QFont>().weight()));
        painter.setFont(font);
        painter.setPen(m_theme.color(role));
        const QRect text = room.adjusted(6, 0, -8, 0);
        painter.drawText(
            text, index.data(Qt::TextAlignmentRole).toInt(),
            QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, text.width()));
    }
    void paintBase(QPainter& painter, const QStyleOptionViewItem& item) const {
        if (item.state & QStyle::State_Selected)
            painter.fillRect(item.rect, m_theme.color(ColorRole::Selection));
        else if (item.state & QStyle::State_MouseOver)
            painter.fillRect(item.rect, m_theme.color(ColorRole::Hover));
    }
    void paintPart(QPainter& painter, const QStyleOptionViewItem& item, const QModelIndex& index,
                   const EvidencePart& part) const {
        paintBase(painter, item);
        const auto column = static_cast<PartColumn>(index.column());
        QRect room = item.rect;
        const planner::ErrorGoals& goals = planner::goalsOf(m_model.filter().figure);
        const planner::ErrorSummary& summary = part.summary;
        if (column == PartColumn::Name) {
            if (part.isWhole) {
                paintUse(painter, room, m_theme.color(ColorRole::TextMuted), part.fits.value_or(false));
            }
            room.setLeft(room.left() + kUseRoom);
        }
        const bool misses =
            summary.rows > 0 &&
            ((column == PartColumn::Median && summary.median > goals.median) ||
             (column == PartColumn::Ninetieth && part.isWhole && summary.ninetieth > goals.ninetieth) ||
             (column == PartColumn::Bias && part.isWhole && std::abs(summary.bias) > goals.bias) ||
             (column == PartColumn::Held && summary.held < goals.heldFrom));
        if (column == PartColumn::Held && summary.rows > 0) {
            const int text = QFontMetrics(item.font).horizontalAdvance(QStringLiteral("100.0 %")) + 16;
            const QRectF bar(room.left() + 8, room.center().y() - 2.0, room.width() - text - 8, 5);
            if (bar.width() > 16) paintHeld(painter, bar, summary.held, goals.heldFrom, misses);
        }
        paintText(painter, item, index, room,
                  misses         ? ColorRole::Warning
                  : part.isWhole ? ColorRole::TextStrong
                                 : ColorRole::Text);
    }
    void paintHeld(QPainter& painter, const QRectF& bar, double share, double meant, bool misses) const {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(ColorRole::Track));
        painter.drawRoundedRect(bar, 2.5, 2.5);
        painter.setBrush(m_theme.color(misses ? ColorRole::Warning : ColorRole::Good));
        painter.drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * share, bar.height())), 2.5, 2.5);
        const qreal x = bar.left() + bar.width() * meant;
        painter.setPen(QPen(m_theme.color(ColorRole::TextStrong), 1.4));
        painter.drawLine(QPointF(x, bar.top() - 3), QPointF(x, bar.bottom() + 3));
        painter.restore();
    }
    void paintRow(QPainter& painter, const QStyleOptionViewItem& item, const QModelIndex& index,
                  const planner::ValidatedRow& row) const {
        paintBase(painter, item);
        const auto column = static_cast<EvidenceColumn>(index.column());
        const planner::Figure figure = m_model.filter().figure;
        QRect room = item.rect;
        if (column == EvidenceColumn::Training) {
            paintUse(painter, room, m_theme.color(ColorRole::TextMuted), m_model.fits(row));
            room.setLeft(room.left() + kUseRoom);
        }
        ColorRole role = ColorRole::Text;
        if (column == EvidenceColumn::Predicted) role = ColorRole::TextStrong;
        if (column == EvidenceColumn::Interval || column == EvidenceColumn::Remark ||
            column == EvidenceColumn::Source)
            role = ColorRole::TextMuted;
        if (column == EvidenceColumn::Error && !row.held(figure).value_or(true)) role = ColorRole::Warning;
        paintText(painter, item, index, room, role);
    }

    const Theme& m_theme;
    const EvidenceModel& m_model;
    const EvidenceParts* m_parts;
    const EvidenceRows* m_rows;
};

/// What both tables have in common. Keys for copying reach `filter`.
QTableView* makeTable(Theme& theme, const EvidenceModel& model, const char* name, Card* card,
                      QAbstractItemModel* rows, QObject* filter) {
    auto* table = new QTableView(card);
    table->setObjectName(QString::fromLatin1(name));
    setUpDataTable(*table);
    table->setModel(rows);
    table->setItemDelegate(new EvidenceCells(theme, model, qobject_cast<EvidenceParts*>(rows),
                                             qobject_cast<EvidenceRows*>(rows), table));
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setMouseTracking(true);
    table->horizontalHeader()->setMinimumSectionSize(24);
    table->horizontalHeader()->setStretchLastSection(false);
    table->installEventFilter(filter);
    table->viewport()->installEventFilter(filter);
    card->setContentMargins(6, 2, 6, 6);
    card->setContent(table);
    QObject::connect(&theme, &Theme::changed, table->viewport(), qOverload<>(&QWidget::update));
    return table;
}

int widthFor(const QTableView& table, int column, const QString& widest) {
    const QFontMetrics metrics(table.font());
    const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
    return std::max(metrics.horizontalAdvance(widest), metrics.horizontalAdvance(title)) + kCellRoom;
}

}  // namespace

EvidencePartsTable::EvidencePartsTable(Theme& theme, EvidenceModel& model, QWidget* parent)
    : QObject(parent),
      m_model(model),
      m_card(new Card(theme, tr("Errors"), parent)),
      m_parts(new EvidenceParts(this)) {
    QStringList names;
    for (const planner::Division& division : planner::divisions()) names << toText(division.name);
    m_by = new SegmentedControl(theme, names, QStringLiteral("evidenceBy"), m_card);
    m_by->setCurrent(0);
    m_by->setAccessibleName(tr("What the trainings are divided by"));
    m_card->addHeaderWidget(m_by);
    auto* copy = m_card->addHeaderButton(tr("Copy"), QStringLiteral("evidencePartsCopy"),
                                         tr("Copy this table as text"));
    copy->setAccessibleName(copy->toolTip());
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_parts->text()); });
    m_table = makeTable(theme, model, "evidenceParts", m_card, m_parts, this);
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
    int room = m_table->viewport()->width() - kLeastName;
    for (const PartColumn column : kEnumerators<PartColumn>) {
        if (column == PartColumn::Name) continue;
        const int at = static_cast<int>(column);
        widths[column] = widthFor(*m_table, at, QString::fromUtf8(kWidest[column]));
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
    m_table = makeTable(theme, model, "evidenceRows", m_card, m_rows, this);
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

/// Widths for the widest texts; what the panel of the row says too gives way where it is narrow.
void EvidenceRowsTable::fit() {
    static const EnumArray<EvidenceColumn, const char*> kWidest{
        "",         "megatron-bridge",  "16384 × h100-sxm5-80gb",
        "888.8 ms", "888.8 ms",         "88.8 ms – 888.8 ms",
        "+888.8 %", "outside its range"};
    // The first goes first.
    static constexpr std::array kYielding{EvidenceColumn::Remark, EvidenceColumn::Interval,
                                          EvidenceColumn::Source, EvidenceColumn::Device};
    constexpr int kLeastName = 190;
    const bool isWithout = m_rows->only() == EvidenceRows::Only::Without;
    EnumArray<EvidenceColumn, int> widths{};
    int sum = 0;
    for (const EvidenceColumn column : kEnumerators<EvidenceColumn>) {
        const int at = static_cast<int>(column);
        if (column != EvidenceColumn::Training)
            widths[column] = widthFor(*m_table, at, QString::fromUtf8(kWidest[column]));
        // The reason is what matters where nothing is predicted.
        const bool isEmpty =
            isWithout && (column == EvidenceColumn::Predicted || column == EvidenceColumn::Interval ||
                          column == EvidenceColumn::Error);
        if (isEmpty) widths[column] = 0;
        sum += widths[column];
    }
    const int room = m_table->viewport()->width() - kLeastName;
    for (const EvidenceColumn column : kYielding) {
        if (sum <= room) break;
        if (isWithout && column == EvidenceColumn::Remark) continue;
        sum -= widths[column];
        widths[column] = 0;
    }
    const auto wide = isWithout ? EvidenceColumn::Remark : EvidenceColumn::Training;
    if (isWithout) widths[EvidenceColumn::Training] = kLeastName;
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

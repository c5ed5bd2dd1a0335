// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_view.h"

#include "ui/history/history.h"
#include "ui/history/history_edits.h"
#include "ui/history/history_model.h"
#include "ui/history/history_trend.h"
#include "ui/theme/error_text.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/action_link.h"
#include "ui/widgets/card.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/tone_label.h"
#include "ui/workbench/first_focus.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kHistoryGap = 10;
constexpr std::size_t kMostCompared = 8;

QPushButton* barButton(QWidget& bar, const QString& text, const char* name, const QString& toolTip) {
    auto* button = new QPushButton(text, &bar);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(toolTip);
    constexpr int kRoom = 18;
    button->setMinimumWidth(button->sizeHint().width() + kRoom);
    bar.layout()->addWidget(button);
    return button;
}

/// What stands in the table where a search finds nothing: which one, and the way out of it.
QWidget* nothingFoundIn(QTableView& table, QLineEdit& search, Theme& theme) {
    auto* nothing = new QWidget(table.viewport());
    nothing->setObjectName(QStringLiteral("historyNothing"));
    auto* text = new ToneLabel(theme, ColorRole::Text, nothing);
    text->setObjectName(QStringLiteral("historyNothingText"));
    text->setTextFormat(Qt::PlainText);  // it has what was typed
    text->setAlignment(Qt::AlignCenter);
    text->setWordWrap(true);
    QObject::connect(&search, &QLineEdit::textChanged, text, [text](const QString& typed) {
        text->setText(HistoryView::tr("Nothing is found by the search \"%1\".").arg(typed.trimmed()));
    });
    auto* clear = new QPushButton(HistoryView::tr("Clear the search"), nothing);
    clear->setObjectName(QStringLiteral("historyClearSearch"));
    QObject::connect(clear, &QPushButton::clicked, &search, [&search] {
        search.setFocus();  // the button goes, and the keyboard with it
        search.clear();
    });
    auto* layout = new QVBoxLayout(nothing);
    layout->addStretch(1);
    layout->addWidget(text);
    layout->addSpacing(scaled(10));
    layout->addWidget(clear, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    auto* room = new QVBoxLayout(table.viewport());
    room->setContentsMargins(0, 0, 0, 0);
    room->addWidget(nothing);
    return nothing;
}

/// A row that has the frame of the keyboard and nothing else chosen is what keys mean.
void chooseCurrentRow(QTableView& table) {
    if (table.currentIndex().isValid() && !table.selectionModel()->hasSelection())
        table.selectRow(table.currentIndex().row());
}

}  // namespace

HistoryView::HistoryView(ViewContext context, History& history, QUndoStack& undo, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_history(history),
      m_edits(new HistoryEdits(history, undo, *this)),
      m_model(new HistoryModel(this)) {
    setObjectName(QStringLiteral("historyView"));
    setAccessibleName(tr("History"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kHistoryGap);
    buildBar();
    buildTable();
    buildEmpty();
    layout->addWidget(m_bar);
    layout->addWidget(m_problem);
    layout->addWidget(FixButton::of(*m_problem), 0, Qt::AlignLeft);
    layout->addWidget(m_content, 1);
    layout->addWidget(m_empty, 1);
    setFirstFocus(*this, m_table);
    connect(&history, &History::changed, this, &HistoryView::load);
    connect(&history, &History::switched, this, &HistoryView::showState);
    m_clock.setInterval(kLookMilliseconds);
    connect(&m_clock, &QTimer::timeout, this, &HistoryView::look);
    connect(findKey(*this), &QShortcut::activated, m_search, qOverload<>(&QWidget::setFocus));
    showState();
    refreshButtons();
}

HistoryView::~HistoryView() = default;

void HistoryView::buildBar() {
    m_bar = new QWidget(this);
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(0, 0, 0, 0);
    m_search = new QLineEdit(m_bar);
    m_search->setObjectName(QStringLiteral("historySearch"));
    m_search->setClearButtonEnabled(true);
    m_search->setPlaceholderText(tr("Search: h200 tag:best loss<0.1 after:2026-11"));
    m_search->setAccessibleName(tr("Search in the history"));
    m_search->setToolTip(tr(
        "Words are found in configuration, device, tags, note, file and version.\n"
        "tag: device: kind: program: engine: config: note: file: outcome: is:favourite is:saved is:running\n"
        "on: after: before: a day (2026-11-26), a month, a year, today or 7d\n"
        "time<5ms peak<2 GiB loss<0.1 mfu>40% samples>1k: figures, measured where they were\n"
        "A minus in front leaves out: -tag:old\n"
        "In quotes stands a text with a blank, a colon or a sign: \"cuda:0\"\n"
        "The key / leads to this field"));
    row->addWidget(m_search, 1);
    connect(m_search, &QLineEdit::textChanged, this, &HistoryView::search);
    m_open = barButton(*m_bar, tr("Open"), "historyOpen", tr("Open the selected run as it was (Enter)"));
    m_compare = barButton(*m_bar, tr("Compare"), "historyCompare",
                          tr("Lay two to eight selected runs side by side, the oldest as the baseline"));
    auto* more = barButton(*m_bar, tr("History"), "historyMore", tr("Import, export, and what it may take"));
    auto* menu = new QMenu(more);
    menu->setObjectName(QStringLiteral("historyMoreMenu"));
    menu->addAction(tr("&Import a history…"), this, &HistoryView::importWanted);
    menu->addAction(tr("&Export all…"), this, [this] { emit exportWanted({}); });
    menu->addSeparator();
    menu->addAction(tr("&Room on the disk…"), m_edits, [this] { m_edits->askMostBytes(m_bounds); })
        ->setObjectName(QStringLiteral("historyMostBytes"));
    menu->addAction(tr("&Number of entries…"), m_edits, [this] { m_edits->askMostEntries(m_bounds); })
        ->setObjectName(QStringLiteral("historyMostEntries"));
    more->setMenu(menu);
    connect(m_open, &QPushButton::clicked, this, &HistoryView::openSelected);
    connect(m_compare, &QPushButton::clicked, this, [this] { emit compareWanted(selected()); });
    m_problem = new ToneLabel(m_context.theme, ColorRole::Bad, this);
    m_problem->setObjectName(QStringLiteral("historyProblem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);  // it has what was typed
    m_problem->hide();
    new FixButton(*m_problem);
}

void HistoryView::buildTable() {
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setObjectName(QStringLiteral("historySplitter"));
    m_content = splitter;
    splitter->setChildrenCollapsible(false);
    m_card = new Card(m_context.theme, tr("Runs and profiles"), splitter);
    m_card->setObjectName(QStringLiteral("historyCard"));
    m_table = new QTableView(m_card);
    m_table->setObjectName(QStringLiteral("historyTable"));
    m_table->setAccessibleName(tr("Runs and profiles that were kept"));
    m_table->setModel(m_model);
    setUpDataTable(*m_table);
    chooseRowAtFocus(*m_table);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTextElideMode(Qt::ElideMiddle);  // what tells a configuration from others stands at its end
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(HistoryColumn::When), Qt::DescendingOrder);
    for (int column = 0; column < kHistoryColumns; ++column)
        if (isIndented(static_cast<HistoryColumn>(column))) indentColumn(*m_table, column);
    new ColumnFit(*m_table, static_cast<int>(HistoryColumn::Title),
                  {static_cast<int>(HistoryColumn::Program), static_cast<int>(HistoryColumn::Steps),
                   static_cast<int>(HistoryColumn::Loss), static_cast<int>(HistoryColumn::Kind),
                   static_cast<int>(HistoryColumn::Tags), static_cast<int>(HistoryColumn::Device),
                   static_cast<int>(HistoryColumn::Peak)},
                  {static_cast<int>(HistoryColumn::Tags), static_cast<int>(HistoryColumn::Title)});
    m_table->installEventFilter(this);
    m_nothing = nothingFoundIn(*m_table, *m_search, m_context.theme);
    m_card->setContentMargins(10, 6, 10, 10);
    m_card->setContent(m_table);
    m_usage = new ToneLabel(m_context.theme, ColorRole::TextMuted, m_card);
    m_usage->setObjectName(QStringLiteral("historyUsage"));
    m_card->addHeaderWidget(m_usage);
    m_trend = new HistoryTrend(m_context.theme, this);
    splitter->addWidget(m_card);
    splitter->addWidget(m_trend->card());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    connect(m_table, &QTableView::doubleClicked, this, &HistoryView::openSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &HistoryView::refreshButtons);
    connect(m_trend, &HistoryTrend::chosen, this, [this](std::int64_t id) { selectRows({id}); });
}

void HistoryView::buildEmpty() {
    m_empty = new Card(m_context.theme, tr("History"), this);
    m_emptyText = new ToneLabel(m_context.theme, ColorRole::Text, m_empty);
    m_emptyText->setObjectName(QStringLiteral("historyEmpty"));
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    auto* run = new ActionLink(tr("Run"), "run.run", m_empty);
    run->setObjectName(QStringLiteral("historyRun"));
    // Where nothing is kept no run changes that.
    const auto showRun = [this, run] { run->setVisible(m_history.whyOff().isEmpty()); };
    connect(&m_history, &History::switched, run, showRun);
    showRun();
    auto* content = new QWidget(m_empty);
    auto* layout = new QVBoxLayout(content);
    layout->addStretch(1);
    layout->addWidget(m_emptyText);
    layout->addSpacing(scaled(10));
    layout->addWidget(run, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    m_empty->setContent(content);
}

void HistoryView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_clock.start();
    load();
}

void HistoryView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_clock.stop();
}

void HistoryView::load() {
    if (!isVisible()) return;  // it loads when it is shown
    m_history.ask(
        this, [](HistoryStore& store) { return store.entries(); },
        [this](std::vector<HistoryEntry> entries) { showEntries(std::move(entries)); });
    m_history.ask(
        this, [](HistoryStore& store) { return store.usage(); },
        [this](const HistoryUsage& usage) { showUsage(usage); });
}

void HistoryView::look() {
    m_history.ask(
        this, [](HistoryStore& store) { return store.changes(); },
        [this](std::int64_t changes) {
            if (std::exchange(m_seen, changes) != changes) load();
        });
}

void HistoryView::search() {
    const HistoryStore::Ids ids = selectedIds();
    const HistoryQuery query(m_search->text());
    m_problem->setText(sentenceText(query.problem()));
    m_problem->setVisible(!query.problem().isEmpty());
    if (query.correction().isEmpty())
        FixButton::of(*m_problem)->withdraw();
    else
        FixButton::of(*m_problem)->offerUse(query.correction(), [this, text = query.correction()] {
            m_search->setFocus();  // the button goes, and the keyboard with it
            m_search->setText(text);
        });
    m_model->setQuery(query);
    m_trend->setEntries(m_model->shown());
    selectRows(ids);
    showState();
}

void HistoryView::showEntries(std::vector<HistoryEntry> entries) {
    const HistoryStore::Ids ids = selectedIds();
    const int row = ids.empty() ? -1 : m_model->rowOf(ids.front());
    m_model->setEntries(std::move(entries));
    m_trend->setEntries(m_model->shown());
    selectRows(ids);
    // Where all that were chosen have gone, what stands in their place is next.
    const int last = static_cast<int>(m_model->shown().size()) - 1;
    if (row >= 0 && last >= 0 && !m_table->selectionModel()->hasSelection())
        selectRows({m_model->row(std::min(row, last)).id});
    showState();
}

void HistoryView::showState() {
    const bool isEmpty = m_model->all().empty() || !m_history.whyOff().isEmpty();
    m_bar->setVisible(!isEmpty || m_history.whyOff().isEmpty());
    m_content->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    m_emptyText->setText(
        !m_history.whyOff().isEmpty()
            ? sentenceText(m_history.whyOff())
            : tr("Nothing is kept yet.\n\nRun a training or profile a step: when it ends it stands here by "
                 "itself, "
                 "with its figures, device and version. Then search it, tag it, open it as it was, compare "
                 "any "
                 "two, and see how a figure went from run to run.\n\nA history from elsewhere comes in by "
                 "History > Import."));
    m_nothing->setVisible(m_model->shown().empty());
    const auto shown = static_cast<std::int64_t>(m_model->shown().size());
    const auto all = static_cast<std::int64_t>(m_model->all().size());
    m_card->setSubtitle(shown == all ? all == 1 ? tr("1 entry") : tr("%1 entries").arg(groupedDigits(all))
                                     : tr("%1 of %2 entries").arg(groupedDigits(shown), groupedDigits(all)));
}

void HistoryView::showUsage(const HistoryUsage& usage) {
    m_bounds = usage.bounds;
    m_usage->showText(tr("%1 of %2").arg(bytesText(usage.bytes), bytesText(usage.bounds.bytes)),
                      usage.bytes > usage.bounds.bytes ? ColorRole::Bad : ColorRole::TextMuted);
    m_usage->setToolTip(tr("The file takes %1 of the %2 that it may, with %3 snapshots. At most %4 entries "
                           "are kept. Of more, the "
                           "oldest that are no favourites lose first their snapshots, then go.\n%5")
                            .arg(bytesText(usage.bytes), bytesText(usage.bounds.bytes),
                                 groupedDigits(usage.snapshots), groupedDigits(usage.bounds.entries),
                                 m_history.path()));
}

std::vector<HistoryEntry> HistoryView::selected() const {
    std::vector<HistoryEntry> entries;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
        entries.push_back(m_model->row(row.row()));
    std::ranges::sort(entries, {},
                      [](const HistoryEntry& entry) { return std::pair(entry.began, entry.id); });
    return entries;
}

HistoryStore::Ids HistoryView::selectedIds() const {
    HistoryStore::Ids ids;
    for (const HistoryEntry& entry : selected()) ids.push_back(entry.id);
    return ids;
}

void HistoryView::selectRows(const HistoryStore::Ids& ids) {
    QItemSelection rows;
    for (const std::int64_t id : ids)
        if (const int row = m_model->rowOf(id); row >= 0)
            rows.select(m_model->index(row, 0), m_model->index(row, kHistoryColumns - 1));
    m_table->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    if (!rows.isEmpty()) {
        const QModelIndex first = rows.front().topLeft();
        m_table->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        m_table->scrollTo(first);
    }
    refreshButtons();
}

void HistoryView::refreshButtons() {
    const std::vector<HistoryEntry> entries = selected();
    const auto hasSnapshot = [](const HistoryEntry& entry) { return entry.snapshotBytes > 0; };
    m_open->setEnabled(entries.size() == 1 && hasSnapshot(entries.front()));
    m_compare->setEnabled(entries.size() >= 2 && entries.size() <= kMostCompared &&
                          std::ranges::all_of(entries, hasSnapshot));
    m_trend->setSelected(entries.size() == 1 ? std::optional(entries.front().id) : std::nullopt);
}

void HistoryView::openSelected() {
    if (m_open->isEnabled()) emit openWanted(selected().front());
}

void HistoryView::fillMenu(QMenu& menu) {
    const std::vector<HistoryEntry> entries = selected();
    const HistoryStore::Ids ids = selectedIds();
    const auto add = [&](const QString& text, const char* name, auto handler, bool isEnabled) {
        QAction* const action = menu.addAction(text, this, handler);
        action->setObjectName(QString::fromLatin1(name));
        action->setEnabled(isEnabled);
    };
    const bool areAny = !ids.empty();
    const bool areFavourites = areAny && std::ranges::all_of(entries, &HistoryEntry::isFavourite);
    add(
        tr("&Open as it was"), "historyOpenEntry", [this] { openSelected(); }, m_open->isEnabled());
    add(
        tr("&Compare"), "historyCompareEntries", [this] { emit compareWanted(selected()); },
        m_compare->isEnabled());
    menu.addSeparator();
    add(
        areFavourites ? tr("No longer a &favourite") : tr("&Favourite"), "historyFavourite",
        [this, entries, areFavourites] { m_edits->setFavourite(entries, !areFavourites); }, areAny);
    add(
        tr("&Tags…"), "historyTags", [this] { m_edits->askTags(selected()); }, areAny);
    add(
        tr("&Note…"), "historyNote", [this] { m_edits->askNote(selected()); }, areAny);
    menu.addSeparator();
    add(
        tr("&Export…"), "historyExport", [this, ids] { emit exportWanted(ids); }, areAny);
    add(
        tr("&Remove"), "historyRemove", [this] { m_edits->remove(selectedIds()); }, areAny);
}

bool HistoryView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool opens = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (opens || key == Qt::Key_Delete) chooseCurrentRow(*m_table);
        if (opens) return openSelected(), true;
        if (key == Qt::Key_Delete) return m_edits->remove(selectedIds()), true;
    }
    if (watched == m_table && event->type() == QEvent::ContextMenu) {
        const auto* asked = static_cast<QContextMenuEvent*>(event);
        if (asked->reason() == QContextMenuEvent::Keyboard) chooseCurrentRow(*m_table);
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillMenu(*menu);
        menu->popup(asked->globalPos());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace plumb::ui

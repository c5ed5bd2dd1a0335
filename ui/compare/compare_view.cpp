// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.h"

#include "ui/compare/budget_card.h"
#include "ui/compare/compared_steps.h"
#include "ui/compare/difference_table.h"
#include "ui/compare/facts_model.h"
#include "ui/compare/figure_tiles.h"
#include "ui/compare/step_chips.h"
#include "ui/compare/timeline_pair.h"
#include "ui/theme/house_style.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/segmented_control.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/session_steps.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

constexpr int kWideEnough = 1080;  // for two columns
constexpr int kSectionGap = 10;
// In the order of the segments above the table.
constexpr std::array kTables{DifferenceOf::OpTimes, DifferenceOf::OpFlops, DifferenceOf::OpBytes,
                             DifferenceOf::Tensors, DifferenceOf::Figures};

/// Room at both sides of the text.
void makeRoomy(QPushButton& button) { button.setMinimumWidth(button.sizeHint().width() + 18); }

QStringList droppedSteps(const QMimeData& data) {
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile() && url.toLocalFile().endsWith(QStringLiteral(".plumb"), Qt::CaseInsensitive))
            paths << url.toLocalFile();
    return paths;
}

}  // namespace

CompareView::CompareView(ViewContext context, ComparedSteps& steps, QWidget* parent)
    : LateView(parent), m_context(context), m_steps(steps) {
    setObjectName(QStringLiteral("compareView"));
    setAccessibleName(tr("Compare"));
    setAcceptDrops(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kSectionGap);
    buildTop();
    buildBusy();
    buildEmpty();
    buildSections();
    layout->addWidget(m_top);
    layout->addWidget(m_busy);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_scroll, 1);
    connect(&steps, &ComparedSteps::changed, this, &CompareView::invalidate);
    connect(&steps, &ComparedSteps::progressed, this, &CompareView::showBusy);
    connect(findKey(*this), &QShortcut::activated, m_search, qOverload<>(&QWidget::setFocus));
    setFirstFocus(*this, m_table);
    refresh();
}

CompareView::~CompareView() = default;

void CompareView::buildTop() {
    m_top = new QWidget(this);
    m_topLayout = new QBoxLayout(QBoxLayout::LeftToRight, m_top);
    m_topLayout->setContentsMargins(0, 0, 0, 0);
    m_topLayout->setSpacing(8);
    m_chips = new StepChips(m_context.theme, m_steps, m_top);
    auto* add = new QMenu(&m_chips->addButton());
    add->setObjectName(QStringLiteral("compareAddMenu"));
    m_chips->addButton().setMenu(add);
    connect(add, &QMenu::aboutToShow, this, &CompareView::fillAddMenu);
    m_topLayout->addWidget(m_chips, 1);
    auto* layout = new QHBoxLayout;
    layout->setSpacing(8);
    m_topLayout->addLayout(layout);
    layout->addStretch(1);
    m_shown = new SegmentedControl(m_context.theme, {tr("Only real"), tr("Everything")},
                                   QStringLiteral("compareShown"), m_top);
    m_shown->setCurrent(0);
    m_shown->setSegmentToolTip(0, tr("What differs by more than its noise"));
    m_shown->setSegmentToolTip(1, tr("Also what is the same, or no real change"));
    layout->addWidget(m_shown, 0, Qt::AlignTop);
    auto* copyButton = new QPushButton(m_top);
    copyButton->setObjectName(QStringLiteral("compareCopy"));
    copyButton->setText(tr("Copy report"));
    copyButton->setToolTip(tr("Copy what plumbline-cli compare writes"));
    auto* copies = new QMenu(copyButton);
    copies->addAction(tr("As &Markdown"), this, [this] { copy(TableForm::Markdown); })
        ->setObjectName(QStringLiteral("compareCopyMarkdown"));
    copies->addAction(tr("As &text"), this, [this] { copy(TableForm::Text); })
        ->setObjectName(QStringLiteral("compareCopyText"));
    copies->addSeparator();
    copies->addAction(tr("Export the table as &CSV…"), this, &CompareView::exportWanted)
        ->setObjectName(QStringLiteral("compareExport"));
    copyButton->setMenu(copies);
    makeRoomy(*copyButton);
    layout->addWidget(copyButton, 0, Qt::AlignTop);
    connect(m_shown, &SegmentedControl::chosen, this, &CompareView::showChosen);
}

void CompareView::buildBusy() {
    m_busy = new QWidget(this);
    m_busy->setObjectName(QStringLiteral("compareBusy"));
    auto* layout = new QHBoxLayout(m_busy);
    layout->setContentsMargins(2, 0, 2, 0);
    m_busyText = new QLabel(m_busy);
    m_busyText->setObjectName(QStringLiteral("compareBusyText"));
    auto* cancel = new QPushButton(tr("Cancel"), m_busy);
    cancel->setObjectName(QStringLiteral("compareCancel"));
    cancel->setToolTip(tr("Give it up; what was compared before stays"));
    makeRoomy(*cancel);
    layout->addWidget(m_busyText);
    layout->addWidget(cancel);
    layout->addStretch(1);
    connect(cancel, &QPushButton::clicked, &m_steps, &ComparedSteps::cancel);
}

void CompareView::showBusy() {
    const bool isBusy = m_steps.isReading() || m_steps.isComparing();
    m_busy->setVisible(isBusy);
    if (!isBusy) return;
    const int percent = static_cast<int>(m_steps.share() * 100);
    m_busyText->setText(m_steps.isComparing()
                            ? tr("Comparing %1 steps: %2 %").arg(m_steps.steps().size()).arg(percent)
                            : tr("Reading: %1 %").arg(percent));
}

void CompareView::buildEmpty() {
    m_empty = new QWidget(this);
    auto* layout = new QVBoxLayout(m_empty);
    m_emptyText = new QLabel(m_empty);
    m_emptyText->setObjectName(QStringLiteral("compareEmpty"));
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    auto* choose = new QPushButton(tr("Choose files…"), m_empty);
    choose->setObjectName(QStringLiteral("compareChoose"));
    choose->setProperty(kPrimaryButton, true);
    makeRoomy(*choose);
    layout->addStretch(1);
    layout->addWidget(m_emptyText);
    layout->addSpacing(10);
    layout->addWidget(choose, 0, Qt::AlignHCenter);
    layout->addStretch(2);
    connect(choose, &QPushButton::clicked, this, &CompareView::filesWanted);
}

void CompareView::buildSections() {
    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("compareScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);  // it follows what has the focus in it
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_page = new QWidget;
    m_page->setAutoFillBackground(false);
    m_scroll->setWidget(m_page);
    m_page->setAutoFillBackground(false);
    m_grid = new QGridLayout(m_page);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(kSectionGap);
    Theme& theme = m_context.theme;

    m_factsCard = new Card(theme, tr("What differs"), m_page);
    m_factsCard->setObjectName(QStringLiteral("compareFactsCard"));
    m_factsCard->setContentMargins(8, 4, 8, 8);
    m_facts = new QTableView(m_factsCard);
    m_facts->setObjectName(QStringLiteral("compareFacts"));
    m_facts->setAccessibleName(tr("What was chosen or found differently"));
    setUpDataTable(*m_facts);
    m_factsModel = new FactsModel(this);
    m_facts->setModel(m_factsModel);
    m_facts->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_facts->horizontalHeader()->setTextElideMode(Qt::ElideMiddle);
    m_factsCard->setContent(m_facts);

    m_figures = new FigureTiles(theme, m_page);
    m_memory = std::make_unique<ComparedMemory>(theme, m_page);
    m_roofline = std::make_unique<ComparedRoofline>(theme, m_page);
    m_losses = std::make_unique<ComparedLosses>(theme, m_page);
    m_tableCard = buildTable();
    m_timelineCard = new Card(theme, tr("Timelines"), m_page);
    m_timelineCard->setContentMargins(8, 4, 8, 8);
    m_timeline = new TimelinePair(theme, m_timelineCard);
    m_timelineCard->setContent(m_timeline);
    m_timelineCard->setSubtitle(tr("last recorded step, from its beginning, on one scale"));
    m_budget = new BudgetCard(theme, m_steps, m_page);
    connect(m_budget, &BudgetCard::budgetWanted, this, &CompareView::budgetWanted);
}

Card* CompareView::buildTable() {
    Theme& theme = m_context.theme;
    auto* card = new Card(theme, tr("Operations and tensors"), m_page);
    card->setObjectName(QStringLiteral("compareTableCard"));
    card->setContentMargins(8, 6, 8, 8);
    m_what = new SegmentedControl(theme, {tr("Time"), tr("FLOPs"), tr("Bytes"), tr("Tensors"), tr("Figures")},
                                  QStringLiteral("compareWhat"), card);
    m_what->setCurrent(0);
    card->addHeaderWidget(m_what);
    m_search = new QLineEdit(card);
    m_search->setObjectName(QStringLiteral("compareSearch"));
    m_search->setAccessibleName(tr("Filter"));
    m_search->setPlaceholderText(tr("Filter  /"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(150);
    card->addHeaderWidget(m_search);
    m_model = new DifferenceModel(this);
    auto* content = new QWidget(card);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_table = new DifferenceTable(theme, *m_model, content);
    m_table->setObjectName(QStringLiteral("compareTable"));
    m_table->setAccessibleName(tr("Differences"));
    m_counts = new QLabel(content);
    m_counts->setObjectName(QStringLiteral("compareCounts"));
    m_counts->setIndent(8);
    m_noRows = new QLabel(content);
    m_noRows->setObjectName(QStringLiteral("compareNoRows"));
    m_noRows->setAlignment(Qt::AlignCenter);
    m_noRows->setWordWrap(true);
    m_noRows->setTextFormat(Qt::PlainText);  // it repeats what was typed
    layout->addWidget(m_table, 1);
    layout->addWidget(m_noRows, 1);
    layout->addWidget(m_counts);
    card->setContent(content);
    connect(m_what, &SegmentedControl::chosen, this, &CompareView::showTable);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setQuery(text);
        showCounts();
    });
    connect(m_table, &DifferenceTable::copyRequested, this,
            [this] { QGuiApplication::clipboard()->setText(csv()); });
    return card;
}

void CompareView::fillAddMenu() {
    QMenu& menu = *m_chips->addButton().menu();
    menu.clear();
    menu.addAction(tr("&Files…"), this, &CompareView::filesWanted);
    menu.addSeparator();
    for (SessionStep& step : sessionSteps(m_context.workbench)) {
        // A name of a file has no mnemonics.
        const QString title = QString(step.title).replace(u'&', QStringLiteral("&&"));
        menu.addAction(title, this, [this, make = std::move(step.make)] {
            Result<ComparedStep> made = make();
            if (made.has_value())
                m_steps.add(std::move(made.value()));
            else
                emit m_steps.failed(made.error());
        });
    }
}

bool CompareView::showsOnlyReal() const { return m_shown->current() == 0; }

void CompareView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void CompareView::catchUp() {
    const Comparison* comparison = m_steps.comparison();
    showBusy();
    m_empty->setVisible(comparison == nullptr && !m_steps.isComparing());
    m_scroll->setVisible(comparison != nullptr);
    m_emptyText->setText(
        m_steps.steps().empty()
            ? tr("Nothing is compared yet. Drop two snapshots or recorded steps here, choose "
                 "files, or add what this session predicted and measured.")
            : tr("One step alone compares with nothing. Add another."));
    if (comparison == nullptr) return;
    const std::size_t index = m_steps.detailed();
    m_factsModel->setFacts(*comparison, {0, index});
    const int facts = m_factsModel->rowCount();
    const double drift = comparison->drifts[index];
    QString subtitle = facts == 0 ? tr("nothing was chosen or found differently")
                                  : tr("%1 chosen or found differently").arg(facts);
    if (drift > 0) subtitle += tr(" · machine's speed differs by %1 %").arg(numberText(drift * 100, 'f', 1));
    m_factsCard->setSubtitle(subtitle);
    m_facts->horizontalHeader()->setVisible(facts > 0);
    m_memory->show(m_steps.detail());
    m_hasLosses = m_losses->show(*comparison, index);
    m_hasTimelines = m_timeline->show(m_steps.detail());
    m_budget->refresh();
    m_model->setRows(nullptr);  // those of before need no filter any more
    showChosen();
    showTable();
    arrange();
}

// What depends on whether only real changes are shown; memory and timelines do not.
void CompareView::showChosen() {
    const Comparison* comparison = m_steps.comparison();
    if (comparison == nullptr) return;
    m_figures->show(figureTiles(*comparison, m_steps.detailed(), showsOnlyReal()));
    m_roofline->show(*comparison, m_steps.detailed(), m_steps.detail()->shifts, showsOnlyReal());
    m_model->setOnlyReal(showsOnlyReal());
    showCounts();
}

void CompareView::showTable() {
    const std::shared_ptr<const CompareDetail> detail = m_steps.detail();
    if (detail == nullptr) return;
    const DifferenceOf what = kTables.at(static_cast<std::size_t>(std::max(0, m_what->current())));
    m_model->setRows({detail, &detail->tables[what]});
    showCounts();
}

void CompareView::showCounts() {
    const DifferenceRows& all = m_model->all();
    QStringList parts{tr("%1 of %2 shown").arg(m_model->rowCount()).arg(all.rows.size())};
    parts << (all.real == 0 ? tr("no real change") : tr("%1 really differ").arg(all.real));
    if (all.alone > 0) parts << tr("%1 in one step only").arg(all.alone);
    if (all.unknownInBoth > 0) parts << tr("of %1 the noise is not known").arg(all.unknownInBoth);
    if (all.disturbed > 0) parts << tr("of %1 the machine was disturbed").arg(all.disturbed);
    m_counts->setText(parts.join(QStringLiteral(" · ")));
    const QString why = whyNoRows();
    m_noRows->setText(why);
    m_noRows->setVisible(!why.isEmpty());
    m_table->setVisible(why.isEmpty());
}

QString CompareView::whyNoRows() const {
    if (m_model->rowCount() > 0) return {};
    const bool isOfTensors = m_what->current() == 3;
    const DifferenceRows& differences = m_model->all();
    if (differences.rows.empty())
        return isOfTensors ? tr("Neither step names its tensors.") : tr("Neither step has operations.");
    if (!m_search->text().trimmed().isEmpty())
        return showsOnlyReal()
                   ? tr("Nothing that really differs has “%1” in its name. “Everything” looks in all rows.")
                         .arg(m_search->text().trimmed())
                   : tr("No row has “%1” in its name.").arg(m_search->text().trimmed());
    const int unknown = differences.unknown, rows = static_cast<int>(differences.rows.size());
    if (differences.absent == rows)
        return tr("Neither step has such numbers: of none of its %1 rows they were measured or predicted.")
            .arg(rows);
    const QString all = tr("“Everything” shows the %1 rows.").arg(rows);
    if (unknown == rows)
        return sentencesText(
            {tr("Of no row the noise is known, so that none can be said to really differ."), all});
    return sentencesText(
        {unknown > 0 ? tr("Nothing really differs, and of %1 rows the noise is not known.").arg(unknown)
                     : tr("Nothing really differs."),
         all});
}

// Two columns where there is room, else one.
void CompareView::arrange() {
    const bool isWide = width() >= kWideEnough;
    m_topLayout->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    while (QLayoutItem* item = m_grid->takeAt(0)) delete item;
    Card &memory = m_memory->card(), &roofline = m_roofline->card(), &losses = m_losses->card();
    losses.setVisible(m_hasLosses);
    m_timelineCard->setVisible(m_hasTimelines);
    memory.setMinimumHeight(290);
    losses.setMinimumHeight(250);
    const int facts = m_factsModel->rowCount();
    m_facts->setVisible(facts > 0);
    m_factsCard->setMaximumHeight(facts == 0 && !isWide ? 44 : QWIDGETSIZE_MAX);
    m_factsCard->setMinimumHeight(facts == 0 ? 44 : 72 + std::min(facts, 6) * (fontMetrics().height() + 10));
    m_tableCard->setMinimumHeight(330);
    int row = 0;
    const auto full = [&](QWidget* widget) { m_grid->addWidget(widget, row++, 0, 1, 5); };
    if (isWide) {
        m_grid->addWidget(m_factsCard, row, 0, 1, 2);
        m_grid->addWidget(m_figures, row++, 2, 1, 3);
        m_grid->addWidget(&memory, row, 0, 1, 3);
        m_grid->addWidget(&roofline, row++, 3, 1, 2);
        full(m_tableCard);
    } else {
        for (QWidget* widget : {static_cast<QWidget*>(m_factsCard), static_cast<QWidget*>(m_figures),
                                static_cast<QWidget*>(&memory), static_cast<QWidget*>(&roofline),
                                static_cast<QWidget*>(m_tableCard)})
            full(widget);
    }
    if (m_hasTimelines) full(m_timelineCard);
    if (m_hasLosses && isWide) {
        m_grid->addWidget(&losses, row, 0, 1, 3);
        m_grid->addWidget(m_budget, row++, 3, 1, 2);
    } else {
        if (m_hasLosses) full(&losses);
        full(m_budget);
    }
    for (int column = 0; column < 5; ++column) m_grid->setColumnStretch(column, 1);
}

QString CompareView::report(TableForm form) const {
    const Comparison* comparison = m_steps.comparison();
    return comparison ? toText(comparisonReport(*comparison, form, !showsOnlyReal())) : QString();
}

QString CompareView::csv() const { return toText(differencesCsv(m_model->shownRows())); }

void CompareView::copy(TableForm form) const {
    if (const QString text = report(form); !text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

void CompareView::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedSteps(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void CompareView::dropEvent(QDropEvent* event) {
    const QStringList paths = droppedSteps(*event->mimeData());
    if (paths.isEmpty()) return;
    m_steps.open(paths);
    event->acceptProposedAction();
}

}  // namespace plumb::ui

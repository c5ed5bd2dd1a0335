// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/ranks_panel.h"

#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/trace/trace_columns.h"
#include "ui/trace/trace_text.h"
#include "ui/widgets/slider_row.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

namespace {

constexpr std::size_t kMostShownCollectives = 50;
constexpr int kMostShownFindings = 6;

QString knownTime(const std::optional<trace::Nanoseconds>& time) {
    return time ? timeText(*time) : QStringLiteral("–");
}

QTreeWidget* makeRankTable(const QString& name, const QString& accessible, const ColumnTexts& columns,
                           QWidget* parent) {
    auto* table = new QTreeWidget(parent);
    table->setObjectName(name);
    table->setAccessibleName(accessible);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    setColumns(*table, columns);
    table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->header()->setStretchLastSection(false);
    return table;
}

QTreeWidgetItem* addRankRow(QTreeWidget* table, const QStringList& cells, int wordColumns) {
    auto* item = new QTreeWidgetItem(table, cells);
    for (int column = wordColumns; column < cells.size(); ++column)
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

}  // namespace

RanksPanel::RanksPanel(Theme& theme, QWidget* parent)
    : QWidget(parent), m_verdict(new QLabel(this)), m_findings(new QLabel(this)) {
    setObjectName(QStringLiteral("ranksPanel"));
    m_ranks = makeRankTable(QStringLiteral("ranksTable"), tr("Ranks"), rankColumns(), this);
    m_collectives = makeRankTable(QStringLiteral("ranksCollectives"), tr("Collectives of greatest skew"),
                                  collectiveColumns(), this);
    m_verdict->setObjectName(QStringLiteral("ranksVerdict"));
    m_verdict->setWordWrap(true);
    m_findings->setObjectName(QStringLiteral("ranksFindings"));
    m_findings->setWordWrap(true);
    followColor(m_findings, theme, ColorRole::TextMuted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_verdict);
    layout->addWidget(m_ranks, 2);
    layout->addWidget(m_collectives, 3);
    layout->addWidget(m_findings);
    connect(m_collectives, &QTreeWidget::itemClicked, this,
            [this](const QTreeWidgetItem* item) { choose(*item); });
    connect(m_collectives, &QTreeWidget::itemActivated, m_collectives, &QTreeWidget::itemClicked);
}

void RanksPanel::setTrace(std::shared_ptr<const OpenedTrace> opened) {
    m_opened = std::move(opened);
    m_ranks->clear();
    m_collectives->clear();
    if (!m_opened || !m_opened->ranks) return;
    m_verdict->setText(coreText(m_opened->ranks->verdict()));
    fillRanks();
    fillCollectives();
    fillFindings();
}

void RanksPanel::fillRanks() {
    for (const trace::RankFigures& rank : m_opened->ranks->ranks) {
        auto* row =
            addRankRow(m_ranks,
                       {QString::number(rank.rank), knownTime(rank.stepTime), timeText(rank.busy),
                        timeText(rank.exposed), timeText(rank.waited),
                        tr("%1 of %2").arg(rank.timesLast).arg(rank.collectives), timeText(rank.delay),
                        rank.clock.isAligned ? knownTime(rank.clock.uncertainty) : tr("not joined")},
                       1);
        QStringList facts{toText(rank.file)};
        if (rank.timesLast > 0)
            facts
                << tr("last %1 times, %2 of them by a late launch").arg(rank.timesLast).arg(rank.lateByHost);
        for (const trace::KernelExcess& kernel : rank.kernels)
            facts << tr("+%1 %2").arg(timeText(kernel.excess), toText(kernel.name).left(80));
        for (int column = 0; column < m_ranks->columnCount(); ++column)
            row->setToolTip(column, facts.join(QLatin1Char('\n')));
    }
}

void RanksPanel::fillCollectives() {
    const trace::RankComparison& ranks = *m_opened->ranks;
    for (const std::size_t i : ranks.greatestSkews(kMostShownCollectives)) {
        const trace::ComparedCollective& one = ranks.collectives[i];
        auto* row = addRankRow(m_collectives,
                               {toText(one.name), one.step.empty() ? QStringLiteral("–") : toText(one.step),
                                timeText(one.skew),
                                one.last ? QString::number(ranks.ranks[*one.last].rank) : QStringLiteral("–"),
                                timeText(one.waited)},
                               2);
        row->setData(0, Qt::UserRole, static_cast<qulonglong>(i));
        QStringList waits{one.group.empty() ? tr("no group is said") : tr("group %1").arg(toText(one.group))};
        for (const trace::RankArrival& arrival : one.arrivals)
            waits
                << tr("rank %1 waited %2").arg(ranks.ranks[arrival.rank].rank).arg(timeText(arrival.waited));
        row->setToolTip(0, waits.join(QLatin1Char('\n')));
    }
}

void RanksPanel::fillFindings() {
    QStringList said;
    QStringList all;
    for (const trace::FoundInRanks& found : m_opened->ranks->findings) {
        all << coreText(found.sentence);
        if (said.size() < kMostShownFindings) said << all.back();
    }
    if (all.size() > said.size()) said << tr("and %1 more").arg(all.size() - said.size());
    m_findings->setText(said.join(QLatin1Char('\n')));
    m_findings->setToolTip(all.mid(0, 100).join(QLatin1Char('\n')));
    m_findings->setVisible(!said.isEmpty());
}

void RanksPanel::choose(const QTreeWidgetItem& item) {
    const trace::ComparedCollective& one =
        m_opened->ranks->collectives[item.data(0, Qt::UserRole).toULongLong()];
    const trace::RankArrival& last = one.arrivals.back();
    trace::Nanoseconds end = last.end;
    for (const trace::RankArrival& arrival : one.arrivals) end = std::max(end, arrival.end);
    const auto slice = static_cast<std::uint32_t>(m_opened->firstSlices[last.rank] + last.slice);
    const trace::Nanoseconds margin = std::max<trace::Nanoseconds>(1, (end - one.begin()) / 4);
    emit collectiveChosen(slice, one.begin() - margin, end + margin);
}

}  // namespace plumb::ui

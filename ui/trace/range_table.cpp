// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/range_table.h"

#include "ui/charts/chart_style.h"
#include "ui/theme/text.h"
#include "ui/trace/trace_columns.h"
#include "ui/trace/trace_sections.h"
#include "ui/trace/trace_text.h"
#include "ui/trace/trace_tones.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPixmap>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

namespace {

constexpr std::size_t kMostRangeRows = 500;
constexpr int kRangeTableHeight = 176;

QStringList rangeCells(const QString& name, const trace::RangeSum& sum, trace::Nanoseconds length,
                       const std::vector<std::int64_t>& streams) {
    const QString none = QStringLiteral("–");
    const bool isTraffic = sum.traffic.count > 0;
    return {name,
            exactText(sum.work.count, ""),
            timeText(sum.work.time),
            traceShare(sum.work.time, length),
            isTraffic ? timeText(sum.hidden) : none,
            isTraffic ? timeText(sum.exposed) : none,
            sum.withBytes > 0 ? bytesText(sum.bytes) : none,
            streams.size() == 1 ? tr("stream %1").arg(streams.front())
                                : tr("%1 streams").arg(streams.size())};
}

}  // namespace

RangeTable::RangeTable(Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_card(new Card(theme, tr("Range"), this)),
      m_table(new QTreeWidget(m_card)) {
    setObjectName(QStringLiteral("rangeTable"));
    m_card->setObjectName(QStringLiteral("rangeCard"));
    m_card->setContentMargins(8, 2, 8, 6);
    m_table->setObjectName(QStringLiteral("rangeRows"));
    m_table->setAccessibleName(tr("GPU work in the range"));
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->viewport()->setAutoFillBackground(false);  // the card shows through
    setColumns(*m_table, traceRangeColumns());
    m_table->header()->setStretchLastSection(false);
    for (int column = 0; column < m_table->columnCount(); ++column) {
        if (column > 0) m_table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        m_table->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    m_table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->header()->setMinimumSectionSize(40);
    m_card->setContent(m_table);
    const auto button = [this](const QString& text, const QString& name, const QString& tip) {
        auto* made = m_card->addHeaderButton(text, name, tip);
        made->setAccessibleName(tip);
        return made;
    };
    auto* copy = button(tr("Copy"), QStringLiteral("rangeCopy"), tr("Copy the sums of the range"));
    auto* close = button(QStringLiteral("×"), QStringLiteral("rangeClose"), tr("Give up the range"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
    setFixedHeight(kRangeTableHeight);
    setVisible(false);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(close, &QPushButton::clicked, this, &RangeTable::closed);
}

void RangeTable::setTrace(std::shared_ptr<const OpenedTrace> opened) {
    m_opened = std::move(opened);
    setRange({});
}

void RangeTable::setRange(const std::optional<TraceWindow>& range) {
    m_runner.cancel();
    m_table->clear();
    setVisible(range && m_opened);
    if (!range || !m_opened) return;
    const trace::Nanoseconds begin = m_opened->overview.begin;
    m_card->setTitle(tr("Range %1 to %2")
                         .arg(axisTimeText(range->from - begin, range->length() / 50 + 1, range->to - begin),
                              axisTimeText(range->to - begin, range->length() / 50 + 1, range->to - begin)));
    m_card->setSubtitle(tr("adding up…"));
    m_runner.run(
        [opened = m_opened, window = *range] {
            return trace::sumsOfRange(*opened->trace, opened->links.work, window.from, window.to);
        },
        [this](const trace::RangeSums& sums) { show(sums); });
}

void RangeTable::show(const trace::RangeSums& sums) {
    const trace::Nanoseconds length = sums.to - sums.from;
    m_card->setSubtitle(tr("%1 · computes %2 · traffic alone %3 · idle %4")
                            .arg(timeText(length), timeText(sums.computing),
                                 timeText(sums.busy - sums.computing), timeText(length - sums.busy)),
                        tr("Computes: a kernel that does not communicate runs on any device. Traffic alone: "
                           "only communication, copies or memsets do. Idle: nothing does."));
    const auto add = [&](const QStringList& cells, const trace::RangeSum& sum) {
        auto* item = new QTreeWidgetItem(m_table, cells);
        for (int column = 1; column < cells.size(); ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0, cells[0]);
        if (sum.withBytes > 0 && sum.withBytes < sum.work.count)
            item->setToolTip(6, tr("%1 of %2 pieces say how many.").arg(sum.withBytes).arg(sum.work.count));
        return item;
    };
    auto* all = add(rangeCells(tr("everything on the GPU"), sums.all, length, sums.streams), sums.all);
    QFont strong = m_table->font();
    strong.setWeight(QFont::DemiBold);
    for (int column = 0; column < m_table->columnCount(); ++column) all->setFont(column, strong);
    for (std::size_t i = 0; i < std::min(kMostRangeRows, sums.rows.size()); ++i) {
        const trace::RangeRow& row = sums.rows[i];
        auto* item = add(
            rangeCells(toText(m_opened->trace->names.at(row.name)), row.sum, length, row.streams), row.sum);
        QPixmap swatch(kSwatch, kSwatch);
        swatch.fill(colorOf(m_theme, toneOf(row.category)));
        item->setIcon(0, swatch);
        if (row.category == trace::KernelCategory::Communication && row.sum.exposed > row.sum.hidden)
            item->setForeground(5, m_theme.color(ColorRole::Bad));
    }
    if (sums.rows.size() > kMostRangeRows) {
        auto* more = new QTreeWidgetItem(m_table, {tr("and %1 more").arg(sums.rows.size() - kMostRangeRows)});
        more->setDisabled(true);
    }
}

QString RangeTable::text() const {
    const auto line = [&](const QTreeWidgetItem& item) {
        QStringList cells;
        for (int column = 0; column < m_table->columnCount(); ++column) cells << item.text(column);
        return cells.join(QLatin1Char('\t'));
    };
    QStringList lines{line(*m_table->headerItem())};
    for (int i = 0; i < m_table->topLevelItemCount(); ++i) lines << line(*m_table->topLevelItem(i));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace plumb::ui

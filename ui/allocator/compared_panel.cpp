// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/compared_panel.h"

#include "ui/allocator/compared_model.h"
#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tone_label.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

namespace {

constexpr int kLeastTable = 130;  // a few rows beside a tall chart

QString nameOf(const OpenedMemory& memory) {
    return QFileInfo(QString::fromStdString(memory.path())).fileName();
}

/// Where a device is looked at: the moments above the table, in their order.
std::int64_t momentOf(const OpenedDevice& device, int moment) {
    return moment == 0 ? device.replay.peakPosition : device.history.lastPosition();
}

}  // namespace

ComparedPanel::ComparedPanel(Theme& theme, AllocatorState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_head(new ToneLabel(theme, ColorRole::Text, this)),
      m_sums(new ToneLabel(theme, ColorRole::TextMuted, this)),
      m_nothing(new ToneLabel(theme, ColorRole::TextMuted, this)),
      m_keys(new SegmentedControl(theme,
                                  {tr("Category"), tr("Operation"), tr("Module"), tr("Size"), tr("Place")},
                                  QStringLiteral("allocatorComparedKey"), this)),
      m_moments(new SegmentedControl(theme, {tr("At the peaks"), tr("At the ends")},
                                     QStringLiteral("allocatorComparedAt"), this)),
      m_shown(new SegmentedControl(theme, {tr("What differs"), tr("Everything")},
                                   QStringLiteral("allocatorComparedShown"), this)),
      m_model(new ComparedModel(theme, this)),
      m_table(new QTableView(this)) {
    setObjectName(QStringLiteral("allocatorCompared"));
    build();
    connect(&state, &AllocatorState::deviceChanged, this, &ComparedPanel::compare);
    connect(m_keys, &SegmentedControl::chosen, this, &ComparedPanel::compare);
    connect(m_moments, &SegmentedControl::chosen, this, &ComparedPanel::compare);
    connect(m_shown, &SegmentedControl::chosen, this, &ComparedPanel::showRows);
}

void ComparedPanel::build() {
    m_head->setObjectName(QStringLiteral("allocatorComparedHead"));
    m_head->setElided();
    m_sums->setObjectName(QStringLiteral("allocatorComparedSums"));
    m_sums->setElided();
    m_nothing->setObjectName(QStringLiteral("allocatorComparedNothing"));
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_keys->setCurrent(0);
    m_moments->setCurrent(0);
    m_moments->setSegmentToolTip(1, tr("What still lives at the end: what leaks grows here"));
    m_shown->setCurrent(0);
    m_table->setObjectName(QStringLiteral("allocatorComparedTable"));
    m_table->setAccessibleName(tr("What lives in both snapshots"));
    setUpDataTable(*m_table);
    m_table->setModel(m_model);
    m_table->setMinimumHeight(kLeastTable);
    QHeaderView& header = *m_table->horizontalHeader();
    header.setStretchLastSection(false);
    header.setSectionResizeMode(ComparedModel::kPlace, QHeaderView::Stretch);
    const QFontMetrics metrics(m_table->font());
    for (int column = ComparedModel::kBefore; column < ComparedModel::kColumns; ++column) {
        const bool isCount = column == ComparedModel::kBlocksBefore || column == ComparedModel::kBlocksAfter;
        const QString widest = isCount ? tr("Blocks") : QStringLiteral("+888.88 MB");
        m_table->setColumnWidth(column, metrics.horizontalAdvance(widest) + 24);
    }
    auto* swap = new QToolButton(this);
    swap->setObjectName(QStringLiteral("allocatorComparedSwap"));
    swap->setText(QStringLiteral("⇄"));
    swap->setToolTip(tr("Swap before and after"));
    swap->setAccessibleName(swap->toolTip());
    connect(swap, &QToolButton::clicked, this, [this] {
        m_isSwapped = !m_isSwapped;
        compare();
    });
    auto* close = new QPushButton(tr("End the comparison"), this);
    close->setObjectName(QStringLiteral("allocatorComparedClose"));
    close->setProperty(kQuietButton, true);
    connect(close, &QPushButton::clicked, this, &ComparedPanel::closeWanted);

    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_head, 1);
    head->addWidget(swap);
    head->addWidget(close);
    auto* controls = new QHBoxLayout;
    controls->setSpacing(12);
    controls->addWidget(m_keys);
    controls->addWidget(m_moments);
    controls->addWidget(m_shown);
    controls->addWidget(m_sums, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addLayout(controls);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_nothing, 1);
}

void ComparedPanel::setBaseline(std::shared_ptr<const OpenedMemory> baseline) {
    m_baseline = std::move(baseline);
    m_isSwapped = false;
    compare();
}

const OpenedDevice* ComparedPanel::baselineDevice() const {
    if (!m_baseline || !m_state.device()) return nullptr;
    const auto found = std::ranges::find_if(m_baseline->devices(), [&](const auto& device) {
        return device->replay.device == m_state.device()->replay.device;
    });
    return found == m_baseline->devices().end() ? nullptr : found->get();
}

void ComparedPanel::compare() {
    m_runner.cancel();
    m_all.clear();
    const OpenedDevice* mine = m_state.device();
    const OpenedDevice* other = baselineDevice();
    if (!mine || !other) return showRows();
    const int moment = m_moments->current();
    auto before = std::pair(m_baseline, other);
    auto after = std::pair(m_state.shared(), mine);
    if (m_isSwapped) std::swap(before, after);
    const auto key = kMemoryKeyNames.at(static_cast<std::size_t>(std::max(0, m_keys->current()))).first;
    const auto momentIn = [moment](const auto& side) {
        return MemoryMoment{side.second->replay, side.first->sites(), momentOf(*side.second, moment)};
    };
    m_runner.run([=] { return compareMemory(key, momentIn(before), momentIn(after)); },
                 [this](std::vector<SiteComparison> rows) {
                     m_all = std::move(rows);
                     showRows();
                 });
    showRows();
}

QString ComparedPanel::whyNothing() const {
    if (!m_baseline || !m_state.device()) return {};
    if (!baselineDevice())
        return tr("%1 says nothing of device %2, which is shown. Choose another device, or a snapshot of "
                  "this one.")
            .arg(nameOf(*m_baseline))
            .arg(m_state.device()->replay.device);
    if (isComparing()) return tr("Comparing…");
    if (m_all.empty()) return tr("Nothing lives in either of them then.");
    if (m_model->rowCount() == 0)
        return tr("Nothing differs: the same bytes live in both. “Everything” shows them.");
    return {};
}

void ComparedPanel::showHead(Bytes before, Bytes after) {
    const OpenedMemory* from = m_isSwapped ? m_state.memory() : m_baseline.get();
    const OpenedMemory* to = m_isSwapped ? m_baseline.get() : m_state.memory();
    m_head->showText(tr("From %1 to %2: %3 → %4, %5")
                         .arg(nameOf(*from), nameOf(*to), bytesText(before), bytesText(after),
                              signedBytesText(after - before)));
    m_head->setToolTip(m_head->text());
}

void ComparedPanel::showRows() {
    std::vector<SiteComparison> rows = m_all;
    Bytes before = 0, after = 0;
    for (const SiteComparison& row : m_all) {
        before += row.before.bytes;
        after += row.after.bytes;
    }
    if (m_shown->current() == 0)
        std::erase_if(rows, [](const SiteComparison& row) { return row.before == row.after; });
    m_model->setRows(std::move(rows));
    QStringList parts;
    const auto sums = changeSums(m_all);
    for (const MemoryChange change :
         {MemoryChange::New, MemoryChange::Grown, MemoryChange::Less, MemoryChange::Gone})
        if (sums[change].places > 0)
            parts << tr("%1 %2 in %3")
                         .arg(changeText(change), signedBytesText(sums[change].bytes))
                         .arg(sums[change].places);
    m_sums->showText(parts.join(QStringLiteral(" · ")));
    m_sums->setToolTip(m_sums->text());
    const QString why = whyNothing();
    m_nothing->showText(why);
    m_nothing->setVisible(!why.isEmpty());
    m_table->setVisible(why.isEmpty());
    if (m_baseline && m_state.memory()) showHead(before, after);
}

}  // namespace plumb::ui

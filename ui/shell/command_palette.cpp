// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {
constexpr int kPaletteWidth = 620;
constexpr int kPaletteHeight = 420;
constexpr int kPaletteTop = 60;
constexpr int kRowsOfAPage = 10;
constexpr std::size_t kMostEntries = 200;
constexpr qsizetype kMostRecent = 5;
constexpr int kKindRole = Qt::UserRole;
constexpr int kKeysRole = Qt::UserRole + 1;

/// The title at the left, what it is and its shortcut or value at the right, muted.
class EntryDelegate final : public QStyledItemDelegate {
public:
    EntryDelegate(Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        constexpr int kGap = 12;
        const QString kind = index.data(kKindRole).toString();
        const QString keys = index.data(kKeysRole).toString();
        const QString right = keys.isEmpty() ? kind : tr("%1 · %2", "value or keys · kind").arg(keys, kind);
        const int width = option.fontMetrics.horizontalAdvance(right);
        QStyleOptionViewItem left(option);
        // The mark over the whole row. Not as an entry that is none: it would have the text of the one
        // before.
        option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
        left.rect.setRight(option.rect.right() - width - 2 * kGap);
        left.state &= ~QStyle::State_MouseOver;
        QStyledItemDelegate::paint(painter, left, index);
        painter->setPen(m_theme.color(ColorRole::TextMuted));
        painter->drawText(option.rect.adjusted(0, 0, -kGap, 0), Qt::AlignRight | Qt::AlignVCenter, right);
    }

private:
    static QString tr(const char* text, const char* what) {
        return QCoreApplication::translate("plumb::ui::CommandPalette", text, what);
    }
    Theme& m_theme;
};

int stepOf(int key) {
    switch (key) {
    case Qt::Key_Down:
        return 1;
    case Qt::Key_Up:
        return -1;
    case Qt::Key_PageDown:
        return kRowsOfAPage;
    case Qt::Key_PageUp:
        return -kRowsOfAPage;
    default:
        return 0;
    }
}
}  // namespace

CommandPalette::CommandPalette(Theme& theme, QWidget* parent)
    : QDialog(parent, Qt::Popup), m_search(new QLineEdit(this)), m_list(new QListWidget(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Find anything"));
    m_search->setObjectName(QStringLiteral("paletteSearch"));
    m_search->setPlaceholderText(tr("Type what to do, set or go to: export, batch 512, layer 3, lesson"));
    m_search->setAccessibleName(
        tr("Search actions, views, settings, operations, tensors, findings, runs, files and the manual"));
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("What was found"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setItemDelegate(new EntryDelegate(theme, m_list));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->addWidget(m_search);
    layout->addWidget(m_list);
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_search, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::popUp() {
    m_all.clear();
    emit poppedUp();
    m_search->clear();
    fill({});
    const QWidget* over = parentWidget();
    const int width = over ? std::min(kPaletteWidth, over->width()) : kPaletteWidth;
    resize(width, kPaletteHeight);
    if (over) move(over->mapToGlobal(QPoint((over->width() - width) / 2, kPaletteTop)));
    show();
    m_search->setFocus();
}

void CommandPalette::refresh() {
    m_all.clear();
    if (isHidden()) return;
    const int row = m_list->currentRow();
    const QString marked =
        row > 0 && !m_entries.empty() ? m_entries.at(static_cast<std::size_t>(row)).name() : QString();
    fill(m_search->text());
    const auto same = std::ranges::find(m_entries, marked, &PaletteEntry::name);
    if (same != m_entries.end()) m_list->setCurrentRow(static_cast<int>(same - m_entries.begin()));
}

std::vector<PaletteEntry> CommandPalette::found(const QString& typed) {
    if (typed.trimmed().isEmpty()) {
        std::vector<PaletteEntry> first;
        for (const PaletteSource& source : m_sources.offered) source(first);
        return offered(std::move(first), m_recent, kMostEntries);
    }
    if (m_all.empty())
        for (const auto* sources : {&m_sources.offered, &m_sources.sought})
            for (const PaletteSource& source : *sources) source(m_all);
    std::vector<PaletteEntry> answers;
    if (m_sources.asked) m_sources.asked(typed, answers);
    std::ranges::move(ranked(m_all, typed, kMostEntries - std::min(kMostEntries, answers.size())),
                      std::back_inserter(answers));
    return answers;
}

void CommandPalette::fill(const QString& typed) {
    m_list->clear();
    m_entries = found(typed);
    for (const PaletteEntry& entry : m_entries) {
        auto* item = new QListWidgetItem(entry.title, m_list);
        item->setData(kKindRole, entry.kind);
        item->setData(kKeysRole, entry.keys);
        item->setData(Qt::AccessibleTextRole, tr("%1, %2", "title, kind").arg(entry.title, entry.kind));
        item->setToolTip(entry.detail);
    }
    if (m_entries.empty()) {
        auto* none = new QListWidgetItem(tr("Nothing answers “%1”").arg(typed), m_list);
        none->setFlags(Qt::NoItemFlags);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const int row = m_list->currentRow();
    if (row < 0 || m_entries.empty()) return;
    const PaletteEntry& taken = m_entries.at(static_cast<std::size_t>(row));
    const auto run = taken.run;
    m_recent.removeAll(taken.name());
    m_recent.prepend(taken.name());
    if (m_recent.size() > kMostRecent) m_recent.removeLast();
    hide();  // first: it may open a dialog of its own
    run();
}

// With the edge of a menu: on a black window it has no shadow.
void CommandPalette::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    style()->drawPrimitive(QStyle::PE_PanelMenu, &option, &painter, this);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int step = stepOf(static_cast<QKeyEvent*>(event)->key());
        const int count = m_list->count();
        if (step != 0 && count > 0) {
            const int row = m_list->currentRow() + step;
            // One step goes round; a page ends at the end.
            m_list->setCurrentRow(std::abs(step) == 1 ? (row + count) % count
                                                      : std::clamp(row, 0, count - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace plumb::ui

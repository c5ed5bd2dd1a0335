// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include "ui/shell/action_registry.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {
constexpr int kPaletteWidth = 460;
constexpr int kPaletteHeight = 360;
constexpr int kTop = 60;

/// True when every word of `wanted` begins somewhere in `text`: "ex cs" finds "Export CSV".
bool matches(const QString& text, const QString& wanted) {
    for (const QString& word : wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        if (!text.contains(word, Qt::CaseInsensitive)) return false;
    return true;
}
}  // namespace

CommandPalette::CommandPalette(ActionRegistry& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup),
      m_actions(actions),
      m_search(new QLineEdit(this)),
      m_list(new QListWidget(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    m_search->setObjectName(QStringLiteral("paletteSearch"));
    m_search->setPlaceholderText(tr("Type what to do"));
    m_search->setAccessibleName(tr("Search actions"));
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Actions"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
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
    m_search->clear();
    fill({});
    resize(kPaletteWidth, kPaletteHeight);
    if (const QWidget* over = parentWidget())
        move(over->mapToGlobal(QPoint((over->width() - kPaletteWidth) / 2, kTop)));
    show();
    m_search->setFocus();
}

void CommandPalette::fill(const QString& wanted) {
    m_list->clear();
    for (const QAction* action : m_actions.all()) {
        const QString text = plainText(*action);
        if (!action->isEnabled() || !(matches(text, wanted) || matches(action->statusTip(), wanted)))
            continue;
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        auto* item =
            new QListWidgetItem(keys.isEmpty() ? text : text + QStringLiteral("   ·   ") + keys, m_list);
        item->setData(Qt::UserRole, action->objectName());
        item->setToolTip(action->statusTip());
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item) return;
    QAction* action = m_actions.action(item->data(Qt::UserRole).toString());
    hide();  // first: the action may open a dialog of its own
    if (action) action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int step = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
        if (step != 0 && m_list->count() > 0) {
            m_list->setCurrentRow((m_list->currentRow() + step + m_list->count()) % m_list->count());
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace plumb::ui

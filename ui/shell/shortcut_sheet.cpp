// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcut_sheet.h"

#include "ui/shell/action_registry.h"
#include "ui/shell/fuzzy_match.h"
#include "ui/shell/shortcut_map.h"
#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"
#include "ui/widgets/slider_row.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

QString shownKeys(const QList<QKeySequence>& keys) {
    return QKeySequence::listToString(keys, QKeySequence::NativeText);
}

}  // namespace

ShortcutSheet::ShortcutSheet(const ActionRegistry& actions, ShortcutMap& map, Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_actions(actions),
      m_map(map),
      m_filter(new QLineEdit(this)),
      m_list(new QTreeWidget(this)),
      m_keys(new QKeySequenceEdit(this)),
      m_told(new QLabel(this)),
      m_assign(new QPushButton(tr("&Assign"), this)),
      m_remove(new QPushButton(tr("Re&move"), this)),
      m_reset(new QPushButton(tr("&Reset"), this)),
      m_resetAll(new QPushButton(tr("Reset a&ll"), this)) {
    setObjectName(QStringLiteral("shortcutSheet"));
    setWindowTitle(tr("Keyboard shortcuts"));
    build(theme);
    connect(m_filter, &QLineEdit::textChanged, this, [this] {
        narrow(nullptr);
        check();
    });
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this] {
        m_keys->clear();
        check();
    });
    connect(m_list, &QTreeWidget::itemActivated, m_keys, qOverload<>(&QWidget::setFocus));
    connect(m_keys, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutSheet::check);
    connect(m_assign, &QPushButton::clicked, this, &ShortcutSheet::assign);
    connect(m_remove, &QPushButton::clicked, this, [this] { m_map.set(chosen(), {}); });
    connect(m_reset, &QPushButton::clicked, this, [this] { m_map.reset(chosen()); });
    connect(m_resetAll, &QPushButton::clicked, &m_map, &ShortcutMap::resetAll);
    connect(&m_map, &ShortcutMap::changed, this, [this] {
        fill();
        check();
    });
    fill();
    m_list->setCurrentItem(m_list->topLevelItem(0));
    check();
}

void ShortcutSheet::build(Theme& theme) {
    m_filter->setObjectName(QStringLiteral("shortcutFilter"));
    m_filter->setPlaceholderText(tr("Filter by action or keys"));
    m_filter->setAccessibleName(tr("Filter the shortcuts"));
    m_filter->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("shortcutList"));
    m_list->setAccessibleName(tr("Actions and their shortcuts"));
    m_list->setHeaderLabels({tr("Action"), tr("Shortcut"), tr("What it does")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_keys->setObjectName(QStringLiteral("shortcutKeys"));
    m_keys->setAccessibleName(tr("New shortcut of the chosen action"));
    m_keys->setToolTip(tr("Press the keys here"));
    m_keys->installEventFilter(this);
    for (auto* part : m_keys->findChildren<QWidget*>())
        part->installEventFilter(this);  // where they are typed
    m_told->setObjectName(QStringLiteral("shortcutTold"));
    m_told->setWordWrap(true);
    followColor(m_told, theme, ColorRole::Warning);
    m_assign->setObjectName(QStringLiteral("shortcutAssign"));
    m_remove->setObjectName(QStringLiteral("shortcutRemove"));
    m_reset->setObjectName(QStringLiteral("shortcutReset"));
    m_resetAll->setObjectName(QStringLiteral("shortcutResetAll"));
    for (QPushButton* button : {m_assign, m_remove, m_reset, m_resetAll}) button->setAutoDefault(false);
    auto* label = new QLabel(tr("&New shortcut:"), this);
    label->setBuddy(m_keys);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_keys, 1);
    for (QPushButton* button : {m_assign, m_remove, m_reset}) row->addWidget(button);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_resetAll);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    foot->addWidget(buttons, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_filter);
    layout->addWidget(m_list, 1);
    layout->addLayout(row);
    layout->addWidget(m_told);
    layout->addLayout(foot);
    resize(scaled(760), scaled(600));
}

void ShortcutSheet::fill() {
    const QString before = chosen();
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const QAction* action : m_actions.all()) {
        auto* item = new QTreeWidgetItem(
            m_list, {plainText(*action), shownKeys(action->shortcuts()), action->statusTip()});
        item->setData(0, Qt::UserRole, action->objectName());
        item->setToolTip(2, action->statusTip());
        QFont font = item->font(1);
        font.setBold(m_map.isChanged(action->objectName()));
        item->setFont(1, font);
        if (action->objectName() == before) m_list->setCurrentItem(item);
    }
    m_list->resizeColumnToContents(0);
    m_list->resizeColumnToContents(1);
    narrow(m_list->currentItem());
}

// What the buttons change is in sight: the first row that answers, where the chosen one does not.
void ShortcutSheet::narrow(const QTreeWidgetItem* kept) {
    QTreeWidgetItem* first = nullptr;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_list->topLevelItem(row);
        const QString text = item->text(0) + QLatin1Char(' ') + item->text(1);
        item->setHidden(item != kept && !FuzzyWords(m_filter->text()).score(text));
        if (first == nullptr && !item->isHidden()) first = item;
    }
    const QTreeWidgetItem* const current = m_list->currentItem();
    if (current == nullptr || current->isHidden()) m_list->setCurrentItem(first);
}

bool ShortcutSheet::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
    const auto* pressed = static_cast<QKeyEvent*>(event);
    if (pressed->key() != Qt::Key_Escape || pressed->modifiers() != Qt::NoModifier)
        return QDialog::eventFilter(watched, event);
    if (m_keys->keySequence().isEmpty()) close();
    m_keys->clear();
    return true;
}

QString ShortcutSheet::chosen() const {
    const QTreeWidgetItem* const item = m_list->currentItem();
    return item == nullptr ? QString() : item->data(0, Qt::UserRole).toString();
}

void ShortcutSheet::check() {
    const QString id = chosen();
    const QKeySequence keys = m_keys->keySequence();
    const QString whyNot = keys.isEmpty() ? QString() : ShortcutMap::whyNot(keys);
    const QAction* const owner = whyNot.isEmpty() ? m_map.ownerOf(keys, id) : nullptr;
    m_told->setText(owner ? tr("%1 runs “%2” now, which would have no shortcut then.")
                                .arg(keys.toString(QKeySequence::NativeText), plainText(*owner))
                          : whyNot);
    m_assign->setText(owner ? tr("&Take it over") : tr("&Assign"));
    m_assign->setEnabled(!id.isEmpty() && !keys.isEmpty() && whyNot.isEmpty());
    const QAction* const action = m_actions.action(id);
    m_remove->setEnabled(action != nullptr && !action->shortcuts().isEmpty());
    m_reset->setEnabled(m_map.isChanged(id));
    bool isAnyChanged = false;
    for (const QAction* one : m_actions.all())
        isAnyChanged = isAnyChanged || m_map.isChanged(one->objectName());
    m_resetAll->setEnabled(isAnyChanged);
}

void ShortcutSheet::assign() {
    m_map.set(chosen(), m_keys->keySequence());
    m_keys->clear();
}

}  // namespace plumb::ui

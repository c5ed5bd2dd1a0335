// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/shell/shell_fixture.h"
#include "ui/shell/shortcut_map.h"
#include "ui/shell/shortcut_sheet.h"

#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;

QKeySequence sequence(const char* text) { return {QString::fromLatin1(text)}; }

/// Three actions and what a user chose.
struct Mapped {
    explicit Mapped(const QMap<QString, QString>& kept = {}, const QString& path = {})
        : settings(path.isEmpty() ? folder.filePath(QStringLiteral("window.ini")) : path) {
        settings.setShortcuts(kept, {});
        for (const auto& [id, keys] : {std::pair{"a", "Ctrl+G"}, {"b", "Ctrl+B"}, {"c", ""}})
            actions.add({QString::fromLatin1(id), QString::fromLatin1(id), {}, sequence(keys)}, [] {});
        map.emplace(actions, settings);
    }
    [[nodiscard]] QString keysOf(const char* id) const {
        return actions.action(QString::fromLatin1(id))->shortcut().toString();
    }
    QTemporaryDir folder;
    Settings settings;
    QWidget owner;
    ActionRegistry actions{&owner};
    std::optional<ShortcutMap> map;
};

TEST(ShortcutMap, TakesAKeyFromTheActionThatHadItAndKeepsBothInTheSettings) {
    Mapped mapped;
    EXPECT_EQ(mapped.map->ownerOf(sequence("Ctrl+G"), QStringLiteral("c"))->objectName(),
              QStringLiteral("a"));
    mapped.map->set(QStringLiteral("c"), sequence("Ctrl+G"));
    EXPECT_EQ(mapped.keysOf("c"), QStringLiteral("Ctrl+G"));
    EXPECT_EQ(mapped.keysOf("a"), QString());
    const Mapped later(mapped.settings.shortcuts());
    EXPECT_EQ(later.keysOf("c"), QStringLiteral("Ctrl+G"));
    EXPECT_EQ(later.keysOf("a"), QString());
    EXPECT_EQ(later.keysOf("b"), QStringLiteral("Ctrl+B"));
}

TEST(ShortcutMap, LeavesWhatAnotherWindowChose) {
    Mapped ours;
    // QSettings shares what it has read by its path.
    ASSERT_TRUE(QFile::link(ours.folder.path(), ours.folder.filePath(QStringLiteral("link"))));
    const QString path = ours.folder.filePath(QStringLiteral("link/window.ini"));
    Mapped theirs({}, path);
    ours.map->set(QStringLiteral("a"), sequence("F5"));
    theirs.map->set(QStringLiteral("b"), sequence("F6"));
    EXPECT_EQ(theirs.settings.shortcuts(),
              (QMap<QString, QString>{{QStringLiteral("a"), QStringLiteral("F5")},
                                      {QStringLiteral("b"), QStringLiteral("F6")}}));
    theirs.map->set(QStringLiteral("c"), sequence("F5"));
    EXPECT_EQ(theirs.settings.shortcuts().value(QStringLiteral("a")), QString()) << "a key is one action's";
    ours.map->reset(QStringLiteral("a"));
    EXPECT_EQ(ours.settings.shortcuts(),
              (QMap<QString, QString>{{QStringLiteral("b"), QStringLiteral("F6")},
                                      {QStringLiteral("c"), QStringLiteral("F5")}}));
}

TEST(ShortcutMap, ResetsOneAndAll) {
    Mapped mapped;
    mapped.map->set(QStringLiteral("c"), sequence("Ctrl+G"));
    mapped.map->set(QStringLiteral("b"), {});
    mapped.map->reset(QStringLiteral("a"));
    EXPECT_EQ(mapped.keysOf("a"), QStringLiteral("Ctrl+G"));
    EXPECT_EQ(mapped.keysOf("c"), QString()) << "the key goes back to whose it was";
    EXPECT_TRUE(mapped.map->isChanged(QStringLiteral("b")));
    mapped.map->resetAll();
    EXPECT_EQ(mapped.keysOf("b"), QStringLiteral("Ctrl+B"));
    EXPECT_TRUE(mapped.settings.shortcuts().isEmpty());
}

TEST(ShortcutMap, RefusesKeysThatAreTypedAndSeesOneThatBeginsAnother) {
    EXPECT_FALSE(ShortcutMap::whyNot(sequence("W")).isEmpty());
    EXPECT_FALSE(ShortcutMap::whyNot(sequence("Shift+W")).isEmpty());
    EXPECT_TRUE(ShortcutMap::whyNot(sequence("Shift+F3")).isEmpty());
    EXPECT_TRUE(ShortcutMap::whyNot(sequence("Alt+W")).isEmpty());
    for (const char* keys : {"Ctrl+C", "Ctrl+X", "Ctrl+V", "Ctrl+A", "Ctrl+C, Ctrl+G"})
        EXPECT_FALSE(ShortcutMap::whyNot(sequence(keys)).isEmpty()) << keys;
    const Mapped mapped;
    EXPECT_NE(mapped.map->ownerOf(sequence("Ctrl+G, Ctrl+X"), QStringLiteral("b")), nullptr);
}

TEST(ShortcutMap, TakesAnyLineOfTheSettingsAsItIs) {
    const Mapped mapped({{QStringLiteral("a"), QStringLiteral("W")},
                         {QStringLiteral("unknown"), QStringLiteral("Ctrl+B")},
                         {QStringLiteral("c"), QStringLiteral("no key at all +++")}});
    EXPECT_EQ(mapped.keysOf("a"), QStringLiteral("Ctrl+G"));
    EXPECT_EQ(mapped.keysOf("b"), QStringLiteral("Ctrl+B"));
}

TEST(ShortcutSheet, ListsEveryActionTellsConflictsAndAssigns) {
    Shell shell;
    shell.trigger("help.shortcuts");
    auto& sheet = *child<ShortcutSheet>(shell.window, "shortcutSheet");
    auto* list = child<QTreeWidget>(sheet, "shortcutList");
    EXPECT_EQ(list->topLevelItemCount(), static_cast<int>(shell.window.actions().all().size()));
    QTest::keyClicks(child<QLineEdit>(sheet, "shortcutFilter"), QStringLiteral("full screen"));
    QTreeWidgetItem* full = nullptr;
    for (int row = 0; row < list->topLevelItemCount(); ++row)
        if (QTreeWidgetItem* item = list->topLevelItem(row); !item->isHidden()) {
            EXPECT_EQ(full, nullptr);
            full = item;
        }
    ASSERT_NE(full, nullptr);
    list->setCurrentItem(full);
    auto* keys = child<QKeySequenceEdit>(sheet, "shortcutKeys");
    keys->setKeySequence(sequence("Ctrl+S"));
    EXPECT_TRUE(child<QLabel>(sheet, "shortcutTold")->text().contains(QStringLiteral("Save")));
    QTest::mouseClick(child<QPushButton>(sheet, "shortcutAssign"), Qt::LeftButton);
    EXPECT_EQ(shell.window.actions().action(QStringLiteral("view.fullScreen"))->shortcut(),
              sequence("Ctrl+S"));
    EXPECT_TRUE(shell.window.actions().action(QStringLiteral("file.save"))->shortcut().isEmpty());
    EXPECT_EQ(shell.settings.shortcuts().size(), 2);
    QTest::mouseClick(child<QPushButton>(sheet, "shortcutResetAll"), Qt::LeftButton);
    EXPECT_EQ(shell.window.actions().action(QStringLiteral("file.save"))->shortcut(), sequence("Ctrl+S"));
    EXPECT_FALSE(child<QPushButton>(sheet, "shortcutResetAll")->isEnabled());
}

TEST(ShortcutSheet, EscTakesBackTheKeysAndThenClosesIt) {
    Shell shell;
    shell.trigger("help.shortcuts");
    const QPointer<ShortcutSheet> sheet(child<ShortcutSheet>(shell.window, "shortcutSheet"));
    auto* keys = child<QKeySequenceEdit>(*sheet, "shortcutKeys");
    QTest::keyClick(keys, Qt::Key_W);
    EXPECT_FALSE(keys->keySequence().isEmpty());
    QTest::keyClick(keys, Qt::Key_Escape);
    EXPECT_TRUE(keys->keySequence().isEmpty());
    EXPECT_TRUE(sheet->isVisible());
    QTest::keyClick(keys, Qt::Key_Escape);
    EXPECT_TRUE(sheet.isNull() || !sheet->isVisible());
}

TEST(ShortcutSheet, ChangesNoRowThatTheFilterHides) {
    Shell shell;
    shell.trigger("help.shortcuts");
    auto& sheet = *child<ShortcutSheet>(shell.window, "shortcutSheet");
    auto* list = child<QTreeWidget>(sheet, "shortcutList");
    auto* filter = child<QLineEdit>(sheet, "shortcutFilter");
    auto* keys = child<QKeySequenceEdit>(sheet, "shortcutKeys");
    auto* assign = child<QPushButton>(sheet, "shortcutAssign");
    auto* remove = child<QPushButton>(sheet, "shortcutRemove");
    const QAction* const profile = shell.window.actions().action(QStringLiteral("run.profile"));
    QTest::keyClicks(filter, QStringLiteral("f6"));
    ASSERT_NE(list->currentItem(), nullptr);
    EXPECT_FALSE(list->currentItem()->isHidden());
    EXPECT_EQ(list->currentItem()->data(0, Qt::UserRole).toString(), QStringLiteral("run.profile"));
    keys->setKeySequence(sequence("Ctrl+Alt+M"));
    QTest::mouseClick(assign, Qt::LeftButton);
    EXPECT_EQ(profile->shortcut(), sequence("Ctrl+Alt+M"));
    // The row is no answer to the filter any more, and is what the buttons change all the same.
    EXPECT_FALSE(list->currentItem()->isHidden());
    EXPECT_EQ(list->currentItem()->data(0, Qt::UserRole).toString(), QStringLiteral("run.profile"));
    QTest::mouseClick(remove, Qt::LeftButton);
    EXPECT_TRUE(profile->shortcut().isEmpty());
    EXPECT_FALSE(remove->isEnabled());

    filter->setText(QStringLiteral("no such action"));
    keys->setKeySequence(sequence("Ctrl+Alt+N"));
    for (const QPushButton* button : {assign, remove, child<QPushButton>(sheet, "shortcutReset")})
        EXPECT_FALSE(button->isEnabled()) << button->objectName().toStdString();
    filter->clear();
    EXPECT_NE(list->currentItem(), nullptr);
}

}  // namespace
}  // namespace plumb::ui

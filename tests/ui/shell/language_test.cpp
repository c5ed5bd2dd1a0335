// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/support.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_frame.h"
#include "ui/shell/window_host.h"
#include "ui/theme/translations.h"

#include <QApplication>
#include <QFileIconProvider>
#include <QMenuBar>
#include <QPointer>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

/// The whole program but its command line, against a fake engine.
struct Program {
    Program() {
        host.window().engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
        host.frame().show();
    }
    [[nodiscard]] bool ready() {
        host.window().engine().start();
        return waitFor([this] { return host.window().controller().chosen().whyNotRun().isEmpty(); });
    }
    void trigger(const char* id) { host.window().actions().action(QString::fromLatin1(id))->trigger(); }
    [[nodiscard]] QString text(const char* id) {
        return host.window().actions().action(QString::fromLatin1(id))->text();
    }
    /// Chooses a language and waits for the window in it.
    [[nodiscard]] bool choose(const char* id) {
        const QPointer<MainWindow> old(&host.window());
        trigger(id);
        return waitFor([&] { return old.isNull(); });
    }

    FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
    Translations translations{*qApp};
    WindowHost host{settings, theme, translations};
};

TEST(LanguageTest, HasAnIdForEachLanguageAndNoOther) {
    EXPECT_EQ(languageOf(QStringLiteral("zh_CN")), Language::SimplifiedChinese);
    EXPECT_EQ(languageOf(languageId(Language::System)), Language::System);
    EXPECT_EQ(languageOf(languageId(Language::English)), Language::English);
    EXPECT_FALSE(languageOf(QStringLiteral("zh")).has_value());
    EXPECT_FALSE(languageOf(QString()).has_value());
}

TEST(LanguageTest, TellsTheTypesOfFilesInTheDialogOfQt) {
    if (!QFile::exists(QStringLiteral(":/translations/qtbase_zh_CN.qm")))
        GTEST_SKIP() << "Qt's own catalogue is not here";
    const QTemporaryDir folder;
    Translations translations(*qApp);
    translations.use(Language::SimplifiedChinese);
    EXPECT_EQ(QFileIconProvider().type(QFileInfo(folder.path())), QStringLiteral("文件夹"));
}

TEST(LanguageTest, IsRememberedAndTakenFromTheDesktopUntilItIsChosen) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("window.ini"));
    {
        Settings settings(path);
        EXPECT_EQ(settings.preferences().language, Language::System);
        Preferences chinese;
        chinese.language = Language::SimplifiedChinese;
        settings.setPreferences(chinese);
        settings.save();
    }
    EXPECT_EQ(Settings(path).preferences().language, Language::SimplifiedChinese);
}

TEST(LanguageTest, ChangesTheWordsOfTheWindowThatIsOpenAndBack) {
    Program program;
    EXPECT_EQ(program.text("file.open"), QStringLiteral("&Open…"));
    ASSERT_TRUE(program.choose("view.language.zh_CN"));
    EXPECT_TRUE(program.host.window().isVisible());
    EXPECT_EQ(program.text("file.open"), QStringLiteral("打开(&O)…"));
    EXPECT_TRUE(program.host.window().actions().action(QStringLiteral("view.language.zh_CN"))->isChecked());
    ASSERT_TRUE(program.choose("view.language.en"));
    EXPECT_EQ(program.text("file.open"), QStringLiteral("&Open…"));
}

/// Letters that open more than one entry of a menu, of it and of those below it.
QStringList lettersOfTwo(const QMenu& menu) {
    QStringList found;
    QHash<QKeySequence, QString> taken;
    for (const QAction* action : menu.actions()) {
        if (action->menu() != nullptr) found += lettersOfTwo(*action->menu());
        const QKeySequence letter = QKeySequence::mnemonic(action->text());
        if (letter.isEmpty() || !action->isVisible()) continue;
        if (taken.contains(letter))
            found << QStringLiteral("%1: %2, %3").arg(menu.title(), taken.value(letter), action->text());
        taken.insert(letter, action->text());
    }
    return found;
}

TEST(LanguageTest, OpensOneEntryOfAMenuByALetter) {
    Program program;
    for (const char* language : {"view.language.en", "view.language.zh_CN"}) {
        program.trigger(language);
        QCoreApplication::processEvents();
        QStringList found;
        ASSERT_TRUE(waitFor([&] { return !program.host.window().findChildren<QMenuBar*>().isEmpty(); }));
        const auto* const bar = program.host.window().findChild<QMenuBar*>();
        ASSERT_NE(bar, nullptr);
        for (const QAction* action : bar->actions())
            if (action->menu() != nullptr) found += lettersOfTwo(*action->menu());
        EXPECT_TRUE(found.isEmpty()) << found.join(u'\n').toStdString();
    }
}

TEST(LanguageTest, LosesNothingOfTheSessionAndTheRunGoesOn) {
    Program program;
    ASSERT_TRUE(program.ready());
    MainWindow& before = program.host.window();
    RunConfig config = before.workbench().config();
    config.layers += 3;
    ASSERT_TRUE(before.workbench().show(config).has_value());
    before.views().goToTab(ViewStack::tabOf(QStringLiteral("memory")));
    program.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return before.controller().work().busy(); }));
    const Workbench* const bench = &before.workbench();
    ASSERT_TRUE(program.choose("view.language.zh_CN"));
    MainWindow& after = program.host.window();
    EXPECT_EQ(&after.workbench(), bench);
    EXPECT_EQ(after.workbench().config(), config);
    EXPECT_EQ(after.views().currentTab(), ViewStack::tabOf(QStringLiteral("memory")));
    EXPECT_TRUE(after.controller().work().busy());
    EXPECT_TRUE(after.actions().action(QStringLiteral("run.stop"))->isEnabled());
    after.actions().action(QStringLiteral("run.stop"))->trigger();
    EXPECT_TRUE(waitFor([&] { return !after.controller().work().busy(); }));
}

}  // namespace
}  // namespace plumb::ui::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/entry_at.h"
#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/support.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_frame.h"
#include "ui/shell/window_host.h"
#include "ui/theme/translations.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <algorithm>

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

/// What is the same in every language: sources of a data sheet, expressions over named dimensions, methods
/// with their arguments, and what the fake engine calls its own.
bool isOfNoLanguage(const QString& text) {
    static const QRegularExpression own(QStringLiteral(
        "\\(data sheet: [a-z0-9, ]+\\)$|arXiv| -> |^2 B · \\(|^\\.\\w+\\(|^Fake |\\(one (card|GPU) of "));
    return text.contains(own);
}

/// Whether a text is words that somebody forgot to translate: three or more Latin words and no Chinese.
bool isLatinSentence(const QString& text) {
    static const QRegularExpression chinese(QStringLiteral("[\\x{4e00}-\\x{9fff}]"));
    static const QRegularExpression tags(QStringLiteral("<[^>]*>"));
    static const QRegularExpression words(QStringLiteral("(?:^|[\\s(])([a-z]{3,})(?=[\\s,;:.)]|$)"));
    const QString plain = QString(text).remove(tags);
    if (plain.contains(chinese) || isOfNoLanguage(plain)) return false;
    int count = 0;
    for (auto found = words.globalMatch(plain); found.hasNext(); found.next()) ++count;
    return count >= 3;
}

/// Texts of a widget and of what it holds that people see or hear.
QStringList textsOf(const QWidget& top) {
    QStringList texts;
    const auto add = [&](const QString& text) {
        if (!text.isEmpty()) texts << text;
    };
    for (const QWidget* widget : top.findChildren<QWidget*>()) {
        add(widget->toolTip());
        add(widget->accessibleName());
        add(widget->accessibleDescription());
        if (const auto* label = qobject_cast<const QLabel*>(widget)) add(label->text());
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) add(button->text());
        if (const auto* field = qobject_cast<const QLineEdit*>(widget)) add(field->placeholderText());
        if (const auto* choice = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < choice->count(); ++i) add(choice->itemText(i));
        const auto* view = qobject_cast<const QAbstractItemView*>(widget);
        if (view == nullptr || view->model() == nullptr) continue;
        const QAbstractItemModel& model = *view->model();
        for (int column = 0; column < std::min(model.columnCount(), 30); ++column) {
            add(model.headerData(column, Qt::Horizontal).toString());
            add(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
            for (int row = 0; row < std::min(model.rowCount(), 20); ++row) {
                add(model.index(row, column).data().toString());
                add(model.index(row, column).data(Qt::ToolTipRole).toString());
            }
        }
    }
    return texts;
}

TEST(LanguageTest, ShowsNoSentenceInEnglishInAnyViewInChinese) {
    Program program;
    ASSERT_TRUE(program.ready());
    ASSERT_TRUE(program.choose("view.language.zh_CN"));
    MainWindow& window = program.host.window();
    for (const QAction* action : window.actions().all()) {
        EXPECT_FALSE(isLatinSentence(action->text())) << action->text().toStdString();
        EXPECT_FALSE(isLatinSentence(action->statusTip())) << action->statusTip().toStdString();
    }
    QStringList seen;
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab) {
        if (!window.views().isThere(tab)) continue;
        window.views().goToTab(tab);
        QCoreApplication::processEvents();
        for (const QString& text : textsOf(window)) {
            if (seen.contains(text)) continue;
            seen << text;
            EXPECT_FALSE(isLatinSentence(text))
                << entryAt(ViewStack::views(), tab).id << ": " << text.toStdString();
        }
    }
    EXPECT_GT(seen.size(), 300);
}

}  // namespace
}  // namespace plumb::ui::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window in Chinese: whatever it shows in any view, nothing is left in English.
#include "tests/ui/shell/filled_window.h"
#include "tests/ui/shell/window_texts.h"
#include "ui/widgets/screen_room.h"

#include <QDialog>
#include <QRegularExpression>
#include <QSet>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

/// What is the same in every language: expressions over named dimensions, titles of publications, names of
/// models, of devices and of kernels, what a reader wrote.
bool isNameThere(const std::string& where) {
    static const QRegularExpression kThere(QStringLiteral(
        "plannerModel|plannerDevice|column 1 of QTableView evidenceRows|einsumPresets|tensorAdd|"
        "column [01] of QTableView einsumGradients|column 0 of QTableView bookmarksTable|"
        "column 0 of QTreeWidget traceTables|devicesList"));
    return QString::fromStdString(where).contains(kThere);
}

/// What the fake engine, a recorded step and a scene of these tests say, and the one choice in its own words.
bool isOfNoLanguage(const QString& text) {
    static const QRegularExpression kOwn(QStringLiteral(
        "^The window in English$|^Fake GPU|^not calibrated$|^host thread \\d|^random number state(#\\d+)?$"));
    return text.contains(kOwn);
}

/// What nobody translated: two English words behind each other in a text without Chinese; empty: nothing.
QString englishOf(const QString& text) {
    static const QRegularExpression kChinese(QStringLiteral("[\\x{4e00}-\\x{9fff}]"));
    static const QRegularExpression kTags(QStringLiteral("<[^>]*>"));
    static const QRegularExpression kWords(
        QStringLiteral("(?<![-_./\\w'])[A-Za-z][a-z]+,? (?:[a-z] )?[A-Za-z]?[a-z]+(?![-_./\\w(])"));
    if (text.contains(kChinese) || isOfNoLanguage(text)) return {};
    return kWords.match(QString(text).remove(kTags)).captured();
}

TEST(ChineseWindow, SaysNothingInEnglish) {
    FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    QSet<QString> seen;
    const auto look = [&](const std::string& page) {
        textsOf(filled.window(), [&](const QString& text, const std::string& where) {
            if (text.isEmpty() || seen.contains(text)) return;
            seen.insert(text);
            if (isNameThere(where)) return;
            EXPECT_EQ(englishOf(text).toStdString(), "")
                << page << ", " << where << ": " << text.left(300).toStdString();
        });
    };
    for (const QAction* action : filled.window().actions().all())
        textsOfAction(*action, [&](const QString& text, const std::string& where) {
            EXPECT_EQ(englishOf(text).toStdString(), "") << where << ": " << text.toStdString();
        });
    filled.forEachPage(look);
    ASSERT_TRUE(filled.record(true));
    filled.forEachPage(look);
    EXPECT_GT(seen.size(), 2000);
}

/// What opens a dialog of its own.
constexpr const char* kDialogs[] = {"edit.preferences",  "planner.devices",       "help.shortcuts",
                                    "file.export",       "run.presets",           "run.hosts",
                                    "run.engineCommand", "help.welcome",          "help.about",
                                    "notes.add",         "run.pyTorchInterpreter"};

QDialog* shownDialog() {
    for (QWidget* const top : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(top); dialog != nullptr && dialog->isVisible())
            return dialog;
    return nullptr;
}

TEST(ChineseWindow, SaysNothingInEnglishInDialogsWhichFitALowScreen) {
    FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    constexpr QSize kLow(900, 560);  // of 600, with a title bar
    for (const char* id : kDialogs) {
        filled.window().actions().action(QString::fromLatin1(id))->trigger();
        ASSERT_TRUE(waitFor([] { return shownDialog() != nullptr; })) << id;
        const QPointer<QDialog> dialog(shownDialog());
        settle();
        textsOf(*dialog, [&](const QString& text, const std::string& where) {
            if (!isNameThere(where))
                EXPECT_EQ(englishOf(text).toStdString(), "")
                    << id << ", " << where << ": " << text.left(300).toStdString();
        });
        EXPECT_LE(dialog->width(), screenRoom(*dialog).width()) << id;
        EXPECT_LE(dialog->height(), screenRoom(*dialog).height()) << id;
        dialog->resize(kLow);
        settle();
        EXPECT_LE(dialog->width(), kLow.width()) << id;
        EXPECT_LE(dialog->height(), kLow.height()) << id;
        dialog->close();
        ASSERT_TRUE(waitFor([&] { return dialog.isNull() || !dialog->isVisible(); })) << id;
    }
}

TEST(ChineseWindow, KnowsEnglishFromNames) {
    for (const char* english :
         {"Peak memory", "Not known", "step time (median)", "<b>of the step</b>", "No, none"})
        EXPECT_NE(englishOf(QString::fromUtf8(english)), QString()) << english;
    for (const char* name : {"显存 peak memory", "CUDA", "layer0.forward", "a.csv b.csv", "--layers N",
                             "PyTorch", "NVIDIA H100 SXM", "x.view(2, 3)", "12 GB"})
        EXPECT_EQ(englishOf(QString::fromUtf8(name)), QString()) << name;
}

}  // namespace
}  // namespace plumb::ui::test

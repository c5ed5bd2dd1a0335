// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window where numbers have a decimal comma: whatever it shows in any view, it writes them one way.
#include "tests/ui/shell/filled_window.h"
#include "ui/settings/preferences.h"

#include <QRegularExpression>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

/// Texts that are no people's: code, what is typed as it is, what files and other programs say.
bool isCode(const std::string& where) {
    static const QRegularExpression kThere(QStringLiteral(
        "einsum|expression|tensorAdd|tensorBus|tensorText|dtype|blockNote|Bits|Option in optionForm|"
        "plannerModel|plannerDevice|evidenceRows|historySearch|plannerFormula|plannerNumbers"));
    return QString::fromStdString(where).contains(kThere);
}

/// The first number that is written in another way than the window's; empty: none.
QString strangeNumberOf(QString text) {
    // The name of a commit, behind the version, may have digits alone.
    static const QRegularExpression kNone(
        QStringLiteral("<[^>]*>|\\d+\\.\\d+\\.\\d+ \\([0-9a-f]{7,}[^)]*\\)"));
    // Versions, names of files and models, codes: they stand within words, or behind a sign of them.
    static const QRegularExpression kNumber(
        QStringLiteral("(?<!arXiv )(?<!Llama "
                       ")(?<![\\w.,:/#=+-])(?:\\d+\\.\\d+(?:e[-+]?\\d+)?|\\d+(?:[.,]\\d+)?e[-+]\\d+|\\d{5,})"
                       "(?![\\w./-]|[.,]\\d)"));
    return kNumber.match(text.remove(kNone)).captured();
}

TEST(WrittenNumbers, AreOfOneStyleInTheWholeWindow) {
    const NumberStyle& before = numberStyle();
    FilledWindow filled;
    Preferences preferences = filled.settings.preferences();
    preferences.decimal = DecimalMark::Comma;
    filled.settings.setPreferences(preferences);
    use(preferences, filled.theme);
    ASSERT_TRUE(filled.fill());
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    ASSERT_TRUE(filled.choose("view.language.en"));
    ASSERT_EQ(numberStyle().decimal, ",");
    const qsizetype texts = filled.forEachText([](const QString& text, const std::string& where) {
        if (isCode(where)) return;
        EXPECT_EQ(strangeNumberOf(text).toStdString(), "") << where << ": " << text.left(300).toStdString();
    });
    EXPECT_GT(texts, 2000);
    setNumberStyle(before);
}

TEST(WrittenNumbers, HaveOneMarkBetweenGroupsInTheWholeWindow) {
    const NumberStyle before = numberStyle();
    FilledWindow filled;
    Preferences preferences = filled.settings.preferences();
    preferences.decimal = DecimalMark::Comma;
    preferences.group = GroupMark::Mark;
    filled.settings.setPreferences(preferences);
    use(preferences, filled.theme);
    ASSERT_TRUE(filled.fill());
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    ASSERT_TRUE(filled.choose("view.language.en"));
    ASSERT_EQ(numberStyle().group, ".");
    static const QRegularExpression kBlank(QStringLiteral("\\d\u2009\\d{3}(?!\\d)")),
        kPoint(QStringLiteral("\\d\\.\\d{3}(?!\\d)"));
    int grouped = 0;
    (void)filled.forEachText([&](const QString& text, const std::string& where) {
        EXPECT_FALSE(text.contains(kBlank)) << where << ": " << text.left(300).toStdString();
        grouped += text.contains(kPoint) ? 1 : 0;
    });
    EXPECT_GT(grouped, 100);
    setNumberStyle(before);
}

TEST(WrittenNumbers, AreToldFromVersionsAndNames) {
    for (const char* strange : {"41.7 %", "34615.5 h", "2.38e+03", "a rate of 1e-07 a step", "12345 steps"})
        EXPECT_NE(strangeNumberOf(QString::fromUtf8(strange)), QString()) << strange;
    for (const char* good : {"41,7 %", "34 615,5 h", "torch 2.4.1", "a.0.5b", "layers.12.mlp", "1e−7", "v1.5",
                             "Qwen2.5-7B", "2026-11-27", "2048 steps", "plumbline 0.1.0 (5529103)"})
        EXPECT_EQ(strangeNumberOf(QString::fromUtf8(good)), QString()) << good;
}

}  // namespace
}  // namespace plumb::ui::test

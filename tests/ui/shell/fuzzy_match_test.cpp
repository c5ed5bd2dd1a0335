// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/fuzzy_match.h"

#include "ui/shell/palette_entry.h"

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

int score(const char* text, const char* wanted) {
    return FuzzyWords(QString::fromUtf8(wanted)).score(QString::fromUtf8(text)).value_or(-1);
}

TEST(FuzzyMatch, PutsWholeWordsBeforeBeginningsBeforePartsBeforeLetters) {
    EXPECT_GT(score("Memory", "memory"), score("Memory of the device", "memory"));
    EXPECT_GT(score("The memory", "memory"), score("Memorys", "memo"));
    EXPECT_GT(score("A Memory", "memo"), score("A Memory", "mory"));
    EXPECT_GT(score("A Memory", "mory"), score("Export CSV", "exc"));
    EXPECT_GT(score("Export CSV", "exc"), -1);
}

TEST(FuzzyMatch, WantsEveryWordInAnyOrderAndCase) {
    EXPECT_GT(score("Export CSV", "csv EXP"), -1);
    EXPECT_EQ(score("Export CSV", "csv png"), -1);
    EXPECT_EQ(score("Export CSV", "vsc"), -1) << "letters in another order";
    EXPECT_EQ(score("Export CSV", "xcs"), -1) << "letters that begin no word";
    EXPECT_GE(score("anything", ""), -100);
}

TEST(FuzzyMatch, FindsANumberAsAWholeOneFirst) {
    EXPECT_GT(score("layer 3 · forward · output", "layer 3"), score("layer 23 · forward", "layer 3"));
    EXPECT_GT(score("layer 23 · forward", "layer 3"), -1);
    EXPECT_GT(score("W3", "3"), score("W23", "3")) << "a number may follow letters";
}

TEST(Ranking, IsByTitleThenKindThenDetailAndKeepsTheOrderOfEqualOnes) {
    const auto entry = [](const char* title, const char* kind, const char* detail) {
        return PaletteEntry{
            QString::fromUtf8(title), QString::fromUtf8(kind), QString::fromUtf8(detail), {}, {}};
    };
    const auto best =
        ranked({entry("Other", "Action", "says memory"), entry("Nothing", "Action", "at all"),
                entry("Peak", "Memory", ""), entry("Memory", "View", ""), entry("Memory", "Action", "")},
               QStringLiteral("memory"), 10);
    std::vector<std::string> titles;
    for (const PaletteEntry& one : best) titles.push_back((one.title + one.kind).toStdString());
    EXPECT_EQ(titles, (std::vector<std::string>{"MemoryView", "MemoryAction", "PeakMemory", "OtherAction"}));
    EXPECT_EQ(ranked({entry("a", "", ""), entry("a", "", "")}, {}, 1).size(), 1U);
}

}  // namespace
}  // namespace plumb::ui

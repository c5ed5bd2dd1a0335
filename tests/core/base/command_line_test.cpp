// SPDX-License-Identifier: Apache-2.0
#include "core/base/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <random>

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> wordsOf(std::string_view line) {
    const auto words = splitCommandLine(line);
    EXPECT_TRUE(words.has_value()) << line << ": " << (words.has_value() ? "" : words.error().text());
    return words.has_value() ? *words : std::vector<std::string>{"(refused)"};
}

TEST(CommandLine, SpacesSeparateWords) {
    EXPECT_THAT(wordsOf("ssh host plumbline-cli engine"),
                ElementsAre("ssh", "host", "plumbline-cli", "engine"));
    EXPECT_THAT(wordsOf("  a\t b \r\n"), ElementsAre("a", "b"));
    EXPECT_THAT(wordsOf("   "), IsEmpty());
    EXPECT_THAT(wordsOf(""), IsEmpty());
}

TEST(CommandLine, QuotesKeepSpacesAndJoinWithWhatTouchesThem) {
    EXPECT_THAT(wordsOf(R"("/opt/my engine/cli" engine)"), ElementsAre("/opt/my engine/cli", "engine"));
    EXPECT_THAT(wordsOf(R"('a b' "c d")"), ElementsAre("a b", "c d"));
    EXPECT_THAT(wordsOf(R"(--name="a b"'c d'e)"), ElementsAre("--name=a bc de"));
    EXPECT_THAT(wordsOf(R"(a "" '' b)"), ElementsAre("a", "", "", "b"));
}

TEST(CommandLine, EachKindOfQuoteKeepsTheOther) {
    EXPECT_THAT(wordsOf(R"("it's" 'say "no"')"), ElementsAre("it's", R"(say "no")"));
}

TEST(CommandLine, ABackslashKeepsWhatFollowsItButInSingleQuotes) {
    EXPECT_THAT(wordsOf(R"(a\ b \" \' \\)"), ElementsAre("a b", "\"", "'", "\\"));
    EXPECT_THAT(wordsOf(R"("\" \\ \$ \` \n")"), ElementsAre(R"(" \ $ ` \n)"));
    EXPECT_THAT(wordsOf(R"('\n \\')"), ElementsAre(R"(\n \\)"));
}

TEST(CommandLine, AnUnclosedQuoteIsOneSentenceWithItsPlace) {
    const auto twice = splitCommandLine(R"(ssh "gpu box)");
    ASSERT_FALSE(twice.has_value());
    EXPECT_EQ(twice.error().code, ErrorCode::BadInput);
    EXPECT_THAT(twice.error().message, HasSubstr("double quote at character 5"));
    EXPECT_FALSE(twice.error().hint.empty());
    const auto once = splitCommandLine("it's");
    ASSERT_FALSE(once.has_value());
    EXPECT_THAT(once.error().message, HasSubstr("single quote at character 3"));
    EXPECT_FALSE(splitCommandLine(R"("ends in \")").has_value());
    EXPECT_FALSE(splitCommandLine("a \\").has_value());
}

TEST(CommandLine, WhatWasQuotedIsReadBackAsItWas) {
    EXPECT_EQ(quotedWord("/usr/bin/plumbline-cli"), "/usr/bin/plumbline-cli");
    EXPECT_EQ(quotedWord(""), "''");
    EXPECT_EQ(quotedWord("a b"), "'a b'");
    EXPECT_EQ(quotedWord("~"), "'~'");
    std::mt19937 random(20261127);
    const std::string_view characters = "ab \t\n'\"\\$`*~;&|<>(){}!#\xc3\xa4";
    std::uniform_int_distribution<std::size_t> which(0, characters.size() - 1), length(0, 9);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::string> words(1 + length(random) % 4);
        for (std::string& word : words)
            for (std::size_t left = length(random); left > 0; --left) word += characters[which(random)];
        EXPECT_EQ(wordsOf(joinCommandLine(words)), words) << joinCommandLine(words);
    }
}

TEST(CommandLine, AShellReadsQuotedWordsAsTheyWere) {
    const std::string word = "a 'b' \"c\" \\ $HOME `id` *";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> shell(
        popen(("printf %s " + quotedWord(word)).c_str(), "r"), pclose);
    ASSERT_TRUE(shell);
    std::string said(100, '\0');
    said.resize(std::fread(said.data(), 1, said.size(), shell.get()));
    EXPECT_EQ(said, word);
}

}  // namespace
}  // namespace plumb

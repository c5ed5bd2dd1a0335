// SPDX-License-Identifier: Apache-2.0
#include "core/base/sentence.h"

#include "tests/support/english_words.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

namespace plumb {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

TEST(Sentence, BeginsWithACapitalAndEndsWithAStop) {
    for (const auto& [text, sentence] :
         {Pair{"the step does not fit", "The step does not fit."}, Pair{"a lone word", "A lone word."},
          Pair{"no driver, no GPU", "No driver, no GPU."}, Pair{"non-finite weights", "Non-finite weights."},
          Pair{"cannot read /tmp/x (gone): choose another", "Cannot read /tmp/x (gone): choose another."},
          Pair{"isn't there", "Isn't there."}, Pair{"CUDA is not there", "CUDA is not there."},
          Pair{"  blanks around ", "Blanks around."}, Pair{"", ""}, Pair{" ", ""}})
        EXPECT_EQ(asSentence(text), sentence);
}

TEST(Sentence, LeavesANameThatBeginsIt) {
    for (const std::string_view text :
         {"/tmp/x has no rows", "./weights has no rows", "model.json is not JSON", "a.csv, b.csv are empty",
          "--layers cannot be used (x)", "-h is unknown", "beta1 cannot be used (2)", "train_step has no ops",
          "lr is not a number", "lr-decay is below 0", "select() takes one number", "tril: two dimensions",
          "64 threads cannot be used", "\"x\" is not a size", "'x' fits several", "(none) is no name",
          "oneDNN could not start", "\u00e9t\u00e9 is no name", "\u6a21\u578b.json is not JSON"})
        EXPECT_EQ(asSentence(text), std::string(text) + ".");
    constexpr std::array<std::string_view, 2> kTyped{"weights", "dim"};
    EXPECT_EQ(asSentence("weights has no rows", kTyped), "weights has no rows.");
    EXPECT_EQ(asSentence("dim, the width, is odd", kTyped), "dim, the width, is odd.");
    EXPECT_EQ(asSentence("the dim is odd", kTyped), "The dim is odd.");
}

TEST(Sentence, HasOneEnd) {
    for (const auto& [text, sentence] :
         {Pair{"ended.", "Ended."}, Pair{"did you mean dim?", "Did you mean dim?"}, Pair{"stop!", "Stop!"},
          Pair{"reading\u2026", "Reading\u2026"}, Pair{"it said \"no\"", "It said \"no\"."},
          Pair{"it said \"no.\"", "It said \"no.\""}, Pair{"it said 'why?'", "It said 'why?'"},
          Pair{"torch said:", "Torch said."}, Pair{"torch said: ", "Torch said."},
          Pair{"stopped (why?)", "Stopped (why?)."}, Pair{"it is at 1.5", "It is at 1.5."},
          Pair{"see x.json", "See x.json."}, Pair{"several, ", "Several."}})
        EXPECT_EQ(asSentence(text), sentence);
}

TEST(Sentence, IsChineseInAChineseProcess) {
    const test::InChinese chinese;
    EXPECT_EQ(asSentence("\u663e\u5b58\u4e0d\u8db3"), "\u663e\u5b58\u4e0d\u8db3\u3002");
    EXPECT_EQ(asSentence("\u663e\u5b58\u4e0d\u8db3\u3002"), "\u663e\u5b58\u4e0d\u8db3\u3002");
    EXPECT_EQ(asSentence("\u4e3a\u4ec0\u4e48\uff1f"), "\u4e3a\u4ec0\u4e48\uff1f");
    EXPECT_EQ(asSentence("dim \u5fc5\u987b\u4e3a\u6b63"), "dim \u5fc5\u987b\u4e3a\u6b63\u3002")
        << "what is Latin in it is a name";
    EXPECT_EQ(asSentence("the driver's own words"), "The driver's own words.") << "not told in Chinese";
}

// Whatever a message begins and ends with: it has one beginning, one end, and nothing between is touched.
TEST(Sentence, ChangesTheFirstLetterAndTheEndAlone) {
    constexpr std::array<std::string_view, 14> kBeginnings{
        "the file", "/tmp/x", "a b.csv", "--layers", "lr",           "dim",    "8 rows",
        "\"x\"",    "(a)",    "PyTorch", "select()", "\u6a21\u578b", "\u2026", "."};
    constexpr std::array<std::string_view, 12> kEnds{"",  ".",   "?",     "...",    ":",      "\"",
                                                     "'", ".\"", "(why)", "\u3002", "/tmp/x", " 1.5"};
    const auto holdsForAll = [&] {
        for (const std::string_view begin : kBeginnings)
            for (const std::string_view end : kEnds) {
                const std::string text = std::string(begin) + " is not there" + std::string(end);
                const std::string sentence = asSentence(text);
                EXPECT_EQ(asSentence(sentence), sentence) << "a sentence stays";
                const std::string middle = text.substr(1, text.size() - 1 - (end == ":" ? 1 : 0));
                EXPECT_EQ(sentence.substr(1, middle.size()), middle) << text;
                EXPECT_LE(sentence.size(), text.size() + std::string_view("\u3002").size()) << text;
                EXPECT_FALSE(sentence.ends_with("..") && !text.ends_with("..")) << text;
            }
    };
    holdsForAll();
    const test::InChinese chinese;
    holdsForAll();
}

}  // namespace
}  // namespace plumb

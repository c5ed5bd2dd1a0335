// SPDX-License-Identifier: Apache-2.0
#include "core/base/words.h"

#include <gtest/gtest.h>

#include <string>

namespace plumb {
namespace {

constexpr std::string_view kCatalogue = R"po(# A comment.
msgid ": "
msgstr "："

msgid " · "
msgstr " / "

msgid "list mark"
msgstr "、"

msgid "forward"
msgstr "前向"

msgid "weight gradient"
msgstr "权重梯度"

msgid "layer {}"
msgstr "第 {} 层"

msgid "{} of {}"
msgstr "{1} 中的 {0}"

msgid "the batch {} is larger than {:.1f}"
msgstr "批 {} 大于 {:.1f}"

msgid "give a batch "
"of at most {}"
msgstr "请给出不大于 {} 的批"

msgid "failed at {}: {}"
msgstr "在 {} 失败：{}"

msgid "write \"{{}}\" and a \\"
msgstr "请写“{{}}”和 \\"

msgid "the layer is missing in run {}"
msgstr "运行 {} 中没有该层"

msgid "the half of it: please, split it: at once"
msgstr "请立即拆分"

msgid "leave --{} out"
msgstr "不给 --{}"

msgid "the directions are {:s}"
msgstr "方向有 {}"

msgid "is '{}', and one of {} is possible"
msgstr "为“{}”，而可取 {} 之一"

msgid "the equation \"{:s}\" has no direction"
msgstr "等式“{}”没有方向"

msgid "no direction is called so ({:s})"
msgstr "没有这样的方向（{}）"

msgid "is missing"
msgstr "缺失"

msgid "has no layer at all"
msgstr "没有任何层"

msgid "not translated yet"
msgstr ""
)po";

std::string told(std::string_view text) { return Words(kCatalogue).of(text); }

TEST(WordsTest, TellWhatFitsAnEntryAndLeaveTheRestAlone) {
    EXPECT_EQ(told("forward"), "前向");
    EXPECT_EQ(told("Forward"), "前向");
    EXPECT_EQ(told("layer 37"), "第 37 层");
    EXPECT_EQ(told("not translated yet"), "not translated yet");
    EXPECT_EQ(told("/home/forward/layer.plumb"), "/home/forward/layer.plumb");
    EXPECT_EQ(told(""), "");
    EXPECT_EQ(Words(kCatalogue).size(), 20U);
}

TEST(WordsTest, TellWhatStandsInAPlaceToo) {
    EXPECT_EQ(told("failed at layer 3: weight gradient"), "在第 3 层失败：权重梯度");
    EXPECT_EQ(told("weight gradient of layer 2"), "第 2 层中的权重梯度");
}

TEST(WordsTest, TakeTheEntryOfTheMostLetters) {
    EXPECT_EQ(told("the batch 8 is larger than 2.5"), "批 8 大于 2.5");
    // A number belongs there.
    EXPECT_EQ(told("the batch 8 is larger than life"), "the batch 8 is larger than life");
    EXPECT_EQ(told("give a batch of at most 64"), "请给出不大于 64 的批");
}

TEST(WordsTest, TellATextOfPartsPartByPart) {
    EXPECT_EQ(told("layer 3 · forward · weight gradient"), "第 3 层 / 前向 / 权重梯度");
    EXPECT_EQ(told("the batch 8 is larger than 2.5: give a batch of at most 2"),
              "批 8 大于 2.5：请给出不大于 2 的批");
    EXPECT_EQ(told("who knows: what"), "who knows: what");
    EXPECT_EQ(told("⌈N · w / (M · forward)⌉"), "⌈N / w / (M / 前向)⌉");
    EXPECT_EQ(told("M · forward / w"), "M / 前向 / w");
}

TEST(WordsTest, LeaveTheRemedyOutOfATextThatEndsOtherwise) {
    EXPECT_EQ(told("the layer is missing in run 7: give a batch of at most 64"),
              "运行 7 中没有该层：请给出不大于 64 的批");
}

TEST(WordsTest, TellWhatStandsBesideAnEntryOfManyLettersWhateverItsMarks) {
    EXPECT_EQ(told("the batch 8 is larger than 2.5, failed at 3: forward"), "批 8 大于 2.5, 在 3 失败：前向");
    EXPECT_EQ(told("forward: the half of it: please, split it: at once"), "前向：请立即拆分");
    EXPECT_EQ(told("forward:"), "前向：");
}

TEST(WordsTest, TellANameWithItsFigure) {
    EXPECT_EQ(told("weight gradient 4.02 GB"), "权重梯度 4.02 GB");
    EXPECT_EQ(told("weight gradient 7"), "权重梯度 7");
    EXPECT_EQ(told("who knows 7"), "who knows 7");
}

TEST(WordsTest, PutIntoAPlaceOnlyWhatBelongsThere) {
    EXPECT_EQ(told("layer 1 · forward"), "第 1 层 / 前向");
    EXPECT_EQ(told("2. layer 1 · forward"), "2. 第 1 层 / 前向");
    // Half of a parenthesis, the name of an option.
    EXPECT_EQ(told("is not known (--steps): give (a number)"), "is not known (--steps): give (a number)");
    EXPECT_EQ(told("leave --forward out"), "不给 --forward");
}

TEST(WordsTest, LeaveWhatOneTypesAsItStands) {
    EXPECT_EQ(told("the directions are forward, layer 1 and back"), "方向有 forward, layer 1 and back");
    // The brackets tell its colon from that before the remedy.
    EXPECT_EQ(told("no direction is called so (layer 1: forward): leave --forward out"),
              "没有这样的方向（layer 1: forward）：不给 --forward");
    EXPECT_EQ(told("the equation \"max: i, j\" has no direction: leave --forward out"),
              "等式“max: i, j”没有方向：不给 --forward");
    EXPECT_EQ(told("no direction is called so (forward): leave it (or not)"),
              "没有这样的方向（forward）：leave it (or not)");
}

TEST(WordsTest, PartWordsToChooseFromByTheMarkOfLists) {
    EXPECT_EQ(told("the directions are in, out"), "方向有 in、out");
    EXPECT_EQ(told("the directions are --in, fp8_e4m3, a-b.c"), "方向有 --in、fp8_e4m3、a-b.c");
    EXPECT_EQ(told("give a batch of at most b8, b16 or b32"), "请给出不大于 b8、b16 or b32 的批");
    EXPECT_EQ(told("the directions are 4, 6"), "方向有 4, 6") << "that is typed";
    EXPECT_EQ(told("the directions are x[1, a"), "方向有 x[1, a");
    EXPECT_EQ(told("no direction is called so (in, out)"), "没有这样的方向（in, out）") << "that was typed";
    EXPECT_EQ(told("is 'a, b', and one of c, d is possible"), "为“a, b”，而可取 c、d 之一");
}

TEST(WordsTest, TellWhatIsSaidOfAFileWhereverItLies) {
    EXPECT_EQ(told("/a folder/b.plumb has no layer at all"), "/a folder/b.plumb 没有任何层");
    EXPECT_EQ(told("b.plumb has no layer at all"), "b.plumb 没有任何层");
    EXPECT_EQ(told("it has no layer at all"), "it has no layer at all");
}

TEST(WordsTest, TellWhatIsSaidOfAFieldOfAFile) {
    EXPECT_EQ(told("measured.ops[3].source is 'foo', and one of clock, counter is possible"),
              "measured.ops[3].source 为“foo”，而可取 clock、counter 之一");
    EXPECT_EQ(told("version is 'foo', and one of clock, counter is possible"),
              "version 为“foo”，而可取 clock、counter 之一");
    EXPECT_EQ(told("hidden_size is missing"), "hidden_size 缺失");
    EXPECT_EQ(told("heads is missing: leave --forward out"), "heads 缺失：不给 --forward");
    EXPECT_EQ(told("Something is 'foo', and one of clock is possible"),
              "Something is 'foo', and one of clock is possible");
}

TEST(WordsTest, FitNoSentenceIntoATextOfFewLetters) {
    EXPECT_EQ(told("one thing: the half of it"), "one thing: the half of it");
    EXPECT_EQ(told("a b c d e f of g"), "a b c d e f of g");
}

TEST(WordsTest, KeepBracesAndBackslashes) { EXPECT_EQ(told("write \"{}\" and a \\"), "请写“{}”和 \\"); }

TEST(WordsTest, OfTheProgramAreChineseOnceTheyAreAskedForAndEnglishElse) {
    EXPECT_TRUE(hasWordsOf("zh_CN"));
    EXPECT_FALSE(hasWordsOf("de_DE"));
    EXPECT_EQ(inWords("weight gradient"), "weight gradient");
    setWordsLanguage("zh_CN");
    EXPECT_EQ(wordsLanguage(), "zh_CN");
    EXPECT_EQ(inWords("layer 37 · backward · weight gradient"), "第 37 层 · 反向 · 权重梯度");
    // A bracket that is quoted opens nothing.
    EXPECT_EQ(inWords("in the steps \"foo(1\", '(' is unexpected at character 4"),
              "在步骤“foo(1”的第 4 个字符处：此处不应有“(”");
    // A sentence with marks of its own, and a remedy behind it.
    EXPECT_TRUE(inWords("The file has no losses: its recorder noted none: run it again")
                    .starts_with("文件没有损失：录制器没有记下："));
    // The plural ending of English stands in a place of "measured, {} step{}".
    EXPECT_EQ(inWords("measured, 20 steps"), "实测，20 步");
    EXPECT_EQ(
        inWords("3 parameters are above the 16 that it was fitted on, 6 tokens are above the 5 that it was "
                "fitted on"),
        "3 参数高于拟合所用的 16，6 token 高于拟合所用的 5");
    EXPECT_EQ(
        inWords(
            "/tmp/d/cut.plumb is truncated: its JSON ends within a value at byte 5: copy or write it again."),
        "/tmp/d/cut.plumb 被截断：其 JSON 在第 5 字节处的值之内结束：请重新复制或写入它。");
    EXPECT_EQ(inWords("micro-batch does not divide batch 256 (37): use a divisor of the batch such as 32"),
              "micro-batch 不能整除 batch 256（37）：请使用 batch 的约数，例如 32");
    EXPECT_EQ(inWords("/home/me/my steps.plumb is not a Plumbline snapshot (it is not a JSON object)"),
              "/home/me/my steps.plumb 不是 Plumbline 快照（它不是 JSON 对象）");
    EXPECT_EQ(inWords("Decoder · 8 k parameters · batch [2, 16]"), "Decoder · 8 k 个参数 · 批 [2, 16]");
    setWordsLanguage("de_DE");
    EXPECT_EQ(inWords("weight gradient"), "weight gradient");
}

}  // namespace
}  // namespace plumb

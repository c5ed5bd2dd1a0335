// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lesson.h"

#include "core/base/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace plumb::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kLesson =
    "---\n"
    "title: A lesson\n"
    "---\n"
    "Why **this**\n"
    "matters.\n"
    "\n"
    "- **Do.** Set [Batch](control:batch) and\n"
    "  [look](control:view.memory).\n"
    "- **Expect.** What?\n"
    "- **Measure.** [Profile](control:run.profile), [Batch](control:batch).\n";

TEST(Lesson, IsReadFromItsMarkdown) {
    const auto lesson = Lesson::parse("a-lesson", kLesson);
    ASSERT_TRUE(lesson.has_value()) << lesson.error().text();
    EXPECT_EQ(lesson->id, "a-lesson");
    EXPECT_EQ(lesson->title, "A lesson");
    EXPECT_EQ(lesson->introduction, "Why **this**\nmatters.");
    ASSERT_EQ(lesson->steps.size(), 3U);
    EXPECT_EQ(lesson->steps[0].verb, LessonVerb::Do);
    EXPECT_EQ(lesson->steps[0].markdown, "Set [Batch](control:batch) and\n[look](control:view.memory).");
    EXPECT_THAT(lesson->steps[0].controls, ElementsAre("batch", "view.memory"));
    EXPECT_TRUE(lesson->steps[1].controls.empty());
    EXPECT_EQ(lesson->steps[2].verb, LessonVerb::Measure);
    EXPECT_THAT(lesson->controls(), ElementsAre("batch", "view.memory", "run.profile"));
    EXPECT_THAT(lesson->markdown, HasSubstr("- **Do.** Set"));
    EXPECT_EQ(lesson->markdown.find("title:"), std::string::npos);
}

TEST(Lesson, ALineThatEndsAmongChineseCharactersIsNoBlank) {
    const auto lesson = Lesson::parse(
        "a-lesson", "---\ntitle: T\n---\n显存\n里。\n\n- **Do.** 前向，\n  L = 4 时\n  [反向](control:x)\n"
                    "  of D\n  批\n");
    ASSERT_TRUE(lesson.has_value()) << lesson.error().text();
    EXPECT_EQ(lesson->introduction, "显存里。");
    EXPECT_EQ(lesson->steps[0].markdown, "前向，L = 4 时[反向](control:x)\nof D\n批");
    EXPECT_EQ(lesson->markdown, "显存里。\n\n- **Do.** 前向，L = 4 时[反向](control:x)\n  of D\n  批");
}

TEST(Lesson, WhatIsWrittenWronglyIsRefusedWithItsLine) {
    const auto refused = [](const std::string& text, std::string_view says) {
        const auto lesson = Lesson::parse("x", text);
        ASSERT_FALSE(lesson.has_value()) << text;
        EXPECT_THAT(lesson.error().message, HasSubstr(std::string(says))) << text;
    };
    const std::string heading = "---\ntitle: T\n---\nText\n";
    refused("", "no title");
    refused("Text", "does not begin");
    refused("---\nnope: x\n---\n", "line 2");
    refused("---\n---\n- **Do.** x\n", "no title");
    refused(heading, "no steps");
    refused(heading + "- **Jump.** x\n", "begin with a verb (line 5)");
    refused(heading + "- Do x\n", "begin with a verb");
    refused(heading + "- **Do.** x\nmore\n", "text after its steps (line 6)");
    refused(heading + "- **Do.** [x](control:)\n", "control without a name");
    refused(heading + "- **Do.** [x](control:two words)\n", "control without a name");
}

TEST(BuiltInLessons, EachAsksForSomethingToBeExpectedAndPointsSomewhere) {
    const std::vector<Lesson>& lessons = builtInLessons();
    EXPECT_GE(lessons.size(), 10U);
    std::set<std::string> ids;
    for (const Lesson& lesson : lessons) {
        EXPECT_TRUE(ids.insert(lesson.id).second) << lesson.id;
        EXPECT_FALSE(lesson.introduction.empty()) << lesson.id;
        EXPECT_GE(lesson.steps.size(), 4U) << lesson.id;
        EXPECT_LE(lesson.markdown.size(), 2500U) << lesson.id << " is not short";
        std::set<LessonVerb> verbs;
        for (const LessonStep& step : lesson.steps) verbs.insert(step.verb);
        for (const LessonVerb verb : {LessonVerb::Do, LessonVerb::Look, LessonVerb::Expect})
            EXPECT_TRUE(verbs.contains(verb)) << lesson.id << " has no " << lessonVerbName(verb);
        EXPECT_GE(lesson.controls().size(), 3U) << lesson.id;
    }
    for (const char* id : {"six-flops", "optimizer-memory-bound", "sqrt-checkpointing",
                           "bf16-needs-no-loss-scale", "batch-compute-bound"})
        EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(BuiltInLessons, SayInChineseTheSameStepByStep) {
    const std::vector<Lesson>& english = builtInLessons();
    setWordsLanguage("zh_CN");
    const std::vector<Lesson>& chinese = builtInLessons();
    setWordsLanguage({});
    ASSERT_EQ(chinese.size(), english.size());
    for (std::size_t i = 0; i < english.size(); ++i) {
        EXPECT_EQ(chinese[i].id, english[i].id);
        EXPECT_NE(chinese[i].title, english[i].title);
        ASSERT_EQ(chinese[i].steps.size(), english[i].steps.size()) << english[i].id;
        for (std::size_t step = 0; step < english[i].steps.size(); ++step) {
            EXPECT_EQ(chinese[i].steps[step].verb, english[i].steps[step].verb) << english[i].id << step;
            EXPECT_EQ(chinese[i].steps[step].controls, english[i].steps[step].controls)
                << english[i].id << step;
        }
    }
}

}  // namespace
}  // namespace plumb::lab

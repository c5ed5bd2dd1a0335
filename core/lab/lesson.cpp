// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lesson.h"

#include "core/base/ascii.h"
#include "core/base/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

namespace plumb {

// Generated from resources/help/lessons (core/lab/CMakeLists.txt).
extern const std::string_view lessonText1, lessonText2, lessonText3, lessonText4, lessonText5, lessonText6,
    lessonText7, lessonText8, lessonText9, lessonText10, lessonText11;
extern const std::string_view lessonTextChinese1, lessonTextChinese2, lessonTextChinese3, lessonTextChinese4,
    lessonTextChinese5, lessonTextChinese6, lessonTextChinese7, lessonTextChinese8, lessonTextChinese9,
    lessonTextChinese10, lessonTextChinese11;

}  // namespace plumb

namespace plumb::lab {

namespace {

constexpr std::array kVerbs{LessonVerb::Do, LessonVerb::Look, LessonVerb::Expect, LessonVerb::Measure,
                            LessonVerb::Know};
constexpr std::string_view kRule = "---";
constexpr std::string_view kTitle = "title:";
constexpr std::string_view kStep = "- **";
constexpr std::string_view kLink = "](control:";
constexpr std::string_view kMargins = " \n";

Error bad(std::string_view id, int line, std::string_view what) {
    return {ErrorCode::BadInput, fmt::format("the lesson {} {} (line {})", id, what, line),
            "see core/lab/lesson.h for how lessons are written"};
}

/// The names behind "control:" in `markdown`; absent when one is empty.
std::optional<std::vector<std::string>> controlsIn(std::string_view markdown) {
    std::vector<std::string> controls;
    for (std::size_t at = markdown.find(kLink); at != std::string_view::npos; at = markdown.find(kLink, at)) {
        at += kLink.size();
        const std::size_t end = markdown.find(')', at);
        const std::string_view name = markdown.substr(at, end == std::string_view::npos ? 0 : end - at);
        if (name.empty() || name.find_first_of(" \n") != std::string_view::npos) return std::nullopt;
        controls.emplace_back(name);
    }
    return controls;
}

/// The verb in the lessons in Chinese, which end it with a full stop of their own.
std::string_view chineseVerbName(LessonVerb verb) {
    switch (verb) {
    case LessonVerb::Do:
        return "动手";
    case LessonVerb::Look:
        return "观察";
    case LessonVerb::Expect:
        return "预想";
    case LessonVerb::Measure:
        return "测量";
    case LessonVerb::Know:
        return "知晓";
    }
    return "";
}

/// "- **Do.** Set ..."; absent when it does not begin with a verb.
std::optional<LessonStep> stepOf(std::string_view line) {
    for (const LessonVerb verb : kVerbs) {
        for (const std::string& begin : {fmt::format("{}{}.**", kStep, lessonVerbName(verb)),
                                         fmt::format("{}{}。**", kStep, chineseVerbName(verb))}) {
            if (!line.starts_with(begin)) continue;
            LessonStep step;
            step.verb = verb;
            step.markdown = trimmed(line.substr(begin.size()), kMargins);
            return step;
        }
    }
    return std::nullopt;
}

}  // namespace

std::string_view lessonVerbName(LessonVerb verb) {
    switch (verb) {
    case LessonVerb::Do:
        return "Do";
    case LessonVerb::Look:
        return "Look";
    case LessonVerb::Expect:
        return "Expect";
    case LessonVerb::Measure:
        return "Measure";
    case LessonVerb::Know:
        return "Know";
    }
    return "";
}

namespace {

/// What a character of Chinese, or its punctuation, begins with in UTF-8.
constexpr unsigned char kIdeographs = 0xE4, kLastIdeographs = 0xE9, kPunctuation = 0xE3, kFullWidth = 0xEF;

bool isPunctuation(unsigned char lead) { return lead == kPunctuation || lead == kFullWidth; }
bool isWide(unsigned char lead) {
    return isPunctuation(lead) || (lead >= kIdeographs && lead <= kLastIdeographs);
}

/// Adds a line to a text. The end of a line is a blank, but for Chinese: there it is none between two
/// characters, and none behind a full-width comma.
void addLine(std::string& text, std::string_view line) {
    constexpr std::size_t kBytes = 3;  // of such a character
    const std::string_view next = trimmed(line, kMargins);
    const std::size_t begin = next.find_first_not_of("[*");  // what Markdown puts in front of a word
    const auto last = static_cast<unsigned char>(text.size() < kBytes ? '\0' : text[text.size() - kBytes]);
    const bool goesOn = begin != std::string_view::npos && !next.starts_with("- ") && isWide(last) &&
                        (isPunctuation(last) || isWide(static_cast<unsigned char>(next[begin])));
    if (goesOn)
        text += next;
    else
        text += fmt::format("{}{}", text.empty() ? "" : "\n", line);
}

}  // namespace

std::vector<std::string> Lesson::controls() const {
    std::vector<std::string> all;
    for (const LessonStep& step : steps)
        for (const std::string& control : step.controls)
            if (std::find(all.begin(), all.end(), control) == all.end()) all.push_back(control);
    return all;
}

Result<Lesson> Lesson::parse(std::string_view id, std::string_view text) {
    Lesson lesson;
    lesson.id = id;
    enum class Part : std::uint8_t { Start, Heading, Introduction, Steps } part = Part::Start;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (part == Part::Start) {
            if (line != kRule) return bad(id, number, "does not begin with ---");
            part = Part::Heading;
            continue;
        }
        if (part == Part::Heading) {
            if (line == kRule)
                part = Part::Introduction;
            else if (line.starts_with(kTitle))
                lesson.title = trimmed(line.substr(kTitle.size()), kMargins);
            else
                return bad(id, number, "has an unknown line in its heading");
            continue;
        }
        addLine(lesson.markdown, line);
        if (line.starts_with("- ")) {
            part = Part::Steps;
            auto step = stepOf(line);
            if (!step) return bad(id, number, "has a step that does not begin with a verb");
            lesson.steps.push_back(std::move(*step));
        } else if (part == Part::Introduction) {
            addLine(lesson.introduction, line);
        } else if (line.starts_with("  ") && !trimmed(line, kMargins).empty()) {
            addLine(lesson.steps.back().markdown, trimmed(line, kMargins));
        } else if (!trimmed(line, kMargins).empty()) {
            return bad(id, number, "has text after its steps");
        }
    }
    if (lesson.title.empty()) return bad(id, 1, "has no title");
    if (lesson.steps.empty()) return bad(id, number, "has no steps");
    lesson.introduction = trimmed(lesson.introduction, kMargins);
    lesson.markdown = trimmed(lesson.markdown, kMargins);
    for (LessonStep& step : lesson.steps) {
        auto controls = controlsIn(step.markdown);
        if (!controls) return bad(id, number, "has a control without a name");
        step.controls = std::move(*controls);
    }
    return lesson;
}

namespace {

struct LessonText {
    std::string_view id, english, chinese;
};

std::vector<Lesson> readLessons(std::string_view LessonText::*language) {
    const LessonText texts[] = {
        {"six-flops", lessonText1, lessonTextChinese1},
        {"what-fills-memory", lessonText2, lessonTextChinese2},
        {"optimizer-memory-bound", lessonText3, lessonTextChinese3},
        {"sqrt-checkpointing", lessonText4, lessonTextChinese4},
        {"bf16-needs-no-loss-scale", lessonText5, lessonTextChinese5},
        {"batch-compute-bound", lessonText6, lessonTextChinese6},
        {"micro-batches", lessonText7, lessonTextChinese7},
        {"views-and-copies", lessonText8, lessonTextChinese8},
        {"order-of-products", lessonText9, lessonTextChinese9},
        {"prediction-and-measurement", lessonText10, lessonTextChinese10},
        {"zero-one-two", lessonText11, lessonTextChinese11},
    };
    std::vector<Lesson> lessons;
    for (const LessonText& text : texts) {
        auto lesson = Lesson::parse(text.id, text.*language);
        // A defect of this very build; tests/core/lab/lesson_test.cpp keeps it from being shipped.
        if (lesson.has_value())
            lessons.push_back(std::move(lesson).value());
        else
            std::fprintf(stderr, "plumbline: %s\n", lesson.error().text().c_str());
    }
    return lessons;
}

}  // namespace

const std::vector<Lesson>& builtInLessons() {
    static const std::vector<Lesson> kEnglish = readLessons(&LessonText::english);
    static const std::vector<Lesson> kChinese = readLessons(&LessonText::chinese);
    return wordsLanguage() == "zh_CN" ? kChinese : kEnglish;
}

}  // namespace plumb::lab

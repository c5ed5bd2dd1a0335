// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::lab {

/// What a step of a lesson asks for.
enum class LessonVerb : std::uint8_t { Do, Look, Expect, Measure, Know };
[[nodiscard]] std::string_view lessonVerbName(LessonVerb verb);  ///< "Do"

struct LessonStep {
    LessonVerb verb = LessonVerb::Do;
    std::string markdown;  ///< without the verb
    /// What it points at, in order: object names of widgets ("batch"), actions ("run.profile"), views
    /// ("view.memory").
    std::vector<std::string> controls;
};

/// A short lesson that uses the live program. Every step may be skipped.
///
/// Written as Markdown (resources/help/lessons):
///
///   ---
///   title: The square root of L
///   ---
///   A paragraph or two.
///
///   - **Do.** Set [Layers L](control:layers) to 64.
///   - **Expect.** What share of the memory is left?
///
/// A step is a list entry that begins with a verb in bold; a control is a link to "control:NAME". Lines are
/// continued by indenting them. Steps come last.
struct Lesson {
    std::string id;  ///< stable: the file name without its number, "sqrt-checkpointing"
    std::string title;
    std::string markdown;  ///< all that is shown below the title: introduction and steps
    std::string introduction;
    std::vector<LessonStep> steps;

    /// The controls of all steps, each once, in order.
    [[nodiscard]] std::vector<std::string> controls() const;

    /// Errors: BadInput with the line for a missing title, an unknown verb, a control without a name, text
    /// after the steps, no step.
    [[nodiscard]] static Result<Lesson> parse(std::string_view id, std::string_view text);
};

/// The lessons that the program carries, in their order and in the language of the process
/// (core/base/words.h).
[[nodiscard]] const std::vector<Lesson>& builtInLessons();

}  // namespace plumb::lab

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace plumb::ui {

class PlannerModel;
}  // namespace plumb::ui
namespace plumb::planner {
struct Explanation;
struct ModelSpec;
struct Term;
}  // namespace plumb::planner
namespace plumb::ui {

/// The question and its answer with formula, terms and notes, for people: lines of text.
[[nodiscard]] QString plannerText(const PlannerModel& model);
/// The name of a model for people: in the language of the window where the planner made it, as
/// "70e9 parameters"; one of a preset or a config.json as it is called there.
[[nodiscard]] QString modelText(const planner::ModelSpec& model);
/// The symbol of a term as the formula has it: a word ("weights") in the language, G and usable as they are.
[[nodiscard]] QString symbolText(const planner::Explanation& explanation, const planner::Term& term);
/// The answer for programs, with every input that the answer goes by: a JSON document.
[[nodiscard]] QByteArray plannerJson(const PlannerModel& model);

}  // namespace plumb::ui

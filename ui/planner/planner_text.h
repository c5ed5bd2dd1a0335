// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace plumb::ui {

class PlannerModel;

/// The question and its answer with formula, terms and notes, for people: lines of text.
[[nodiscard]] QString plannerText(const PlannerModel& model);
/// The same for programs, with every input that the answer goes by: a JSON document.
[[nodiscard]] QByteArray plannerJson(const PlannerModel& model);

}  // namespace plumb::ui

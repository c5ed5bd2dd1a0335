// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/planner_questions.h"

namespace plumb::cli {

CommandSpec planCommand() {
    CommandSpec command{.name = "plan",
                        .help = "napkin questions: time, memory and cost of training real models",
                        .questions = plannerAnswerQuestions()};
    for (auto& more : {plannerSearchQuestions(), plannerFileQuestions()})
        command.questions.insert(command.questions.end(), more.begin(), more.end());
    command.examples = "\nEvery question has its own --help with examples; assumptions are options, such as "
                       "--mfu 0.35:0.4:0.5";
    return command;
}

}  // namespace plumb::cli

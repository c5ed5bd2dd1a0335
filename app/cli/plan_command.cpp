// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/planner_questions.h"
#include "app/cli/planner_serving.h"

namespace plumb::cli {

CommandSpec planCommand() {
    CommandSpec command{.name = "plan",
                        .help = "napkin questions: time, memory and cost of training real models",
                        .questions = plannerAnswerQuestions()};
    for (auto& more : {plannerSearchQuestions(), plannerFileQuestions()})
        command.questions.insert(command.questions.end(), more.begin(), more.end());
    command.questions.push_back(plannerServing());
    command.questions.push_back(plannerParamsQuestion());
    command.questions.push_back(plannerValidation());
    command.examples =
        "Every question has its own --help with examples; assumptions are options, such as "
        "--mfu 0.35:0.4:0.5.\nA model is a preset (plan models), a config.json of Hugging Face, or a "
        "short description of your own:\n  {\"model_type\": \"plumbline-generic\", "
        "\"layers\": 32, \"hidden\": 4096, \"heads\": 32, \"kv_heads\": 8, \"inner\": "
        "14336,\n   \"vocabulary\": 128256, \"positions\": 8192}\nwith gated, parallel, "
        "window, experts, latent, norms, biases and more (docs/planner.md).";
    return command;
}

}  // namespace plumb::cli

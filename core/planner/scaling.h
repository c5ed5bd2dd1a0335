// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::planner {

/// A published law of the loss of dense language models that are trained once from scratch, each token seen
/// once: nats per token on the text of its own source, so that two laws differ by their texts too.
struct LossLaw {
    Output output{};
    std::string_view key;     ///< "hoffmann"
    std::string_view form;    ///< "E + A/N^α + B/D^β"
    std::string_view source;  ///< paper, text, constants
    Range parameters;         ///< smallest and largest that it was fitted on; `expected` is unused
    Range tokens;
    bool withoutEmbedding = false;  ///< N leaves out embedding and positions
    double (*loss)(double parameters, double tokens) = nullptr;
    std::string (*numbers)(double parameters,
                           double tokens) = nullptr;  ///< its terms with the numbers put in
};
[[nodiscard]] std::span<const LossLaw> lossLaws();

/// Size and length of a training as a law takes them. Errors: BadInput for what is no dense language model
/// trained from scratch, and those of Input::Parameters and Input::Tokens.
struct ScaledTraining {
    double parameters = 0;
    double tokens = 0;
};
[[nodiscard]] Result<ScaledTraining> scaledTraining(const Scenario& scenario, const LossLaw& law);

/// The answers of outputs.cpp that published laws give; nothing for the others. Writes formula and terms
/// where `out` is not null.
[[nodiscard]] bool isOfScaling(Output output);
[[nodiscard]] Result<double> evaluateScaling(Output output, const Scenario& scenario, Explanation* out);
/// What has to be said of such an answer: that it extrapolates, and by how much; what its law leaves out.
[[nodiscard]] std::vector<std::string> scalingNotes(Output output, const Scenario& scenario);

}  // namespace plumb::planner

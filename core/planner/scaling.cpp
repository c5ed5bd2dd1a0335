// SPDX-License-Identifier: Apache-2.0
#include "core/planner/scaling.h"

#include "core/base/entry_at.h"
#include "core/planner/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::planner {

namespace {

/// E + A / N^α + B / D^β.
struct ParametricFit {
    double floor, a, alpha, b, beta;
    /// What the number of parameters and that of tokens add.
    [[nodiscard]] std::array<double, 2> above(double n, double d) const {
        return {a / std::pow(n, alpha), b / std::pow(d, beta)};
    }
    [[nodiscard]] double loss(double n, double d) const {
        const auto [ofSize, ofTokens] = above(n, d);
        return floor + ofSize + ofTokens;
    }
    /// Parameters that give the least loss for 6 N D FLOPs.
    [[nodiscard]] double optimal(double budget) const {
        const double balance = std::pow(alpha * a / (beta * b), 1 / (alpha + beta));
        return balance * std::pow(budget / 6, exponent());
    }
    [[nodiscard]] double exponent() const { return beta / (alpha + beta); }
    [[nodiscard]] std::string numbers(double n, double d) const {
        const auto [ofSize, ofTokens] = above(n, d);
        return fmt::format("{} + {:.4g} + {:.4g}", floor, ofSize, ofTokens);
    }
};
constexpr ParametricFit kHoffmann{1.69, 406.4, 0.34, 410.7, 0.28};
constexpr ParametricFit kBesiroglu{1.8172, 482.01, 0.3478, 2085.43, 0.3658};

// Kaplan et al. 2020: equation 1.5 with table 2, equation 5.3.
constexpr double kAlphaN = 0.076, kAlphaD = 0.103, kKaplanN = 6.4e13, kKaplanD = 1.8e13;
std::array<double, 2> kaplanTerms(double n, double d) {
    return {std::pow(kKaplanN / n, kAlphaN / kAlphaD), kKaplanD / d};
}
double kaplanLoss(double n, double d) {
    const auto [ofSize, ofTokens] = kaplanTerms(n, d);
    return std::pow(ofSize + ofTokens, kAlphaD);
}
std::string kaplanNumbers(double n, double d) {
    const auto [ofSize, ofTokens] = kaplanTerms(n, d);
    return fmt::format("({:.4g} + {:.4g})^{}", ofSize, ofTokens, kAlphaD);
}
constexpr double kCriticalAtOne = 2e8;  ///< tokens, at a loss of 1
constexpr double kCriticalExponent = 0.21;

constexpr std::array kLaws{
    LossLaw{Output::LossHoffmann,
            "hoffmann",
            "1.69 + 406.4/N^0.34 + 410.7/D^0.28",
            "Hoffmann et al. 2022 (arXiv 2203.15556), approach 3 as printed, on MassiveText",
            {70e6, 0, 16e9},
            {5e9, 0, 500e9},
            false,
            [](double n, double d) { return kHoffmann.loss(n, d); },
            [](double n, double d) { return kHoffmann.numbers(n, d); }},
    LossLaw{Output::LossBesiroglu,
            "besiroglu",
            "1.8172 + 482.01/N^0.3478 + 2085.43/D^0.3658",
            "Besiroglu et al. 2024 (arXiv 2404.10102), the fit of approach 3 corrected, on MassiveText",
            {70e6, 0, 16e9},
            {5e9, 0, 500e9},
            false,
            [](double n, double d) { return kBesiroglu.loss(n, d); },
            [](double n, double d) { return kBesiroglu.numbers(n, d); }},
    LossLaw{
        Output::LossKaplan,
        "kaplan",
        "((6.4e13/N)^(0.076/0.103) + 1.8e13/D)^0.103",
        "Kaplan et al. 2020 (arXiv 2001.08361), equation 1.5 with table 2, on WebText2; N without embedding",
        {768, 0, 1.5e9},
        {22e6, 0, 23e9},
        true,
        kaplanLoss,
        kaplanNumbers}};

const LossLaw& lawOf(Output output) { return *std::ranges::find(kLaws, output, &LossLaw::output); }

Error notDense(std::string message, std::string remedy) {
    return {ErrorCode::BadInput, std::move(message), std::move(remedy)};
}

Result<void> checkLanguageModel(const Scenario& s) {
    if (s.model.linear() != nullptr)
        return notDense("laws of the loss are of language models, which the deep linear model is none of",
                        "choose another model, or give a number of parameters");
    const Transformer* m = s.model.transformer();
    if (m != nullptr && (!m->causal || m->patch > 0))
        return notDense("laws of the loss are of models that predict the next token, which this one does not",
                        "choose a decoder, or give a number of parameters");
    if (m != nullptr && m->experts)
        return notDense("laws of the loss are of dense models, and this one has experts",
                        "give the --parameters of a dense model");
    if (!s.adaptation.trainsAll())
        return notDense(
            fmt::format("laws of the loss are of training from scratch ({})", adaptationText(s.adaptation)),
            "leave --finetune and --freeze out");
    return {};
}

void explain(Explanation* out, std::string formula, std::string numbers, std::vector<Term> terms) {
    if (out == nullptr) return;
    out->formula = std::move(formula);
    out->withNumbers = std::move(numbers);
    for (Term& term : terms) addTerm(*out, std::move(term));
}

Term termOf(const char* symbol, const char* label, double value, std::string source,
            std::optional<Input> input = {}) {
    return {symbol, label, value, "", std::move(source), input};
}

Result<double> lossBy(const LossLaw& law, const Scenario& s, Explanation* out) {
    PLUMB_TRY(const ScaledTraining t, scaledTraining(s, law));
    const double loss = law.loss(t.parameters, t.tokens);
    explain(out, std::string(law.form),
            fmt::format("{} = {}", law.numbers(t.parameters, t.tokens), formatOutput(law.output, loss)),
            {termOf("N", law.withoutEmbedding ? "parameters without embedding" : "parameters", t.parameters,
                    s.model.source, Input::Parameters),
             termOf("D", "training tokens", t.tokens, "given", Input::Tokens),
             termOf("law", "nats per token", loss, std::string(law.source))});
    return loss;
}

/// FLOPs to spend: as given, or those of this training.
Result<double> budgetOf(const Scenario& s) {
    auto given = evaluate(Output::Budget, s);
    if (given.has_value() || !(s.workload.tokens > 0) || !(s.model.parameters() > 0)) return given;
    return 6 * s.model.parameters() * s.workload.tokens;
}

Result<double> optimumBy(const ParametricFit& fit, const LossLaw& law, bool ofTokens, const Scenario& s,
                         Explanation* out) {
    PLUMB_TRY(const double budget, budgetOf(s));
    const double n = fit.optimal(budget), d = budget / 6 / n;
    const double value = ofTokens ? d : n;
    const std::string shown = formatValue(value, "");
    const double grown = std::pow(budget / 6, fit.exponent());
    explain(out,
            ofTokens ? "C / (6 · N), N = G · (C / 6)^(β / (α + β))"
                     : "G · (C / 6)^(β / (α + β)), G = (α A / (β B))^(1 / (α + β))",
            ofTokens ? fmt::format("{:.3e} / (6 · {}) = {}", budget, formatValue(n, ""), shown)
                     : fmt::format("{:.4g} · {} = {}", n / grown, formatValue(grown, ""), shown),
            {termOf("C", "budget in FLOPs", budget, "given, or 6 N D of this training"),
             termOf("D/N", "tokens per parameter", d / n, fmt::format("{}; {}", law.form, law.source))});
    return value;
}

/// Tokens of one optimizer step.
Result<double> tokensPerStep(const Scenario& s) {
    PLUMB_TRY(const ResolvedLayout layout, resolve(s));
    if (s.workload.batch == 0 && layout.batch == 1)  // one sequence on one device, which nobody has said
        return Error{ErrorCode::BadInput, "no batch is given, and no devices that it would follow (--batch)",
                     "give --batch, the sequences of a step"};
    const std::int64_t sequence = s.model.transformer() != nullptr ? layout.sequence : s.workload.sequence;
    if (sequence < 1)
        return Error{ErrorCode::BadInput, "tokens of a sequence are not known (--sequence)",
                     "give --sequence, or a model"};
    return static_cast<double>(layout.batch) * static_cast<double>(sequence);
}

/// What a batch costs, by McCandlish et al.: (S / S_min - 1) (E / E_min - 1) = 1, B_crit = E_min / S_min.
Result<double> batchAnswer(Output output, const Scenario& s, Explanation* out) {
    PLUMB_TRY(const double loss, lossBy(lawOf(Output::LossKaplan), s, nullptr));
    const double critical = kCriticalAtOne / std::pow(loss, 1 / kCriticalExponent);
    const Term atLoss =
        termOf("L", "loss by Kaplan et al.", loss, std::string(lawOf(Output::LossKaplan).source));
    const std::string source =
        "Kaplan et al. 2020 (arXiv 2001.08361), equation 5.3; McCandlish et al. 2018 "
        "(arXiv 1812.06162): a training takes twice the least steps and twice the least tokens there";
    if (output == Output::CriticalBatch) {
        explain(out, "2e8 / L^(1 / 0.21)",
                fmt::format("{} / {:.4g} = {}", formatValue(kCriticalAtOne, ""), kCriticalAtOne / critical,
                            formatValue(critical, "")),
                {atLoss, termOf("B_crit", "critical batch in tokens", critical, source)});
        return critical;
    }
    PLUMB_TRY(const double batch, tokensPerStep(s));
    PLUMB_TRY(const double tokens, numberOf(s, Input::Tokens));
    const double steps = tokens / batch;
    const std::vector<Term> terms{termOf("D", "training tokens", tokens, "given", Input::Tokens),
                                  termOf("B", "tokens of a step", batch, "batch · sequence", Input::Batch),
                                  atLoss, termOf("B_crit", "critical batch in tokens", critical, source)};
    if (output == Output::LeastTokens) {
        const double least = tokens / (1 + batch / critical);
        explain(out, "D / (1 + B / B_crit)",
                fmt::format("{} / (1 + {} / {}) = {}", formatValue(tokens, ""), formatValue(batch, ""),
                            formatValue(critical, ""), formatValue(least, "")),
                terms);
        return least;
    }
    if (output == Output::LeastSteps) {
        const double least = steps / (1 + critical / batch);
        explain(out, "D / B / (1 + B_crit / B)",
                fmt::format("{} / (1 + {} / {}) = {}", formatValue(steps, ""), formatValue(critical, ""),
                            formatValue(batch, ""), formatValue(least, "")),
                terms);
        return least;
    }
    explain(
        out, "D / B",
        fmt::format("{} / {} = {}", formatValue(tokens, ""), formatValue(batch, ""), formatValue(steps, "")),
        {entryAt(terms, 0), entryAt(terms, 1)});
    return steps;
}

std::string beyond(const char* what, double value, const Range& range) {
    if (value >= range.low && value <= range.high) return {};
    return fmt::format("{} {} are {} the {} that it was fitted on", formatCount(value), what,
                       value < range.low ? "below" : "above",
                       formatCount(value < range.low ? range.low : range.high));
}

}  // namespace

std::span<const LossLaw> lossLaws() { return kLaws; }

Result<ScaledTraining> scaledTraining(const Scenario& s, const LossLaw& law) {
    PLUMB_CHECK(checkLanguageModel(s));
    ScaledTraining training;
    PLUMB_TRY(training.parameters, numberOf(s, Input::Parameters));
    PLUMB_TRY(training.tokens, numberOf(s, Input::Tokens));
    if (const Transformer* m = s.model.transformer(); m != nullptr && law.withoutEmbedding) {
        const ParameterCounts n = countParameters(*m);
        const std::int64_t head = m->tiedEmbeddings ? 0 : m->vocabulary * m->hidden;
        training.parameters = static_cast<double>(n.total - n.embedding - n.positions - head);
    }
    return training;
}

bool isOfScaling(Output output) { return output >= Output::LossHoffmann && output <= Output::LeastTokens; }

Result<double> evaluateScaling(Output output, const Scenario& s, Explanation* out) {
    switch (output) {
    case Output::LossHoffmann:
    case Output::LossBesiroglu:
    case Output::LossKaplan:
        return lossBy(lawOf(output), s, out);
    case Output::HoffmannParameters:
    case Output::HoffmannTokens:
        return optimumBy(kHoffmann, lawOf(Output::LossHoffmann), output == Output::HoffmannTokens, s, out);
    case Output::BesirogluParameters:
    case Output::BesirogluTokens:
        return optimumBy(kBesiroglu, lawOf(Output::LossBesiroglu), output == Output::BesirogluTokens, s, out);
    default:
        return batchAnswer(output, s, out);
    }
}

std::vector<std::string> scalingNotes(Output output, const Scenario& s) {
    std::vector<std::string> notes;
    const bool isLoss = std::ranges::find(kLaws, output, &LossLaw::output) != kLaws.end();
    const bool isBatch = output >= Output::CriticalBatch && output != Output::TrainingSteps;
    if (!isLoss && !(isBatch && isOfScaling(output))) return notes;
    const LossLaw& law = lawOf(isLoss ? output : Output::LossKaplan);
    const auto training = scaledTraining(s, law);
    if (!training.has_value()) return notes;
    std::string text = beyond("parameters", training->parameters, law.parameters);
    if (const std::string more = beyond("tokens", training->tokens, law.tokens); !more.empty())
        text += (text.empty() ? "" : ", ") + more;
    if (!text.empty()) notes.push_back(fmt::format("extrapolation of {}: {}", law.key, text));
    return notes;
}

}  // namespace plumb::planner

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_report.h"

#include "core/base/plain_text.h"
#include "core/base/table.h"
#include "core/machine/tier.h"
#include "core/planner/conventions.h"
#include "core/planner/measured.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

constexpr double kLargestWhole = 9e15;  // up to here every whole number is a double
constexpr std::size_t kMostNote = 1000;

/// What answers rest on: null where nothing was measured.
json measuredJson(const Scenario& s) {
    if (s.measured == nullptr) return {};
    const Measurement& measured = *s.measured;
    const Carry carry = carryOf(*measured.in, s);
    const auto orNull = [](double value) { return value > 0 ? json(value) : json(); };
    return {{"what", measured.what},
            {"file", measured.file.empty() ? json() : json(measured.file)},
            {"seconds", orNull(measured.seconds)},
            {"predicted_seconds", orNull(measured.predicted)},
            {"factor", measured.predicted > 0 ? json(measured.factor()) : json()},
            {"carried", name(carry)},
            {"share", ruleOf(carry).share}};
}

json explanationJson(const Explanation& explanation) {
    json terms = json::array();
    for (const Term& term : explanation.terms)
        terms.push_back({{"symbol", term.symbol},
                         {"label", term.label},
                         {"value", numberJson(term.value, term.unit)},
                         {"unit", term.unit},
                         {"source", term.source},
                         {"input", term.input ? json(info(*term.input).key) : json()}});
    return {{"formula", explanation.formula}, {"with_numbers", explanation.withNumbers}, {"terms", terms}};
}

/// A sum of many parts is read as a list; as one line nobody does.
bool isLong(const Explanation& explanation) { return explanation.formula.size() > 120; }

std::string termText(const Term& term) {
    if (term.symbol == term.label)
        return fmt::format("  {} {}: {}\n", formatValue(term.value, term.unit), term.label,
                           plainLine(term.source));
    return fmt::format("  {} = {} ({}): {}\n", term.symbol, formatValue(term.value, term.unit), term.label,
                       plainLine(term.source));
}

std::vector<Output> outputsOf(const PlannerReply& reply) {
    std::vector<Output> outputs;
    for (const Answer& answer : reply.answers) outputs.push_back(answer.output);
    return outputs;
}

}  // namespace

json numberJson(double value, std::string_view unit) {
    if (!std::isfinite(value)) return {};
    if (unit == "B" && std::fabs(value) < kLargestWhole)
        return static_cast<std::int64_t>(std::llround(value));
    return value;
}

json rangeJson(const Range& range, std::string_view unit) {
    return {{"low", numberJson(range.low, unit)},
            {"expected", numberJson(range.expected, unit)},
            {"high", numberJson(range.high, unit)}};
}

std::string plannerText(const PlannerReply& reply) {
    Table table;
    table.add({"", "low", "expected", "high", ""});
    const bool fits = !reply.verdict || reply.verdict->fits();
    for (const Answer& answer : reply.answers) {
        const Output output = answer.output;
        const bool exact = answer.value.low == answer.value.high;
        table.add({std::string(info(output).label), exact ? "" : formatOutput(output, answer.value.low),
                   formatOutput(output, answer.value.expected),
                   exact ? "" : formatOutput(output, answer.value.high),
                   std::string(!fits && needsMemory(output) ? kDoesNotFit : "")});
    }
    std::string text = reply.verdict ? verdictText(*reply.verdict) + "\n\n" : std::string();
    text += table.text();
    std::set<std::string> shown;
    for (const Answer& answer : reply.answers) {
        const std::string_view label = info(answer.output).label;
        if (isLong(answer.explanation))
            text += fmt::format("\n{} = {}, the sum of\n", label,
                                formatOutput(answer.output, answer.value.expected));
        else
            text += fmt::format("\n{} = {}\n{} = {}\n", label, answer.explanation.formula,
                                std::string(label.size(), ' '), answer.explanation.withNumbers);
        for (const Term& term : answer.explanation.terms)
            if (const std::string line = termText(term); shown.insert(line).second) text += line;
        for (const std::string& note : answer.notes)
            if (const std::string line = "  " + plainLine(note, kMostNote) + "\n"; shown.insert(line).second)
                text += line;
    }
    return text;
}

std::string conventionsText(const PlannerReply& reply) {
    const std::string line = conventionsLine(outputsOf(reply), reply.scenario);
    return line.empty() ? line : "\n" + line + "\n";
}

void addVerdict(json& document, const std::optional<Verdict>& verdict) {
    document["fits"] = verdict ? json(verdict->fits()) : json();
    document["needed_bytes"] = verdict ? numberJson(verdict->needed.expected, "B") : json();
    document["available_bytes"] = verdict ? numberJson(verdict->available, "B") : json();
}

json plannerJson(const PlannerReply& reply) {
    const Scenario& s = reply.scenario;
    json document{{"question", reply.question}};
    const double parameters = s.model.parameters();
    document["model"] =
        parameters > 0
            ? json{{"name", s.model.name},
                   {"source", s.model.source},
                   {"parameters", parameters < kLargestWhole && parameters == std::floor(parameters)
                                      ? json(static_cast<std::int64_t>(parameters))
                                      : json(parameters)}}
            : json();
    document["device"] = s.cluster.device ? json(s.cluster.device->name) : json();
    json explanations = json::object(), assumptions = json::object(), notes = json::array();
    for (const Answer& answer : reply.answers) {
        const OutputInfo& about = info(answer.output);
        document[std::string(about.key)] = rangeJson(answer.value, about.unit);
        explanations[std::string(about.key)] = explanationJson(answer.explanation);
        for (const std::string& note : answer.notes)
            if (std::find(notes.begin(), notes.end(), json(note)) == notes.end()) notes.push_back(note);
        for (const Input input : inputsOf(answer.output, s)) {
            const auto value = valueOf(s, input);
            if (!value.has_value()) continue;
            json entry = rangeJson(value->range, info(input).unit);
            entry["unit"] = info(input).unit;
            entry["source"] = value->source;
            entry["given"] = value->given;
            assumptions[std::string(info(input).key)] = std::move(entry);
        }
    }
    document["explanations"] = std::move(explanations);
    document["assumptions"] = std::move(assumptions);
    document["notes"] = std::move(notes);
    document["measured"] = measuredJson(s);
    document["tier"] = restsOnMeasurement(s) ? json(tierName(Tier::Measured)) : json();
    document["conventions"] = conventionsOf(outputsOf(reply), s);
    if (wantsVerdict(outputsOf(reply))) addVerdict(document, reply.verdict);
    return document;
}

}  // namespace plumb::cli

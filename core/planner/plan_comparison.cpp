// SPDX-License-Identifier: Apache-2.0
#include "core/planner/plan_comparison.h"

#include "core/base/quantity.h"
#include "core/planner/measured.h"
#include "core/planner/memory.h"
#include "core/planner/step_parts.h"
#include "core/planner/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace plumb::planner {

namespace {

/// "full", or of how much of the layers.
std::string recomputeText(const Recipe& recipe) {
    std::string text(name(recipe.recompute));
    if (recipe.recompute == Recompute::Full && recipe.recomputeShare < 1)
        text += fmt::format(", {:.0f} % of the layers", 100 * recipe.recomputeShare);
    if (recipe.recompute == Recompute::PerOp && recipe.again != LayerParts{})
        text += fmt::format(", {} too", listOf(recipe.again));
    return text;
}

constexpr const char* kAbsent = "–";
constexpr std::size_t kMostPlans = 3;

class Comparer {
public:
    explicit Comparer(const std::vector<NamedScenario>& plans) : m_plans(plans) {
        for (const NamedScenario& plan : plans) m_result.names.push_back(plan.name);
        m_result.problems.resize(plans.size());
    }

    PlanComparison take() {
        inputs();
        answers();
        return std::move(m_result);
    }

private:
    using Text = std::function<std::string(const Scenario&)>;

    void textRow(std::vector<ComparedRow>& rows, const char* key, const char* label, const Text& text) {
        ComparedRow row{key, label, {}, {}, {}, false};
        for (const NamedScenario& plan : m_plans) {
            row.texts.push_back(text(plan.scenario));
            if (row.texts.back().empty()) row.texts.back() = kAbsent;
            row.values.emplace_back();
        }
        for (const std::string& each : row.texts) row.differs = row.differs || each != row.texts.front();
        rows.push_back(std::move(row));
    }

    /// A number that a plan has or has not; rows that no plan has are left out.
    void number(std::vector<ComparedRow>& rows, std::string key, std::string label, std::string_view unit,
                const std::vector<std::optional<double>>& values, std::vector<std::string> texts = {}) {
        ComparedRow row{std::move(key), std::move(label), std::string(unit), std::move(texts), values, false};
        if (std::none_of(values.begin(), values.end(), [](const auto& value) { return value.has_value(); }))
            return;
        const bool given = !row.texts.empty();
        for (const auto& value : values) {
            if (!given) row.texts.push_back(value ? formatValue(*value, unit) : kAbsent);
            row.differs = row.differs || value != values.front();
        }
        if (given)
            for (const std::string& text : row.texts) row.differs = row.differs || text != row.texts.front();
        rows.push_back(std::move(row));
    }

    void inputs() {
        const auto choice = [this](const char* key, const char* label, const Text& text) {
            textRow(m_result.inputs, key, label, text);
        };
        choice("model", "model", [](const Scenario& s) { return s.model.name; });
        choice("device", "device",
               [](const Scenario& s) { return s.cluster.device ? s.cluster.device->name : ""; });
        choice("recipe", "recipe", [](const Scenario& s) { return effectiveRecipe(s).name; });
        choice("training", "trained", [](const Scenario& s) { return adaptationText(s.adaptation); });
        choice("dtype", "number format",
               [](const Scenario& s) { return std::string(dtypeName(computeDtype(s))); });
        choice("recompute", "recomputation", [](const Scenario& s) {
            return s.model.linear() != nullptr ? std::string() : recomputeText(s.recipe);
        });
        choice("offload", "on the host", [](const Scenario& s) {
            return s.model.linear() != nullptr ? std::string() : offloadText(s.recipe.offload);
        });
        choice("software", "software", [](const Scenario& s) {
            return s.model.linear() != nullptr ? std::string() : std::string(name(s.software));
        });
        choice("measured", "measured", [](const Scenario& s) {
            return s.measured != nullptr ? s.measured->source().substr(s.measured->source().find(' ') + 1)
                                         : "";
        });
        const auto onOff = [](bool on) { return std::string(on ? "on" : "off"); };
        choice("fused-attention", "fused attention",
               [&](const Scenario& s) { return onOff(s.recipe.fusedAttention); });
        choice("attention-kernel", "attention kernel", [](const Scenario& s) {
            return s.model.linear() == nullptr && s.recipe.fusedAttention
                       ? std::string(name(s.recipe.attentionKernel))
                       : std::string();
        });
        choice("dropout", "dropout", [&](const Scenario& s) { return onOff(s.recipe.dropout); });
        choice("sequence-parallel", "sequence parallelism",
               [&](const Scenario& s) { return onOff(s.parallel.sequence); });
        for (const InputInfo& about : allInputs()) {
            std::vector<std::optional<double>> values;
            std::vector<std::string> texts;
            bool given = false;
            for (const NamedScenario& plan : m_plans) {
                const auto value = valueOf(plan.scenario, about.input);
                given = given || (value.has_value() && value->given);
                values.push_back(value.has_value() ? std::optional(value->range.expected) : std::nullopt);
                texts.push_back(value.has_value() ? rangeText(about, value->range) : kAbsent);
            }
            number(m_result.inputs, std::string(about.key), std::string(about.label), about.unit, values,
                   std::move(texts));
            // A batch or a shard group that nobody gave follows from what differs, and is nothing of its own.
            const bool follows = about.kind == InputKind::Choice && about.whole && !given;
            if (follows && !m_result.inputs.empty() && m_result.inputs.back().key == about.key)
                m_result.inputs.back().differs = false;
        }
        std::stable_sort(m_result.inputs.begin(), m_result.inputs.end(),
                         [](const ComparedRow& a, const ComparedRow& b) { return a.differs && !b.differs; });
    }

    static std::string rangeText(const InputInfo& about, const Range& range) {
        const auto text = [&](double value) {
            // What is a share of 1 reads as one, as the answers below do.
            return isShare(about) ? formatValue(value, "1") : formatInput(about.input, value);
        };
        if (range.low == range.high) return text(range.expected);
        return fmt::format("{} ({} to {})", text(range.expected), text(range.low), text(range.high));
    }

    void output(Output output) {
        std::vector<std::optional<double>> values;
        for (std::size_t i = 0; i < m_plans.size(); ++i) {
            const auto value = evaluate(output, m_plans[i].scenario);
            values.push_back(value.has_value() ? std::optional(*value) : std::nullopt);
            if (value.has_value()) continue;
            const std::string problem = value.error().text();
            auto& known = m_result.problems[i];
            if (std::find(known.begin(), known.end(), problem) == known.end()) known.push_back(problem);
        }
        number(m_result.answers, std::string(info(output).key), std::string(info(output).label),
               info(output).unit, values);
    }

    void answers() {
        verdicts();
        output(Output::ModelParameters);
        output(Output::MemoryPerDevice);
        memoryParts();
        output(Output::StepSeconds);
        stepParts();
        for (const Output each : {Output::TokensPerSecond, Output::StepMfu, Output::StepHfu, Output::StepDays,
                                  Output::TrainingFlops, Output::Days, Output::DeviceHours, Output::Cost,
                                  Output::Energy, Output::CheckpointBytes})
            output(each);
    }

    void verdicts() {
        textRow(m_result.answers, "fits", "fits", [](const Scenario& s) {
            const auto verdict = verdictOf(s);
            return verdict.has_value() ? std::string(verdict->word()) : std::string();
        });
    }

    /// A part that some plan has something of.
    void part(std::string key, std::string label, std::string_view unit,
              const std::vector<std::optional<double>>& values) {
        if (std::ranges::any_of(values, [](const auto& value) { return value && *value > 0; }))
            number(m_result.answers, std::move(key), std::move(label), unit, values);
    }

    void memoryParts() {
        std::vector<std::optional<CategoryBytes>> parts;
        parts.reserve(m_plans.size());
        for (const NamedScenario& plan : m_plans) {
            const auto memory = memoryPerDevice(plan.scenario);
            parts.push_back(memory.has_value() ? std::optional(memory->worst().byCategory()) : std::nullopt);
        }
        for (const Category category : kAllCategories) {
            std::vector<std::optional<double>> values;
            values.reserve(parts.size());
            for (const auto& each : parts)
                values.push_back(each ? std::optional(static_cast<double>((*each)[category])) : std::nullopt);
            part(fmt::format("memory.{}", categoryName(category)),
                 fmt::format("  {}", categoryLabel(category)), "B", values);
        }
    }

    void stepParts() {
        std::vector<std::optional<StepTime>> times;
        times.reserve(m_plans.size());
        for (const NamedScenario& plan : m_plans) {
            auto time = stepTime(plan.scenario);
            times.push_back(time.has_value() ? std::optional(*std::move(time)) : std::nullopt);
        }
        for (const StepPart& each : kStepParts) {
            std::vector<std::optional<double>> values;
            values.reserve(times.size());
            for (const auto& time : times)
                values.push_back(time ? std::optional((*time).*(each.seconds)) : std::nullopt);
            part(fmt::format("step.{}", each.key), fmt::format("  {}", each.label), "s", values);
        }
    }

    const std::vector<NamedScenario>& m_plans;
    PlanComparison m_result;
};

}  // namespace

std::string ComparedRow::difference(std::size_t plan) const {
    const auto &first = values.front(), &other = values[plan];
    if (!first || !other) return {};
    if (*first == *other) return "=";
    const double change = *other - *first;
    // Of shares, points are what people speak of.
    const std::string sign = change > 0 ? "+" : "−";
    if (unit == "1") return fmt::format("{}{:.1f} points", sign, 100 * std::fabs(change));
    if (*first == 0) return sign + formatValue(std::fabs(change), unit);
    constexpr double kRatherTimes = 10;  // as percent nobody reads it
    if (*other / *first >= kRatherTimes) return fmt::format("{:.3g} times", *other / *first);
    return fmt::format("{}{:.1f} %", sign, 100 * std::fabs(change / *first));
}

Result<PlanComparison> comparePlans(const std::vector<NamedScenario>& plans) {
    if (plans.size() < 2 || plans.size() > kMostPlans)
        return Error{ErrorCode::BadInput, fmt::format("{} plans cannot be compared", plans.size()),
                     fmt::format("give two or {}", kMostPlans)};
    return Comparer(plans).take();
}

}  // namespace plumb::planner

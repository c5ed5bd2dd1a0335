// SPDX-License-Identifier: Apache-2.0
#include "core/planner/explore.h"
#include "core/planner/serving.h"
#include "core/planner/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace plumb::planner {

namespace {

constexpr double kExact = 1e-12;
constexpr double kWorthSaying = 0.01;  // share of the target by which a solution misses it
constexpr int kSteps = 200;            // a double has 52 bits of mantissa and 11 of exponent

Result<double> at(const Scenario& scenario, Output output, Input unknown, double value) {
    Scenario changed = scenario;
    if (unknown == Input::Parameters && scenario.model.count() == nullptr)
        return Error{ErrorCode::BadInput, "the parameters of a model follow from its sizes",
                     "give a number of parameters instead of a model to solve for them"};
    PLUMB_CHECK(setInput(changed, unknown, value));
    return evaluate(output, changed);
}

/// Half way by ratio between positive numbers, else by difference.
double between(double low, double high) {
    return low > 0 && high / low > 2 ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
}

struct End {
    double value = 0;
    double output = 0;
};

/// Some value at which the output can be worked out at all: `first`, an end of what is accepted, or one of
/// ever finer steps between the ends. A utilisation, for one, is none above 100 %, wherever that may be.
std::optional<End> anyValid(const Scenario& s, Output output, Input unknown, double first) {
    const InputInfo& about = info(unknown);
    const double from = about.least > 0 ? about.least : 1e-9 * about.most;
    constexpr int kFinest = 64;
    std::vector<double> tries{first, about.least, about.most};
    for (int parts = 2; parts <= kFinest; parts *= 2)
        for (int i = 1; i < parts; i += 2)
            tries.push_back(from * std::pow(about.most / from, static_cast<double>(i) / parts));
    for (const double value : tries)
        if (const auto result = at(s, output, unknown, value); result.has_value()) return End{value, *result};
    return std::nullopt;
}

/// The outermost value towards `end` at which the output can be worked out, seen from `inside`, where it can.
End outermost(const Scenario& s, Output output, Input unknown, double end, End inside) {
    if (const auto result = at(s, output, unknown, end); result.has_value()) return {end, *result};
    for (int i = 0; i < kSteps; ++i) {
        const double middle = between(std::min(end, inside.value), std::max(end, inside.value));
        if (middle == end || middle == inside.value) break;
        if (const auto result = at(s, output, unknown, middle); result.has_value())
            inside = {middle, *result};
        else
            end = middle;
    }
    return inside;
}

/// Answers that people set a limit to; of the others they want at least so much.
bool isLimit(Output output) {
    switch (output) {
    case Output::LargestModel:
    case Output::ModelParameters:
    case Output::TokensPerSecond:
    case Output::StepMfu:
    case Output::StepHfu:
    case Output::MeasuredMfu:
    case Output::MeasuredHfu:
    case Output::OptimalParameters:
    case Output::OptimalTokens:
    case Output::HoffmannParameters:
    case Output::HoffmannTokens:
    case Output::BesirogluParameters:
    case Output::BesirogluTokens:
    case Output::CriticalBatch:
    case Output::Budget:
        return false;
    default:
        return true;
    }
}

bool meets(Output output, double value, double target) {
    return isLimit(output) ? value <= target : value >= target;
}

Error unreached(Output output, double target, const InputInfo& about, std::string hint) {
    return {ErrorCode::BadInput,
            fmt::format("no {} gives {} ({})", about.label, info(output).label, formatOutput(output, target)),
            std::move(hint)};
}

/// Whole numbers at which an output may be possible: those listed, or else the multiples of `step`.
struct Choices {
    std::vector<double> listed;
    double step = 1;
};

Choices divisorsOf(std::int64_t whole, double times = 1) {
    Choices found;
    std::vector<double> large;
    for (std::int64_t i = 1; i <= whole / i; ++i) {
        if (whole % i != 0) continue;
        found.listed.push_back(static_cast<double>(i) * times);
        const std::int64_t other = whole / i;
        if (i != other) large.push_back(static_cast<double>(other) * times);
    }
    found.listed.insert(found.listed.end(), large.rbegin(), large.rend());
    return found;
}

Choices upTo(std::int64_t first, std::int64_t last) {
    Choices found;
    for (; first <= last; ++first) found.listed.push_back(static_cast<double>(first));
    return found;
}

/// The answers that resolve() the layout.
bool needsLayout(const Scenario& s, Output output) {
    switch (output) {
    case Output::LargestModel:
    case Output::MemoryPerDevice:
    case Output::StepSeconds:
    case Output::StepDays:
    case Output::StepMfu:
    case Output::StepHfu:
        return true;
    default:
        return s.model.linear() != nullptr;
    }
}

/// The answers that take it for granted that the training runs, though they can be worked out without its
/// layout: the time of a batch that its devices cannot share is the time of no training.
bool mustRun(const Scenario& s, Output output) {
    return wantsVerdict(std::span(&output, 1)) && !isOfServer(output) && s.model.count() == nullptr;
}

/// What divides, and is divided, follows resolve(); what else is impossible is found out by trying.
Choices choicesOf(const Scenario& s, Output output, Input unknown) {
    const ParallelLayout& p = s.parallel;
    const RunConfig* linear = s.model.linear();
    const std::int64_t each =
        std::max<std::int64_t>(1, mulOrOverflow(mulOrOverflow(p.tensor, p.pipeline), p.context));
    const std::int64_t data = std::max<std::int64_t>(1, s.cluster.devices / each);
    const std::int64_t batch = linear != nullptr && s.workload.batch == 0 ? linear->batch : s.workload.batch;
    const std::int64_t micro =
        std::max<std::int64_t>(1, linear != nullptr ? linear->microBatch : p.microBatch);
    switch (unknown) {
    case Input::Tensor:
    case Input::Pipeline:
    case Input::Context:
    case Input::Expert:
    case Input::ShardGroup:
        return divisorsOf(s.cluster.devices);
    case Input::Chunks:
        return upTo(1, s.model.transformer() != nullptr ? s.model.transformer()->layers : 1);
    case Input::Zero:
        return upTo(0, 3);
    case Input::Devices:
        if (batch > 0 && output != Output::LargestModel)
            return divisorsOf(batch / micro, static_cast<double>(each));
        return {{}, static_cast<double>(each)};
    case Input::MicroBatch:
        return batch > 0 ? divisorsOf(batch / data) : Choices{};
    case Input::Batch:
        return {{}, static_cast<double>(data) * static_cast<double>(micro)};
    case Input::Sequence:
        return {{}, static_cast<double>(p.context)};
    default:
        return {};
    }
}

/// Tries whole values of an input: all that are listed; of multiples the small ones and a grid, and between
/// its points where the answer begins or ceases to meet the target, or to be possible.
class WholeSearch {
public:
    WholeSearch(const Scenario& s, Output output, double target, Input unknown)
        : m_scenario(s),
          m_output(output),
          m_target(target),
          m_unknown(unknown),
          m_mustRun(mustRun(s, output)) {}

    Result<Solution> run() {
        if (m_mustRun || needsLayout(m_scenario, m_output))
            m_choices = choicesOf(m_scenario, m_output, m_unknown);
        tryAll();
        // What no value of this input lets run has its answer all the same.
        if (m_found.empty() && m_mustRun && !needsLayout(m_scenario, m_output)) {
            m_mustRun = false;
            m_choices = {};
            m_problem.reset();
            tryAll();
        }
        if (m_found.empty())  // says what is missing
            return m_problem ? *m_problem : unreached("give other numbers");
        return choose();
    }

private:
    using Found = std::map<double, double>;  // value, output

    bool meetsTarget(double output) const { return meets(m_output, output, m_target); }
    double distance(double output) const { return std::fabs(output - m_target); }

    void tryAll() {
        const InputInfo& about = info(m_unknown);
        for (const double value : m_choices.listed)
            if (value >= about.least && value <= about.most) tryAt(value);
        if (m_choices.listed.empty()) tryGrid(about);
    }

    Result<double> possibleAt(double value) const {
        if (m_mustRun) {
            Scenario changed = m_scenario;
            PLUMB_CHECK(setInput(changed, m_unknown, value));
            PLUMB_CHECK(resolve(changed));
        }
        return at(m_scenario, m_output, m_unknown, value);
    }

    /// 1 when the target is met, 0 when it is missed, -1 when the value is not possible.
    int tryAt(double value) {
        const auto result = possibleAt(value);
        if (!result.has_value()) {
            if (!m_problem) m_problem = result.error();
            return -1;
        }
        m_found.emplace(value, *result);
        return meetsTarget(*result) ? 1 : 0;
    }

    void tryGrid(const InputInfo& about) {
        constexpr double kEach = 64, kFactor = 1.09;  // all of the small ones, where steps are largest
        const double step = m_choices.step, most = std::floor(about.most / step);
        std::vector<std::pair<double, int>> grid;
        for (double k = 1; k <= most;) {
            grid.emplace_back(k, tryAt(k * step));
            const double next = k < kEach ? k + 1 : std::floor(k * kFactor);
            k = k < most ? std::min(next, most) : most + 1;
        }
        for (std::size_t i = 1; i < grid.size(); ++i)
            if (grid[i].second != grid[i - 1].second) refine(grid[i - 1], grid[i], step);
    }

    /// Down to the neighbours at which `low` becomes `high`.
    void refine(std::pair<double, int> low, std::pair<double, int> high, double step) {
        while (high.first - low.first > 1) {
            const double middle = std::floor(low.first + (high.first - low.first) / 2);
            const int then = tryAt(middle * step);
            if (then == low.second)
                low.first = middle;
            else
                high = {middle, then};
        }
    }

    /// A neighbour at which the target is missed.
    std::optional<End> missedBeside(Found::const_iterator at) const {
        for (const bool after : {true, false}) {
            if (!after && at == m_found.begin()) continue;
            const auto beside = after ? std::next(at) : std::prev(at);
            if (beside != m_found.end() && !meetsTarget(beside->second))
                return End{beside->first, beside->second};
        }
        return std::nullopt;
    }

    Result<Solution> choose() const {
        const auto byOutput = [](const auto& a, const auto& b) { return a.second < b.second; };
        const auto [least, greatest] = std::minmax_element(m_found.begin(), m_found.end(), byOutput);
        if (m_found.size() > 1 && greatest->second - least->second <= kExact * std::fabs(greatest->second))
            return Error{ErrorCode::BadInput,
                         fmt::format("{} does not depend on {}: it is {}", info(m_output).label,
                                     info(m_unknown).label, formatOutput(m_output, least->second)),
                         "solve for another input"};
        auto best = m_found.end();
        bool missed = false;
        for (auto it = m_found.begin(); it != m_found.end(); ++it) {
            if (!meetsTarget(it->second)) {
                missed = true;
                continue;
            }
            // All that meet it lie on one side. Of equal ones that beside which the target is missed.
            const double more = best == m_found.end() ? 0 : it->second - best->second;
            const bool same = std::fabs(more) <= kExact * std::fabs(it->second);
            if (best == m_found.end() ||
                (same ? missedBeside(it).has_value() : (more > 0) == isLimit(m_output)))
                best = it;
        }
        // Enough with the least already is an answer; that more than all that was tried would be needed is
        // none.
        const bool exact = best != m_found.end() && distance(best->second) <= kExact * m_target;
        if (best == m_found.end() || (!missed && !exact && best != m_found.begin()))
            return unreached(fmt::format(
                "change something else as well: it is from {} ({}) to {} ({})",
                formatOutput(m_output, least->second), formatInput(m_unknown, least->first),
                formatOutput(m_output, greatest->second), formatInput(m_unknown, greatest->first)));
        return Solution{best->first, noteOf(best, missed)};
    }

    /// What is found instead of the target, where that is another number.
    std::string noteOf(Found::const_iterator best, bool missed) const {
        if (distance(best->second) <= kWorthSaying * m_target) return {};
        const std::string there =
            fmt::format("{} is {} at {}", info(m_output).label, formatOutput(m_output, best->second),
                        formatInput(m_unknown, best->first));
        const std::string target = formatOutput(m_output, m_target);
        if (!missed) return fmt::format("{}, the least there is, and so meets {} already", there, target);
        if (const auto beside = missedBeside(best))
            return fmt::format("{} and {} at {}, the next that is possible: none gives {}", there,
                               formatOutput(m_output, beside->output), formatInput(m_unknown, beside->value),
                               target);
        return fmt::format("{}: none that was found comes nearer to {}", there, target);
    }

    [[nodiscard]] Error unreached(std::string hint) const {
        return planner::unreached(m_output, m_target, info(m_unknown), std::move(hint));
    }

    const Scenario& m_scenario;
    Output m_output;
    double m_target;
    Input m_unknown;
    bool m_mustRun;
    Choices m_choices;
    Found m_found;
    std::optional<Error> m_problem;
};

}  // namespace

Result<Solution> solveFor(const Scenario& asked, Output output, double target, Input unknown) {
    const InputInfo& about = info(unknown);
    const Scenario scenario = isLayout(unknown) ? withBatchHeld(asked) : asked;
    if (!std::isfinite(target) || target <= 0)
        return Error{ErrorCode::BadInput, fmt::format("{} cannot be {:g}", info(output).label, target),
                     "give a positive number"};
    if (about.whole) return WholeSearch(scenario, output, target, unknown).run();

    // The known value, if there is one, lies in the middle of what is possible.
    const auto known = valueOf(scenario, unknown);
    const double middle = known.has_value() ? std::clamp(known->range.expected, about.least, about.most)
                                            : between(std::max(about.least, 1e-6), about.most);
    const auto inside = anyValid(scenario, output, unknown, middle);
    if (!inside) return at(scenario, output, unknown, middle).error();  // says what is missing
    const End low = outermost(scenario, output, unknown, about.least, *inside);
    const End high = outermost(scenario, output, unknown, about.most, *inside);
    if (low.output == high.output)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} does not depend on {}", info(output).label, about.label),
                     "solve for another input"};
    const bool lowMeets = meets(output, low.output, target), highMeets = meets(output, high.output, target);
    for (const End& end : {low, high})
        if (std::fabs(end.output - target) <= kExact * target)
            return Solution{end.value, {}};  // 100 %, an end
    if (lowMeets == highMeets)
        return unreached(output, target, about,
                         fmt::format("it is {} at {} and {} at {}", formatOutput(output, low.output),
                                     formatInput(unknown, low.value), formatOutput(output, high.output),
                                     formatInput(unknown, high.value)));
    End met = lowMeets ? low : high, missed = lowMeets ? high : low;
    for (int i = 0; i < kSteps; ++i) {
        const double tried = between(std::min(met.value, missed.value), std::max(met.value, missed.value));
        if (tried == met.value || tried == missed.value) break;
        PLUMB_TRY(const double value, at(scenario, output, unknown, tried));
        (meets(output, value, target) ? met : missed) = {tried, value};
    }
    Solution solution{met.value, {}};
    if (std::fabs(met.output - target) > kWorthSaying * target)
        solution.note = fmt::format("{} is {} at {} and then {}: none gives {}", info(output).label,
                                    formatOutput(output, met.output), formatInput(unknown, met.value),
                                    formatOutput(output, missed.output), formatOutput(output, target));
    return solution;
}

}  // namespace plumb::planner

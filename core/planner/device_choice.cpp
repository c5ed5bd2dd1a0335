// SPDX-License-Identifier: Apache-2.0
#include "core/planner/device_choice.h"

#include "core/planner/common_batch.h"
#include "core/planner/inputs.h"
#include "core/planner/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

constexpr double kUnsaidTokens = 1e9;
constexpr double kUnsaidBatchTokens = 1 << 20;

/// A batch that every candidate divides.
Result<std::int64_t> batchOfAll(const Scenario& s, const std::vector<DeviceCandidate>& candidates) {
    if (s.workload.batch > 0) return s.workload.batch;
    std::vector<std::int64_t> devices;
    devices.reserve(candidates.size());
    for (const DeviceCandidate& each : candidates) devices.push_back(each.devices);
    PLUMB_TRY(const std::int64_t least, commonBatch(devices));
    const double sequences = kUnsaidBatchTokens / static_cast<double>(sequenceOf(s));
    return least * std::max<std::int64_t>(1, std::llround(sequences / static_cast<double>(least)));
}

Result<Range> rangeAt(Output output, const Scenario& s) {
    PLUMB_TRY(const double expected, evaluateUnchecked(output, s));
    return rangeOf(output, s, expected);
}

/// Spreads the work in the fastest way that fits, and says at which utilisation it then runs: times, prices
/// and energy follow from that by the same formulas as ever.
Result<void> spread(Scenario& s, CandidatePlan& plan, const std::stop_token& stop) {
    if (s.model.transformer() == nullptr) {
        PLUMB_TRY(const Verdict verdict, verdictOf(s));
        plan.fits = verdict.fits();
        plan.neededBytes = verdict.needed.expected;
        plan.availableBytes = verdict.available;
        PLUMB_TRY(plan.mfu, numberOf(s, Input::Mfu));
        return {};
    }
    PLUMB_TRY(const ShardingSearch search, searchShardings(s, 1, stop));
    if (search.plans.empty()) return Error{ErrorCode::RunFailed, "the search was stopped", "start it again"};
    plan.layout = search.plans.front();
    plan.fits = plan.layout->fits;
    plan.neededBytes = plan.layout->memoryBytes;
    plan.availableBytes = search.available;
    s = withSharding(std::move(s), *plan.layout, search.batch);
    PLUMB_TRY(const Range mfu, rangeAt(Output::StepMfu, s));
    plan.mfu = mfu.expected;
    s.given[Input::Mfu] = mfu;
    return {};
}

Result<void> workOut(Scenario s, CandidatePlan& plan, const std::stop_token& stop) {
    const DeviceCandidate& candidate = plan.candidate;
    s.cluster.device = candidate.device;
    s.cluster.devices = candidate.devices;
    PLUMB_CHECK(spread(s, plan, stop));
    PLUMB_TRY(plan.days, rangeAt(Output::Days, s));
    PLUMB_TRY(plan.deviceHours, rangeAt(Output::DeviceHours, s));
    plan.dollarsPerHour = candidate.dollarsPerHour;
    if (!plan.dollarsPerHour && s.given[Input::DevicePrice])
        plan.dollarsPerHour = s.given[Input::DevicePrice]->expected;
    if (!plan.dollarsPerHour) plan.dollarsPerHour = candidate.device.dollarsPerHour;
    if (plan.dollarsPerHour) {
        if (candidate.dollarsPerHour || !s.given[Input::DevicePrice])
            s.given[Input::DevicePrice] =
                Range{*plan.dollarsPerHour, *plan.dollarsPerHour, *plan.dollarsPerHour};
        PLUMB_TRY(plan.dollars, rangeAt(Output::Cost, s));
    }
    if (const auto energy = rangeAt(Output::Energy, s); energy.has_value()) plan.energyJoules = *energy;
    return {};
}

/// What fits before what does not, and those before what cannot be planned; then the cheapest, or the
/// fastest.
bool isBetter(const CandidatePlan& a, const CandidatePlan& b, bool priced) {
    if (a.problem.empty() != b.problem.empty()) return a.problem.empty();
    if (a.fits != b.fits) return a.fits;
    if (priced && a.dollars && b.dollars) return a.dollars->expected < b.dollars->expected;
    return a.days.expected < b.days.expected;
}

std::string moreOrLess(double ratio, std::string_view more, std::string_view less) {
    return ratio >= 1 ? fmt::format("{:.0f} % {}", 100 * (ratio - 1), more)
                      : fmt::format("{:.0f} % {}", 100 * (1 - ratio), less);
}

/// Says what its place behind the best one is, and why.
void placeBehind(CandidatePlan& plan, const CandidatePlan& best, bool priced) {
    if (!plan.fits) {
        plan.place =
            fmt::format("does not fit by {}", formatQuantity(plan.neededBytes - plan.availableBytes, "B"));
        plan.why = plan.place;
        return;
    }
    const double hours = plan.deviceHours.expected / best.deviceHours.expected;
    const std::string time = moreOrLess(plan.days.expected / best.days.expected, "longer", "faster");
    if (!priced || !plan.dollars || !best.dollars) {
        plan.place = time;
        plan.why = fmt::format("{}, {:.3g} times the device hours", time, hours);
        return;
    }
    plan.place = moreOrLess(plan.dollars->expected / best.dollars->expected, "dearer", "cheaper");
    const bool overlaps = plan.dollars->low <= best.dollars->high;
    plan.why = fmt::format("{}: {:.3g} times the device hours at {:.3g} times the price, {}{}", plan.place,
                           hours, *plan.dollarsPerHour / *best.dollarsPerHour, time,
                           overlaps ? "; the ranges overlap" : "");
}

void rank(DeviceChoice& choice) {
    std::vector<CandidatePlan>& plans = choice.plans;
    choice.priced = std::all_of(plans.begin(), plans.end(), [](const CandidatePlan& plan) {
        return !plan.problem.empty() || !plan.fits || plan.dollars.has_value();
    });
    std::stable_sort(plans.begin(), plans.end(), [&](const CandidatePlan& a, const CandidatePlan& b) {
        return isBetter(a, b, choice.priced);
    });
    const CandidatePlan best = plans.front();
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!plans[i].problem.empty()) continue;
        if (i == 0 && plans[i].fits)
            plans[i].place = plans[i].why = choice.priced ? "the cheapest" : "the fastest";
        else
            placeBehind(plans[i], best, choice.priced);
    }
    if (!choice.priced)
        choice.notes.emplace_back("prices are not known for all: give each its own to see what is cheaper");
}

}  // namespace

Result<DeviceChoice> chooseDevices(const Scenario& scenario, const std::vector<DeviceCandidate>& candidates,
                                   const std::stop_token& stop, const std::function<void(double)>& progress) {
    if (candidates.empty())
        return Error{ErrorCode::BadInput, "no devices are given", "give some, such as 2xh200-sxm"};
    if (!(scenario.model.parameters() > 0))
        return Error{ErrorCode::BadInput, "no model is given",
                     "give a number of parameters, a preset or a config.json"};
    DeviceChoice choice;
    Scenario s = scenario;
    if (!(s.workload.tokens > 0)) {
        s.workload.tokens = kUnsaidTokens;
        choice.notes.push_back(fmt::format("of {:g} tokens, since none were given", kUnsaidTokens));
    }
    if (s.model.transformer() != nullptr) {
        PLUMB_TRY(s.workload.batch, batchOfAll(s, candidates));
    }
    if (s.model.count() != nullptr)
        choice.notes.emplace_back(
            "a mere number of parameters has no operations to time: the same utilisation is assumed of all");
    choice.tokens = s.workload.tokens;
    choice.batch = s.workload.batch;
    for (std::size_t i = 0; i < candidates.size() && !stop.stop_requested(); ++i) {
        CandidatePlan& plan = choice.plans.emplace_back();
        plan.candidate = candidates[i];
        if (const Result<void> done = workOut(s, plan, stop); !done.has_value())
            plan.problem = done.error().text();
        if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(candidates.size()));
    }
    if (choice.plans.empty()) return Error{ErrorCode::RunFailed, "the search was stopped", "start it again"};
    rank(choice);
    return choice;
}

}  // namespace plumb::planner

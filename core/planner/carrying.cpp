// SPDX-License-Identifier: Apache-2.0
#include "core/planner/carrying.h"

#include "core/base/enum_array.h"
#include "core/planner/answer.h"
#include "core/planner/step_time.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace plumb::planner {

namespace {

/// A published training that can be a measurement and be predicted.
struct Usable {
    const PublishedTraining* row = nullptr;
    double assumed = 0;  ///< seconds that are predicted of it
    std::shared_ptr<const Measurement> measured;
};

std::vector<Usable> usableRows(const Evidence& evidence,
                               const std::function<bool(const PublishedTraining&)>& takes) {
    std::vector<Usable> rows;
    for (const PublishedTraining& row : evidence.rows) {
        if (!row.problem.empty() || !row.step || (takes && !takes(row))) continue;
        auto time = stepTime(row.scenario);
        if (!time.has_value()) continue;
        auto measured = measure(row.scenario, {row.step->from, row.id, row.step->seconds, {}});
        if (!measured.has_value()) continue;
        rows.push_back({&row, time->total(), *std::move(measured)});
    }
    return rows;
}

/// `most` of them, evenly over the list.
std::vector<const Usable*> spread(const std::vector<const Usable*>& all, std::size_t most) {
    if (all.size() <= most) return all;
    std::vector<const Usable*> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
    return some;
}

std::vector<FoundError> errorsOf(const std::vector<CarriedPair>& pairs, Carry carry, bool assumed) {
    std::vector<FoundError> errors;
    for (const CarriedPair& pair : pairs)
        if (pair.carry == carry)
            errors.push_back({assumed ? pair.assumedError() : pair.error(), !assumed && pair.held()});
    return errors;
}

}  // namespace

double CarriedPair::error() const { return std::log(seconds.expected / to->step->seconds); }
double CarriedPair::assumedError() const { return std::log(assumed / to->step->seconds); }
bool CarriedPair::held() const {
    return seconds.low <= to->step->seconds && to->step->seconds <= seconds.high;
}

std::vector<CarriedPair> carriedPairs(const Evidence& evidence,
                                      const std::function<bool(const PublishedTraining&)>& takes,
                                      std::size_t most) {
    const std::vector<Usable> rows = usableRows(evidence, takes);
    std::vector<CarriedPair> pairs;
    for (const Usable& to : rows) {
        EnumArray<Carry, std::vector<const Usable*>> froms{};
        for (const Usable& from : rows) {
            if (&from == &to || from.row->source != to.row->source ||
                from.row->framework != to.row->framework)
                continue;
            froms[carryOf(from.row->scenario, to.row->scenario)].push_back(&from);
        }
        for (const Carry carry : {Carry::Batch, Carry::Layout, Carry::Sequence, Carry::Model, Carry::Device})
            for (const Usable* from : spread(froms[carry], most)) {
                Scenario s = to.row->scenario;
                s.measured = from->measured;
                const auto time = stepTime(s);
                if (!time.has_value()) continue;
                const auto range = rangeOf(Output::StepSeconds, s, time->total());
                if (range.has_value())
                    pairs.push_back({from->row, to.row, carry, from->measured->factor(), *range, to.assumed});
            }
    }
    return pairs;
}

ErrorSummary summarise(const std::vector<CarriedPair>& pairs, Carry carry) {
    return summarise(errorsOf(pairs, carry, false));
}

ErrorSummary summariseAssumed(const std::vector<CarriedPair>& pairs, Carry carry) {
    return summarise(errorsOf(pairs, carry, true));
}

}  // namespace plumb::planner

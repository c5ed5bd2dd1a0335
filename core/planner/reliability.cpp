// SPDX-License-Identifier: Apache-2.0
#include "core/planner/reliability.h"

#include "core/planner/answer_parts.h"
#include "core/planner/inputs.h"

#include <cmath>

namespace plumb::planner {

Result<double> checkpointSeconds(const Scenario& s, Explanation* out) {
    PLUMB_TRY(const double devices, numberOf(s, Input::Devices));
    PLUMB_TRY(const double each, numberOf(s, Input::CheckpointBandwidth));
    PLUMB_TRY(const double all, numberOf(s, Input::StorageBandwidth));
    Formula formula(s, out);
    PLUMB_CHECK(timesAnswer(formula, Output::CheckpointBytes, "S", s));
    if (devices * each > all) {
        PLUMB_CHECK(formula.over(Input::StorageBandwidth));
    } else {
        PLUMB_CHECK(formula.over(Input::Devices));
        PLUMB_CHECK(formula.over(Input::CheckpointBandwidth));
    }
    return formula.finish(Output::CheckpointSeconds);
}

/// Daly's time of a run with exponential failures (J. T. Daly, Future Generation Computer Systems 22, 2006):
/// an interval of work and its checkpoint are done when no failure comes in between, else done again.
Result<double> expectedGoodput(const Scenario& s, Explanation* out) {
    PLUMB_TRY(const double writing, explained(Output::CheckpointSeconds, s, nullptr));
    PLUMB_TRY(const double mtbf, numberOf(s, Input::DeviceMtbf));
    PLUMB_TRY(const double devices, numberOf(s, Input::Devices));
    PLUMB_TRY(const double restart, numberOf(s, Input::RestartTime));
    const bool isGiven = s.given[Input::CheckpointEvery].has_value();
    PLUMB_TRY(const double interval, isGiven ? numberOf(s, Input::CheckpointEvery)
                                             : explained(Output::CheckpointInterval, s, nullptr));
    const double mean = mtbf / devices;
    const double wall = mean * std::exp(restart / mean) * std::expm1((interval + writing) / mean);
    Formula formula(s, out);
    PLUMB_CHECK(isGiven ? formula.times(Input::CheckpointEvery)
                        : timesAnswer(formula, Output::CheckpointInterval, "τ", s));
    formula.over("t_wall", wall, "s", "wall time of an interval",
                 "M·e^(t_restart/M)·(e^((τ + δ)/M) − 1) with M = MTBF/G (Daly 2006)");
    if (formula.explains()) {
        PLUMB_TRY(const InputValue given, valueOf(s, Input::RestartTime));
        const InputInfo& about = info(Input::RestartTime);
        addTerm(*out, {std::string(about.symbol), std::string(about.label), restart, std::string(about.unit),
                       given.source, Input::RestartTime});
        addTerm(*out, {"δ", std::string(info(Output::CheckpointSeconds).label), writing, "s",
                       "see its answer", std::nullopt});
    }
    return formula.finish(Output::ExpectedGoodput);
}

}  // namespace plumb::planner

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/explore.h"
#include "core/planner/verdict.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::planner {

/// Most values that a sweep goes over.
inline constexpr std::size_t kMostSwept = 10'000;

/// The answers at one value of the input that is swept.
struct SweepRow {
    double value = 0;
    std::vector<std::optional<Range>> answers;  ///< one for each of Sweep::outputs; empty: see `problem`
    std::string problem;                        ///< why the first missing answer is missing
    std::optional<Verdict> verdict;             ///< empty where it cannot be said
    std::vector<double> others;                 ///< of Sweep::others, in their order
    std::optional<std::int64_t> batch;  ///< what follows where none was given; empty: given, or not known
};
struct Sweep {
    Axis axis;
    std::vector<Output> outputs;
    std::vector<SweepRow> rows;  ///< as many as were reached
    bool complete = false;       ///< false when it was stopped
    std::vector<Axis> others;    ///< of a grid: further inputs, the last one runs fastest
};

/// Values of a sweep: "64..4096:x2" (times 2), "1..8:+1" (plus 1) or "1,2,8", each as setInput() takes it.
/// Errors: BadInput with the key and the forms; what the input does not accept; more than kMostSwept values.
[[nodiscard]] Result<Axis> sweepAxis(const Scenario& scenario, Input input, std::string_view text);

/// The answers at each value. A batch that was not given is held when the layout is swept (isLayout()). Stops
/// early when `stop` is requested and keeps what is done; `progress` gets the share after each row.
[[nodiscard]] Sweep sweep(const Scenario& scenario, Axis axis, std::vector<Output> outputs,
                          const std::stop_token& stop = {}, const std::function<void(double)>& progress = {});

/// The answers at each combination of values of several inputs, the first one as the slowest. Rows that
/// differ in their layout alone have the same batch. Pre: at least one axis. Errors: BadInput for an input
/// that is swept twice, or for more than kMostSwept combinations.
[[nodiscard]] Result<Sweep> sweepGrid(const Scenario& scenario, std::vector<Axis> axes,
                                      std::vector<Output> outputs, const std::stop_token& stop = {},
                                      const std::function<void(double)>& progress = {});

}  // namespace plumb::planner

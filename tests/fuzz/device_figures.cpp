// SPDX-License-Identifier: Apache-2.0
#include "core/machine/device_figures.h"

#include "core/base/quantity.h"
#include "core/machine/own_devices.h"
#include "core/measure/reading.h"
#include "core/plan/step_plan.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <cmath>

namespace plumb::fuzz {
namespace {

StepPlan planOfFigures() {
    return planStep(RunConfig{.dim = 64, .layers = 2, .batch = 32}, cpuTraits()).value();
}

/// A figure that was accepted, in the form of a data sheet.
void requireFigure(Machine& machine, const DeviceFigure& figure, double value) {
    require(value >= figure.least && value <= figure.most, "a figure is within its bounds", figure.key);
    setFigure(machine, figure, value);
    const auto kept = figureOf(machine, figure);
    // Memory is a whole number of bytes.
    require(kept && (figure.key == "memory_bytes" ? std::abs(*kept - value) <= 0.5 : *kept == value),
            "a figure is kept", figure.key);
    const auto again = parseFigure(figure, formatEditable(*kept, figure.unit));
    require(again.has_value() && *again == kept, "a figure's own text is read", figure.key);
    for (const DeviceProblem& problem : problemsOf(machine, {}))
        require(problem.key != figure.key, "a figure that was accepted is no problem", problem.error.message);
}

}  // namespace

void device_figures(std::string_view input) {
    static const StepPlan plan = planOfFigures();
    Machine machine{.id = "own"};
    machine.name = "own";
    for (const std::string_view line : lines(input)) {
        const std::size_t at = line.find('=');
        const std::string_view key = line.substr(0, std::min(at, line.size()));
        const std::string_view text = at == std::string_view::npos ? line : line.substr(at + 1);
        if (key == "name") machine.name = text;
        if (key == "source") machine.source = text;
        for (const DeviceFigure& figure : deviceFigures()) {
            if (at != std::string_view::npos && figure.key != key) continue;
            const auto value = parseFigure(figure, text);
            if (!value.has_value())
                require(!value.error().hint.empty(), "a refusal says what to write", figure.key);
            else if (*value)
                requireFigure(machine, figure, **value);
            else
                setFigure(machine, figure, std::nullopt);
        }
    }
    if (!problemsOf(machine, {}).empty()) return;
    for (const auto& seconds : predict(plan, machine).opSeconds)
        require(!seconds || *seconds >= 0, "a predicted time is not negative");
    const auto again = devicesFromText(devicesToText({machine}), "the records");
    require(again.has_value() && again->size() == 1, "a data sheet without a problem is read",
            again.has_value() ? std::string() : again.error().text());
    for (const DeviceFigure& figure : deviceFigures())
        require(figureOf(again->front(), figure) == figureOf(machine, figure),
                "a data sheet keeps its figures", figure.key);
}

}  // namespace plumb::fuzz

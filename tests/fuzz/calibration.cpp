// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_fields.h"
#include "core/machine/calibration_file.h"
#include "core/measure/reading.h"
#include "core/plan/step_plan.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temporary_folder.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace plumb::fuzz {
namespace {

/// A folder of its own for the calibration of a machine, and the fingerprint that is written there.
struct Place {
    TemporaryFolder folder;
    Machine machine;
    std::string path;
    std::string fingerprint;

    Place() {
        ::setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
        machine.id = "local-cpu";  // as in the seeds
        machine.name = "m";
        machine.backend = "cpu";
        path = calibrationPath(machine);
        require(saveCalibration(machine).has_value(), "an empty calibration is written");
        fingerprint = nlohmann::json::parse(getFile(path)).at("fingerprint").dump();
    }
};

std::vector<StepPlan> plansOfSeveralRecipes() {
    std::vector<StepPlan> plans;
    for (const char* precision : {"fp32", "bf16", "fp8"})
        for (const char* optimizer : {"sgd", "adamw", "adafactor"}) {
            RunConfig config{.dim = 64, .layers = 3, .activation = Activation::Relu, .batch = 32};
            require(setOption(config, "precision", precision).has_value() &&
                        setOption(config, "optimizer", optimizer).has_value(),
                    "options are known");
            auto plan = planStep(config, cpuTraits());
            require(plan.has_value(), "a small step is planned");
            plans.push_back(std::move(plan).value());
        }
    return plans;
}

}  // namespace

void calibration(std::string_view input) {
    static const Place place;
    static const std::vector<StepPlan> plans = plansOfSeveralRecipes();
    constexpr std::string_view kStandIn = "\"@FP@\"";
    std::string text(input);
    if (const std::size_t at = text.find(kStandIn); at != std::string::npos)
        text.replace(at, kStandIn.size(), place.fingerprint);
    putFile(place.path, text);

    const auto kept = loadCalibration(place.machine);
    if (!kept.has_value() || !kept->has_value()) return;
    const Machine& machine = **kept;
    for (const StepPlan& plan : plans) {
        for (const auto& seconds : predict(plan, machine).opSeconds)
            require(!seconds || *seconds >= 0, "a predicted time is not negative");
        (void)predictedReading(plan, machine);
    }
    require(saveCalibration(machine).has_value(), "what was read is written");
    const auto again = loadCalibration(place.machine);
    require(again.has_value(), "what was written is read",
            again.has_value() ? std::string() : again.error().text());
}

}  // namespace plumb::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "core/base/table.h"
#include "core/calibrate/prediction_check.h"
#include "core/machine/calibration_file.h"
#include "core/machine/machine_json.h"
#include "core/model/config_json.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace plumb::cli {

namespace {

constexpr std::int64_t kDefaultConfigurations = 100;
constexpr std::int64_t kDefaultLongest = 1000;  // ms

std::string percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }

std::string summary(const RunConfig& config) {
    std::string text = fmt::format("{} {} {}", name(config.precision), name(config.optimizer),
                                   optionValue(config, "checkpoint"));
    if (config.gradientPrecision == GradientPrecision::Fp32) text += " fp32 gradients";
    if (config.hasMasterCopy()) text += " master";
    if (config.activation != Activation::None) (text += ' ') += name(config.activation);
    if (config.data != "synthetic") text += " file";
    if (config.microBatches() > 1) text += fmt::format(" {} micro-batches", config.microBatches());
    return text;
}

nlohmann::json checkDocument(const PredictionCheck& check, const Machine& machine, std::uint64_t seed) {
    nlohmann::json list = nlohmann::json::array();
    for (const CheckedStep& step : check.steps) {
        nlohmann::json ops = nlohmann::json::array();
        for (const CheckedOp& op : step.ops)
            ops.push_back({{"op", op.signature},
                           {"predicted_s", op.predicted},
                           {"measured_s", op.measured},
                           {"error_at_speed", op.errorAtSpeed()}});
        const bool probed = step.speed && step.speed->ofCalibrated;
        list.push_back({{"config", toJson(step.config)},
                        {"predicted_s", step.predicted},
                        {"measured_s", step.measured},
                        {"error", step.error()},
                        {"speed", probed ? nlohmann::json(*step.speed->ofCalibrated) : nlohmann::json()},
                        {"error_at_speed", step.errorAtSpeed()},
                        {"ops", std::move(ops)}});
    }
    nlohmann::json result = toJson(check.errors());
    result.update({{"machine", machine.name},
                   {"source", machine.source},
                   {"seed", seed},
                   {"configurations", std::move(list)}});
    return result;
}

std::string checkReport(const PredictionCheck& check, const Machine& machine) {
    Table table;
    table.add({"step", "D", "L", "K", "batch", "predicted", "measured", "error", "speed", "at that speed"});
    for (const CheckedStep& step : check.steps)
        table.add(
            {summary(step.config), std::to_string(step.config.dim), std::to_string(step.config.layers),
             std::to_string(step.config.outputs), std::to_string(step.config.batch),
             formatQuantity(step.predicted, "s"), formatQuantity(step.measured, "s"), percent(step.error()),
             step.speed && step.speed->ofCalibrated ? fmt::format("{:.2f}", *step.speed->ofCalibrated) : "–",
             percent(step.errorAtSpeed())});
    return fmt::format("{}{} ({})\n{}\n", table.text(), machine.name, machine.source, text(check.errors()));
}

Result<void> runCheckPrediction(const Arguments& arguments) {
    DeviceWish wish{BackendChoice::Auto, arguments.text("device")};
    PLUMB_TRY(wish.backend, backendFromName(arguments.text("backend", "auto")));
    CheckOptions options;
    PLUMB_TRY(options.configurations, arguments.countOr("configs", 1, kDefaultConfigurations));
    PLUMB_TRY(const std::int64_t seed, arguments.countOr("seed", 0, 0));
    PLUMB_TRY(const std::int64_t longest, arguments.countOr("longest-ms", 1, kDefaultLongest));
    options.mostPerStep = static_cast<double>(longest) / 1000;
    options.seed = static_cast<std::uint64_t>(seed);
    PLUMB_TRY(Machine machine, localMachine(wish));
    const Interrupt interrupt;
    options.stop = interrupt.token();
    PLUMB_TRY(const auto backend, makeBackend(wish));
    ProgressLine progress;
    options.progress = [&](const CheckedStep& step, std::int64_t done) {
        progress.show(fmt::format("check-prediction: {} of {}, the last one {}", done, options.configurations,
                                  percent(step.error())));
    };
    PLUMB_TRY(const PredictionCheck check, checkPredictions(*backend, machine, options));
    progress.clear();
    const bool stopped = interrupt.token().stop_requested();
    if (check.steps.empty())
        return Error{ErrorCode::RunFailed, "check-prediction stopped", "nothing was kept, run it again"};
    PLUMB_CHECK(print(arguments.json() ? dumpJson(checkDocument(check, machine, options.seed), 1) + "\n"
                                       : checkReport(check, machine)));
    if (stopped)
        return Error{ErrorCode::RunFailed,
                     fmt::format("check-prediction stopped ({} of {} configurations)", check.steps.size(),
                                 options.configurations),
                     "the record of this machine was left as it was"};
    machine.checked = check.errors();
    return savePredictionCheck(machine);
}

}  // namespace

CommandSpec checkPredictionCommand() {
    return CommandSpec{.name = "check-prediction",
                       .help = "measures how right this machine's predictions are, and keeps the record",
                       .options = {{"configs", "N", "random configurations to predict and run (100)"},
                                   {"seed", "S", "of the drawing (0)"},
                                   {"longest-ms", "N", "no step that is predicted to take longer (1000)"},
                                   {"backend", "auto|cpu|cuda", "whose predictions (auto)"},
                                   deviceOption()},
                       .run = runCheckPrediction};
}

}  // namespace plumb::cli

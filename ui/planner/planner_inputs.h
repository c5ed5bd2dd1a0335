// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/explore.h"
#include "core/planner/plan_comparison.h"
#include "ui/workbench/device_library.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plumb::ui {

/// Bytes of the largest config.json that is read.
inline constexpr std::size_t kMostConfigBytes = 1 << 20;

/// What the planner can be asked: an answer, figures beside it, and the choices that it goes by. Assumptions
/// and facts are found by asking which of them matter.
struct PlannerQuestion {
    QString key;    ///< in files: "time"
    QString label;  ///< short, for the chooser
    QString title;  ///< the whole question
    planner::Output output{};
    std::vector<planner::Output> figures;
    std::vector<planner::Input> choices;
    enum class Table { None, Shardings, Devices } table = Table::None;
    /// What memory and time below the answer are of. Those of the training contradict an answer of a server,
    /// and have nothing to say where no training is asked about as it is planned.
    enum class Charts { None, Training, Server } charts = Charts::Training;
    /// What the answer is drawn over where there is no map: the first of them that is known.
    std::vector<planner::Input> over{};
};
[[nodiscard]] const std::vector<PlannerQuestion>& plannerQuestions();
[[nodiscard]] int plannerQuestion(const QString& key);  ///< its index; 0 for an unknown one

/// Devices that somebody could train on, beside those that are planned.
struct PlannerCandidate {
    std::string device;  ///< id
    std::int64_t devices = 1;
    std::optional<double> dollarsPerHour;  ///< of one device
    bool operator==(const PlannerCandidate&) const = default;
};
inline constexpr std::size_t kMostCandidates = 20;

/// What the user chose in the planner; a value. The scenario is what the core is asked about, the rest says
/// where its parts are from, so that they can be chosen again.
struct PlannerInputs {
    /// Keys of models that are no preset.
    static constexpr const char* kCount = "count";
    static constexpr const char* kLinear = "linear";  ///< model of the run panel; follows it
    static constexpr const char* kConfig = "config";  ///< model of a config.json, see configText
    static constexpr const char* kOfModel = "model";  ///< the recipe that the deep linear model trains with
    static constexpr const char* kPlan = "plan";      ///< model, or recipe, of a plan that was opened
    /// What the ids of devices begin with that a plan brought along and that are no record here.
    static constexpr const char* kDeviceOfPlan = "plan/";

    planner::Scenario scenario;
    int question = 0;
    QString model = QString::fromLatin1(kCount);
    QString configText, configPath;
    QString recipe = QStringLiteral("mixed-adamw");
    QString framework;     ///< key of the one that was chosen; of two that choose the same it is this one
    RunConfig ofRunPanel;  ///< that the deep linear model was made from; what was changed here comes on top
    planner::Input mapX = planner::Input::Devices;
    planner::Input mapY = planner::Input::MicroBatch;
    bool mapOfMemory = false;  ///< otherwise of the step time
    std::vector<PlannerCandidate> candidates;

    /// What a planner that nobody used yet opens on, so that every page has an answer: Llama 3 8B on a node
    /// of eight H100.
    [[nodiscard]] static PlannerInputs standard(const KnownDevices& devices);
    /// The lecture's question: 70e9 parameters, 15e12 tokens, 1024 H100. Nothing else is given, so saved
    /// inputs are read on top of it.
    [[nodiscard]] static PlannerInputs ofCount(const KnownDevices& devices);
};

/// The inputs as the settings keep them; what cannot be read or is not there any more becomes the default.
[[nodiscard]] QByteArray toBytes(const PlannerInputs& inputs);
[[nodiscard]] PlannerInputs plannerInputsFrom(const QByteArray& bytes, const KnownDevices& devices,
                                              const RunConfig& config);

/// What a plan keeps of them: without what the planner opens with for other questions and nobody typed.
[[nodiscard]] planner::Scenario planOf(const PlannerInputs& inputs);
/// What is planned, for a comparison with these plans: without what the planner opens with and none of them
/// has, so that a file which was just saved differs in nothing.
[[nodiscard]] planner::Scenario planBeside(std::span<const planner::NamedScenario> others,
                                           const PlannerInputs& inputs);
/// Takes the scenario of a plan. A device that is known here with other figures stays that of the plan.
void takePlan(PlannerInputs& inputs, planner::Scenario scenario, const KnownDevices& devices);

/// Puts the model of this key into the scenario. Errors: BadInput.
[[nodiscard]] Result<void> chooseModel(PlannerInputs& inputs, const QString& key, const RunConfig& config);
[[nodiscard]] Result<void> chooseRecipe(PlannerInputs& inputs, const QString& key, const RunConfig& config);

/// Plans with this device; figures that were typed were of the one before.
void chooseDevice(PlannerInputs& inputs, const Machine& device);

/// A value as the planner of the core writes it, with the mark of the window between groups of digits.
[[nodiscard]] QString grouped(const std::string& value);
/// The text of an input for its field, with its unit: exact where that is short.
[[nodiscard]] QString inputText(planner::Input input, double value);
/// Three digits, for notes and charts: "37.5 %", "450 GB/s".
[[nodiscard]] QString shortInputText(planner::Input input, double value);
/// Takes what was typed, with a unit or without, "50 %" or "0.4:0.5:0.6". Errors: BadInput.
[[nodiscard]] Result<void> enterInput(planner::Scenario& scenario, planner::Input input, const QString& text);

/// What the answer is drawn over: an input of the question's own, or else the first input of the map.
[[nodiscard]] planner::Input sweepInput(const PlannerInputs& inputs);
/// Values for an axis of the map around where the input stands; one of them is that very value.
[[nodiscard]] planner::Axis mapAxis(const planner::Scenario& scenario, planner::Input input);
/// Inputs that a map can have on its axes.
[[nodiscard]] const std::vector<planner::Input>& mapInputs();

/// A message of the core for the window: a capital at its start, and inputs by their labels instead of the
/// names of options on the command line.
[[nodiscard]] QString forWindow(const QString& sentence);
[[nodiscard]] QString forWindow(const Error& error);
/// "Training tokens": for the start of a line.

}  // namespace plumb::ui

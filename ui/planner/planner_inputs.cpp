// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_inputs.h"

#include "core/base/entry_at.h"
#include "core/base/quantity.h"
#include "core/base/typed_number.h"
#include "core/planner/scenario_file.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

using planner::Input;
using planner::InputInfo;
using planner::Output;
using planner::Scenario;

constexpr double kCountParameters = 70e9;
constexpr double kCountTokens = 15e12;
constexpr std::int64_t kCountDevices = 1024;
/// A training of the size that people have one node for. The throughput is the one that torchtitan published
/// of eight H100 (published.json, torchtitan/8b-8-compile: 6,667 tokens a second of each).
constexpr double kStandardTokens = 1e12;
constexpr std::int64_t kStandardDevices = 8;
constexpr std::int64_t kStandardSequence = 8192;
constexpr std::int64_t kStandardBatch = 128;  // about a million tokens
constexpr double kStandardTokensPerSecond = 8 * 6667;
constexpr double kStandardDays = 30;
constexpr int kSteps = 5;  // of a map's axis, to either side

/// Units that formatEditable() and parseQuantity() know.
bool hasPrefixes(std::string_view unit) {
    constexpr std::array<std::string_view, 6> kUnits{"B", "B/s", "FLOP", "FLOP/s", "W", "s"};
    return std::ranges::find(kUnits, unit) != kUnits.end();
}

QJsonArray rangeToJson(const planner::Range& range) { return {range.low, range.expected, range.high}; }

bool isGiven(const Scenario& scenario, Input input) {
    const auto value = planner::valueOf(scenario, input);
    return value.has_value() && value->given;
}

bool isOfPlan(const QString& key) { return key == QLatin1String(PlannerInputs::kPlan); }

/// A device with the figures of a plan, which no record here has.
bool isOfPlan(const std::optional<Machine>& device) {
    return device && device->id.starts_with(PlannerInputs::kDeviceOfPlan);
}

/// Everything that answers go by.
bool haveSameFigures(const Machine& a, const Machine& b) {
    return a.name == b.name && a.source == b.source && a.memoryBytes == b.memoryBytes &&
           a.bandwidthBytesPerSecond == b.bandwidthBytesPerSecond &&
           a.peakFlopPerSecond == b.peakFlopPerSecond && a.linkBytesPerSecond == b.linkBytesPerSecond &&
           a.hostBytesPerSecond == b.hostBytesPerSecond && a.powerWatts == b.powerWatts &&
           a.dollarsPerHour == b.dollarsPerHour &&
           a.measuredMatmulFlopPerSecond == b.measuredMatmulFlopPerSecond &&
           a.costs.has_value() == b.costs.has_value();
}

/// What a recipe stores and computes with; how activations are kept is chosen beside it.
bool haveSameStorage(const planner::Recipe& a, const planner::Recipe& b) {
    return a.compute == b.compute && a.weightBytes == b.weightBytes && a.gradientBytes == b.gradientBytes &&
           a.masterBytes == b.masterBytes && a.stateBytes == b.stateBytes &&
           a.activationBytes == b.activationBytes && a.updateFlops == b.updateFlops;
}

/// Whether how a step is computed has more to it than what stands beside it in the saved inputs.
bool hasOwnComputation(const planner::Recipe& recipe) {
    planner::Recipe usual;
    usual.recompute = recipe.recompute;
    usual.recomputeInterval = recipe.recomputeInterval;
    usual.lossChunks = recipe.lossChunks;
    return planner::computationOf(usual) != planner::computationOf(recipe);
}

/// Options of the command line that are no input, and what the panel calls their controls.
struct PanelTitle {
    std::string_view option;
    const char* title;
};
constexpr std::array kPanelTitles{
    PanelTitle{"model", QT_TRANSLATE_NOOP("plumb::ui", "Model")},
    PanelTitle{"framework", QT_TRANSLATE_NOOP("plumb::ui", "Framework")},
    PanelTitle{"recipe", QT_TRANSLATE_NOOP("plumb::ui", "Recipe")},
    PanelTitle{"recompute", QT_TRANSLATE_NOOP("plumb::ui", "Recompute")},
    PanelTitle{"device", QT_TRANSLATE_NOOP("plumb::ui", "Device")},
    PanelTitle{"finetune", QT_TRANSLATE_NOOP("plumb::ui", "Trained")},
    PanelTitle{"targets", QT_TRANSLATE_NOOP("plumb::ui", "Targets")},
    PanelTitle{"freeze", QT_TRANSLATE_NOOP("plumb::ui", "Frozen")},
    PanelTitle{"offload", QT_TRANSLATE_NOOP("plumb::ui", "In the host's memory")}};

/// "devices", "model": what the panel calls an option, within a sentence.
QString panelWord(const QString& option) {
    const std::string key = option.toStdString();
    if (const auto input = planner::inputFromKey(key)) return coreText(planner::info(*input).label);
    const auto found = std::ranges::find(kPanelTitles, key, &PanelTitle::option);
    return found == kPanelTitles.end() ? option : tr(found->title).toLower();
}

}  // namespace

QString forWindow(const QString& sentence) {
    static const QRegularExpression kBehind(QStringLiteral(" \\(--[a-z-]+\\)|（--[a-z-]+）"));
    static const QRegularExpression kOption(QStringLiteral("--([a-z]+(?:-[a-z]+)*)"));
    static const QRegularExpression kBetweenHan(QStringLiteral("(?<=\\p{Han}) (?=\\p{Han})"));
    QString text = sentence;
    text.remove(kBehind);
    text.replace(QLatin1String("--dim and --layers"), tr("the deep linear model"));
    QString shown;
    qsizetype done = 0;
    for (auto options = kOption.globalMatch(text); options.hasNext();) {
        const QRegularExpressionMatch option = options.next();
        shown += QStringView(text).mid(done, option.capturedStart() - done);
        shown += panelWord(option.captured(1));
        done = option.capturedEnd();
    }
    shown += QStringView(text).mid(done);
    // An option is Latin, with blanks around it; the Chinese word that stands for it has none.
    shown.remove(kBetweenHan);
    return sentenceText(shown);
}

QString forWindow(const Error& error) { return forWindow(errorSentence(error)); }

static std::vector<PlannerQuestion> makeQuestions() {
    using Table = PlannerQuestion::Table;
    using Charts = PlannerQuestion::Charts;
    const std::vector<Input> split{Input::Devices,    Input::DevicesPerNode, Input::Sequence,  Input::Batch,
                                   Input::MicroBatch, Input::Tensor,         Input::Pipeline,  Input::Chunks,
                                   Input::Context,    Input::Expert,         Input::ShardGroup};
    std::vector<Input> step = split;
    step.insert(step.begin(), Input::Tokens);
    return std::vector<PlannerQuestion>{
        {QStringLiteral("time"),
         tr("Time"),
         tr("How long does the training take?"),
         Output::Days,
         {Output::TrainingFlops, Output::DeviceHours, Output::TokensPerSecond, Output::StepDays,
          Output::StepMfu},
         {Input::Tokens, Input::Devices}},
        {QStringLiteral("fit"),
         tr("Largest"),
         tr("What is the largest model that fits?"),
         Output::LargestModel,
         {Output::ModelParameters, Output::DevicesToHold, Output::CheckpointBytes},
         {Input::Devices, Input::BytesPerParameter},
         Table::None,
         Charts::None,
         {Input::Devices}},
        {QStringLiteral("cost"),
         tr("Cost"),
         tr("What does the training cost?"),
         Output::Cost,
         {Output::Energy, Output::EnergyCost, Output::Co2, Output::DeviceHours, Output::Days},
         {Input::Tokens, Input::Devices}},
        {QStringLiteral("memory"),
         tr("Memory"),
         tr("How much memory does each device need?"),
         Output::MemoryPerDevice,
         {Output::ModelParameters, Output::TrainedParameters, Output::DevicesToHold, Output::CheckpointBytes,
          Output::CheckpointInterval},
         split},
        {QStringLiteral("step"),
         tr("Step"),
         tr("How long does one step take?"),
         Output::StepSeconds,
         {Output::StepMfu, Output::StepHfu, Output::StepDays, Output::MemoryPerDevice},
         step},
        {QStringLiteral("make-it-fit"),
         tr("Make it fit"),
         tr("Which batch, policy and sharding make it fit?"),
         Output::MemoryPerDevice,
         {Output::StepSeconds, Output::StepMfu},
         split,
         Table::Shardings},
        {QStringLiteral("optimal"),
         tr("Optimum"),
         tr("What is compute-optimal for the budget?"),
         Output::OptimalParameters,
         {Output::OptimalTokens, Output::Budget},
         {Input::Budget, Input::Days, Input::Devices},
         Table::None,
         Charts::None,
         {Input::Budget, Input::Devices}},
        {QStringLiteral("loss"),
         tr("Loss"),
         tr("What loss do published laws expect?"),
         Output::LossBesiroglu,
         {Output::LossHoffmann, Output::LossKaplan, Output::CriticalBatch, Output::TrainingSteps,
          Output::LeastSteps},
         {Input::Tokens, Input::Devices, Input::Sequence, Input::Batch},
         Table::None,
         Charts::None,
         {Input::Tokens}},
        {QStringLiteral("devices"),
         tr("Devices"),
         tr("What does each device need for it?"),
         Output::DevicesToHold,
         {Output::Days, Output::Energy},
         {Input::Tokens, Input::Devices, Input::Days},
         Table::Devices},
        {QStringLiteral("serve"),
         tr("Serving"),
         tr("How fast does a server answer requests?"),
         Output::OutputTokenSeconds,
         {Output::FirstTokenSeconds, Output::RequestTokensPerSecond, Output::DeviceOutputTokensPerSecond,
          Output::LargestRequests, Output::LongestContext, Output::CacheBytesPerToken},
         {Input::ContextLength, Input::Requests, Input::Prompt, Input::WeightBits, Input::CacheBits,
          Input::Tensor},
         Table::None,
         Charts::Server,
         {Input::Requests}},
        {QStringLiteral("utilisation"),
         tr("Utilisation"),
         tr("How well does a measured run use its devices?"),
         Output::MeasuredMfu,
         {Output::MeasuredHfu, Output::TrainingFlops},
         {Input::TokensPerSecond, Input::Devices, Input::Sequence, Input::Tokens}},
    };
}

const std::vector<PlannerQuestion>& plannerQuestions() {
    static std::vector<PlannerQuestion> questions;
    // In the language of the window, which may have changed since.
    if (questions.empty() || questions.front().title != tr("How long does the training take?"))
        questions = makeQuestions();
    return questions;
}

int plannerQuestion(const QString& key) {
    const auto& all = plannerQuestions();
    const auto found = std::ranges::find(all, key, &PlannerQuestion::key);
    return found == all.end() ? 0 : static_cast<int>(found - all.begin());
}

PlannerInputs PlannerInputs::standard(const KnownDevices& devices) {
    PlannerInputs inputs = ofCount(devices);
    const QString model = QStringLiteral("llama-3-8b");
    if (const auto found = planner::findModel(model.toStdString()); found.has_value()) {
        inputs.scenario.model = *found;
        inputs.model = model;
    }
    inputs.scenario.workload = {.tokens = kStandardTokens,
                                .sequence = kStandardSequence,
                                .batch = kStandardBatch,
                                .days = kStandardDays,
                                .tokensPerSecond = kStandardTokensPerSecond};
    inputs.scenario.cluster.devices = kStandardDevices;
    inputs.scenario.recipe.recompute = planner::Recompute::Alternate;
    // Their prices are not known: the fastest comes first.
    for (const auto& [device, count] :
         {std::pair{"h100-sxm5-80gb", 8}, std::pair{"h200-sxm-141gb", 4}, std::pair{"a100-sxm4-80gb", 16}})
        inputs.candidates.push_back({.device = device, .devices = count});
    return inputs;
}

PlannerInputs PlannerInputs::ofCount(const KnownDevices& devices) {
    PlannerInputs inputs;
    inputs.scenario.model = planner::modelOfCount(kCountParameters);
    inputs.scenario.workload.tokens = kCountTokens;
    inputs.scenario.cluster.devices = kCountDevices;
    if (const auto device = devices.database.find("h100-sxm5-80gb"); device.has_value())
        inputs.scenario.cluster.device = *device;
    if (const auto named = planner::findRecipe(inputs.recipe.toStdString()); named.has_value())
        inputs.scenario.recipe = named->recipe;
    return inputs;
}

static Scenario withOwnDevice(Scenario plan) {
    const std::string_view ours = PlannerInputs::kDeviceOfPlan;
    if (auto& device = plan.cluster.device; device && device->id.starts_with(ours))
        device->id.erase(0, ours.size());
    return plan;
}

planner::Scenario planBeside(std::span<const planner::NamedScenario> others, const PlannerInputs& inputs) {
    Scenario plan = withOwnDevice(inputs.scenario);
    const auto none = [&](double planner::Workload::*number) {
        return std::ranges::all_of(others,
                                   [&](const auto& each) { return each.scenario.workload.*number == 0; });
    };
    planner::Workload& work = plan.workload;
    if (work.days == kStandardDays && none(&planner::Workload::days)) work.days = 0;
    if (work.tokensPerSecond == kStandardTokensPerSecond && none(&planner::Workload::tokensPerSecond))
        work.tokensPerSecond = 0;
    return plan;
}

planner::Scenario planOf(const PlannerInputs& inputs) {
    planner::Scenario plan = withOwnDevice(inputs.scenario);
    const PlannerQuestion& question = entryAt(plannerQuestions(), inputs.question);
    const auto uses = [&](Input input) {
        const std::vector<Input> used = planner::inputsOf(question.output, inputs.scenario);
        return std::ranges::find(used, input) != used.end() ||
               std::ranges::find(question.choices, input) != question.choices.end();
    };
    if (plan.workload.days == kStandardDays && !uses(Input::Days)) plan.workload.days = 0;
    if (plan.workload.tokensPerSecond == kStandardTokensPerSecond && !uses(Input::TokensPerSecond))
        plan.workload.tokensPerSecond = 0;
    return plan;
}

void takePlan(PlannerInputs& inputs, Scenario scenario, const KnownDevices& devices) {
    inputs.model = QString::fromLatin1(PlannerInputs::kPlan);
    if (scenario.model.count() != nullptr) inputs.model = QString::fromLatin1(PlannerInputs::kCount);
    for (const planner::ModelPreset& preset : planner::modelPresets())
        if (preset.model.kind == scenario.model.kind) inputs.model = toText(preset.key);
    inputs.recipe = QString::fromLatin1(PlannerInputs::kPlan);
    if (scenario.model.linear() == nullptr)
        for (const planner::NamedRecipe& named : planner::namedRecipes())
            if (haveSameStorage(named.recipe, scenario.recipe)) inputs.recipe = toText(named.key);
    if (auto& device = scenario.cluster.device) {
        const std::vector<Machine> known = devices.all();
        const auto found = std::ranges::find_if(known, [&](const Machine& machine) {
            return machine.id == device->id && haveSameFigures(machine, *device);
        });
        if (found == known.end() && !isOfPlan(device)) device->id = PlannerInputs::kDeviceOfPlan + device->id;
    }
    inputs.scenario = std::move(scenario);
}

Result<void> chooseModel(PlannerInputs& inputs, const QString& key, const RunConfig& config) {
    if (isOfPlan(key)) {
        if (isOfPlan(inputs.model)) return {};
        return Error{ErrorCode::BadInput, "the model of the plan is not here any more",
                     "open the plan again"};
    }
    const bool wasLinear = inputs.scenario.model.linear() != nullptr;
    if (key == QLatin1String(PlannerInputs::kCount)) {
        const double before = inputs.scenario.model.parameters();
        inputs.scenario.model = planner::modelOfCount(before > 0 ? before : kCountParameters);
    } else if (key == QLatin1String(PlannerInputs::kLinear)) {
        planner::chooseLinear(inputs.scenario, config);
        inputs.ofRunPanel = config;
    } else if (key == QLatin1String(PlannerInputs::kConfig)) {
        PLUMB_TRY(inputs.scenario.model,
                  planner::modelFromConfig(inputs.configText.toStdString(),
                                           "config.json: " + inputs.configPath.toStdString()));
    } else {
        PLUMB_TRY(inputs.scenario.model, planner::findModel(key.toStdString()));
    }
    const bool isLinear = key == QLatin1String(PlannerInputs::kLinear);
    inputs.model = key;
    // What the new model has not got to train, it is not asked for.
    if (!planner::checkAdaptation(inputs.scenario.model, inputs.scenario.adaptation).has_value())
        inputs.scenario.adaptation = {};
    if (isLinear) {
        inputs.recipe = QString::fromLatin1(PlannerInputs::kOfModel);
        return {};
    }
    if (wasLinear) inputs.scenario.parallel.sharding = planner::ParallelLayout{}.sharding;
    if (!wasLinear) return {};
    const bool ofModel = inputs.recipe == QLatin1String(PlannerInputs::kOfModel) || isOfPlan(inputs.recipe);
    return chooseRecipe(inputs, ofModel ? QStringLiteral("mixed-adamw") : inputs.recipe, config);
}

Result<void> chooseRecipe(PlannerInputs& inputs, const QString& key, const RunConfig& config) {
    if (isOfPlan(key)) {
        if (isOfPlan(inputs.recipe)) return {};
        return Error{ErrorCode::BadInput, "the recipe of the plan is not here any more",
                     "open the plan again"};
    }
    if (key == QLatin1String(PlannerInputs::kOfModel)) {
        planner::chooseLinear(inputs.scenario, config);
        inputs.ofRunPanel = config;
    } else {
        PLUMB_CHECK(planner::chooseRecipe(inputs.scenario, key.toStdString()));
    }
    inputs.recipe = key;
    return {};
}

void chooseDevice(PlannerInputs& inputs, const Machine& device) {
    inputs.scenario.cluster.device = device;
    for (const Input fact :
         {Input::Memory, Input::Peak, Input::Bandwidth, Input::LinkBandwidth, Input::DevicePower})
        planner::resetInput(inputs.scenario, fact);
}

QString grouped(const std::string& value) { return toText(localGroups(value)); }

QString shortInputText(Input input, double value) {
    if (isShare(planner::info(input))) return numberText(100 * value, 'g', 3) + QStringLiteral(" %");
    return grouped(planner::formatInput(input, value));
}

QString inputText(Input input, double value) {
    const InputInfo& info = planner::info(input);
    constexpr int kEnoughDigits = 6;
    constexpr qsizetype kRoom = 15;  // letters in a field
    // What was worked out has all the digits of a double; nobody typed those.
    if (formatEditable(value, "").size() > kRoom)
        value = QString::number(value, 'g', kEnoughDigits).toDouble();
    if (isShare(info)) return localText(formatEditable(value, "%"));
    if (hasPrefixes(info.unit)) return localText(formatEditable(value, info.unit));
    QString text = QString::number(value, 'g', QLocale::FloatingPointShortest);
    if (value >= 1e6 && !(info.whole && value < 1e9)) {
        // As people write counts: 70e9, 15e12.
        const int thousands = 3 * static_cast<int>(std::floor(std::log10(value) / 3));
        const QString shown = QStringLiteral("%1e%2").arg(value / std::pow(10, thousands)).arg(thousands);
        if (shown.toDouble() == value) text = shown;
    }
    if (info.whole && value < 1e9) text = QString::number(value, 'f', 0);
    text = localText(text.toStdString());
    if (info.unit.starts_with('$')) return QLatin1Char('$') + text + toText(info.unit.substr(1));
    // Counts in a unit of their own have no prefix of their own: a plain number and the unit behind it.
    return info.unit.empty() ? text : text + QLatin1Char(' ') + toText(info.unit);
}

Result<void> enterInput(Scenario& scenario, Input input, const QString& text) {
    PLUMB_TRY(scenario, parseTyped(text.toStdString(), [&](const std::string& plain) -> Result<Scenario> {
                  Scenario next = scenario;
                  PLUMB_CHECK(planner::setInput(next, input, std::string_view(plain)));
                  return next;
              }));
    return {};
}

const std::vector<Input>& mapInputs() {
    static const std::vector<Input> inputs{Input::Devices,
                                           Input::MicroBatch,
                                           Input::Batch,
                                           Input::Sequence,
                                           Input::Tensor,
                                           Input::Pipeline,
                                           Input::Context,
                                           Input::Expert,
                                           Input::ShardGroup,
                                           Input::Zero,
                                           Input::RecomputeInterval,
                                           Input::Memory,
                                           Input::Bandwidth,
                                           Input::Peak,
                                           Input::LinkBandwidth,
                                           Input::NetworkBandwidth,
                                           Input::MatmulEfficiency};
    return inputs;
}

Input sweepInput(const PlannerInputs& inputs) {
    for (const Input input : entryAt(plannerQuestions(), inputs.question).over)
        if (const auto number = planner::numberOf(inputs.scenario, input); number.has_value() && *number > 0)
            return input;
    return inputs.mapX;
}

planner::Axis mapAxis(const Scenario& scenario, Input input) {
    const InputInfo& info = planner::info(input);
    planner::Axis axis{input, {}};
    if (input == Input::Zero) {
        axis.values = {0, 1, 2, 3};
        return axis;
    }
    const auto number = planner::numberOf(scenario, input);
    double middle = number.has_value() ? *number : 0;
    // A batch that was not given is what the layout makes it; any is a beginning.
    if (!(middle > 0)) middle = input == Input::Sequence ? 4096 : input == Input::Batch ? 1024 : 1;
    const double factor = info.whole ? 2 : 1.25;
    for (int step = -kSteps; step <= kSteps; ++step) {
        const double value = middle * std::pow(factor, step);
        const bool isWhole = !info.whole || value == std::round(value);
        if (isWhole && value >= info.least && value <= info.most) axis.values.push_back(value);
    }
    for (double next = axis.values.empty() ? 1 : axis.values.back() * factor;
         axis.values.size() < 2 * kSteps - 2 && next <= info.most; next *= factor)
        axis.values.push_back(next);
    return axis;
}

QByteArray toBytes(const PlannerInputs& inputs) {
    const Scenario& scenario = inputs.scenario;
    QJsonObject object{{QStringLiteral("version"), 1},
                       {QStringLiteral("question"), entryAt(plannerQuestions(), inputs.question).key},
                       {QStringLiteral("model"), inputs.model},
                       {QStringLiteral("recipe"), inputs.recipe},
                       {QStringLiteral("framework"), inputs.framework},
                       {QStringLiteral("recompute"), toText(planner::name(scenario.recipe.recompute))},
                       {QStringLiteral("method"), toText(planner::name(scenario.adaptation.method))},
                       {QStringLiteral("targets"), toText(planner::targetsText(scenario.adaptation))},
                       {QStringLiteral("frozen"), toText(planner::frozenText(scenario.adaptation))},
                       {QStringLiteral("software"), toText(planner::name(scenario.software))},
                       {QStringLiteral("sequenceParallel"), scenario.parallel.sequence},
                       {QStringLiteral("mapX"), toText(planner::info(inputs.mapX).key)},
                       {QStringLiteral("mapY"), toText(planner::info(inputs.mapY).key)},
                       {QStringLiteral("mapOfMemory"), inputs.mapOfMemory}};
    if (scenario.cluster.device) object.insert(QStringLiteral("device"), toText(scenario.cluster.device->id));
    if (isOfPlan(inputs.model) || isOfPlan(inputs.recipe) || isOfPlan(scenario.cluster.device) ||
        scenario.measured != nullptr || hasOwnComputation(scenario.recipe))
        object.insert(QStringLiteral("plan"), toText(planner::scenarioToText(scenario)));
    if (inputs.model == QLatin1String(PlannerInputs::kConfig)) {
        object.insert(QStringLiteral("config"), inputs.configText);
        object.insert(QStringLiteral("configPath"), inputs.configPath);
    }
    QJsonArray candidates;
    for (const PlannerCandidate& candidate : inputs.candidates) {
        QJsonObject entry{{QStringLiteral("device"), toText(candidate.device)},
                          {QStringLiteral("devices"), static_cast<qint64>(candidate.devices)}};
        if (candidate.dollarsPerHour) entry.insert(QStringLiteral("price"), *candidate.dollarsPerHour);
        candidates.append(entry);
    }
    object.insert(QStringLiteral("candidates"), candidates);
    QJsonObject given;
    for (const InputInfo& info : planner::allInputs())
        if (isGiven(scenario, info.input))
            given.insert(toText(info.key), rangeToJson(planner::valueOf(scenario, info.input)->range));
        else if (info.input == Input::Tokens)
            given.insert(toText(info.key), QJsonValue::Null);
    object.insert(QStringLiteral("given"), given);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

PlannerInputs plannerInputsFrom(const QByteArray& bytes, const KnownDevices& devices,
                                const RunConfig& config) {
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    if (object.value(QStringLiteral("version")).toInt() != 1) return PlannerInputs::standard(devices);
    PlannerInputs inputs = PlannerInputs::ofCount(devices);
    const auto text = [&](const char* key) { return object.value(QLatin1String(key)).toString(); };
    inputs.question = plannerQuestion(text("question"));
    inputs.configText = text("config").left(static_cast<qsizetype>(kMostConfigBytes));
    inputs.configPath = text("configPath");
    inputs.framework = text("framework");
    // Whatever is refused stays at its default.
    const std::string planned = text("plan").toStdString();
    const auto plan =
        planned.empty() ? Result<Scenario>(Error{}) : planner::scenarioFromText(planned, "plan");
    if (plan.has_value() && (isOfPlan(text("model")) || isOfPlan(text("recipe")))) {
        inputs.scenario = *plan;
        inputs.model = text("model");
        inputs.recipe = text("recipe");
    } else {
        (void)chooseModel(inputs, text("model"), config);
        (void)chooseRecipe(inputs, text("recipe"), config);
    }
    planner::Adaptation adaptation = inputs.scenario.adaptation;
    for (const planner::FineTuning method : kEnumerators<planner::FineTuning>)
        if (toText(planner::name(method)) == text("method")) planner::chooseMethod(adaptation, method);
    if (adaptation.hasAdapters()) (void)planner::setTargets(adaptation, text("targets").toStdString());
    (void)planner::setFrozen(adaptation, text("frozen").toStdString());
    if (planner::checkAdaptation(inputs.scenario.model, adaptation).has_value())
        inputs.scenario.adaptation = adaptation;
    for (const planner::Software software : kEnumerators<planner::Software>)
        if (toText(planner::name(software)) == text("software")) inputs.scenario.software = software;
    for (const planner::Recompute recompute : kEnumerators<planner::Recompute>)
        if (toText(planner::name(recompute)) == text("recompute"))
            inputs.scenario.recipe.recompute = recompute;
    if (plan.has_value() && inputs.scenario.model.linear() == nullptr)
        planner::computationOf(inputs.scenario.recipe) = planner::computationOf(plan->recipe);
    inputs.scenario.parallel.sequence = object.value(QStringLiteral("sequenceParallel")).toBool(true);
    const std::string device = text("device").toStdString();
    for (const Machine& machine : devices.all())
        if (machine.id == device) inputs.scenario.cluster.device = machine;
    if (plan.has_value() && isOfPlan(plan->cluster.device))
        inputs.scenario.cluster.device = plan->cluster.device;
    if (plan.has_value()) inputs.scenario.measured = plan->measured;
    if (const auto x = planner::inputFromKey(text("mapX").toStdString())) inputs.mapX = *x;
    if (const auto y = planner::inputFromKey(text("mapY").toStdString())) inputs.mapY = *y;
    inputs.mapOfMemory = object.value(QStringLiteral("mapOfMemory")).toBool();
    for (const QJsonValue value : object.value(QStringLiteral("candidates")).toArray()) {
        const QJsonObject entry = value.toObject();
        PlannerCandidate candidate{.device = entry.value(QStringLiteral("device")).toString().toStdString(),
                                   .devices = entry.value(QStringLiteral("devices")).toInteger()};
        if (entry.contains(QStringLiteral("price")))
            candidate.dollarsPerHour = entry.value(QStringLiteral("price")).toDouble();
        const bool sensible = !candidate.device.empty() && candidate.devices >= 1 &&
                              static_cast<double>(candidate.devices) <= planner::info(Input::Devices).most &&
                              candidate.dollarsPerHour.value_or(0) >= 0;
        if (sensible && inputs.candidates.size() < kMostCandidates) inputs.candidates.push_back(candidate);
    }
    const QJsonObject given = object.value(QStringLiteral("given")).toObject();
    // A count begins with tokens of its own; a plan may have been without.
    if (given.value(toText(planner::info(Input::Tokens).key)).isNull()) inputs.scenario.workload.tokens = 0;
    for (const InputInfo& info : planner::allInputs()) {
        const QJsonArray range = given.value(toText(info.key)).toArray();
        if (range.size() != 3) continue;
        const planner::Range value{range[0].toDouble(), range[1].toDouble(), range[2].toDouble()};
        if (info.kind == planner::InputKind::Choice)
            (void)planner::setInput(inputs.scenario, info.input, value.expected);
        else
            (void)planner::setInput(inputs.scenario, info.input, value);
    }
    return inputs;
}

}  // namespace plumb::ui
